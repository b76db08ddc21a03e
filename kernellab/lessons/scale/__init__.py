"""All that belongs to notebook 08: many classes, many points, more than one machine."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "theory.images": ("halves", "many_digits", "shifted"),
    },
)
