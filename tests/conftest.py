"""Live figures in unit tests: computed at every move, drawn once. And no random test is timed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # all else as it is, also in CI
settings.load_profile("untimed")


@pytest.fixture
def drawn_at_the_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Live figures compute at every move, but are drawn once, as the test leaves them.

    Most of a live figure's time goes into laying it out and painting it, which changes no number.
    What cannot be drawn still fails: what moves in it is drawn at the end, without axes and ticks.
    A `still` is laid out and painted when it is asked for, as ever.
    """
    from kernellab.live import figure as module

    figure, waiting, made = module.LiveFigure, {}, set()
    paint, still, freeze_layout = figure._paint, figure.still, module.freeze_layout

    def painted_still(live: Any) -> Any:
        with monkeypatch.context() as as_ever:
            as_ever.setattr(figure, "_paint", paint)
            freeze_layout(live._figure)
            return still(live)

    def paint_later(live: Any, *, sharp: bool) -> None:
        if id(live) in made:  # one that was only made looks as it does in every other test
            waiting[id(live)] = live
        made.add(id(live))

    monkeypatch.setattr(figure, "_paint", paint_later)
    monkeypatch.setattr(figure, "_encode", lambda live, *, sharp: b"")
    monkeypatch.setattr(figure, "still", painted_still)
    monkeypatch.setattr(module, "freeze_layout", lambda drawn: drawn.set_layout_engine("none"))
    yield
    monkeypatch.undo()
    for live in waiting.values():
        if any(axes.name == "3d" for axes in live._figure.axes):
            live._paint(sharp=True)  # in space the axes say where things are
        else:
            for artist in live._moving:
                live._figure.draw_artist(artist)
