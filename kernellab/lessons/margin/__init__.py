"""All that belongs to notebook 02: the widest margin."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.c_path": ("AlphaPath",),
        "figures.class_weights": ("ClassWeights",),
        "figures.deletion": ("Deletion",),
        "figures.dual_surface": ("DualWalk",),
        "figures.hulls": (
            "Hulls",
            "two_groups",
        ),
        "figures.kkt": ("KKT",),
        "figures.risk_marks": (
            "error_over_c",
            "margin_bound",
            "pieces",
            "structural_risk",
        ),
        "figures.soft_margin": (
            "SoftMargin",
            "noisy_clouds",
        ),
        "theory.by_hand": ("hard_margin_by_hand",),
        "theory.c_path": ("alpha_path",),
        "theory.hulls": (
            "common_point",
            "convex_hull",
        ),
        "theory.roc": ("roc_curve",),
        "theory.soft_margin": (
            "bias_interval",
            "soft_margin",
        ),
        "theory.structural_risk": (
            "fewest_errors",
            "margin_dimension",
            "vc_confidence",
        ),
    },
    modules=["exercises", "theory.c_path"],
)
