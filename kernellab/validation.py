"""Checks of what goes in: each returns a clean array or number, or raises a ValueError."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

GRAM_SYMMETRY = 1e-8
"""Largest |K - Kᵀ| that passes for rounding, relative to the largest |K|."""

_BLOCK = 256  # rows compared at a time, so that the check needs no second n × n array


def _refuse_sparse_and_masked(values: Any, name: str) -> None:
    if hasattr(values, "toarray"):
        raise ValueError(f"{name} must be a dense array, got a sparse one; pass {name}.toarray()")
    refuse_masked_and_dates(values, name)


def refuse_masked_and_dates(values: Any, name: str = "X") -> None:
    """Raise a ValueError for what NumPy would make numbers of in silence."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must not have masked entries; fill them or drop their rows")
    if getattr(getattr(values, "dtype", None), "kind", "f") in "mM":
        raise ValueError(
            f"{name} must hold real numbers, got dates or times ({values.dtype}); make "
            f"numbers of them, such as days since the first"
        )


def _as_floats(values: Any, name: str) -> FloatArray:
    """Return float64 values of any shape; refuse what NumPy would convert in silence."""
    _refuse_sparse_and_masked(values, name)
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":  # text, complex numbers, dates
            raise TypeError
        array = array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be an array of real numbers, all rows equally long, "
            f"got {_describe(values)}"
        ) from None
    return array


def _refuse_not_finite(array: FloatArray, name: str) -> None:
    flat = array.ravel(order="K")
    with np.errstate(all="ignore"):
        if np.isfinite(np.dot(flat, flat)):  # only a sum of finite squares is, and it is quick
            return
    bad = ~np.isfinite(array)  # or the squares overflow
    if bad.any():
        where = ", ".join(str(k) for k in np.argwhere(bad)[0])
        raise ValueError(
            f"{name} must be finite, got {array[bad][0]} at [{where}] "
            f"({np.count_nonzero(bad)} such entries); remove or replace them"
        )


def _describe(values: Any) -> str:
    text = repr(values)
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_vectors(X: Any, name: str = "X") -> FloatArray:
    """Return vectors, one example a row, as a finite float64 array of shape (n, d).

    C-contiguous; X itself, not a copy, where it is that already. Raises ValueError, with the name
    of the argument, if X is sparse, masked, not numeric, not finite, not two-dimensional, or empty.
    """
    array = _as_floats(X, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} must have shape (n_samples, n_features), got shape {array.shape}; "
            f"reshape(-1, 1) makes one feature, reshape(1, -1) one example"
        )
    if 0 in array.shape:
        raise ValueError(
            f"{name} must hold at least one example and one feature, got shape {array.shape}"
        )
    _refuse_not_finite(array, name)
    return np.ascontiguousarray(array)


def check_squares(largest: float) -> None:
    """Raise a ValueError unless squares of numbers up to `largest` fit in a float, sums too."""
    if largest != 0 and not 1e-140 < largest < 1e140:
        raise ValueError(
            "X must be of a size whose squares fit in a float, from 1e-140 to 1e140, got "
            f"{largest:.3g}; rescale the features"
        )


def check_same_features(X: FloatArray, Z: FloatArray) -> None:
    """Raise a ValueError unless the rows of X and of Z are equally long."""
    if X.shape[1] != Z.shape[1]:
        raise ValueError(
            f"Z must have as many features as X, got {Z.shape[1]}, and X has {X.shape[1]}"
        )


def check_numbers(values: Any, name: str, n: int | None = None) -> FloatArray:
    """Return a list of numbers, such as scores or weights, as a finite float64 array of shape (n,).

    C-contiguous, of at least one number. Raises ValueError, with the name of the argument, if the
    values are not one-dimensional, not n of them where n is given, not numeric or not finite.
    """
    array = _as_floats(values, name)
    if array.ndim != 1 or array.size == 0 or (n is not None and len(array) != n):
        length = "n" if n is None else n
        raise ValueError(f"{name} must have shape ({length},), got shape {array.shape}")
    _refuse_not_finite(array, name)
    return np.ascontiguousarray(array)


