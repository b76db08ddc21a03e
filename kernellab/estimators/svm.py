"""Support vector machines of any kernel: two classes or more, regression, one class."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.base import OutlierMixin, RegressorMixin

from kernellab.certificates import relative_gap
from kernellab.estimators.base import (
    KernelMixin,
    Reporting,
    ScoringClassifier,
    UniqueRows,
    as_scores,
    by_class,
    cost_and_lam,
    example_weights,
    seed,
)
from kernellab.kernels import Linear, VectorKernel
from kernellab.solvers.hard_margin import hard_margin, hard_margin_from_gram
from kernellab.solvers.landmarks import take
from kernellab.solvers.pegasos import kernel_pegasos
from kernellab.solvers.sdca import sdca
from kernellab.solvers.smo import smo
from kernellab.solvers.smo.rows import Rows, RowSource
from kernellab.solvers.smo.variants import smo_one_class, smo_regression
from kernellab.solving import CONVERGED, Result
from kernellab.validation import FloatArray, check_bool, check_positive

Vector = FloatArray
Solution = tuple[Vector, float, Result[Any], float]
"""α or signed weights, the bias, the run, and the primal objective."""

ROWS_FROM = 1000
"""From so many examples on, computing rows of K when SMO asks for them is faster than all of K."""


class KernelClassifier(KernelMixin, ScoringClassifier):
    """A classifier f(x) = Σ α_i y_i k(x_i, x) + b; a subclass says how to find α and b.

    Attributes
    ----------
    classes_ : array of shape (n_classes,). In order.
    alpha_ : array of shape (n,), or (n_classes, n) if there are more than two. Dual variables ≥ 0.
    intercept_ : array of shape (1,) or (n_classes,). b.
    support_, support_vectors_, dual_coef_
        The examples with an α above zero, by number and as they are (None if precomputed), and
        their signed weights α_i y_i, shape (1, n_support) or (n_classes, n_support).
    coef_ : array of shape (1, d) or (n_classes, d). w, with the linear kernel only.
    """

    bias: bool

    def _solve(self, K: Any, sign: Vector, weight: Vector) -> Solution:
        raise NotImplementedError

    def _examples(self, X: Any, rows: Any) -> FloatArray | RowSource:
        return self._gram(X, rows)

    def _fit(self, X: Any, y: Any, unique: UniqueRows, weight: Vector) -> None:
        """Fit to the unique rows of X, the m examples of which count `weight`."""
        labels = self._encode(y[unique.rows])
        self._set_kernel(X, unique)
        K = self._examples(X, unique.rows)
        solved = [self._solve(K, sign, weight) for sign in labels]

        alpha = unique.spread(np.array([solution[0] for solution in solved]))
        self.alpha_ = alpha[0] if len(solved) == 1 else alpha
        self.intercept_ = np.array([solution[1] for solution in solved])
        self._keep(X, alpha.any(axis=0))
        self.dual_coef_ = (alpha * labels[:, unique.group])[:, self.support_]
        self._set_results(solved, K)

    def _set_results(self, solved: list[Solution], K: Any) -> None:
        _, _, results, objectives = zip(*solved, strict=True)
        self._report(results, objectives, complaint=self._what_is_wrong(K, results, bias=self.bias))

    @property
    def coef_(self) -> FloatArray:
        """w = Σ α_i y_i x_i, one row a score."""
        if not isinstance(self.kernel_, Linear):
            raise AttributeError("coef_ is there for the linear kernel only")
        vectors: Any = self.support_vectors_
        return np.asarray(self.dual_coef_ @ vectors)

    def decision_function(self, X: Any) -> FloatArray:
        """Return f(x) of each example, shape (n,), or one score a class, shape (n, n_classes)."""
        return as_scores(self._compare(X) @ self.dual_coef_.T + self.intercept_)


@dataclass(eq=False, repr=False)
class HardMarginSVC(KernelClassifier):
    """The separator with the widest margin: the support vector machine for C → ∞, exactly.

    Minimises ½‖w‖² with y_i (w·x_i + b) ≥ 1. More than two classes are told apart one against the
    rest, each of which must be separable. Warns ConvergenceWarning if the classes are not
    separable. Taught in notebook 02.

    Parameters
    ----------
    kernel, gamma, degree, coef0
        As in `KernelSVC`; "linear" is solved in the space of X itself, others from their K.

    Attributes
    ----------
    half_margin_ : float or array of shape (n_classes,)
        1/‖w‖, geometric, in units of X (of the feature space for other kernels): the band is
        twice as wide. NaN where there is none.
    status_ : str. "converged" or "not separable". There is no soft answer: scores are then 0.
    """

    bias = True

    kernel: Any = "linear"

    def fit(self, X: Any, y: Any) -> HardMarginSVC:
        """Fit to n examples and their classes."""
        X, y = self._read(X, y)
        unique = self._unique_rows(X, y, np.ones(len(X)))
        self._fit(X, y, unique, unique.weight)
        return self

    def _examples(self, X: Any, rows: Any) -> FloatArray | RowSource:
        return take(X, rows) if isinstance(self.kernel_, Linear) else self._gram(X, rows)

    def _solve(self, K: Any, sign: Vector, weight: Vector) -> Solution:
        solver = hard_margin if isinstance(self.kernel_, Linear) else hard_margin_from_gram
        found: Any = solver(K, sign)
        if found.alpha is None:
            found = replace(found, alpha=np.zeros(len(sign)), b=0.0, half_margin=np.nan)
        primal = 0.5 / found.half_margin**2
        gap = relative_gap(primal, float(found.alpha.sum()) - primal)
        return found.alpha, found.b, Result(found, found.status, gap, 0, []), primal

    def _set_results(self, solved: list[Solution], K: Any) -> None:
        half_margins = np.array([result.half_margin for _, _, result, _ in solved])
        self.half_margin_ = half_margins if len(solved) > 1 else float(half_margins[0])
        self.gap_ = max(result.gap for _, _, result, _ in solved)
        self.objective_ = sum(objective for *_, objective in solved)
        self.status_ = next((r.status for _, _, r, _ in solved if not r.converged), CONVERGED)
        if self.status_ != CONVERGED:
            self._warn(
                f"{self.status_}: not every class lies beyond a plane from the others, and scores "
                f"are 0 where it does not; KernelSVC with a finite C allows for errors"
            )

    def __sklearn_tags__(self) -> Any:
        """There is no answer for classes that overlap."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


