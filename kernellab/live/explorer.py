"""The frame that every live figure of the course shares: a question, controls, one picture.

A lesson's figure is a subclass that makes a Matplotlib figure and its artists, makes its controls,
and says in :meth:`Explorer.update` what a change of either means. Everything else is here.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import Any, Self

import ipywidgets
import numpy as np
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.live.figure import LiveFigure
from kernellab.live.lecture import Presenter, in_an_application

RUN_ME = "Live figure: run this cell in JupyterLab to move it."
# A notebook opened again without its kernel says "model not found" where the widget was. The still
# picture above says more; this puts better words in the place of that line, and only of that line.
MISSING_WIDGET = (
    ".jp-OutputArea-child:has(.kl-question) ~ .jp-OutputArea-child > .lm-Panel:not(:has(*))"
)
WITHOUT_WIDGET = f"""<style>
{MISSING_WIDGET} {{visibility: hidden; font-size: 0}}
{MISSING_WIDGET}.jupyter-widgets::after {{
  visibility: visible; font-size: 13px; content: "{RUN_ME}"
}}
</style>"""


class Explorer(ipywidgets.VBox):
    """Controls above a live figure; the same picture, still, wherever widgets do not run.

    Parameters
    ----------
    question
        What the reader should find out by moving something; stands above the controls.
    figure
        A Matplotlib figure made with :func:`kernellab.draw.style.new_figure`.
    controls
        Widgets, in order. A change of any ``value`` calls :meth:`update` and redraws.
    moving, axes, points, handles, limits
        As for :class:`~kernellab.live.figure.LiveFigure`.
    """

    _quiet = False  # while `update` itself sets a control
    presets: Mapping[str, Mapping[str, Any]] = {}  # settings with a name, for a lecture
    memory: Collection[str] = ()  # attributes without a control that make the picture too

    def __init__(
        self,
        question: str,
        figure: Figure,
        controls: Sequence[ipywidgets.Widget],
        *,
        moving: Sequence[Artist] | Callable[[], Iterable[Artist]],
        axes: Axes | None = None,
        points: Any = (),
        handles: Sequence[dict[str, str]] = (),
        limits: Sequence[float] | None = None,
    ) -> None:
        self.question = question
        self.live = LiveFigure(
            figure,
            self.update,
            moving=moving,
            axes=axes,
            points=points,
            handles=handles,
            limits=limits,
            describe=self.describe,
            controls=controls,
        )
        for control in controls:
            # A Play turns another control, and one drawing for both is enough.
            if control.has_trait("value") and not isinstance(control, ipywidgets.Play):
                control.observe(self._changed, "value")
            if isinstance(control, ipywidgets.SelectionSlider):
                control.add_class("kl-ladder")
        self._controls = tuple(controls)
        row = ipywidgets.Box(list(controls))
        row.add_class("kl-controls")
        self._presenter = None
        if style.in_lecture():
            self._presenter = Presenter(question, list(self.presets), self._grant)
        super().__init__([row, self.live, *([self._presenter] if self._presenter else [])])
        self.add_class("kl-explorer")
        self._first = self.settings()

    def update(self, points: NDArray[np.float64]) -> str:
        """Set the artists for the controls' values and the grips' positions (n_handles, 2).

        Returns the line of numbers under the picture. A subclass must write this.
        """
        raise NotImplementedError

    def describe(self) -> str:
        """Return the alternative text of the picture as it is now. A subclass must write this."""
        raise NotImplementedError

    # --- all that can be set, by name: for presets, a reset, a lecture ---------------------------

    def settings(self) -> dict[str, Any]:
        """Return all that makes this picture, by name: controls, ``memory``, and ``points``.

        The name of a control is that of the attribute which holds it, or its key in a dictionary.
        """
        controls = {name: control.value for name, control in self._named().items()}
        remembered = {name: deepcopy(getattr(self, name)) for name in self.memory}
        return {**controls, **remembered, "points": self.live.at}

    def _named(self) -> dict[str, Any]:
        held = [vars(self), *(value for value in vars(self).values() if isinstance(value, dict))]
        return {
            name: control
            for things in held
            for name, control in things.items()
            if any(control is one for one in self._controls) and control.has_trait("value")
        }

    def configure(self, **settings: Any) -> None:
        """Set controls by name, what is in ``memory``, and ``points``. What is not named stays.

        Raises
        ------
        ValueError
            If a name is not among the settings.
        """
        known = self.settings()
        if unknown := set(settings) - set(known):
            raise ValueError(
                f"settings must be among {', '.join(known)}, got {', '.join(sorted(unknown))}"
            )
        controls = self._named()
        with self._at_once():
            # In this order, because a choice of data comes before what is moved in it; and twice,
            # because what a slider may be set to can depend on where the points are.
            for name in 2 * [name for name in known if name in settings]:
                if name in controls:
                    controls[name].value = settings[name]  # updates, if it is another
                    continue
                if name == "points":
                    self.live.place(settings[name])
                else:
                    setattr(self, name, deepcopy(settings[name]))
                self.live.redraw()

    def reset(self) -> None:
        """Go back to the picture it began with."""
        self.configure(**self._first)

    def load(self, preset: str) -> None:
        """Show one of the ``presets``: what it names, and all else as it was at first.

        Raises
        ------
        ValueError
            If there is no such preset.
        """
        if preset not in self.presets:
            known = ", ".join(map(repr, self.presets)) or "none"
            raise ValueError(f"preset must be among {known}, got {preset!r}")
        with self._at_once():
            self.reset()
            self.configure(**self.presets[preset])

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """At the end tell the page how the controls stand, and draw once.

        A page gives back what it is told, now and then with another last digit: had it been told of
        what was between, it would move the figure back there. And who sees the picture may press
        the next key, which moves a slider from where the page has it.
        """
        try:
            with self.live.at_once(), ExitStack() as said_later:
                for control in self._controls:
                    said_later.enter_context(control.hold_sync())
                yield
        finally:
            self.live.redraw(sharp=True)

    def ask(self, question: str) -> Self:
        """Put another question over the figure, as for a whole hall; returns the figure."""
        self.question = question
        return self

    def _grant(self, wish: Mapping[str, Any]) -> None:
        """Do what was asked for on the stage."""
        try:
            for control in self._controls:
                if isinstance(control, ipywidgets.Play):
                    control.playing = False
            if "preset" in wish:
                self.load(list(self.presets)[wish["preset"]])
            else:
                self.reset()
        except Exception as problem:  # a preset that does not fit: said in the figure
            self.live.error = f"{type(problem).__name__}: {problem}"
        # Also what has not changed: keys come fast, and the page may have it otherwise.
        for part in (self.live, *self._controls):
            part.send_state([name for name in ("points", "index", "value") if name in part.keys])

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Set controls inside, from :meth:`update` or before it, without drawing once more."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def set_quietly(self, control: Any, value: Any) -> None:
        """Set a control's value from :meth:`update`, without drawing once more."""
        with self.quietly():
            control.value = value

    def offer(self, control: Any, options: Any, value: Any = None) -> None:
        """Set what can be chosen, as :meth:`set_quietly`; the choice stays, if none is given."""
        value = control.value if value is None else value
        with self.quietly():
            control.options = options
            control.value = value

    def _changed(self, _: Any) -> None:
        if not self._quiet:
            self.live.redraw()

    def __repr__(self) -> str:
        return RUN_ME

    def _ipython_display_(self) -> None:
        if self._presenter:
            self._presenter.question = self.question
            self._presenter.presets = list(self.presets)
        question = f'<p class="kl-question"><strong>{html.escape(self.question)}</strong></p>'
        display({"text/html": WITHOUT_WIDGET + question, "text/plain": self.question}, raw=True)
        if not in_an_application():  # which nobody saves or prints
            display(self.live.still())
        display(self._repr_mimebundle_(), raw=True)


