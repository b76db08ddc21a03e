"""A live figure as it is declared: its question, its controls, its marks, and what they show."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from math import isclose
from typing import Any, Self

import ipywidgets
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.mark import artists_of, moving_artists
from kernellab.draw.picture import Picture
from kernellab.live.controls import Control, Sample, declared, panel
from kernellab.live.figure import LiveFigure
from kernellab.live.lecture import Presenter, in_an_application, plain
from kernellab.live.readout import Numbers
from kernellab.live.strip import Panel, side_by_side, stacked
from kernellab.validation import FloatArray

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


class Figure(ipywidgets.VBox):
    """Controls above a picture that answers to them, and to points dragged by hand.

    Where no widgets run, the same picture stands still.

    A subclass names its ``question``, controls as class attributes (:mod:`kernellab.live.controls`)
    and ``presets``; it makes its marks in :meth:`build`, and in :meth:`show` computes, sets the
    marks and returns the numbers it shows, by name. ``readout`` and ``alt`` are templates of these
    numbers: ``"gap {gap:.2g}"``. In them ``{C}`` is what control C says of itself, ``{C:.2f}`` its
    value. Phrases of the readout are three spaces apart; one that names what is None, or not there,
    is not said.

    Whatever artists and marks `build` keeps on the figure, alone or in lists, move; what never
    moves is not kept, or has a name that begins with an underscore. Raises ValueError if a setting
    is none of the figure's.

    Parameters
    ----------
    settings
        Where controls stand first, by name; what is in ``memory``; and ``points``, the grips.
    """

    question = ""
    heading = ""  # of the demo; the name of the class, unless it is said
    notes = ""  # for the speaker
    solution: str | None = None  # the preset that answers the question, if the first picture cannot
    presets: Mapping[str, Mapping[str, Any]] = {}  # settings with a name, for a lecture
    # What answers the question, by the names that `build` keeps it under: in a lecture hall it is
    # hidden until it is asked for, as titles and readout are. A preset with ``hidden`` hides it.
    answer: Sequence[str] = ()
    at_first: Sequence[str] = ()  # controls that are seen at once, where there are many
    size: tuple[float, float] = (9.4, 4.4)  # inches
    readout = ""
    alt = ""
    memory: Mapping[str, Any] = {}  # what makes the picture without a control, as it is at first
    grip_names: Sequence[str] = ()  # of grips that are no sample
    grip_colour = style.ACCENT
    linked: Sequence[str] = ()  # controls that say the same as the grips
    limits: Sequence[float] | None = None  # left, right, bottom, top, which no grip leaves
    # The panel of a strip, if not that with the grips, or several, one below the other; and how
    # large a figure it is cut from, in inches, if the type should be larger beside the picture.
    key: Any = None
    strip_size: tuple[float, float] | None = None

    _quiet = False  # while controls are set without drawing

    def __init__(self, **settings: Any) -> None:
        kinds = declared(type(self))
        self._kinds = {name: one for name, one in kinds.items() if isinstance(one, Control)}
        self.controls = {name: kind.make() for name, kind in self._kinds.items()}
        self.exact: dict[str, Any] = {}  # what a hand has set, where a control shows it rounded
        self.numbers: Mapping[str, Any] = {}
        self._taken: str | None = None
        self._known_settings(settings)
        for name, first in self.memory.items():
            setattr(self, name, deepcopy(settings.get(name, first)))
        figure = style.new_figure(self.size)
        samples = [kind for kind in self._kinds.values() if isinstance(kind, Sample)]
        self._sample = samples[0] if samples else None
        if self._sample is not None:
            self._set_first(self._sample.name, settings)
        hand = self.build(figure)
        self._take()
        for name in self._kinds:
            self._set_first(name, settings)
        self._seen = self._linked_values()
        self._grips = np.array(settings.get("points", self.grips())).reshape(-1, 2)
        self._widgets = tuple(
            self.controls[name] if isinstance(one, Control) else one.widget(self)
            for name, one in kinds.items()
        )
        self.live = LiveFigure(
            figure,
            self.update,
            moving=moving_artists(self),
            axes=hand,
            points=self._grips,
            handles=self.handles(),
            limits=self.limits,
            describe=self.describe,
            controls=self._widgets,
            answer=[one for name in self.answer for one in artists_of(getattr(self, name))],
        )
        for control in self.controls.values():
            control.observe(self._changed, "value")
        self._presenter = None
        if style.in_lecture():
            self._presenter = Presenter(self)
        controls = panel(kinds, self._widgets, self.at_first)
        super().__init__([controls, self.live, *([self._presenter] if self._presenter else [])])
        self.add_class("kl-figure")
        self._first = self._loaded = self.settings()

    # --- what a figure says ----------------------------------------------------------------------

    def build(self, figure: MplFigure) -> Axes | None:
        """Make the axes and the marks; return the axes in which points are dragged, if any are."""
        raise NotImplementedError

    def show(self, points: FloatArray) -> Mapping[str, Any]:
        """Compute for the controls and the grips, shape (n_grips, 2); return the numbers shown."""
        raise NotImplementedError

    def take(self, data: Any) -> None:
        """Take the data that were chosen, and make room for them."""
        X, self.y = data if isinstance(data, tuple) else (data.X, data.y)
        within = self._sample.within if self._sample else np.inf
        self.X = np.clip(X, -within, within)

    def grips(self) -> Any:
        """Return where the grips stand for these data and controls, shape (n_grips, 2)."""
        if self._sample is None:
            return np.empty((0, 2))
        return self.X if len(self.X) <= self._sample.most else self.X[:0]

    def handles(self) -> list[dict[str, str]]:
        """Return what is read aloud of each grip, and its colour."""
        if self._sample is None or self.grip_names:
            return [{"label": name, "color": self.grip_colour} for name in self.grip_names]
        y = self.y[: len(self.grips())]
        return class_handles(y, self._sample.grip, first=self._sample.first)

    def read(self, points: FloatArray) -> Any:
        """Return what the ``linked`` controls say where the hand has put the grips."""
        raise NotImplementedError

    def place(self, handles: Sequence[dict[str, str]] | None = None) -> FloatArray:
        """Put the grips where :meth:`grips` says; return their places."""
        points: FloatArray = np.array(self.grips(), dtype=float).reshape(-1, 2)
        self.live.place(points, handles)
        return points

    def set_max(self, name: str, high: int) -> None:
        """Let a control over numbers end elsewhere; where it stands beyond, it goes to the end."""
        with self.quietly():
            self.controls[name].max = high

    # --- what follows from it --------------------------------------------------------------------

    def update(self, points: FloatArray) -> str:
        """Let data, grips, controls and offers follow what was moved; show it."""
        if self._take():
            points = self.place(self.handles())
        elif not same(self._linked_values(), self._seen):
            self.exact.clear()
            points = self.place()
        elif not np.array_equal(points, self._grips) and self.linked:
            with self.quietly():
                for name, value in zip(self.linked, self.read(points), strict=True):
                    self.exact[name] = value
                    setattr(self, name, value)
        self._grips = points
        if self._sample is not None and len(points) and not self.grip_names:
            others = getattr(self, "X", points)[len(points) :]  # of many a few may have grips
            self.X = np.vstack([points, others]) if len(others) else points
        for kind in self._kinds.values():
            kind.offer(self)
        self.numbers = self.show(points)
        self._seen = self._linked_values()
        return Numbers(self._known).lines(self.readout)

    def describe(self) -> str:
        """Return the alternative text."""
        return Numbers(self._known).text(self.alt)

    def _known(self, name: str) -> Any:
        if name in self.numbers:
            return self.numbers[name]
        return ControlText(self, name) if name in self.controls else None

    def _set_first(self, name: str, settings: Mapping[str, Any]) -> None:
        """Set a control to where it stands first."""
        kind, control = self._kinds[name], self.controls[name]
        kind.offer(self)
        first = settings.get(name, kind.value(self) if callable(kind.value) else kind.value)
        if first is not None:
            control.value = kind.nearest(self, first)

    def _take(self) -> bool:
        """Take the data that were chosen, if they are others; return whether they are."""
        if self._sample is None or self._taken == (chosen := getattr(self, self._sample.name)):
            return False
        self._taken = chosen
        self.take(self._sample.loaders[chosen]())
        return True

    def _linked_values(self) -> list[float]:
        return [self.controls[name].value for name in self.linked]

    def _changed(self, _: Any) -> None:
        if not self._quiet:
            self.live.redraw()

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Set controls inside without drawing once more."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    # --- all that can be set, by name: for presets, a reset, a lecture ---------------------------

    def settings(self) -> dict[str, Any]:
        """Return all that makes this picture, by name: controls, ``memory``, and ``points``."""
        controls = {name: control.value for name, control in self.controls.items()}
        remembered = {name: deepcopy(getattr(self, name)) for name in self.memory}
        return {**controls, **remembered, "points": self.live.at}

    def _known_settings(self, settings: Mapping[str, Any]) -> list[str]:
        """Return the names of settings in the order in which they are set."""
        known = [*self.controls, *self.memory, "points"]
        if unknown := set(settings) - set(known):
            raise ValueError(
                f"settings must be among {', '.join(known)}, got {', '.join(sorted(unknown))}"
            )
        return [name for name in known if name in settings]

    def _known_preset(self, preset: str) -> None:
        if preset not in self.presets:
            known = ", ".join(map(repr, self.presets)) or "none"
            raise ValueError(f"preset must be among {known}, got {preset!r}")

    def configure(self, **settings: Any) -> None:
        """Set controls by name, what is in ``memory``, and ``points``. What is not named stays.

        Raises ValueError if a name is not among the settings.
        """
        names = self._known_settings(settings)
        with self.live.at_once():
            # In this order, because a choice of data comes before what is moved in it; and twice,
            # because what a slider may be set to can depend on where the points are.
            for name in 2 * names:
                if name in self.controls:
                    self.controls[name].value = settings[name]  # updates, if it is another
                    continue
                if name == "points":
                    self.live.place(settings[name])
                else:
                    setattr(self, name, deepcopy(settings[name]))
                self.live.redraw()

    def reset(self) -> None:
        """Go back to the picture it began with."""
        self.configure(**self._first)
        self._loaded = self.settings()

    def changed(self) -> dict[str, Any]:
        """Return what is set otherwise than by the last preset or reset, as JSON has it."""
        found = {}
        for name, value in self.settings().items():
            if name == "points" and self.linked and not self.exact:
                continue  # they follow from the controls
            with suppress(TypeError):  # what JSON has not, such as a dice, has no address
                now, before = plain(value), plain(self._loaded[name])
                if now != before and not almost(now, before):
                    found[name] = now
        return found

    def load(self, preset: str) -> None:
        """Show one of the ``presets``: what it names, and all else as it was at first.

        Raises ValueError if there is no such preset.
        """
        self._known_preset(preset)
        with self.live.at_once():
            self.reset()
            named = self.presets[preset]
            self.configure(**{name: named[name] for name in named if name != "hidden"})
        self._loaded = self.settings()

    def ask(
        self, question: str, *, title: str = "", notes: str = "", answer: str | None = None
    ) -> Self:
        """Put another question over the figure, as for a whole hall; returns the figure.

        ``title`` is how the demo is called, and ``notes`` is what the speaker reads. ``answer`` is
        the preset that shows the answer, where the first picture cannot. Raises ValueError if there
        is no such preset.
        """
        if answer is not None:
            self._known_preset(answer)
        self.question, self.solution = question, answer
        self.heading, self.notes = title or self.heading, notes or self.notes
        return self

    def answer_request(self, request: Mapping[str, Any]) -> bool:
        """Do what was asked for on the stage; return whether that hides the answer."""
        hides = False
        try:
            for widget in self._widgets:
                if isinstance(widget, ipywidgets.Play):
                    widget.playing = False
            if "preset" in request:
                preset = list(self.presets)[request["preset"]]
                hides = bool(self.presets[preset].get("hidden"))
                self.load(preset)
            else:
                self.reset()
            if "state" in request:
                self.configure(**request["state"])
        except Exception as problem:  # a preset that does not fit: said in the figure
            self.live.error = f"{type(problem).__name__}: {problem}"
        # Also what has not changed: keys come fast, and the page may have it otherwise.
        for part in (self.live, *self._widgets):
            part.send_state([name for name in ("points", "index", "value") if name in part.keys])
        return hides

    def __repr__(self) -> str:
        return RUN_ME

    def _ipython_display_(self) -> None:
        if self._presenter:
            self._presenter.announce()
        question = f'<p class="kl-question"><strong>{html.escape(self.question)}</strong></p>'
        display({"text/html": WITHOUT_WIDGET + question, "text/plain": self.question}, raw=True)
        if not in_an_application():  # which nobody saves or prints
            display(self.live.still())
        display(self._repr_mimebundle_(), raw=True)

    # --- on paper --------------------------------------------------------------------------------

    @classmethod
    def strip(cls, *presets: str, **settings: Any) -> Picture:
        """Return a still of 2 to 4 presets side by side: the panel ``key``, or that with the grips.

        A figure without such a panel is shown whole, and so is any for a lecture hall; settings are
        as for the figure itself. A key above the panels is shown once. Raises ValueError for
        another number of presets, and for one that does not exist.
        """
        if not 2 <= len(presets) <= 4:
            raise ValueError(f"a strip shows 2 to 4 presets, got {len(presets)}")
        kind: Any = type(cls)  # a figure of another size
        hall = style.in_lecture()
        size = cls.size if hall else cls.strip_size or cls.size
        figure = kind(cls.__name__, (cls,), {"size": size})(**settings)
        key = figure.key if isinstance(figure.key, Sequence) else [figure.key]
        panels: list[Panel] = []
        for preset in presets:
            figure.load(preset)
            views = [figure.live.panel(axes, legend=not panels) for axes in key]
            image = figure.live.whole() if hall else stacked(views)
            panels.append(Panel(preset, image, figure.live.alt))
        return side_by_side(panels)


class ControlText:
    """A control in a template: what it says of itself, or its value in a format."""

    def __init__(self, figure: Figure, name: str) -> None:
        self.value = getattr(figure, name)
        self.label = getattr(figure.controls[name], "label", self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self.label)


def almost(value: Any, other: Any) -> bool:
    """Whether a number is another, as a page gives it back: −50 as −49.99999999999997."""
    numbers = isinstance(value, int | float) and isinstance(other, int | float)
    return numbers and isclose(value, other, rel_tol=1e-12)


def same(values: Sequence[float], others: Sequence[float]) -> bool:
    """Whether sliders stand where they stood: a page gives back 0.15 as 0.15000000000000002."""
    return bool(np.allclose(values, others, rtol=0, atol=1e-9))


def class_handles(
    y: Iterable[float], name: str = "example", *, first: int = 0
) -> list[dict[str, str]]:
    """Return a handle for each example: its number and class, in the colour of its class."""
    return [
        {"label": f"{name} {i}, class {label:+g}", "color": style.COLOUR[int(label)]}
        for i, label in enumerate(y, start=first)
    ]
