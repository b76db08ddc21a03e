"""A live figure as it is declared: its question, its controls, its marks, and what they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.picture import Picture
from kernellab.live.controls import Control, Sample, declared
from kernellab.live.explorer import Explorer, class_handles, same
from kernellab.live.readout import Numbers
from kernellab.live.strip import Panel, side_by_side
from kernellab.validation import FloatArray


class Figure(Explorer):
    """A figure that answers to controls and to points dragged by hand.

    A subclass names its ``question``, controls as class attributes (:mod:`kernellab.live.controls`)
    and ``presets``; it makes its marks in :meth:`build`, and in :meth:`show` computes, sets the
    marks and returns the numbers it shows, by name. ``readout`` and ``alt`` are templates of these
    numbers: ``"gap {gap:.2g}"``. In them ``{C}`` is what control C says of itself, ``{C:.2f}`` its
    value. Phrases of the readout are three spaces apart; one that names what is None, or not there,
    is not said.

    Whatever artists and marks `build` keeps on the figure, alone or in lists, move; what never
    moves is not kept, or has a name that begins with an underscore.

    Parameters
    ----------
    settings
        Where controls stand first, by name; what is in ``memory``; and ``points``, the grips.

    Raises
    ------
    ValueError
        If a setting is none of the figure's.
    """

    question = ""
    size: tuple[float, float] = (9.4, 4.4)  # inches
    readout = ""
    alt = ""
    memory: Mapping[str, Any] = {}  # what makes the picture without a control, as it is at first
    grip_names: Sequence[str] = ()  # of grips that are no sample
    grip_colour = style.ACCENT
    linked: Sequence[str] = ()  # controls that say the same as the grips
    limits: Sequence[float] | None = None  # left, right, bottom, top, which no grip leaves

    def __init__(self, **settings: Any) -> None:
        kinds = declared(type(self))
        points = settings.pop("points", None)
        self._kinds = {name: one for name, one in kinds.items() if isinstance(one, Control)}
        self.controls = {name: kind.make() for name, kind in self._kinds.items()}
        self.exact: dict[str, Any] = {}  # what a hand has set, where a control shows it rounded
        self.numbers: Mapping[str, Any] = {}
        self._taken: str | None = None
        known = [*self._kinds, *self.memory]
        if unknown := set(settings) - set(known):
            raise ValueError(
                f"settings must be among {', '.join(known)}, got {', '.join(sorted(unknown))}"
            )
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
        self._grips = np.array(self.grips() if points is None else points).reshape(-1, 2)
        super().__init__(
            self.question,
            figure,
            [
                self.controls[name] if isinstance(one, Control) else one.widget(self)
                for name, one in kinds.items()
            ],
            moving=list(dict.fromkeys(moving(self._kept()))),
            axes=hand,
            points=self._grips,
            handles=self.handles(),
            limits=self.limits,
        )

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
            for name, value in zip(self.linked, self.read(points), strict=True):
                self.exact[name] = value
                self.set_quietly(self.controls[name], self._kinds[name].nearest(self, value))
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

    def _kept(self) -> list[Any]:
        return [kept for name, kept in vars(self).items() if not name.startswith("_")]

    def _known(self, name: str) -> Any:
        if name in self.numbers:
            return self.numbers[name]
        return Said(self, name) if name in self.controls else None

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

    # --- on paper --------------------------------------------------------------------------------

    @classmethod
    def strip(cls, *presets: str, **settings: Any) -> Picture:
        """Return a still of two to four presets side by side: the panel in which points are moved.

        A figure without such a panel is shown whole.

        Parameters
        ----------
        presets
            Names of presets, from left to right.
        settings
            As for the figure itself.

        Raises
        ------
        ValueError
            If there are fewer than two presets, or more than four, or one that does not exist.
        """
        if not 2 <= len(presets) <= 4:
            raise ValueError(f"a strip shows 2 to 4 presets, got {len(presets)}")
        figure = cls(**settings)
        panels = []
        for preset in presets:
            figure.load(preset)
            panels.append(Panel(preset, figure.live.panel(), figure.live.alt))
        return side_by_side(panels)


class Said:
    """A control in a template: what it says of itself, or its value in a format."""

    def __init__(self, figure: Figure, name: str) -> None:
        self.value = getattr(figure, name)
        self.label = getattr(figure.controls[name], "label", self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self.label)


def moving(things: Any) -> Iterator[Artist]:
    """Yield what moves among things that a figure keeps: artists, and those of marks."""
    for thing in things:
        if isinstance(thing, Artist):
            if not isinstance(thing, Axes | MplFigure):
                yield thing
        elif isinstance(thing, dict):
            yield from moving(thing.values())
        elif isinstance(thing, list | tuple):
            yield from moving(thing)
        else:
            yield from getattr(thing, "artists", ())
