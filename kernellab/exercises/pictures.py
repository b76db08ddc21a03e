"""A picture of what an answer computes; where the answer fails, a word about it instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from IPython.display import display

from kernellab.draw.picture import picture
from kernellab.draw.style import new_figure
from kernellab.exercises.running import TimeIsUp, raiser, time_limit

SECONDS = 5.0


@dataclass
class Page:
    """Where to draw, and the words that stand for the picture."""

    axes: Any
    alt: str = ""


@contextmanager
def drawn(name: str, size: tuple[float, float], seconds: float = SECONDS) -> Iterator[Page]:
    """Show what the body draws, ``size`` in inches; if it fails or takes too long, say so."""
    figure = new_figure(size)
    page = Page(figure.subplots())
    try:
        with time_limit(seconds):
            yield page
        if not page.alt.strip():
            raise ValueError("page.alt must say in words what the picture shows")
        # A pixel for a pixel: an attachment has no other width, and both shall be alike.
        shown = picture(figure, page.alt, ratio=1.0)
    except NotImplementedError as error:
        stub = raiser(error)
        missing = "it" if stub in (None, name) else f"the picture also needs {stub}, which"
        print(f"○ {name}: no picture yet; {missing} is not filled in.")
    except TimeIsUp:
        print(f"✗ {name}: no picture; it was still running after {seconds:g} s, and was stopped.")
    except Exception as error:
        print(f"✗ {name}: no picture; {type(error).__name__}: {error}")
        print(f"See first what exercises.{name}.check says.")
    else:
        display(shown)
