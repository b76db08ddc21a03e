"""All that belongs to notebook 05: SDCA."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.accuracy_marks": ("log_curves", "with_error_bars"),
        "figures.animation_marks": ("Moment", "film_of_run"),
        "figures.coordinate": ("CoordinateParabola",),
        "figures.envelope_marks": ("upper_edge",),
        "figures.gap_by_point": ("GapByPoint", "races"),
        "figures.other_stairs": ("OtherStairs",),
        "figures.scrubber": ("Scrubber",),
        "figures.staircase": ("Staircase", "rectangles"),
        "figures.sum_form": ("SumForm",),
        "theory.recording": ("record",),
    },
    modules=["exercises"],
)
