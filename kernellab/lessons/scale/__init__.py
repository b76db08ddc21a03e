"""All that belongs to notebook 08: many classes, many points, more than one machine."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.growth_dial": ("GrowthDial",),
        "figures.memory_dial": ("MemoryDial",),
        "figures.pictures": (
            "beside_scikit_learn",
            "copies",
            "cut_into_blocks",
            "gap_over_rounds",
            "misread",
            "right_over_n",
            "right_over_time",
            "rows_of_support",
            "slopes",
            "small_against_large",
            "ten_digits",
            "two_learners",
        ),
        "theory.images": ("halves", "many_digits", "shifted"),
        "theory.growth": ("PowerLaw", "curve", "curves", "power_law", "table"),
    },
    modules=["exercises"],
)
