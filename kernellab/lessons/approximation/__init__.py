"""All that belongs to notebook 07: Nyström, random features and multiple kernels."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.corners": ("CornersAndArc", "two_kernels"),
        "figures.digits_columns": (
            "AgainstColumns", "COUNTS", "ColumnsRace", "HOW", "KERNEL", "N", "trained",
            "trained_exactly", "unit_digits",
        ),
        "figures.digits_mkl": ("DigitsKernels", "PAIRS", "QUARTERS", "compared", "rivals_on_split"),
        "figures.fourier": ("FourierDial", "GAUSSIAN", "errors_by_columns"),
        "figures.gram_columns": (
            "ColumnDial", "POINTS", "TEN_DIGITS", "UNIFORM", "approximate", "examples",
            "lost_by_columns", "orders",
        ),
        "figures.landmarks": (
            "CLOUD", "CLUSTERS", "LandmarkGame", "SAMPLES", "bound", "lost_share",
        ),
        "figures.mkl_data": ("THIRDS_OF_DIGITS", "kernels_of"),
        "figures.mkl_triangle": ("MKLTriangle",),
        "figures.noise_kernels": (
            "NOISE_GAMMAS", "NoiseKernels", "error_of", "over_gammas", "signal_and_noise",
            "train_with_noise",
        ),
        "theory.mkl_surface": ("weighted_svm",),
    },
    modules=["exercises"],
)  # fmt: skip