def check_labels(y: Any, n: int | None = None, *, both: bool = True) -> FloatArray:
    """Return labels as a float64 array of -1 and +1, shape (n,).

    With `both` both labels must occur, as a solver needs; counting mistakes does not. Raises
    ValueError if y has another shape or length, another label, or one label only.
    """
    _refuse_sparse_and_masked(y, "y")
    array = np.asarray(y)
    if array.ndim != 1:
        raise ValueError(f"y must be one-dimensional, got shape {array.shape}; pass y.ravel()")
    if n is not None and len(array) != n:
        raise ValueError(f"y must hold one label an example, got {len(array)} for {n} examples")
    known = array.dtype.kind in "iufO" and bool(((array == 1) | (array == -1)).all())
    if not known or len(array) == 0 or (both and (array == array[0]).all()):
        seen = sorted(set(array.tolist()), key=str)
        shown = ", ".join(repr(label) for label in seen[:5]) or "no label"
        more = f" and {len(seen) - 5} more" if len(seen) > 5 else ""
        only = "only " if known and len(seen) == 1 else ""
        which = "the two labels -1 and +1" if both else "labels -1 or +1"
        raise ValueError(f"y must hold {which}, got {only}{shown}{more}")
    return np.ascontiguousarray(array, dtype=np.float64)


def check_gram(K: Any, name: str = "K") -> FloatArray:
    """Return a Gram matrix as a finite, symmetric, C-contiguous float64 array of shape (n, n).

    Whether it is positive semi-definite is not asked here: see
    :func:`kernellab.certificates.is_positive_semidefinite`. Raises ValueError, with the name of the
    argument, if K is not square, not finite, or further from its transpose than rounding explains
    (``GRAM_SYMMETRY`` times its largest entry).
    """
    array = _as_floats(K, name)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.size == 0:
        raise ValueError(f"{name} must have shape (n, n) with n ≥ 1, got shape {array.shape}")
    array = np.ascontiguousarray(array)
    if _looks_symmetric(array):
        return array
    _refuse_not_finite(array, name)
    allowed = GRAM_SYMMETRY * max(array.max(), -array.min())
    for start in range(0, len(array), _BLOCK):
        rows = slice(start, start + _BLOCK)
        difference = np.abs(array[rows, start:] - array[start:, rows].T)
        if difference.max() > allowed:
            i, j = np.unravel_index(difference.argmax(), difference.shape)
            i, j = i + start, j + start
            raise ValueError(
                f"{name} must be symmetric, got {name}[{i}, {j}] = {array[i, j]:.6g} and "
                f"{name}[{j}, {i}] = {array[j, i]:.6g}; if that is rounding, pass "
                f"({name} + {name}.T) / 2"
            )
    return array


def _looks_symmetric(K: FloatArray) -> bool:
    """Compare K v with Kᵀ v for one v > 0: a tenth of the time that comparing all entries takes.

    One entry that differs by e shows as at least e/2, and NaN or inf as NaN; several can hide only
    by cancelling each other for this v. False means no more than that one has to look closely.
    Freivalds (1977) checks matrix products so.
    """
    v = np.random.default_rng(0).uniform(0.5, 1.5, len(K))
    with np.errstate(invalid="ignore", over="ignore"):
        furthest = np.abs(K @ v - v @ K).max()
    return bool(furthest <= GRAM_SYMMETRY / 2 * np.abs(K.diagonal()).max())


def check_number(value: Any, name: str) -> float:
    """Return a finite real number as a float, or raise a ValueError that names it."""
    if not _is_finite_real(value):
        raise ValueError(f"{name} must be a finite number, got {_plain(value)!r}")
    return float(value)


def check_positive(value: Any, name: str) -> float:
    """Return a finite number above zero as a float, or raise a ValueError that names it."""
    if not _is_finite_real(value) or value <= 0:
        raise ValueError(f"{name} must be a positive number, got {_plain(value)!r}")
    return float(value)


def check_positive_integer(value: Any, name: str) -> int:
    """Return an integer of at least 1 as an int, or raise a ValueError that names it."""
    value = _plain(value)
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value!r}")
    return int(value)


def check_bool(value: Any, name: str) -> bool:
    """Return True or False, or raise a ValueError that names it."""
    if not isinstance(_plain(value), bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def _plain(value: Any) -> Any:
    """Turn a NumPy scalar or zero-dimensional array into Python's own number."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value


def _is_finite_real(value: Any) -> bool:
    value = _plain(value)
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return bool(np.isfinite(float(value)))
    except OverflowError:  # an int beyond the largest float
        return False
