"""A picture in space that is turned by a grip, and by two sliders that do the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.space import viewed_from
from kernellab.live.controls import Slider
from kernellab.live.declared import Figure
from kernellab.live.figure import GRIP
from kernellab.validation import FloatArray


def turn_slider(value: float) -> Slider:
    """Declare how far one has walked round the picture."""
    return Slider("turn, degrees", -180, 180, 1, value)


def tilt_slider(value: float) -> Slider:
    """Declare how high one stands."""
    return Slider("tilt, degrees", -20, 90, 1, value)


class TurnedFigure(Figure):
    """A figure with sliders ``turn`` and ``tilt``, and a grip at both over its picture in space."""

    linked = ("turn", "tilt")
    grip_names = ("the view: turn, and tilt, in degrees",)
    turn: Any
    tilt: Any

    def build_grip(self, figure: MplFigure, place: Any) -> Axes:
        """Make invisible axes over a place of the figure's grid, and the grip's mark in them."""
        axes = figure.add_subplot(place)
        turn, tilt = self.controls["turn"], self.controls["tilt"]
        axes.set(xlim=(turn.min, turn.max), ylim=(tilt.min, tilt.max))
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        (self.knob,) = axes.plot(
            [], [], "o", ms=15, mfc="none", mec=style.ACCENT, mew=style.LINE, zorder=9, gid=GRIP
        )
        self.turns = axes.text(0, 0, "    turn", c=style.ACCENT, va="center", gid=GRIP, zorder=8)
        return axes

    def grips(self) -> Any:
        """Return where the grip stands."""
        return [(self.turn, self.tilt)]

    def read(self, points: FloatArray) -> Any:
        """Return turn and tilt in whole degrees."""
        return np.round(points[0])

    def show_view(self) -> FloatArray:
        """Mark the grip; return the directions in which the picture is seen."""
        self.knob.set_data([self.turn], [self.tilt])
        self.turns.set_position((self.turn, self.tilt))
        return viewed_from(self.turn, self.tilt)
