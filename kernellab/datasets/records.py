"""What a data set consists of: examples, labels, what they mean, and where they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from kernellab.validation import FloatArray


@dataclass(frozen=True)
class Dataset:
    """Examples with their labels, and what the columns and the labels mean.

    Parameters
    ----------
    X : array of shape (n, d), float64. One example a row.
    y : array of shape (n,)
        −1.0 and +1.0 when there are exactly two classes, else the labels of the classes.
    feature_names : tuple of str, length d
        Names of the columns of X, with units where they have one.
    target_names : tuple of str
        Names of the classes; with two classes the first is −1, the second +1.
    source : str. Where the data came from, and under which licence.
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
    X : tuple of n examples. Texts, or graphs.
    names : tuple of n str. What each example is called.
    y, target_names, source : As in `Dataset`.
    """

    X: tuple[Any, ...]
    y: FloatArray
    names: tuple[str, ...]
    target_names: tuple[str, str]
    source: str


@dataclass(frozen=True)
class WordCounts:
    """Texts as bags of words: how often each word occurs in each, and nothing of their order.

    Parameters
    ----------
    X : scipy.sparse.csr_array of shape (n, p), float64
        Counts, one text a row, one word a column; mostly zero.
    words : tuple of str, length p. What each column counts.
    names : tuple of n str. What each text is about.
    y, target_names, source : As in `Dataset`.
    """

    X: Any
    y: NDArray[Any]
    words: tuple[str, ...]
    names: tuple[str, ...]
    target_names: tuple[str, ...]
    source: str
