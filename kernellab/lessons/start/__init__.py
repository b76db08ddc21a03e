"""All that belongs to the first notebook."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.bend": ("Bend", "corners", "make_corners", "make_ringed", "nobody_lifts"),
        "figures.hello": ("Hello", "self_test"),
    },
    modules=["exercises"],
)