@dataclass(eq=False, repr=False)
class KernelSVC(KernelClassifier):
    """The support vector machine, with or without a bias, to a duality gap.

    Minimises ½‖w‖² + Σ C_i max(0, 1 − y_i f(x_i)), C_i = C · its weight. More than two classes are
    told apart one against the rest; see `OneVsOneClassifier` for the other way. Examples of weight
    zero are left out, and weight 2 is the same as twice the example. Raises ValueError when fitted,
    for a bad parameter or bad data; for bias=True with a solver without one. Warns
    ConvergenceWarning if the gap was not reached, with the gap that was; or if the Gram matrix of a
    kernel that is not known to be one has shown a negative eigenvalue, with its eigenvalues. With a
    bias the centred matrix is what counts. "smo" looks as far as it costs no more than reading K
    once; `certificates.is_positive_semidefinite` looks at all of it. Taught in notebook 05.

    Parameters
    ----------
    kernel : Kernel, str, callable or "precomputed"
        `Gaussian(0.5)`, `Spectrum(3)`, …; a name ("linear", "poly", "rbf", "gaussian",
        "laplacian") with the parameters gamma, degree and coef0; a function k(X, Z) that returns
        the matrix; or "precomputed" if X is the Gram matrix, (n, n) to fit and (m, n) to predict.
    C : float. Cost C > 0 of a loss of 1.
    lam : float, optional. λ > 0 instead of C: C = 1/(λn), n the sum of sample_weight.
    bias : bool. Whether f has a bias b, which is not regularised. Only "smo" can find one.
    solver : {"smo", "sdca", "pegasos"}
        "smo" is the engine; the other two are what the course teaches, and have no bias: they
        find the gap slowly where C is large.
    gap : float or None. Relative duality gap to reach; None for exactly max_passes.
    max_passes : int. Cap of the passes over the data.
    gamma : float or "scale"
        Of a kernel given by name; "scale" is 1/(d · variance of the entries of X).
    degree, coef0 : int, float. Of a kernel given by name.
    class_weight : dict, "balanced" or None
        Factors of C by class; "balanced" makes all classes count the same.
    random_state : int, RandomState or None. Seed of the order of the steps of "sdca" and "pegasos".

    Attributes
    ----------
    C_, lam_, nu_ : float
        The same regularisation said in three ways: C, λ = 1/(Cn), and ν = Σα/ΣC, which is at
        least the share of margin errors and at most the share of support vectors.
    """

    C: float = 1.0
    _: KW_ONLY
    lam: float | None = None
    bias: bool = True
    solver: Literal["smo", "sdca", "pegasos"] = "smo"
    gap: float = 1e-3
    max_passes: int = 1000
    class_weight: Any = None
    random_state: Any = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelSVC:
        """Fit to n examples and their classes, each counting sample_weight times."""
        self._check_solver()
        X, y = self._read(X, y, ensure_all_finite=not self._left_to_smo())
        weight = example_weights(sample_weight, X)
        unique = self._unique_rows(X, y, weight)
        self.C_, self.lam_ = cost_and_lam(self.C, self.lam, unique.weight.sum())
        costs = self.C_ * by_class(unique.weight, self.class_weight, y[unique.rows])
        self._fit(X, y, unique, costs)
        self.nu_ = float(self.alpha_.sum() / costs.sum() / len(self.intercept_))
        return self

    def _check_solver(self) -> None:
        if self.solver not in ("smo", "sdca", "pegasos"):
            raise ValueError(f"solver must be one of 'smo', 'sdca', 'pegasos', got {self.solver!r}")
        if check_bool(self.bias, "bias") and self.solver != "smo":
            raise ValueError(
                f"bias must be False with solver={self.solver!r}, which solves the problem without "
                f"one; for a bias, use solver='smo'"
            )

    def _examples(self, X: Any, rows: Any) -> FloatArray | RowSource:
        vectors = isinstance(self.kernel_, VectorKernel) and self.kernel_.is_psd
        if vectors and self.solver == "smo" and len(rows) > ROWS_FROM:
            return Rows(self.kernel_, take(X, rows))
        return self._gram_for_smo(X, rows) if self.solver == "smo" else self._gram(X, rows)

    def _solve(self, K: Any, sign: Vector, weight: Vector) -> Solution:
        if self.solver == "smo":
            result = self._run(smo(K, sign, weight, bias=self.bias))
            return result.alpha, result.b, result, result.primal
        if self.solver == "sdca":
            result = self._run(sdca(K, sign, weight, rng=seed(self.random_state)))
            return result.alpha, 0.0, result, result.primal
        lam = 1 / (weight.max() * len(sign))  # so that 1/(λn) is the largest C_i
        share = weight / weight.max()
        states = kernel_pegasos(K, sign, lam, sample_weight=share, rng=seed(self.random_state))
        result = self._run(states)
        return np.abs(result.coef), 0.0, result, result.objective / lam


