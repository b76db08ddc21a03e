"""What the estimators share: reading X and its kernel, weights, and an honest report of a solve."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, column_or_1d, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from kernellab.certificates import negative_eigenvalues
from kernellab.kernels import FunctionKernel, Kernel, VectorKernel, as_kernel
from kernellab.solvers.landmarks import take
from kernellab.solvers.sdca import NOT_A_KERNEL
from kernellab.solvers.smo.rows import Gram
from kernellab.solving import CONVERGED, STOPPED, Result, solve
from kernellab.validation import FloatArray, check_gram, check_positive, refuse_masked_and_dates

Indices = NDArray[np.intp]

PRECOMPUTED = "precomputed"
SPECTRUM_UP_TO = 2000
"""The eigenvalues of a larger matrix take too long for a warning."""
NO_VALIDATION = "no_validation"  # scikit-learn's word for a y that is not asked for


# --- reports --------------------------------------------------------------------------------------


class Reporting(BaseEstimator):
    """Runs solvers to a gap, and says of the answer what is true of it.

    Attributes
    ----------
    gap_ : float
        Relative duality gap reached, the largest if there was more than one problem to solve.
    status_ : str
        "converged", "stopped at the cap", "not a kernel", … : of the first problem that did not
        converge, if there is one.
    objective_ : float. The primal objective in C-form, ½‖w‖² + Σ C_i ξ_i, summed over the problems.
    n_passes_, n_updates_ : int. Passes and single steps, summed over the problems.
    """

    gap: float | None
    max_passes: int

    def _run(self, states: Iterable[Any]) -> Result[Any]:
        # What did not converge is said once for all problems, by `_report`.
        return solve(states, gap=self.gap, max_passes=self.max_passes, warn=False)

    def _report(
        self,
        results: Sequence[Result[Any]],
        objectives: Iterable[float] | None,
        *,
        complaint: str | None = None,
        asked: str | None = None,
    ) -> None:
        self.gap_ = max(result.gap for result in results)
        self.status_ = next((r.status for r in results if not r.converged), CONVERGED)
        self.n_passes_ = sum(result.passes for result in results)
        self.n_updates_ = sum(getattr(r.state, "steps", r.passes) for r in results)
        if objectives is not None:
            self.objective_ = float(sum(objectives))
        if complaint is not None:
            self.status_ = NOT_A_KERNEL
            self._warn(complaint)
        elif self.status_ != CONVERGED and self.gap is not None:
            more = ", raise max_passes" if self.status_ == STOPPED else ""
            reached = f" with gap {self.gap_:.3g}" if np.isfinite(self.gap_) else ""
            self._warn(
                f"{self.status_} after {self.n_passes_} passes{reached}, asked for "
                f"{asked or format(self.gap, '.3g')}; scale the features{more}, or regularise more"
            )

    def _warn(self, text: str) -> None:
        level, frame = 1, sys._getframe()
        while frame.f_back is not None and frame.f_globals["__name__"].startswith("kernellab."):
            level, frame = level + 1, frame.f_back  # point to the line that called fit
        warnings.warn(f"{type(self).__name__}: {text}", ConvergenceWarning, stacklevel=level)


def seed(random_state: Any) -> int:
    """Return a seed for the algorithms: drawn anew if random_state is None or a generator."""
    return int(check_random_state(random_state).randint(2**31 - 1))


def cost_and_lam(C: Any, lam: Any, n: float) -> tuple[float, float]:
    """Return C and λ = 1/(Cn), from λ if it is given, else from C; n counts examples by weight."""
    if lam is not None:
        lam = check_positive(lam, "lam")
        return 1 / (lam * n), lam
    C = check_positive(C, "C")
    return C, 1 / (C * n)


def example_weights(sample_weight: Any, X: Any) -> FloatArray:
    """Return how much each example counts, shape (n,), ≥ 0 and not all zero."""
    if sample_weight is None:
        return np.ones(len(X) if isinstance(X, list) else X.shape[0])
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise ValueError("sample_weight must not be zero for all examples")
    return np.asarray(weight)


def by_class(weight: FloatArray, class_weight: Any, y: Any) -> FloatArray:
    """Return the weights times those of the classes; "balanced" counts by weight."""
    if class_weight is None:
        return weight
    if isinstance(class_weight, str) and class_weight == "balanced":
        _, codes = np.unique(y, return_inverse=True)
        share = np.bincount(codes, weights=weight)
        return np.asarray(weight * weight.sum() / (np.count_nonzero(share) * share[codes]))
    return np.asarray(weight * compute_sample_weight(class_weight, y))


class UniqueRows(NamedTuple):
    """The examples that differ from one another, in an order that is not that of the rows.

    An example that occurs twice is one of twice the weight, and one of weight zero is none. So a
    fit is the same whichever way it is said, and whatever the order: to rounding, and not only to
    the gap.

    Attributes
    ----------
    rows : array of shape (m,). One row of each.
    weight : array of shape (m,). Σ of the weights of its copies, > 0.
    group : array of shape (n,)
        Which of the m an example is a copy of; 0, whatever it is, where its weight is zero.
    share : array of shape (n,). Its weight as a share of theirs.
    """

    rows: Indices
    weight: FloatArray
    group: Indices
    share: FloatArray

    def spread(self, values: FloatArray) -> FloatArray:
        """Return dual variables of the n examples from those of the m, (m,) or (p, m)."""
        return np.asarray(values[..., self.group] * self.share)


def unique_rows(X: Any, y: Any, weight: FloatArray) -> UniqueRows:
    """Find the copies among vectors, dense or sparse, with their labels or targets, if any.

    Where X is a Gram matrix or a list, all examples of positive weight count as different.
    """
    rows = np.flatnonzero(weight)
    new = np.ones(len(rows), dtype=np.bool_)
    if X is not None:
        y = np.zeros(len(weight)) if y is None else np.unique(y, return_inverse=True)[1]
        key = _projection(X)
        rows = rows[np.lexsort((key[rows], y[rows]))]
        before, after = rows[:-1], rows[1:]
        close = np.flatnonzero((key[before] == key[after]) & (y[before] == y[after]))
        different = (X[before[close]] != X[after[close]]).sum(axis=1)  # coordinates
        new[1 + close[np.asarray(different).ravel() == 0]] = False
    group, total = np.zeros(len(weight), dtype=np.intp), np.zeros(len(weight))
    group[rows] = np.cumsum(new) - 1
    merged: FloatArray = np.bincount(group[rows], weights=weight[rows]).astype(np.float64)
    total[rows] = merged[group[rows]]
    share = np.divide(weight, total, out=np.zeros(len(weight)), where=total > 0)
    return UniqueRows(rows[new], merged, group, share)


def _projection(X: Any) -> FloatArray:
    """Return a number a row that is the same for equal rows and hardly ever for others."""
    direction = np.random.default_rng(0).normal(size=X.shape[1])
    if hasattr(X, "tocsr"):
        return np.asarray(X.multiply(direction).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,j->i", X, direction))


# --- kernels --------------------------------------------------------------------------------------


def takes_vectors(kernel: Any) -> bool:
    """Say whether a kernel compares rows of an array, as opposed to texts, sets or graphs."""
    if isinstance(kernel, VectorKernel | FunctionKernel) or not isinstance(kernel, Kernel):
        return True
    parts = [part for part in _parts(kernel) if isinstance(part, Kernel)]
    return bool(parts) and all(takes_vectors(part) for part in parts)


def reads_arrays(kernel: Any, X: Any) -> bool:
    """Say whether X is to be an array: not for kernels of texts, and functions given texts."""
    is_text = isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], str)
    return takes_vectors(kernel) and not (is_text and callable(kernel))


def is_plain(X: Any, y: Any, *, ensure_min_samples: int = 1, **checks: Any) -> bool:
    """Say whether X and y, if it is there, are plain arrays of float64 and of finite numbers.

    There is nothing to convert then, and to find it out as scikit-learn does takes longer than
    fitting to a few hundred examples.
    """
    if type(X) is not np.ndarray or X.dtype != np.float64 or not X.flags.c_contiguous:
        return False
    if X.ndim != 2 or X.shape[1] == 0 or len(X) < ensure_min_samples:
        return False
    if isinstance(y, str) and y == NO_VALIDATION:
        return True
    plain = type(y) is np.ndarray and y.shape == (len(X),) and y.dtype.kind in "iuf"
    return plain and bool(np.isfinite(y).all())


def known_psd(kernel: Any) -> bool:
    """Say whether a kernel is one by construction, with no function taken at its word."""
    if not isinstance(kernel, Kernel) or isinstance(kernel, FunctionKernel) or not kernel.is_psd:
        return False
    return all(known_psd(part) for part in _parts(kernel) if isinstance(part, Kernel))


def _parts(kernel: Any) -> list[Any]:
    return [getattr(kernel, field.name) for field in fields(kernel)]


def make_kernel(
    spec: Any, gamma: Any, degree: int, coef0: float, X: Any, weight: FloatArray
) -> Kernel:
    """Return a kernel of what the parameter says; γ = "scale" is 1 / (d · variance of X)."""
    if isinstance(gamma, str):
        if gamma != "scale":
            raise ValueError(f"gamma must be a positive number or 'scale', got {gamma!r}")
        gamma = _scale(X, weight) if isinstance(spec, str) else 1.0
    return as_kernel(spec, gamma=gamma, degree=degree, coef0=coef0)


@dataclass(eq=False, repr=False)
class KernelMixin:
    """Reads X for a kernel: vectors, a Gram matrix if "precomputed", or whatever it compares.

    Attributes
    ----------
    kernel_ : Kernel or None. The kernel; None if X was its Gram matrix.
    """

    kernel: Any = "rbf"
    _: KW_ONLY
    gamma: float | str = "scale"
    degree: int = 3
    coef0: float = 1.0

    def _read(self, X: Any, y: Any = NO_VALIDATION, *, reset: bool = True, **checks: Any) -> Any:
        """Return X, or X and y if y is asked for, checked."""
        plain = is_plain(X, y, **checks) and not hasattr(self, "feature_names_in_")
        if plain and (reset or X.shape[1] == self.n_features_in_):
            if checks.get("ensure_all_finite", True):
                assert_all_finite(X, input_name="X")
            self.n_features_in_: int = X.shape[1]
            return X if isinstance(y, str) else (X, y)
        if reads_arrays(self.kernel, X):
            refuse_masked_and_dates(X)
            options = {"dtype": np.float64, "order": "C", "reset": reset, **checks}
            return validate_data(self, X, y, **options)
        X = list(X)
        if isinstance(y, str) and y == NO_VALIDATION:
            return X
        y = column_or_1d(y, warn=True)
        assert_all_finite(y)
        check_consistent_length(X, y)
        return X, y

    def _set_kernel(self, X: Any, unique: UniqueRows) -> None:
        """Make kernel_ of the parameters, for the unique rows of X."""
        if self._is_precomputed():
            self.kernel_ = None
            return
        known = take(X, unique.rows) if isinstance(self.gamma, str) else X
        settings = self.gamma, self.degree, self.coef0, known, unique.weight
        self.kernel_ = make_kernel(self.kernel, *settings)

    def _unique_rows(self, X: Any, y: Any, weight: FloatArray) -> UniqueRows:
        """Return the examples to fit to."""
        vectors = isinstance(X, np.ndarray) and not self._is_precomputed()
        return unique_rows(X if vectors else None, y, weight)

    def _gram(self, X: Any, rows: Indices) -> FloatArray:
        """Return the Gram matrix of some examples."""
        if self.kernel_ is None:
            K = check_gram(X, "X")
            return K if len(rows) == len(K) else K[np.ix_(rows, rows)]
        return self.kernel_(take(X, rows))

    def _gram_for_smo(self, X: Any, rows: Indices) -> Gram:
        """The same for a solver that looks itself whether it is one, where no kernel is known."""
        if self.kernel_ is not None:
            return Gram(self.kernel_(take(X, rows)), known=known_psd(self.kernel_))
        if X.shape[0] != X.shape[1]:
            assert_all_finite(X, input_name="X")  # SMO will not see it
            raise ValueError(f"X must have shape (n, n), got shape {X.shape}")
        return Gram(X if len(rows) == len(X) else X[np.ix_(rows, rows)])

    def _keep(self, X: Any, used: Any) -> None:
        """Set support_ and support_vectors_ to the examples that are used."""
        self.support_ = np.flatnonzero(used)
        self.support_vectors_ = None if self.kernel_ is None else take(X, self.support_)

    def _compare(self, X: Any) -> FloatArray:
        """Return k of new examples with those of `_keep`."""
        check_is_fitted(self)
        X = self._read(X, reset=False)
        if self.kernel_ is None:
            return np.asarray(X[:, self.support_])
        if len(self.support_) == 0:
            return np.empty((len(X), 0))
        return self.kernel_(X, self.support_vectors_)

    def _what_is_wrong(self, K: Any, results: Sequence[Result[Any]], *, bias: bool) -> str | None:
        """Return what is wrong with a Gram matrix, or None; of SMO's, only if it has shown."""
        by_smo, shown = not isinstance(K, np.ndarray), NOT_A_KERNEL in [r.status for r in results]
        if known_psd(self.kernel_) or (by_smo and not shown):
            return None
        matrix = K.given if by_smo else K
        found = negative_eigenvalues(matrix, centred=bias) if len(K) <= SPECTRUM_UP_TO else None
        if found is None and not shown:
            return None
        which = "a negative eigenvalue" if found is None else "eigenvalues from {:.4g} to {:.4g}"
        return (
            f"{NOT_A_KERNEL}: the Gram matrix has {which.format(*found or ())}, so the problem is "
            f"not convex and its gap certifies nothing"
        )

    def __sklearn_tags__(self) -> Any:
        """X may be a Gram matrix."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.pairwise = self._is_precomputed()
        return tags

    def _left_to_smo(self) -> bool:
        """Whether SMO will look at X itself, which is a Gram matrix."""
        return self._is_precomputed() and getattr(self, "solver", "smo") == "smo"

    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == PRECOMPUTED


def _scale(X: Any, weight: FloatArray) -> float:
    """Return 1 / (d · variance), 1 where nothing varies."""
    means = X.mean(axis=1)
    mean = np.average(means, weights=weight)
    with np.errstate(over="ignore"):
        variance = float(np.average(np.square(X - mean).mean(axis=1), weights=weight))
    if not np.isfinite(variance):
        raise ValueError("X must not be so large that its variance overflows; rescale the features")
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


# --- classifiers ----------------------------------------------------------------------------------


class ScoringClassifier(ClassifierMixin, Reporting):
    """A classifier with a score for two classes, or one a class for more, one against the rest.

    Two classes: the second of `classes_` where f(x) > 0, else the first. More: that of the largest
    score; of equal ones the first. Where scores of zero, or equal ones, decide, `predict` warns.
    """

    def _encode(self, y: Any) -> FloatArray:
        """Set classes_ and return labels −1 and +1: one row, or one a class if more than two."""
        whole = y.dtype.kind == "f" and np.array_equal(y, np.rint(y))
        if not whole and y.dtype.kind not in "biu":
            check_classification_targets(y)  # it takes longer than fitting to a few hundred
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least two classes among the examples of positive weight, got "
                f"one class: {self.classes_[0]!r}"
            )
        return self._signs(y)

    def _signs(self, y: Any) -> FloatArray:
        """Return labels −1 and +1 of known classes: one row, or one a class if more than two."""
        positive = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        return np.where(y == positive[:, np.newaxis], 1.0, -1.0)

    def predict(self, X: Any) -> Any:
        """Return the class of each example, shape (n,)."""
        check_is_fitted(self)
        scores = self.decision_function(X)
        if scores.ndim == 1:
            ties = scores == 0
            chosen = (scores > 0).astype(np.intp)
        else:
            ties = (scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1
            chosen = scores.argmax(axis=1)
        if ties.any():
            warnings.warn(
                f"{type(self).__name__}: {np.count_nonzero(ties)} of {len(ties)} examples lie "
                f"exactly on a boundary; they are given the first class that ties",
                UserWarning,
                stacklevel=2,
            )
        return self.classes_[chosen]

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores, shape (n,) for two classes, (n, n_classes) for more."""
        raise NotImplementedError


def as_scores(scores: FloatArray) -> FloatArray:
    """Return scores of shape (n,) where there is one column."""
    return scores.ravel() if scores.shape[1] == 1 else scores
