"""All that belongs to notebook 02: the widest margin."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.bands": ("Bands", "twelve_points"),
        "figures.c_path": ("AlphaPath",),
        "figures.class_weights": ("ClassWeights",),
        "figures.dual_surface": ("DualWalk", "three_tops"),
        "figures.hulls": ("Hulls", "TwoHulls"),
        "figures.kkt": ("KKT",),
        "figures.one_constraint": ("OneConstraint", "lower_bounds", "two_fences"),
        "figures.pictures": (
            "digits_by_score",
            "errors_over_costs",
            "margin_bound",
            "pieces",
            "structural_risk",
        ),
        "figures.soft_margin": ("SoftMargin", "noisy_clouds", "one_outlier"),
        "theory.c_path": ("alpha_path",),
        "theory.hulls": ("common_point",),
        "theory.soft_margin": ("soft_margin",),
        "theory.structural_risk": ("fewest_errors",),
    },
    modules=["exercises", "theory.c_path"],
)
