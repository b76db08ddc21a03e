"""kernellab: kernel methods from scratch, with figures that answer.

The names below are loaded when they are first used, so that `import kernellab` stays light:
`kernellab.Gaussian` imports `kernellab.kernels` then, not before.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_NAMES = {
    "bandwidth": ("median_bandwidth",),
    "beside": ("side_by_side",),
    "by_hand": ("hard_margin_by_hand",),
    "c_path": ("alpha_path",),
    "certificates": (
        "functional_margins",
        "geometric_half_margin",
        "is_positive_semidefinite",
        "novikoff_bound",
        "nu",
        "relative_gap",
        "spectrum",
        "svm_certificate",
        "training_mistakes",
    ),
    "course": ("course_map", "navigation"),
    "cross_validation": ("cross_validated_scores",),
    "datasets": (
        "Dataset",
        "Structures",
        "WordCounts",
        "load_digits",
        "load_iris",
        "load_molecules",
        "load_packages",
        "load_rings",
        "load_towns",
        "make_and",
        "make_clouds",
        "make_contradiction",
        "make_rings",
        "make_xor",
        "molecule",
    ),
    "descent": ("descend", "risk", "risk_gradient"),
    "draw.picture": ("picture",),
    "draw.style": ("lecture", "new_figure"),
    "estimators": (
        "HardMarginSVC",
        "KernelPerceptron",
        "KernelRidge",
        "KernelSVC",
        "KernelSVR",
        "LinearSVC",
        "MKLClassifier",
        "Nystroem",
        "OneClassSVM",
        "OneVsOneClassifier",
        "OneVsRestClassifier",
        "PegasosSVC",
        "Perceptron",
        "RandomFourierFeatures",
    ),
    "expansion": ("Expansion", "orthogonal_part"),
    "features": ("count_features", "exponents", "polynomial_map"),
    "folds": ("rate_with_error", "stratified_folds"),
    "formula": ("Formula",),
    "gram": ("class_means", "nearest_mean_accuracy"),
    "hard_margin": ("closest_points", "max_margin_through_origin"),
    "hulls": ("common_point", "convex_hull"),
    "kernels": (
        "AllSubsequences",
        "Gaussian",
        "Graph",
        "Kernel",
        "Laplacian",
        "Linear",
        "Normalized",
        "OnColumns",
        "Polynomial",
        "SetKernel",
        "Sigmoid",
        "Spectrum",
        "WeisfeilerLehman",
        "as_kernel",
        "score_field",
    ),
    "losses": (
        "MARGIN_LOSSES",
        "exponential",
        "hinge",
        "logistic",
        "squared",
        "squared_hinge",
        "zero_one",
    ),
    "perceptron": (
        "dual_perceptron",
        "dual_perceptron_pass",
        "homogeneous",
        "kernel_perceptron",
        "primal_perceptron",
        "primal_perceptron_pass",
        "trace",
        "weights_from_counts",
    ),
    "roc": ("roc_curve",),
    "solving": ("NotConverged", "Result", "solve"),
    "source": ("show",),
    "structural_risk": ("fewest_errors", "margin_dimension", "vc_confidence"),
    "trick": ("with_a_kernel", "with_dot_products"),
    "witness": ("Witness", "centre", "find_witness", "search_witness"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