MANY = 10**9  # ticks of a Play: more than anybody waits for
WIDE: dict[str, Any] = {
    "style": {"description_width": "initial"},
    "layout": {"width": "400px", "max_width": "100%"},
}


def same(values: Sequence[float], others: Sequence[float]) -> bool:
    """Whether sliders stand where they stood: a page gives back 0.15 as 0.15000000000000002."""
    return bool(np.allclose(values, others, rtol=0, atol=1e-9))


def slider(label: str, value: float, low: float, high: float, step: float) -> Any:
    """Make a slider over real numbers that answers while it moves."""
    return ipywidgets.FloatSlider(
        value=value, min=low, max=high, step=step, description=label, **WIDE
    )


def steps(label: str, value: int, low: int, high: int) -> Any:
    """Make a slider over whole numbers."""
    return ipywidgets.IntSlider(value=value, min=low, max=high, description=label, **WIDE)


def player(slider: Any, interval: int, tooltip: str) -> Any:
    """Make buttons that play a slider over whole numbers, a step every ``interval`` ms.

    The page counts ticks, and nothing else: where the slider stands and ends is known in Python. Of
    two that the page keeps alike, one hears first of another end, and takes the other back to it.
    """
    play = ipywidgets.Play(value=1, max=MANY, interval=interval, tooltip=tooltip)

    def started(_: Any) -> None:
        if play.playing and slider.value == slider.max:
            slider.value = slider.min

    def ticked(change: Any) -> None:
        ticks = change["new"] - change["old"]
        if change["new"] == play.min:  # the button "stop" was pressed
            slider.value = slider.min
            play.value = 1  # so that it can be pressed again
        elif change["old"] == play.min:
            return  # our own, two lines above
        elif slider.value < slider.max:
            slider.value = min(slider.value + ticks, slider.max)
        elif play.repeat:
            slider.value = slider.min
        else:
            play.playing = False

    play.observe(started, "playing")
    play.observe(ticked, "value")
    return play


def ladder(label: str, values: Sequence[float], value: float | None = None) -> Any:
    """Make a slider over a few values, such as 1, 2, 5, 10: the first one unless ``value`` says."""
    return ipywidgets.SelectionSlider(
        options=list(values),
        value=values[0] if value is None else value,
        description=label,
        **WIDE,
    )


def class_handles(
    y: Iterable[float], name: str = "example", *, first: int = 0
) -> list[dict[str, str]]:
    """Return a handle for each example: its number and class, in the colour of its class."""
    return [
        {"label": f"{name} {i}, class {label:+g}", "color": style.COLOUR[int(label)]}
        for i, label in enumerate(y, start=first)
    ]


def choice(label: str, options: Any) -> Any:
    """Make a list from which one is chosen: names, or a dictionary of names and values."""
    return ipywidgets.Dropdown(
        options=options, description=label, style=WIDE["style"], layout={"width": "auto"}
    )


def button(label: str, press: Callable[[], None], *, tooltip: str = "") -> Any:
    """Make a button that calls ``press``."""
    widget = ipywidgets.Button(
        description=label, tooltip=tooltip or label, layout={"width": "auto"}
    )
    widget.on_click(lambda _: press())
    return widget
