"""A small molecule: its atoms laid out in the plane so that bonds have the same length."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from kernellab.draw import style
from kernellab.kernels import Graph

Neighbours = Sequence[Sequence[int]]
ZIGZAG = np.pi / 6  # a bond of the main chain rises or falls by so much


def layout(neighbours: Neighbours) -> NDArray[np.float64]:
    """Return places for the vertices of a tree, shape (n, 2), neighbours at distance 1.

    The longest path is drawn as a zigzag from left to right; branches leave it upwards or
    downwards, away from the chain, and go on as zigzags.
    """
    n = len(neighbours)
    places = np.full((n, 2), np.nan)
    chain = longest_path(neighbours)
    places[chain[0]] = (0.0, 0.0)
    for k, (before, here) in enumerate(pairwise(chain)):
        turn = ZIGZAG if k % 2 == 0 else -ZIGZAG
        places[here] = places[before] + [np.cos(turn), np.sin(turn)]
    for k, here in enumerate(chain):
        branches = [v for v in neighbours[here] if np.isnan(places[v, 0])]
        outward = np.pi / 2 if k % 2 else -np.pi / 2  # where the zigzag has its corner
        spread = {1: (0.0,), 2: (-0.45, 0.45)}.get(len(branches), (-0.45, 0.45, np.pi))
        if n == len(branches) + 1:
            spread = tuple(2 * np.pi * i / len(branches) for i in range(len(branches)))
        for branch, aside in zip(branches, spread, strict=False):
            _place_branch(neighbours, places, here, branch, outward + aside, 1)
    return places - (places.max(axis=0) + places.min(axis=0)) / 2


def _place_branch(
    neighbours: Neighbours,
    places: NDArray[np.float64],
    parent: int,
    here: int,
    direction: float,
    side: int,
) -> None:
    places[here] = places[parent] + [np.cos(direction), np.sin(direction)]
    onward = [v for v in neighbours[here] if v != parent]
    for k, child in enumerate(onward):
        turn = side * ZIGZAG * 2 * (1 if k == 0 else -1)
        _place_branch(neighbours, places, here, child, direction + turn, -side)


def longest_path(neighbours: Neighbours) -> list[int]:
    """Return the vertices of a longest path of a tree, from one end to the other."""
    return _farthest(neighbours, _farthest(neighbours, 0)[-1])


def _farthest(neighbours: Neighbours, start: int) -> list[int]:
    """Return the path from a vertex of a tree to one that is farthest from it."""
    best = [start]
    paths = [[start]]
    while paths:
        path = paths.pop()
        if len(path) > len(best):
            best = path
        paths += [[*path, v] for v in neighbours[path[-1]] if v not in path[-2:-1]]
    return best


class Molecule:
    """Atoms as discs with their letter (carbon small and dark, oxygen large), bonds as lines."""

    def __init__(self, axes: Axes) -> None:
        axes.set_axis_off()
        axes.spines[:].set_visible(False)
        axes.set(xlim=(-4.6, 4.6), ylim=(-2.4, 2.4), aspect="equal")
        self.bonds = LineCollection([], colors=style.INK, linewidths=style.LINE, zorder=2)
        axes.add_collection(self.bonds, autolim=False)
        self.atoms = {
            label: axes.scatter(
                [], [], marker=marker, c=colour, s=area, edgecolors=style.INK, zorder=3,
                linewidths=style.THIN,
            )
            for label, marker, colour, area in (
                ("C", "o", style.INK, 40), ("O", "o", style.NEGATIVE, 130),
            )
        }  # fmt: skip

    @property
    def artists(self) -> list[Artist]:
        """Bonds and atoms, for a live figure's list of moving artists."""
        return [self.bonds, *self.atoms.values()]

    def show(self, molecule: Graph | None) -> None:
        """Show a tree of atoms "C" and "O"; or nothing."""
        neighbours = molecule.neighbours if molecule else ()
        places = layout(neighbours) if molecule else np.empty((0, 2))
        self.bonds.set_segments(
            [places[[v, u]] for v, of in enumerate(neighbours) for u in of if v < u]
        )
        for label, mark in self.atoms.items():
            here = [k for k, one in enumerate(molecule.labels if molecule else ()) if one == label]
            mark.set_offsets(places[here])
