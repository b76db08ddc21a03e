"""Real vectors, and the synthetic ones that all lessons share: from the files of the course."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernellab.datasets.files import check_choice, read_table
from kernellab.datasets.records import Dataset
from kernellab.validation import FloatArray

IRIS_CLASSES = ("setosa", "versicolor", "virginica")
DIGITS_CLASSES = tuple(range(10))
EACH = 12  # images of each digit in `digits_by_class`

IRIS_SOURCE = (
    "R. A. Fisher (1936), Iris. UCI Machine Learning Repository, doi:10.24432/C56C76, CC BY 4.0"
)
DIGITS_SOURCE = (
    "E. Alpaydin and C. Kaynak (1998), Optical Recognition of Handwritten Digits, test part. "
    "UCI Machine Learning Repository, doi:10.24432/C50P49, CC BY 4.0"
)


def load_iris(
    classes: Sequence[str] | None = ("setosa", "versicolor"), features: Sequence[str] | None = None
) -> Dataset:
    """Fisher's iris flowers: 50 of each species, four lengths in centimetres.

    Returns a Dataset: X of shape (50 · classes, features) in cm, rows in the order of the file (by
    species). Source: R. A. Fisher (1936), UCI Machine Learning Repository, doi:10.24432/C56C76, CC
    BY 4.0. Raises ValueError for an unknown or repeated name; the message lists the known ones.
    Raises FileNotFoundError if the data file is missing. Taught in notebook 01.

    Parameters
    ----------
    classes : names of species, or None for all three
        With exactly two, the first becomes −1 and the second +1.
    features : names of columns, or None for all four
        "sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)".
    """
    names, X, species = read_table("iris.csv")
    wanted = check_choice(features, names, "features")
    columns = [names.index(name) for name in wanted]
    return _select(X[:, columns], species, wanted, classes, IRIS_CLASSES, IRIS_SOURCE)


def load_digits(classes: Sequence[int] | None = (3, 8)) -> Dataset:
    """Handwritten digits as 8 × 8 images: 64 pixels, integers from 0 (paper) to 16 (ink).

    Returns a Dataset: X of shape (n, 64), pixels row by row; about 180 images a digit, in the order
    of the file. Source: E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository,
    doi:10.24432/C50P49, CC BY 4.0 (the 1797 images of its test part). Raises ValueError for an
    unknown or repeated digit; the message lists the known ones. Raises FileNotFoundError if the
    data file is missing. Taught in notebook 01.

    Parameters
    ----------
    classes : digits from 0 to 9, or None for all ten
        With exactly two, the first becomes −1 and the second +1.
    """
    names, X, labels = read_table("digits.csv.gz")
    return _select(X, labels.astype(np.int64), names, classes, DIGITS_CLASSES, DIGITS_SOURCE)


def digits_by_class() -> tuple[FloatArray, FloatArray]:
    """Return 12 images of each digit as vectors of length 1, sorted by digit.

    Returns X, y: arrays of shapes (120, 64) and (120,): the images, each divided by its length,
    and their digits. Taught in notebook 03.
    """
    data = load_digits(None)
    rows = np.concatenate([np.flatnonzero(data.y == digit)[:EACH] for digit in range(10)])
    X = data.X[rows]
    return X / np.linalg.norm(X, axis=1, keepdims=True), data.y[rows]


def load_clouds() -> Dataset:
    """The 200 points of `make_clouds` that the lessons share, from data/clouds.csv.

    Returns a Dataset: X of shape (200, 2), y of −1 and +1, in the order of the file (shuffled).
    Source: data/make_synthetic.py. Raises FileNotFoundError if the data file is missing. Taught in
    notebook 01.
    """
    return _load_plane("clouds.csv")


def load_rings() -> Dataset:
    """The 1000 points of `make_rings` that the lessons share, from data/rings.csv.

    Returns a Dataset: X of shape (1000, 2), y of −1 (inner) and +1 (outer), shuffled: the first 200
    rows are for training, the other 800 for the one final test. Source: data/make_synthetic.py.
    Raises FileNotFoundError if the data file is missing. Taught in notebook 04.
    """
    return _load_plane("rings.csv")


def _load_plane(name: str) -> Dataset:
    names, X, labels = read_table(name)
    source = "synthetic: data/make_synthetic.py"
    return Dataset(X.copy(), labels.astype(np.float64), names, ("-1", "+1"), source)


def _select(
    X: FloatArray,
    labels: NDArray[Any],
    feature_names: Sequence[str],
    classes: Sequence[Any] | None,
    known: tuple[Any, ...],
    source: str,
) -> Dataset:
    chosen = check_choice(classes, known, "classes")
    rows = np.isin(labels, chosen)
    y = labels[rows]
    if len(chosen) == 2:
        y = np.where(y == chosen[0], -1.0, 1.0)
    return Dataset(
        np.ascontiguousarray(X[rows]), y, tuple(feature_names), tuple(map(str, chosen)), source
    )
