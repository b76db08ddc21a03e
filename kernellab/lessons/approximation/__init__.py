"""All that belongs to notebook 07: Nyström, random features and multiple kernels."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.corners": (
            "CornersAndArc",
            "problem",
        ),
        "figures.digits_columns": (
            "COUNTS",
            "ColumnsRace",
            "HOW",
            "KERNEL",
            "N",
            "exactly",
            "remembered",
            "unit_digits",
        ),
        "figures.digits_mkl": (
            "DigitsKernels",
            "PAIRS",
            "QUARTERS",
            "compared",
            "rivals_on_split",
        ),
        "figures.fourier": (
            "FourierDial",
            "GAUSSIAN",
        ),
        "figures.gram_columns": (
            "ColumnDial",
            "DIGITS",
            "POINTS",
            "UNIFORM",
            "approximate",
            "curves",
            "examples",
            "orders",
        ),
        "figures.landmarks": (
            "CLOUD",
            "CLUSTERS",
            "LandmarkGame",
            "SAMPLES",
            "bound",
            "lost_share",
        ),
        "figures.mkl_data": ("kernels_of",),
        "figures.mkl_triangle": ("WeightPath",),
        "figures.noise_kernels": (
            "GAMMAS",
            "NoiseKernels",
            "error_of",
            "run",
        ),
        "figures.rivals_marks": ("AgainstColumns",),
        "theory.mkl_surface": ("weighted_svm",),
    },
    modules=["figures.fourier", "figures.mkl_data", "figures.noise_kernels", "exercises"],
)
