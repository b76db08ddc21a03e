"""Explicit features whose dot product is a kernel, nearly: for a linear machine to follow."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernellab.estimators.base import PRECOMPUTED, KernelMixin, seed, unique_rows
from kernellab.kernels import FunctionKernel
from kernellab.solvers.landmarks import choose_landmarks
from kernellab.solvers.nystrom import nystrom_map, trace_error
from kernellab.validation import FloatArray, check_gram, check_positive_integer


@dataclass(eq=False, repr=False)
class Nystroem(ClassNamePrefixFeaturesOutMixin, KernelMixin, TransformerMixin, BaseEstimator):
    """The Nyström method: features φ(x) from the similarities of x to a few landmarks.

    φ(x) = S^−½ Uᵀ k(landmarks, x) but for a rotation, with U diag(S) Uᵀ the landmarks' Gram matrix.
    Williams and Seeger (2001). Raises ValueError when fitted, for a bad parameter or bad data.
    Taught in notebook 07.

    Parameters
    ----------
    kernel, gamma, degree, coef0 : As in `KernelSVC`.
    n_components : int. Landmarks, at most; n if there are fewer examples, with a warning.
    landmarks : {"uniform", "kmeans", "leverage", "cholesky"} or examples
        How to choose them; or the landmarks themselves, of the kind of X, and n_components is not
        used. "kmeans" has centres of clusters, which is for vectors; not for "precomputed".
    random_state : int, RandomState or None. Seed of the choice.

    Attributes
    ----------
    landmarks_ : array of shape (m, d), or list
        The landmarks; if X was a Gram matrix, their numbers.
    n_features_out_ : int. Features: one a landmark, less what dependent landmarks leave out.
    """

    n_components: int = 100
    _: KW_ONLY
    landmarks: Any = "uniform"
    random_state: Any = 0

    def fit(self, X: Any, y: Any = None) -> Nystroem:
        """Choose landmarks among n examples; y is not used."""
        X = self._read(X)
        if self._is_precomputed():
            X = check_gram(X, "X")
        self._set_kernel(X, unique_rows(None, None, np.ones(len(X))))
        kernel, examples = self.kernel_, X
        if kernel is None:  # an example is then its number
            kernel, examples = FunctionKernel(lambda i, j: X[np.ix_(i, j)]), np.arange(len(X))
            if isinstance(self.landmarks, str) and self.landmarks == "kmeans":
                raise ValueError(f"landmarks must not be 'kmeans' where kernel is {PRECOMPUTED!r}")
        if isinstance(self.landmarks, str):
            how, rng = self.landmarks, seed(self.random_state)
            self.landmarks_ = choose_landmarks(kernel, examples, self._count(X), how=how, rng=rng)
        else:
            self.landmarks_ = self._given()
        self._map = nystrom_map(kernel, self.landmarks_)
        if self.kernel_ is None:
            self._map = replace(self._map, kernel=FunctionKernel(_as_given))
        self.n_features_out_ = self._map.rank
        return self

    def _given(self) -> Any:
        """Return the landmarks that were given, checked as X is."""
        if self.kernel_ is not None:
            return self._read(self.landmarks, reset=False)
        numbers, n = np.asarray(self.landmarks), self.n_features_in_
        integers = numbers.dtype.kind in "iu" and numbers.ndim == 1 and numbers.size > 0
        if not integers or numbers.min() < 0 or numbers.max() >= n:
            raise ValueError(
                f"landmarks must be numbers of rows of X, from 0 to {n - 1}, got {self.landmarks!r}"
            )
        return numbers

    def _count(self, X: Any) -> int:
        m = check_positive_integer(self.n_components, "n_components")
        if m > len(X):
            warnings.warn(
                f"n_components = {m} is more than there are examples; all {len(X)} are taken",
                UserWarning,
                stacklevel=3,
            )
        return min(m, len(X))

    def transform(self, X: Any) -> NDArray[Any]:
        """Return the features of each example, shape (m, n_features_out_)."""
        check_is_fitted(self)
        X = self._read(X, reset=False)
        return self._map(X[:, self.landmarks_] if self.kernel_ is None else X)

    def trace_error(self, X: Any) -> float:
        """Return the share of tr K that the features of X do not have, from 0 to 1.

        X is as in `fit`; if "precomputed", the Gram matrix itself.
        """
        features = self.transform(X)
        diagonal = np.diagonal(X) if self.kernel_ is None else self.kernel_.diag(X)
        return trace_error(diagonal, features) / float(np.sum(diagonal))

    @property
    def _n_features_out(self) -> int:
        return self.n_features_out_


def _as_given(similarities: FloatArray, landmarks: Any) -> FloatArray:
    """The kernel of examples that are already their similarities to the landmarks."""
    return similarities
