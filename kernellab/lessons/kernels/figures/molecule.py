"""A small molecule: its atoms laid out in the plane so that bonds have the same length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.kernels import Graph

Neighbours = Sequence[Sequence[int]]
TURNS = (-1.0, 1.0, 0.0)  # times 60°, at each atom: the longest chain as a zigzag, then branches


def layout(neighbours: Neighbours) -> NDArray[np.float64]:
    """Return places for the vertices of a tree, shape (n, 2), neighbours at distance 1.

    The longest path is drawn as a zigzag from left to right, and so are its branches.
    """
    places = np.zeros((len(neighbours), 2))

    def place(here: int, before: int, direction: float, side: float) -> None:
        onward = [v for v in neighbours[here] if v != before]
        onward.sort(key=lambda v: -len(longest_path(neighbours, v, here)))
        for v, turn in zip(onward, TURNS, strict=False):
            angle = direction + side * turn * np.pi / 3
            places[v] = places[here] + [np.cos(angle), np.sin(angle)]
            place(v, here, angle, -side if turn <= 0 else side)

    end = longest_path(neighbours, 0)[-1]
    place(end, -1, -np.pi / 6, -1.0)
    return places - (places.max(axis=0) + places.min(axis=0)) / 2


def longest_path(neighbours: Neighbours, start: int, before: int = -1) -> list[int]:
    """Return a longest path of a tree from a vertex, not by way of the one before it."""
    onward = [longest_path(neighbours, v, start) for v in neighbours[start] if v != before]
    return [start, *max(onward, key=len, default=[])]


class Molecule(Mark):
    """Atoms as discs (carbon small and dark, oxygen large, with its letter), bonds, and rings."""

    def __init__(self, axes: Axes) -> None:
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        axes.set(xlim=(-4.6, 4.6), ylim=(-2.4, 2.4), aspect="equal")
        self.bonds = LineCollection([], colors=style.INK, linewidths=style.LINE, zorder=2)
        axes.add_collection(self.bonds, autolim=False)
        self.atoms = {
            label: axes.scatter(
                [], [], marker="o", c=colour, s=area, edgecolors=style.INK, zorder=3,
                linewidths=style.THIN,
            )
            for label, colour, area in (("C", style.INK, 40), ("O", style.ACCENT, 160))
        }  # fmt: skip
        self.letters = axes.scatter(
            [], [], marker="$\\mathrm{O}$", c="white", s=60, linewidths=0, zorder=4
        )
        self.rings = axes.scatter([], [], s=300, facecolors="none", edgecolors=style.INK, zorder=4)

    def show(self, molecule: Graph | None, ringed: Sequence[int] = ()) -> None:
        """Show a tree of atoms "C" and "O", some of them ringed; or nothing."""
        neighbours = molecule.neighbours if molecule else ()
        places = layout(neighbours) if molecule else np.empty((0, 2))
        self.bonds.set_segments(
            [places[[v, u]] for v, of in enumerate(neighbours) for u in of if v < u]
        )
        for label, mark in self.atoms.items():
            here = [k for k, one in enumerate(molecule.labels if molecule else ()) if one == label]
            mark.set_offsets(places[here])
        self.letters.set_offsets(self.atoms["O"].get_offsets())
        self.rings.set_offsets(places[list(ringed)])
