"""The towns and the molecules: what is in them, and that they say what the lesson says."""

from __future__ import annotations

import numpy as np
import pytest

from kernellab.datasets import load_boiling_points, load_molecules, load_towns, molecule
from kernellab.kernels import WeisfeilerLehman


def atoms(graph) -> tuple[int, int]:
    return graph.labels.count("C"), graph.labels.count("O")


def test_towns():
    towns = load_towns()
    assert len(towns.X) == len(set(towns.names)) == 204
    assert (towns.y > 0).sum() == (towns.y < 0).sum() == 102
    assert towns.target_names == ("Germany", "France")
    country = dict(zip(towns.names, towns.y, strict=True))
    assert country["Köln"] == country["Saarlouis"] == -1
    assert country["Paris"] == country["Strasbourg"] == 1
    assert all(x == f"_{name.lower()}_" for x, name in zip(towns.X, towns.names, strict=True))


def test_molecules_are_trees_with_possible_bonds():
    data = load_molecules()
    assert len(data.X) == len(set(data.names)) == 86
    assert (data.y > 0).sum() == 42
    np.testing.assert_array_equal(data.y > 0, load_boiling_points() > 100)
    for graph, name in zip(data.X, data.names, strict=True):
        bonds = sum(map(len, graph.neighbours)) // 2
        assert bonds == len(graph) - 1, name
        for label, around in zip(graph.labels, graph.neighbours, strict=True):
            assert len(around) <= {"C": 4, "O": 2}[label], name
    refined = WeisfeilerLehman(4)(data.X)
    assert len(np.unique(refined, axis=0)) == 86  # no molecule is there twice


@pytest.mark.parametrize(
    ("stem", "carbons"),
    [("meth", 1), ("eth", 2), ("prop", 3), ("but", 4), ("pent", 5), ("hex", 6), ("hept", 7),
     ("oct", 8), ("non", 9)],
)  # fmt: skip
def test_plain_names_say_how_many_carbons(stem, carbons):
    data = dict(zip(load_molecules().names, load_molecules().X, strict=True))
    assert atoms(data[f"{stem}ane"]) == (carbons, 0)
    for place in ("", "1-"):
        if f"{place}{stem}anol" in data:
            assert atoms(data[f"{place}{stem}anol"]) == (carbons, 1)


def test_isomers_are_complete():
    """Alkanes with n carbons have 1, 1, 1, 2, 3, 5, 9, 18 isomers; all of them are there."""
    count: dict[int, int] = {}
    for graph in load_molecules().X:
        carbons, oxygens = atoms(graph)
        if oxygens == 0:
            count[carbons] = count.get(carbons, 0) + 1
    assert [count[n] for n in range(1, 9)] == [1, 1, 1, 2, 3, 5, 9, 18]


def test_a_branch_is_where_the_bracket_is():
    graph = molecule("CC(C)O")
    assert graph.labels == ("C", "C", "C", "O")
    assert graph.neighbours == ((1,), (0, 2, 3), (1,), (1,))
    same = WeisfeilerLehman(3)([molecule("CC(C)CO"), molecule("OCC(C)C")])
    assert np.ptp(same) == 0  # the same molecule, written from either end


@pytest.mark.parametrize("bonds", ["", "CN", "C(C", "CC)", "(C)", "c", "C C"])
def test_bonds_that_are_none(bonds):
    with pytest.raises(ValueError, match="bonds must"):
        molecule(bonds)
