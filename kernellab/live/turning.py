"""A grip that turns a picture in space, and the two sliders that do the same."""

from __future__ import annotations

from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from kernellab.draw import style
from kernellab.live.explorer import Explorer, same, slider
from kernellab.validation import FloatArray


def turn_and_tilt(turn: float, tilt: float) -> tuple[Any, Any]:
    """Make two sliders: how far one has walked round the picture, and how high one stands."""
    return (
        slider("turn, degrees", turn, -180, 180, 1),
        slider("tilt, degrees", tilt, -20, 90, 1),
    )


class TurningGrip:
    """Invisible axes over a picture, in which a grip stands at (turn, tilt) in degrees.

    Parameters
    ----------
    figure, place
        The figure, and the place of the picture in its grid.
    turn, tilt
        The sliders.
    """

    def __init__(self, figure: Figure, place: Any, turn: Any, tilt: Any) -> None:
        self.turn, self.tilt = turn, tilt
        self.axes = figure.add_subplot(place)
        self.axes.set(xlim=(turn.min, turn.max), ylim=(tilt.min, tilt.max))
        self.axes.set_axis_off()
        self.axes.spines[:].set_visible(False)
        (self.knob,) = self.axes.plot(
            [], [], marker="o", markersize=15, markerfacecolor="none",
            markeredgecolor=style.ACCENT, markeredgewidth=style.LINE,
            zorder=9,
        )  # fmt: skip
        self.handle = {"label": "the view: turn, and tilt, in degrees", "color": style.ACCENT}
        self.view = (turn.value, tilt.value)

    @property
    def artists(self) -> list[Artist]:
        """The knob, for a live figure's list of moving artists."""
        return [self.knob]

    def follow(self, figure: Explorer, grip: FloatArray) -> None:
        """Take the view from what was moved last, the grip or a slider; move the other there."""
        sliders = (self.turn.value, self.tilt.value)
        if not same(sliders, self.view):
            self.view = sliders
            figure.live.place([sliders])
        elif tuple(grip) != self.view:
            self.view = (round(float(grip[0])), round(float(grip[1])))
            figure.set_quietly(self.turn, self.view[0])
            figure.set_quietly(self.tilt, self.view[1])
        self.knob.set_data([self.view[0]], [self.view[1]])
