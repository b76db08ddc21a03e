"""In the lecture hall: one live figure fills the screen, and the keyboard does everything.

A figure made in lecture mode (`kernellab.lecture()` or KERNELLAB_LECTURE=1) carries a `Presenter`.
The browser's half, with the list of keys, is ``lecture.js``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from kernellab.page.course import lesson_of

HERE = Path(__file__).parent


def in_an_application() -> bool:
    """Whether this is nothing but its figures (Voilà), not first of all a page to read."""
    return os.environ.get("SERVER_SOFTWARE", "").startswith("voila")


class Presenter(anywidget.AnyWidget):
    """Puts the live figure it is a part of on the stage, and passes on what is asked for there.

    Parameters
    ----------
    figure : What is presented; its class says its name in an address, and its lesson.
    """

    _esm = HERE / "lecture.js"
    _css = HERE / "lecture.css"

    # What the figure says of itself.
    question = traitlets.Unicode("").tag(sync=True)  # the heading of the stage
    presets: Any = traitlets.List([]).tag(sync=True)  # their names: what the keys 1 to 9 load
    name = traitlets.Unicode("").tag(sync=True)
    title = traitlets.Unicode("").tag(sync=True)
    lesson = traitlets.Unicode("").tag(sync=True)
    notes = traitlets.Unicode("").tag(sync=True)  # for the speaker
    solution = traitlets.Int(0).tag(sync=True)  # the preset that answers, from 1; 0 if none does
    at_once = traitlets.Bool(False).tag(sync=True)
    # What is asked for: {"count": k, "preset": i} loads a preset, from 0; {"count": k} resets; with
    # "state" that is set after it. The count makes equal requests differ.
    request: Any = traitlets.Dict({"count": 0}).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)  # the count of the last request
    hidden = traitlets.Bool(False).tag(sync=True)  # what answers the question
    # What a hand has changed since, for the address; it is told when asked for.
    state_asked = traitlets.Int(0).tag(sync=True)
    state: Any = traitlets.Dict({"count": 0}).tag(sync=True)

    def __init__(self, figure: Any) -> None:
        super().__init__()
        self._figure = figure
        self.at_once = in_an_application()
        self.name = type(figure).__name__
        self.lesson = lesson_of(type(figure).__module__)
        self.announce()
        # An application goes on the stage as soon as it is there: nobody sees an answer before.
        self.hidden = self.at_once
        self._hid(None)
        self.observe(self._requested, "request")
        self.observe(self._hid, "hidden")
        self.observe(self._state_wanted, "state_asked")

    def announce(self) -> None:
        """Take over what the figure says of itself now."""
        self.question, self.presets = self._figure.question, list(self._figure.presets)
        self.title, self.notes = self._figure.heading or spaced(self.name), self._figure.notes
        self.solution = [None, *self.presets].index(self._figure.solution)

    def _requested(self, change: Mapping[str, Any]) -> None:
        hides = self._figure.answer_request(change["new"])
        if hides:
            self.hidden = True
        self.answered = change["new"]["count"]

    def _hid(self, _: Any) -> None:
        self._figure.live.hide(self.hidden)

    def _state_wanted(self, change: Mapping[str, Any]) -> None:
        self.state = {"count": change["new"], "changed": self._figure.changed()}


def spaced(name: str) -> str:
    """Write the name of a class as words: "SoftMargin" is "Soft margin"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"(?<= )[A-Z](?![A-Z])", lambda letter: letter[0].lower(), words)


def plain(value: Any) -> Any:
    """Return a setting as JSON has it; raises TypeError for what JSON has not."""
    if isinstance(value, np.ndarray):
        return np.round(value, 6).tolist()
    if isinstance(value, np.generic):
        return plain(value.item())
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"{type(value).__name__} has no place in an address")
