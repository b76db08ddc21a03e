"""What a figure is made of: marks, each of them several artists that are shown together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure


class Mark:
    """Made once on its axes, then shown again with other numbers: printed or live, by one code.

    What artists it keeps, alone, in lists or in other marks, move. What never moves is not kept, or
    has a name that begins with an underscore.
    """

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return moving_artists(self)


def moving_artists(thing: Any) -> list[Artist]:
    """Return the artists that a mark or a live figure keeps, each once."""
    kept = [value for name, value in vars(thing).items() if not name.startswith("_")]
    return list(dict.fromkeys(_artists(kept)))


def artists_of(thing: Any) -> list[Artist]:
    """Return the artists that one thing kept by a figure is or has; of axes, all that are drawn."""
    return [thing] if isinstance(thing, Axes) else list(dict.fromkeys(_artists([thing])))


def _artists(things: Iterable[Any]) -> Iterator[Artist]:
    for thing in things:
        if isinstance(thing, Artist):
            if not isinstance(thing, Axes | Figure):
                yield thing
        elif isinstance(thing, dict):
            yield from _artists(thing.values())
        elif isinstance(thing, list | tuple):
            yield from _artists(thing)
        else:
            yield from getattr(thing, "artists", ())