@dataclass(eq=False, repr=False)
class KernelSVR(KernelMixin, RegressorMixin, Reporting):
    """Support vector regression, with or without a bias, to a duality gap.

    Minimises ½‖w‖² + Σ C_i max(0, |y_i − f(x_i)| − ε). Taught in notebook 05.

    Parameters
    ----------
    kernel, C, lam, bias, gap, max_passes, gamma, degree, coef0 : As in `KernelSVC`.
    epsilon : float. Half-width ε ≥ 0 of the tube that is free, in units of y.

    Attributes
    ----------
    coef_ : array of shape (n,). Signed weights from −C_i to C_i: f(x) = Σ coef_i k(x_i, x) + b.
    intercept_ : array of shape (1,). b.
    support_, support_vectors_
        The examples with a weight, by number and as they are (None if precomputed).
    C_, lam_ : float. C and λ = 1/(Cn).
    """

    C: float = 1.0
    _: KW_ONLY
    lam: float | None = None
    epsilon: float = 0.1
    bias: bool = True
    gap: float = 1e-3
    max_passes: int = 1000

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelSVR:
        """Fit to n examples and their targets, each counting sample_weight times."""
        check_bool(self.bias, "bias")
        X, y = self._read(X, y, y_numeric=True, ensure_all_finite=not self._left_to_smo())
        weight = example_weights(sample_weight, X)
        unique = self._unique_rows(X, y, weight)
        self.C_, self.lam_ = cost_and_lam(self.C, self.lam, unique.weight.sum())
        self._set_kernel(X, unique)
        K = self._gram_for_smo(X, unique.rows)
        y, C = np.asarray(y[unique.rows], dtype=np.float64), self.C_ * unique.weight
        result = self._run(smo_regression(K, y, C, eps=self.epsilon, bias=self.bias))
        self.coef_ = unique.spread(result.coef)
        self.intercept_ = np.array([result.b])
        self._keep(X, self.coef_)
        complaint = self._what_is_wrong(K, [result], bias=self.bias)
        self._report([result], [result.primal], complaint=complaint)
        return self

    def predict(self, X: Any) -> FloatArray:
        """Return f(x) of each example, shape (n,)."""
        K = self._compare(X)
        return np.asarray(K @ self.coef_[self.support_] + self.intercept_[0])


