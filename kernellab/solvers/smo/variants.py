"""Two more problems that the steps of SMO solve unchanged: regression, and one class at a given ν.

`passes` knows no labels: it sees bounds, targets and a Gram matrix. Regression gives it every
example twice, once for f too low and once for f too high; one class gives it targets of zero.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import Any

import numpy as np

from kernellab.certificates import check_C
from kernellab.solvers.smo import SMOState, problem_of, states_of
from kernellab.solvers.smo.loops import absolute_gap, interval
from kernellab.solvers.smo.rows import Gram, Indices, RowSource
from kernellab.validation import FloatArray, check_number, check_numbers

Vector = FloatArray

NEGLIGIBLE = 1e-6
"""A one-class objective below this share of ½ (Σα)² max K_ii, the most it could be, is zero."""


class DoubledGram(Gram):
    """The Gram matrix of n examples and of the same n again: [[K, K], [K, K]].

    K, shape (n, n) or Gram, is stored once, with its rows doubled: twice the memory of K.
    """

    def __init__(self, K: Any) -> None:
        gram = K if isinstance(K, Gram) else Gram(K)
        self.given = gram.given
        self.stored = np.hstack([gram.stored, gram.stored])
        self.slot = np.tile(gram.slot, 2)
        self.diagonal = np.tile(gram.diagonal, 2)

    def take(self, subset: Indices) -> RowSource:
        """Return the rows and columns of `subset`."""
        return Gram(self.stored[np.ix_(self.slot[subset], subset)], known=True)


class RegressionState(SMOState):
    """Where SMO is in regression; arrays are those of the moment they are asked for."""

    @property
    def coef(self) -> Vector:
        """Signed weights, shape (n,), each from −C_i to C_i: f(x) = Σ coef_i k(x_i, x) + b."""
        up, down = np.split(self._problem.arrays.beta, 2)
        return up + down

    @cached_property
    def scores(self) -> Vector:
        """f(x_i) with the bias, shape (n,)."""
        return np.split(super().scores, 2)[0]

    @property
    def gap(self) -> float:
        """The relative duality gap; 0 where a constant is within ε of all targets, to rounding."""
        primal, _, _, rounding = self._objectives
        perfect = primal <= 2 * rounding and not self._problem.arrays.beta.any()
        return 0.0 if perfect else super().gap


class OneClassState(SMOState):
    """Where SMO is in the one-class problem, see `smo_one_class`."""

    @property
    def rho(self) -> float:
        """The threshold ρ; if all α are at their bounds (ν = 1), the largest score."""
        highest, lowest = interval(self._problem.arrays)
        return -float((highest + lowest) / 2 if highest > -np.inf else lowest)

    @property
    def b(self) -> float:
        """−ρ: the scores are Σ α_j k(x_j, x_i) − ρ."""
        return -self.rho

    @property
    def primal(self) -> float:
        """½‖w‖² + Σ c_i max(0, ρ − w·φ(x_i)) − ρ ν Σ c_i."""
        return self.dual + absolute_gap(self._problem.arrays, self.b)

    @property
    def gap(self) -> float:
        """(P − D) / max(|P|, |D|, what counts as zero), see `NEGLIGIBLE`."""
        arrays = self._problem.arrays
        most = arrays.beta.sum() ** 2 * arrays.diagonal.max() / 2
        larger = max(abs(self.primal), abs(self.dual), NEGLIGIBLE * most)
        return float((self.primal - self.dual) / larger) if larger else 0.0


def smo_regression(
    K: Any, y: Any, C: Any, *, eps: float = 0.1, bias: bool = True
) -> Generator[RegressionState, float | None, None]:
    """Support vector regression by the steps of SMO, with or without a bias.

    The first state is zero. It ends when no step gains anything, or K is not a kernel. Minimises
    ½‖w‖² + Σ C_i max(0, |y_i − f(x_i)| − ε). Its dual, Σ y_i coef_i − ε Σ |coef_i| − ½ coefᵀK coef,
    has kinks; with coef = β⁺ + β⁻, 0 ≤ β⁺ ≤ C and −C ≤ β⁻ ≤ 0, it is Σ (y_i − ε) β⁺_i + Σ (y_i + ε)
    β⁻_i − ½ coefᵀK coef: `smo`'s, of 2n examples. Chang and Lin (2011), *LIBSVM*, section 2.4.
    Taught in notebook 05. Raises ValueError for a bad argument, before the first step.

    Parameters
    ----------
    K : array of shape (n, n), or Gram. Gram matrix.
    y : array of shape (n,). Real targets.
    C, bias
        As in `smo`.
    eps : float. Half-width ε ≥ 0 of the tube that is free, in units of y.
    """
    rows = DoubledGram(K)
    n = len(rows) // 2
    y, C = check_numbers(y, "y", n), check_C(C, n)
    if check_number(eps, "eps") < 0:
        raise ValueError(f"eps must not be negative, got {eps!r}; 0 is the absolute loss")
    targets = np.concatenate([y - eps, y + eps])
    nothing = np.zeros(n)
    lower, upper = np.concatenate([nothing, -C]), np.concatenate([C, nothing])
    problem = problem_of(rows, targets, np.zeros(2 * n), lower, upper, bias)
    return states_of(problem, RegressionState)


def smo_one_class(
    K: Any, nu: float, *, weights: Any = None
) -> Generator[OneClassState, float | None, None]:
    """The one-class SVM at a given ν by the steps of SMO.

    `alpha` from 0 to c_i with Σ α_i = ν Σ c_i, and `rho`. It ends when no step gains anything, or K
    is not a kernel.

    Minimises ½‖w‖² + Σ c_i max(0, ρ − w·φ(x_i)) − ρ ν Σ c_i over w and ρ; the dual is −½ αᵀKα. α/ρ
    is the solution, and C = 1/ρ the cost, of the hinge loss with all labels +1 and no bias: the
    same boundary, which `smo(K, ones, C, bias=False)` finds from C. Where the origin of the feature
    space lies amid the examples, ρ and the optimum are 0: nothing is outside. Schölkopf, Platt,
    Shawe-Taylor, Smola and Williamson (2001). Taught in notebook 05. Raises ValueError for a bad
    argument, before the first step.

    Parameters
    ----------
    K : array of shape (n, n), or Gram. Gram matrix.
    nu : float
        0 < ν ≤ 1: at most this share of the examples lies outside, at least this share are
        support vectors.
    weights : array of shape (n,), optional
        c_i > 0: how much example i counts, 1 if not given; shares are then counted by c.
    """
    rows = K if isinstance(K, Gram) else Gram(K)
    n = len(rows)
    c = np.ones(n) if weights is None else check_C(weights, n, "weights")
    if not 0 < check_number(nu, "nu") <= 1:
        raise ValueError(f"nu must be above 0 and at most 1, got {nu!r}")
    filled = np.minimum(c, np.maximum(0.0, nu * c.sum() - (np.cumsum(c) - c)))  # the first ones
    problem = problem_of(rows, np.zeros(n), filled, np.zeros(n), c, True)
    return states_of(problem, OneClassState)
