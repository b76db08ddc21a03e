"""All that belongs to wrong code, shown on purpose."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.broadcast": ("BroadcastMicroscope",),
        "figures.five_mistakes": ("FiveMistakes",),
        "wrong_pegasos": (
            "MISTAKES", "as_printed", "batch_in_a_row", "check_batches", "chosen_before_the_test",
            "chosen_on_the_test", "never_shrunk_pass", "printed_pass", "with_late_factor",
        ),
        "ridge_experiment": ("error_terms", "mean_squared_error", "ridge_errors"),
        "wrong_stopping": ("stop_at_small_step",),
    },
)  # fmt: skip
