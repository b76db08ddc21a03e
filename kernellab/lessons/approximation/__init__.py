"""All that belongs to notebook 07: Nyström, random features and multiple kernels."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.corners": ("CornersAndArc", "two_kernels"),
        "figures.digits_columns": ("ColumnsRace", "unit_digits"),
        "figures.digits_mkl": (
            "DigitsKernels", "all_pixels", "beside_the_average", "rivals_on_splits", "sixteen",
        ),
        "figures.fourier": ("FourierDial",),
        "figures.gram_columns": (
            "ColumnDial", "digits_by_class", "lost_by_every_m", "nearest_on_sheet",
        ),
        "figures.landmarks": ("LandmarkGame", "SAMPLES", "lost_share"),
        "figures.mkl_data": ("THIRDS_OF_DIGITS", "kernels_of"),
        "figures.mkl_triangle": ("MKLTriangle", "two_paths"),
        "figures.noise_kernels": ("NoiseKernels", "ten_draws"),
        "theory.published": ("gradient_machine", "hundred_digits", "published"),
    },
    modules=["exercises"],
)  # fmt: skip
