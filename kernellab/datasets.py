"""Data for the lessons: small real sets that ship with the course, and seeded synthetic ones.

Loaders (`load_*`) read the files of the `data` folder, offline; makers (`make_*`) draw from a
seeded generator, so that the same call gives the same points. Both return a `Dataset`.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.kernels.graphs import Graph
from kernellab.solving import Seed, random_generator
from kernellab.validation import FloatArray, check_number

IRIS_CLASSES = ("setosa", "versicolor", "virginica")
DIGITS_CLASSES = tuple(range(10))

IRIS_SOURCE = (
    "R. A. Fisher (1936), Iris. UCI Machine Learning Repository, doi:10.24432/C56C76, CC BY 4.0"
)
DIGITS_SOURCE = (
    "E. Alpaydin and C. Kaynak (1998), Optical Recognition of Handwritten Digits, test part. "
    "UCI Machine Learning Repository, doi:10.24432/C50P49, CC BY 4.0"
)

TOWNS_SOURCE = "towns of Germany and of France: their names, a matter of fact; BSD-3-Clause"
MOLECULES_SOURCE = (
    "alkanes, alcohols and ethers: their structure, and boiling points from general knowledge, "
    "rounded to 1 °C, a matter of fact; BSD-3-Clause"
)


@dataclass(frozen=True)
class Dataset:
    """Examples with their labels, and what the columns and the labels mean.

    Parameters
    ----------
    X : array of shape (n, d), float64
        One example a row.
    y : array of shape (n,)
        −1.0 and +1.0 when there are exactly two classes, else the labels of the classes.
    feature_names : tuple of str, length d
        Names of the columns of X, with units where they have one.
    target_names : tuple of str
        Names of the classes; with two classes the first is −1, the second +1.
    source : str
        Where the data came from, and under which licence.
    """

    X: FloatArray
    y: NDArray[Any]
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Structures:
    """Examples that are no vectors, with their labels.

    Parameters
    ----------
    X : tuple of n examples
        Texts, or graphs.
    y : array of shape (n,)
        −1.0 and +1.0.
    names : tuple of n str
        What each example is called.
    target_names : tuple of str
        Names of the classes: the first is −1, the second +1.
    source : str
        Where the data came from, and under which licence.
    """

    X: tuple[Any, ...]
    y: FloatArray
    names: tuple[str, ...]
    target_names: tuple[str, str]
    source: str


# --- real data, from the files that ship with the course --------------------------------------


def load_iris(
    classes: Sequence[str] | None = ("setosa", "versicolor"),
    features: Sequence[str] | None = None,
) -> Dataset:
    """Fisher's iris flowers: 50 of each species, four lengths in centimetres.

    Parameters
    ----------
    classes : names of species, or None for all three
        With exactly two, the first becomes −1 and the second +1.
    features : names of columns, or None for all four
        "sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)".

    Returns
    -------
    Dataset
        X of shape (50 · classes, features) in cm, rows in the order of the file (by species).

    Raises
    ------
    ValueError
        For an unknown or repeated name; the message lists the known ones.
    FileNotFoundError
        If the data file is missing.

    Notes
    -----
    Source: R. A. Fisher (1936), UCI Machine Learning Repository, doi:10.24432/C56C76, CC BY 4.0.
    Taught in notebook 01.
    """
    names, X, species = _read_table("iris.csv")
    wanted = _choose(features, names, "features")
    columns = [names.index(name) for name in wanted]
    return _select(X[:, columns], species, wanted, classes, IRIS_CLASSES, IRIS_SOURCE)


def load_digits(classes: Sequence[int] | None = (3, 8)) -> Dataset:
    """Handwritten digits as 8 × 8 images: 64 pixels, integers from 0 (paper) to 16 (ink).

    Parameters
    ----------
    classes : digits from 0 to 9, or None for all ten
        With exactly two, the first becomes −1 and the second +1.

    Returns
    -------
    Dataset
        X of shape (n, 64), pixels row by row; about 180 images a digit, in the order of the file.

    Raises
    ------
    ValueError
        For an unknown or repeated digit; the message lists the known ones.
    FileNotFoundError
        If the data file is missing.

    Notes
    -----
    Source: E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository,
    doi:10.24432/C50P49, CC BY 4.0 (the 1797 images of its test part). Taught in notebook 01.
    """
    names, X, labels = _read_table("digits.csv.gz")
    return _select(X, labels.astype(np.int64), names, classes, DIGITS_CLASSES, DIGITS_SOURCE)


def load_clouds() -> Dataset:
    """The 200 points of `make_clouds` that the lessons share, from data/clouds.csv.

    Returns
    -------
    Dataset
        X of shape (200, 2), y of −1 and +1, in the order of the file (shuffled).

    Raises
    ------
    FileNotFoundError
        If the data file is missing.

    Notes
    -----
    Source: data/make_synthetic.py. Taught in notebook 01.
    """
    return _load_plane("clouds.csv")


def load_rings() -> Dataset:
    """The 1000 points of `make_rings` that the lessons share, from data/rings.csv.

    Returns
    -------
    Dataset
        X of shape (1000, 2), y of −1 (inner) and +1 (outer), shuffled: the first 200 rows are for
        training, the other 800 for the one final test.

    Raises
    ------
    FileNotFoundError
        If the data file is missing.

    Notes
    -----
    Source: data/make_synthetic.py. Taught in notebook 04.
    """
    return _load_plane("rings.csv")


def load_towns() -> Structures:
    """Names of 102 towns of Germany (−1) and 102 of France (+1), as texts.

    Returns
    -------
    Structures
        X of 204 texts in small letters between "_": "_köln_", so that "n_" is an n at the end.
        Names as they are written, larger towns first in each class.

    Raises
    ------
    FileNotFoundError
        If the data file is missing.

    Notes
    -----
    Source: data/towns.csv. Taught in notebook 03.
    """
    rows = _read_rows("towns.csv")
    names = tuple(name for name, _ in rows)
    y = np.array([1.0 if country == "France" else -1.0 for _, country in rows])
    texts = tuple(f"_{name.lower()}_" for name in names)
    return Structures(texts, y, names, ("Germany", "France"), TOWNS_SOURCE)


def load_molecules() -> Structures:
    """86 alkanes, alcohols and ethers as graphs; +1 if they boil above 100 °C, as water does.

    Returns
    -------
    Structures
        X of 86 graphs of carbon "C" and oxygen "O" and the bonds between them; hydrogen is left
        out, because what is missing is hydrogen.

    Raises
    ------
    FileNotFoundError
        If the data file is missing.

    Notes
    -----
    Source: data/molecules.csv. Taught in notebook 03.
    """
    rows = _read_rows("molecules.csv")
    graphs = tuple(molecule(bonds) for _, bonds, _ in rows)
    y = np.array([1.0 if float(boils) > 100 else -1.0 for *_, boils in rows])
    names = tuple(name for name, *_ in rows)
    return Structures(graphs, y, names, ("up to 100 °C", "above 100 °C"), MOLECULES_SOURCE)


def molecule(bonds: str) -> Graph:
    """Return the graph of a molecule without rings, written as chemists do on a line.

    Parameters
    ----------
    bonds : str
        Atoms C and O, each bound to the one before; a branch in brackets: "CC(C)O" is 2-propanol.

    Returns
    -------
    Graph
        One vertex an atom, labelled "C" or "O", in the order of the text.

    Raises
    ------
    ValueError
        If another letter occurs, a bracket is missing, or there is no atom.

    Notes
    -----
    The part of SMILES (Weininger 1988) that this needs. Taught in notebook 03.
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


