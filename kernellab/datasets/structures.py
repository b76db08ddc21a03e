"""Real examples that are no vectors: names of towns, and molecules."""

from __future__ import annotations

import numpy as np

from kernellab.datasets.files import read_rows
from kernellab.datasets.records import Structures
from kernellab.kernels.graphs import Graph
from kernellab.validation import FloatArray

TOWNS_SOURCE = "towns of Germany and of France: their names, a matter of fact; BSD-3-Clause"
MOLECULES_SOURCE = (
    "alkanes, alcohols and ethers: their structure, and boiling points from general knowledge, "
    "rounded to 1 °C, a matter of fact; BSD-3-Clause"
)


def load_towns() -> Structures:
    """Names of 102 towns of Germany (−1) and 102 of France (+1), as texts.

    Returns Structures: X of 204 texts in small letters between "_": "_köln_", so that "n_" is an n
    at the end. Names as they are written, larger towns first in each class. Source: data/towns.csv.
    Raises FileNotFoundError if the data file is missing. Taught in notebook 03.
    """
    rows = read_rows("towns.csv")
    names = tuple(name for name, _ in rows)
    y = np.array([1.0 if country == "France" else -1.0 for _, country in rows])
    texts = tuple(f"_{name.lower()}_" for name in names)
    return Structures(texts, y, names, ("Germany", "France"), TOWNS_SOURCE)


def load_molecules() -> Structures:
    """86 alkanes, alcohols and ethers as graphs; +1 if they boil above 100 °C, as water does.

    Returns Structures: X of 86 graphs of carbon "C" and oxygen "O" and the bonds between them;
    hydrogen is left out, because what is missing is hydrogen. Source: data/molecules.csv. Raises
    FileNotFoundError if the data file is missing. Taught in notebook 03.
    """
    rows = read_rows("molecules.csv")
    graphs = tuple(molecule(bonds) for _, bonds, _ in rows)
    y = np.array([1.0 if float(boils) > 100 else -1.0 for *_, boils in rows])
    names = tuple(name for name, *_ in rows)
    return Structures(graphs, y, names, ("up to 100 °C", "above 100 °C"), MOLECULES_SOURCE)


def load_boiling_points() -> FloatArray:
    """Return at how many °C the molecules of `load_molecules` boil, shape (86,).

    Source: data/molecules.csv. Raises FileNotFoundError if it is missing. Taught in notebook 06.
    """
    return np.array([float(boils) for *_, boils in read_rows("molecules.csv")])


def molecule(bonds: str) -> Graph:
    """Return the graph of a molecule without rings, written as chemists do on a line.

    Returns a graph: one vertex an atom, labelled "C" or "O", in the order of the text. The part of
    SMILES (Weininger 1988) that this needs. Raises ValueError if another letter occurs, a bracket
    is missing, or there is no atom. Taught in notebook 03.

    Parameters
    ----------
    bonds : str
        Atoms C and O, each bound to the one before; a branch in brackets: "CC(C)O" is 2-propanol.
    """
    labels: list[str] = []
    edges: list[tuple[int, int]] = []
    branches: list[int] = []
    last: int | None = None
    for sign in bonds:
        if sign in "CO":
            if last is not None:
                edges.append((last, len(labels)))
            last = len(labels)
            labels.append(sign)
        elif sign == "(" and last is not None:
            branches.append(last)
        elif sign == ")" and branches:
            last = branches.pop()
        else:
            raise ValueError(f"bonds must be of C, O and pairs of brackets, got {bonds!r}")
    if branches or not labels:
        raise ValueError(f"bonds must hold atoms, and close each bracket, got {bonds!r}")
    return Graph.from_edges(labels, edges)
