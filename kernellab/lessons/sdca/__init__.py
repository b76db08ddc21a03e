"""All that belongs to notebook 05: SDCA."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.animation_marks": ("film",),
        "figures.coordinate": ("CoordinateParabola",),
        "figures.engines": ("race",),
        "figures.hinge_lines": ("hinge_lines", "two_bounds"),
        "figures.log_curves": ("log_curves",),
        "figures.gap_by_point": ("GapByPoint",),
        "figures.other_stairs": ("OtherStairs",),
        "figures.scrubber": ("Scrubber",),
        "figures.staircase": ("Staircase",),
        "figures.sum_form": ("SumForm", "all_widths"),
        "figures.two_at_a_time": ("two_at_a_time",),
        "theory.recording": ("gaps_of", "record", "rises"),
    },
    modules=["exercises"],
)
