"""All live figures of the course, found where they are: a new one is tested without being named."""

from __future__ import annotations

import hashlib
import io
from importlib import import_module
from pathlib import Path

import numpy as np
from PIL import Image

import kernellab.lessons
from kernellab.live.declared import Figure


def find() -> dict[str, type[Figure]]:
    """Return the classes of the lessons that make a figure, by name."""
    found = {}
    for file in sorted(Path(kernellab.lessons.__path__[0]).glob("*/figures/*.py")):
        module = f"kernellab.lessons.{file.parts[-3]}.figures.{file.stem}"
        for name, kind in vars(import_module(module)).items():
            if (
                isinstance(kind, type)
                and issubclass(kind, Figure)
                and kind.__module__ == module
                and kind.show is not Figure.show
            ):
                assert name not in found, "two figures of one name"
                found[name] = kind
    return found


LIVE_FIGURES = find()
# Some in which every kind of control is found, and of points: free, in steps, and none.
EVERY_KIND = (
    "PerceptronStepper", "FindTheWitness", "FiveMistakes", "ModelGrid", "Scrubber",
)  # fmt: skip


def code(name: str) -> str:
    """Return the cell that makes a figure."""
    return f"from {LIVE_FIGURES[name].__module__} import {name}\nfigure = {name}()\nfigure"


def seen(figure: Figure) -> tuple[str, str, str]:
    """What is to be seen at rest: the pixels (their digest), the numbers, the alternative text."""
    live = figure.live
    live.rest = live.answer["frame"]
    pixels = np.asarray(Image.open(io.BytesIO(live.frame)).convert("RGB"))
    return hashlib.sha256(pixels.tobytes()).hexdigest(), live.readout, live.alt
