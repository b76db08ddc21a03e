"""All that belongs to notebook 06: kernel ridge regression."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.bias_variance": ("BiasVarianceDial",),
        "figures.equaliser": ("Equaliser",),
        "figures.gp_band": ("GPBand",),
        "figures.pictures": (
            "bars",
            "boiling",
            "gains",
            "gallery",
            "left_out",
            "over_lam",
            "plot",
            "valleys",
        ),
        "figures.ridge_break": ("RidgeBreak",),
        "figures.ridge_dial": ("RidgeDial", "make_wave", "wave"),
        "figures.ridge_or_svm": ("RidgeOrSVM",),
        "figures.ridge_surface": ("RidgeSurface",),
        "figures.roughness": ("Roughness",),
        "theory.bias_variance": ("bias_variance", "resampled_fits"),
        "theory.gaussian_process": ("coverage", "sample_paths"),
    },
    modules=["exercises"],
)