# --- synthetic data ----------------------------------------------------------------------------


def make_clouds(n: int = 100, separation: float = 4.0, rng: Seed = 0) -> Dataset:
    """Two round Gaussian clouds in the plane, equally large, of unit standard deviation.

    Parameters
    ----------
    n : int
        Number of points, at least 2; n // 2 of them in class −1.
    separation : float
        Distance between the two centres, ±(separation / 2)·(1, 1)/√2, in standard deviations.
    rng : int or numpy.random.Generator
        The seed.

    Returns
    -------
    Dataset
        X of shape (n, 2), y of −1 and +1, in random order.

    Raises
    ------
    ValueError
        If n < 2, rng is no seed, or separation is negative or not finite.

    Notes
    -----
    No rule errs on less than Φ(−separation / 2) of such points: 2.3 % at separation 4, where Φ is
    the standard normal distribution function. Taught in notebook 01.
    """
    _check_count(n)
    if check_number(separation, "separation") < 0:
        raise ValueError(f"separation must not be negative, got {separation!r}")
    generator = random_generator(rng)
    y = _shuffled_labels(n, generator)
    centre = separation / 2 * np.array([1.0, 1.0]) / np.sqrt(2)
    X = y[:, np.newaxis] * centre + generator.standard_normal((n, 2))
    return _plane(X, y, "two Gaussian clouds")


