"""Ridge regression over blocks: a fold of sums, and after that no data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError

from kernellab.certificates import relative_gap
from kernellab.solvers.blocks.reading import Data, Features, Reader, add_up, look_at_all, scores
from kernellab.solvers.ridge import check_lams, smallest_lam, solve_ridge
from kernellab.solvers.sparse import SparseRows, shape, times, transposed_times
from kernellab.validation import FloatArray, check_bool, check_positive

Vector = FloatArray


@dataclass(frozen=True)
class RidgeSums:
    """All that ridge regression has to know of any number of rows; those of two blocks add up.

    Parameters
    ----------
    n : int. Rows.
    z, zz : arrays of shapes (r,) and (r, r). Σ z_i and Σ z_i z_iᵀ, of the features z_i = φ(x_i).
    y, zy : arrays of shapes (q,) and (r, q), or () and (r,). Σ y_i and Σ z_i y_iᵀ.
    """

    n: int
    z: Vector
    zz: FloatArray
    y: Any
    zy: FloatArray

    def __add__(self, other: RidgeSums) -> RidgeSums:
        return RidgeSums(
            self.n + other.n, self.z + other.z, self.zz + other.zz, self.y + other.y,
            self.zy + other.zy,
        )  # fmt: skip

    def weights(self, lam: Any, *, bias: bool = True) -> tuple[FloatArray, Any, float]:
        """Return w, shape (r,) or (r, q), b, and the λ that was used.

        (ZᵀZ + λI) w = Zᵀy minimises Σ (y_i − w·z_i − b)² + λ‖w‖²; with a bias, which is free, Z and
        y are centred: ZᵀZ − n z̄ z̄ᵀ, Zᵀy − n z̄ ȳ, and b = ȳ − w·z̄. O(r³), and no data. Taught in
        notebook 08. Raises ValueError for a bad λ. Warns, LamRaised, if λ was raised.
        """
        lam = check_positive(lam, "lam")
        G, right, mean = self.zz, self.zy, self.z / self.n
        if check_bool(bias, "bias"):
            G = G - np.outer(mean, self.z)
            right = right - np.multiply.outer(mean, self.y)
        lam = float(check_lams(lam, smallest_lam(G))[0])
        try:
            w, _ = solve_ridge(G, right, lam)
        except LinAlgError:
            raise ValueError(
                f"lam = {lam:g} must be larger: ZᵀZ + λI is not positive definite in doubles"
            ) from None
        return w, self.y / self.n - mean @ w if bias else 0.0 * self.y, lam


def sums_of_block(reader: Reader, block: Any) -> RidgeSums:
    """Return the sums of one block."""
    Z = reader.rows(block[0])
    n = shape(Z)[0]
    y = reader.targets(block[1], n)
    if isinstance(Z, SparseRows):
        zz, z = (Z.matrix.T @ Z.matrix).toarray(), np.asarray(Z.matrix.sum(axis=0)).ravel()
    else:
        zz, z = Z.T @ Z, Z.sum(axis=0)
    return RidgeSums(n, z, zz, y.sum(axis=0), transposed_times(Z, y))


def ridge_sums(blocks: Any, *, features: Features = None, classes: Any = None) -> RidgeSums:
    """Read each block once and add up its sums: ridge regression at any λ needs nothing else.

    r² + rq numbers of each block, for r features and q outputs, whatever the number of rows. Taught
    in notebook 08. Raises ValueError for a bad block, which it names; the arguments are those of
    :func:`ridge_over_blocks`.
    """
    return _sums(_look(blocks, features, classes))


@dataclass(frozen=True)
class RidgeOverBlocks:
    """Ridge regression from sums over blocks.

    Parameters
    ----------
    w : array of shape (r,) or (r, q). Weights of the features.
    b : float or array of shape (q,). Bias, 0 without one.
    lam : float. λ that was used.
    n : int. Rows.
    """

    w: FloatArray
    b: Any
    lam: float
    n: int
    _bias: bool
    _data: Data

    @cached_property
    def _certificate(self) -> tuple[float, float]:
        same = [(self.w, self.b)] * len(self._data.looks)
        squares, zr, r, z = add_up(self._data.read(residuals_of_block, same))
        objective = squares + self.lam * float((self.w**2).sum())
        mean = r / self.n if self._bias else 0.0 * r
        half_gradient = self.lam * self.w - (zr - np.multiply.outer(z, mean))
        lacks = float((half_gradient**2).sum()) / self.lam + self.n * float((mean**2).sum())
        return float(objective), float(objective) - lacks

    def scores(self, X: Any) -> FloatArray:
        """Return w·φ(x) + b of new examples, shape (m,), or (m, q) for q outputs.

        Raises ValueError if X is not as the blocks are.
        """
        return scores(self._data.reader, X, self.w, self.b)

    @property
    def objective(self) -> float:
        """Σ (y_i − f_i)² + λ‖w‖², summed over outputs; the first time it reads the blocks again."""
        return self._certificate[0]

    @property
    def gap(self) -> float:
        """The relative duality gap, from another reading of all blocks the first time.

        The objective is 2λ-strongly convex in w, so it exceeds its minimum by at most
        ‖λw − Zᵀr‖²/λ, with r the residuals; with a bias r is centred, and n r̄² joins it.
        """
        objective, bound = self._certificate
        return relative_gap(objective, bound)


def residuals_of_block(
    reader: Reader, block: Any, w: FloatArray, b: Any
) -> tuple[float, FloatArray, Any, Vector]:
    """Return Σ r², Zᵀr, Σ r and Σ z of the residuals r = y − Zw − b of one block."""
    Z = reader.rows(block[0])
    r = reader.targets(block[1], shape(Z)[0]) - times(Z, w) - b
    z = transposed_times(Z, np.ones(len(r)))
    return float((r**2).sum()), transposed_times(Z, r), r.sum(axis=0), z


def ridge_over_blocks(
    blocks: Any, lam: Any, *, features: Features = None, classes: Any = None, bias: bool = True
) -> RidgeOverBlocks:
    """Ridge regression on features of any number of rows, in one reading of their blocks.

    Minimises Σ (y_i − f(x_i))² + λ‖w‖², f(x) = w·φ(x) + b, from `ridge_sums`. With the features of
    a Nyström or Fourier map it is kernel ridge regression with K̃ in place of K, in O(n r²) instead
    of O(n³). Of one block it is what (ZᵀZ + λI) w = Zᵀy gives in memory, bit for bit; of several,
    sums are added in another order. Taught in notebook 08. Raises ValueError for a bad argument, or
    a bad block, which it names, before anything is solved. Warns, LamRaised, if λ was raised.

    Parameters
    ----------
    blocks : list of pairs (X_b, y_b), or blocks on a cluster
        X_b of shape (n_b, d), dense or sparse; y_b of shape (n_b,) or (n_b, q), or labels. Or
        anything with a length whose element b is block b, loaded when it is asked for.
    lam : float. λ > 0.
    features : callable, optional
        X → Z of shape (n_b, r), such as a `nystrom_map` or a `fourier_map`; X itself if not given.
    classes : labels, optional. One column of targets for each: +1 where y is that label, else −1.
    bias : bool. Whether there is a b, which λ does not shrink.
    """
    data = _look(blocks, features, classes)
    sums = _sums(data)
    w, b, lam = sums.weights(lam, bias=bias)
    return RidgeOverBlocks(w, b, lam, sums.n, bias, data)


def _look(blocks: Any, features: Features, classes: Any) -> Data:
    return look_at_all(
        blocks, Reader(features, classes=None if classes is None else tuple(classes))
    )


def _sums(data: Data) -> RidgeSums:
    return reduce(add, data.read(sums_of_block))
