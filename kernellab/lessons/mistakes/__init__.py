"""All that belongs to wrong code, shown on purpose: the museum, notebook 09."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "exhibits": (
            "check_accuracy", "check_chosen_error", "check_distance", "check_error_curve",
            "check_gaussian", "check_is_support_vector", "check_kernel", "check_orders",
            "check_pegasos", "check_predict", "check_report", "check_ridge", "check_scores",
            "check_sentence", "check_surface", "check_test_error", "check_train",
            "check_violations", "check_weights", "exhibit", "gap", "score",
        ),
        "figures.broadcast": ("BroadcastMicroscope",),
        "figures.five_mistakes": ("FiveMistakes", "as_published", "surface_mended"),
    },
)  # fmt: skip