def make_rings(n: int = 200, rng: Seed = 0, *, noise: float = 0.25) -> Dataset:
    """A ring of radius 1 inside a ring of radius 2, both around the origin.

    Parameters
    ----------
    n : int
        Number of points, at least 2; n // 2 of them in the inner ring, class −1.
    rng : int or numpy.random.Generator
        The seed.
    noise : float
        Standard deviation of the radius.

    Returns
    -------
    Dataset
        X of shape (n, 2), y of −1 (inner) and +1 (outer), in random order.

    Raises
    ------
    ValueError
        If n < 2, rng is no seed, or noise is negative or not finite.

    Notes
    -----
    Without noise a line is right on 2/3 of the points at best: a tangent of the inner ring. The
    circle of radius 1.5 errs on Φ(−0.5 / noise), 2.3 % at noise 0.25, and (x·z + c)² can draw it,
    because ‖x‖² is among its features. Taught in notebook 04.
    """
    _check_count(n)
    if check_number(noise, "noise") < 0:
        raise ValueError(f"noise must not be negative, got {noise!r}")
    generator = random_generator(rng)
    y = _shuffled_labels(n, generator)
    radius = np.where(y < 0, 1.0, 2.0) + noise * generator.standard_normal(n)
    angle = generator.uniform(0, 2 * np.pi, n)
    X = radius[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _plane(X, y, "two rings")


def make_and(inputs: tuple[float, float] = (-1.0, 1.0)) -> Dataset:
    """Logical AND: the four corners of a square, +1 only where both inputs are true.

    Parameters
    ----------
    inputs : pair of numbers
        The coordinates that stand for false and true: (−1, 1) or (0, 1).

    Returns
    -------
    Dataset
        X of shape (4, 2) in the order 00, 01, 10, 11; y = (−1, −1, −1, +1).

    Raises
    ------
    ValueError
        If inputs is not two different finite numbers.

    Notes
    -----
    A line separates it. Taught in notebook 01.
    """
    return _plane(_corners(inputs), np.array([-1.0, -1.0, -1.0, 1.0]), "AND", ("false", "true"))


def make_xor(inputs: tuple[float, float] = (-1.0, 1.0)) -> Dataset:
    """Exclusive OR: the four corners of a square, +1 where the inputs differ.

    Parameters
    ----------
    inputs : pair of numbers
        The coordinates that stand for false and true: (−1, 1) or (0, 1).

    Returns
    -------
    Dataset
        X of shape (4, 2) in the order 00, 01, 10, 11; y = (−1, +1, +1, −1).

    Raises
    ------
    ValueError
        If inputs is not two different finite numbers.

    Notes
    -----
    No line separates it; the product of the two inputs does. Taught in notebooks 01 and 03.
    """
    return _plane(_corners(inputs), np.array([-1.0, 1.0, 1.0, -1.0]), "XOR", ("false", "true"))


def make_contradiction() -> Dataset:
    """Four points in the plane, two of them the same point with two labels.

    Returns
    -------
    Dataset
        X of shape (4, 2); rows 1 and 2 are equal and have labels −1 and +1.

    Notes
    -----
    No function of x separates it, with any kernel. Taught in notebook 01.
    """
    X = np.array([[-2.0, -1.0], [1.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    return _plane(X, np.array([-1.0, -1.0, 1.0, 1.0]), "a point with two labels")


def _corners(inputs: tuple[float, float]) -> FloatArray:
    values = np.asarray(inputs, dtype=np.float64)
    if values.shape != (2,) or not np.isfinite(values).all() or values[0] == values[1]:
        raise ValueError(f"inputs must be two different numbers, such as (0, 1), got {inputs!r}")
    false, true = values
    return np.array([[false, false], [false, true], [true, false], [true, true]])


def _shuffled_labels(n: int, generator: np.random.Generator) -> FloatArray:
    return generator.permutation(np.repeat([-1.0, 1.0], [n // 2, n - n // 2]))


def _check_count(n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 2:
        raise ValueError(f"n must be an integer ≥ 2, one point a class at least, got {n!r}")


def _plane(
    X: FloatArray, y: FloatArray, what: str, target_names: tuple[str, str] = ("-1", "+1")
) -> Dataset:
    return Dataset(X, y, ("x₁", "x₂"), target_names, f"synthetic: {what}")


# --- reading -----------------------------------------------------------------------------------


def data_file(name: str) -> Path:
    """Path of a shipped data file: inside an installed package, or beside it in a checkout.

    Raises
    ------
    FileNotFoundError
        If it is in neither place.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(
        f"the data file {name} is missing: looked in {package / 'data'} and in "
        f"{package.parent / 'data'}; reinstall kernellab, or restore the data folder"
    )


@cache
def _read_rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a CSV file of texts, without its header."""
    with open(data_file(name), encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return tuple(tuple(row) for row in rows)


@cache
def _read_table(name: str) -> tuple[tuple[str, ...], FloatArray, NDArray[np.str_]]:
    """Header, numbers and labels of a CSV file whose last column is the label."""
    path = data_file(name)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    X = np.array([row[:-1] for row in rows], dtype=np.float64)
    labels = np.array([row[-1] for row in rows])
    X.flags.writeable = labels.flags.writeable = False  # shared by every later call
    return tuple(header[:-1]), X, labels


def _load_plane(name: str) -> Dataset:
    names, X, labels = _read_table(name)
    source = "synthetic: data/make_synthetic.py"
    return Dataset(X.copy(), labels.astype(np.float64), names, ("-1", "+1"), source)


def _choose(chosen: Sequence[Any] | None, known: tuple[Any, ...], what: str) -> list[Any]:
    if chosen is None:
        return list(known)
    choice = [chosen] if isinstance(chosen, str) else list(chosen)
    listed = ", ".join(map(str, known))
    for name in choice:
        if name not in known:
            raise ValueError(f"{what} must be among {listed}, got {name!r}")
    if not choice or len(set(choice)) < len(choice):
        raise ValueError(f"{what} must name at least one of {listed}, each once, got {chosen!r}")
    return choice


def _select(
    X: FloatArray,
    labels: NDArray[Any],
    feature_names: Sequence[str],
    classes: Sequence[Any] | None,
    known: tuple[Any, ...],
    source: str,
) -> Dataset:
    chosen = _choose(classes, known, "classes")
    rows = np.isin(labels, chosen)
    y = labels[rows]
    if len(chosen) == 2:
        y = np.where(y == chosen[0], -1.0, 1.0)
    return Dataset(
        np.ascontiguousarray(X[rows]), y, tuple(feature_names), tuple(map(str, chosen)), source
    )
