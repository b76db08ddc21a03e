"""In the lecture hall: one live figure fills the screen, and the keyboard does everything.

A figure made in lecture mode (`kernellab.lecture()` or KERNELLAB_LECTURE=1) carries a `Presenter`.
The browser's half, with the list of keys, is ``lecture.js``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

HERE = Path(__file__).parent


def in_an_application() -> bool:
    """Whether this is nothing but its figures (Voilà), not first of all a page to read."""
    return os.environ.get("SERVER_SOFTWARE", "").startswith("voila")


class Presenter(anywidget.AnyWidget):
    """Puts the live figure it is a part of on the stage, and passes on what is asked for there.

    Parameters
    ----------
    question : What the hall should think about; the heading of the stage.
    presets : The names of what the keys 1 to 9 load.
    answer
        Called with a request: ``{"count": k, "preset": i}`` for the preset number i (from 0), or
        ``{"count": k}`` for a reset; the count makes equal requests differ.
    """

    _esm = HERE / "lecture.js"
    _css = HERE / "lecture.css"

    question = traitlets.Unicode("").tag(sync=True)
    presets: Any = traitlets.List([]).tag(sync=True)  # their names
    request: Any = traitlets.Dict({"count": 0}).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)  # the count of the last request
    at_once = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        question: str,
        presets: list[str],
        answer: Callable[[Mapping[str, Any]], None],
    ) -> None:
        super().__init__()
        self.question, self.presets = question, presets
        self.at_once = in_an_application()
        self._answer = answer
        self.observe(self._requested, "request")

    def _requested(self, change: Mapping[str, Any]) -> None:
        self._answer(change["new"])
        self.answered = change["new"]["count"]