@dataclass(eq=False, repr=False)
class OneClassSVM(KernelMixin, OutlierMixin, Reporting):
    """The one-class SVM: a function large where the examples are, and what is outside of it.

    Minimises ½‖w‖² + Σ c_i max(0, ρ − w·φ(x_i)) − ρ ν Σ c_i. Schölkopf and others (2001). Taught in
    notebook 05.

    Parameters
    ----------
    kernel, gap, max_passes, gamma, degree, coef0 : As in `KernelSVC`.
    nu : float
        0 < ν ≤ 1: at most this share of the examples is outside, at least this share are support
        vectors.
    C : float, optional
        Cost instead of ν, in ½‖w‖² + C Σ max(0, 1 − w·φ(x_i)): ν is then what comes of it.

    Attributes
    ----------
    alpha_ : array of shape (n,). Dual variables; Σ α = ν Σ weights if ν was given.
    offset_ : float. ρ: inside is where Σ α_i k(x_i, x) ≥ ρ. It is 1 if C was given.
    support_, support_vectors_
        The examples with an α above zero, by number and as they are (None if precomputed).
    nu_, C_ : float. ν, and the C that gives the same boundary: 1/ρ.
    """

    nu: float = 0.5
    _: KW_ONLY
    C: float | None = None
    gap: float = 1e-3
    max_passes: int = 1000

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> OneClassSVM:
        """Fit to n examples, each counting sample_weight times; y is not used."""
        X = self._read(X, ensure_min_samples=2, ensure_all_finite=not self._left_to_smo())
        weight = example_weights(sample_weight, X)
        unique = self._unique_rows(X, None, weight)
        self._set_kernel(X, unique)
        K, c = self._gram_for_smo(X, unique.rows), unique.weight
        if self.C is None:
            states: Any = smo_one_class(K, self.nu, weights=c)
            result = self._run(states)
            self.offset_ = result.rho
            self.C_ = 1 / self.offset_ if self.offset_ > 0 else np.inf
        else:
            self.C_, self.offset_ = check_positive(self.C, "C"), 1.0
            costs = self.C_ * c
            result = self._run(smo(K, np.ones(len(c)), costs, bias=False))
        self.alpha_ = unique.spread(result.alpha)
        self.nu_ = float(self.alpha_.sum() / c.sum() / (1.0 if self.C is None else self.C_))
        self._keep(X, self.alpha_)
        complaint = self._what_is_wrong(K, [result], bias=self.C is None)
        self._report([result], [result.primal], complaint=complaint)
        return self

    def score_samples(self, X: Any) -> FloatArray:
        """Return Σ α_i k(x_i, x) of each example, shape (n,)."""
        K = self._compare(X)
        return np.asarray(K @ self.alpha_[self.support_])

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores less ρ, shape (n,): negative outside."""
        return np.asarray(self.score_samples(X) - self.offset_)

    def predict(self, X: Any) -> Any:
        """Return +1 inside, the boundary included, and −1 outside, shape (n,)."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
