"""A kernel that looks at some of the features only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernellab.kernels.base import Kernel
from kernellab.validation import FloatArray, check_same_features, check_vectors


@dataclass(frozen=True)
class OnColumns(Kernel):
    """k(x_S, z_S): a kernel of vectors, given the features of a group S and no others.

    With φ the features of `kernel`, those of this one are φ(x_S). One kernel a group of features is
    what multiple kernel learning weighs. Raises ValueError for columns that are not such numbers;
    when called, if X has fewer features. Taught in notebook 07.

    Parameters
    ----------
    kernel : Kernel. On vectors.
    columns : sequence of int. Which features, each once, from 0.
    """

    kernel: Kernel
    columns: Sequence[int]

    def __post_init__(self) -> None:
        columns = np.asarray(self.columns)
        if columns.ndim != 1 or len(columns) == 0 or columns.dtype.kind not in "iu":
            raise ValueError(f"columns must be numbers of features, got {self.columns!r}")
        if columns.min() < 0 or len(np.unique(columns)) < len(columns):
            raise ValueError(f"columns must be from 0, each once, got {self.columns!r}")
        object.__setattr__(self, "columns", tuple(columns.tolist()))

    def __call__(self, X: Any, Z: Any = None) -> FloatArray:
        """Return the Gram matrix, shape (n, m), of X (n, d) and Z (m, d), by default X."""
        part = self._part(X, "X")
        if Z is None or Z is X:
            return self.kernel(part)
        check_same_features(check_vectors(X), check_vectors(Z, "Z"))
        return self.kernel(part, self._part(Z, "Z"))

    def diag(self, X: Any) -> FloatArray:
        """Return k(x_i, x_i), shape (n,)."""
        return self.kernel.diag(self._part(X, "X"))

    def _part(self, X: Any, name: str) -> FloatArray:
        X = check_vectors(X, name)
        if X.shape[1] <= max(self.columns):
            raise ValueError(
                f"{name} must have more than {max(self.columns)} features, got {X.shape[1]}"
            )
        return np.ascontiguousarray(X[:, list(self.columns)])
