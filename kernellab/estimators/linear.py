"""Linear machines: weights w, one a feature, of dense or of sparse rows."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kernellab.estimators.base import (
    ScoringClassifier,
    UniqueRows,
    as_scores,
    by_class,
    cost_and_lam,
    example_weights,
    seed,
    unique_rows,
)
from kernellab.losses import hinge, squared_hinge
from kernellab.solvers.linear import dual_coordinate_descent
from kernellab.solvers.pegasos import PegasosRun, check_average, pegasos
from kernellab.solvers.sparse import check_rows
from kernellab.solving import CONVERGED, RUNNING
from kernellab.validation import (
    FloatArray,
    check_number,
    check_positive,
    check_positive_integer,
    refuse_masked_and_dates,
)

LOSSES = {"hinge": hinge, "squared_hinge": squared_hinge}


class LinearClassifier(ScoringClassifier):
    """A classifier f(x) = w·x + b.

    Attributes
    ----------
    classes_ : array of shape (n_classes,). In order.
    coef_ : array of shape (1, n_features), or (n_classes, n_features) if more than two classes. w.
    intercept_ : array of shape (1,) or (n_classes,). b.
    """

    random_state: Any

    def decision_function(self, X: Any) -> FloatArray:
        """Return f(x) of each example, shape (n,), or one score a class, shape (n, n_classes)."""
        check_is_fitted(self)
        refuse_masked_and_dates(X)
        accept = "csr" if self.__sklearn_tags__().input_tags.sparse else False
        X = validate_data(self, X, accept_sparse=accept, dtype=np.float64, reset=False)
        return as_scores(safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_)

    def _encode_more(self, y: Any, classes: Any) -> FloatArray:
        """Set classes_ at the first call of partial_fit; return labels as `_encode` does."""
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if classes is not None:
            known = np.unique(np.asarray(classes))
            if first and len(known) < 2:
                raise ValueError(f"classes must hold at least two classes, got {classes!r}")
            if not first and not np.array_equal(known, self.classes_):
                raise ValueError(
                    f"classes must be those of the first call, {self.classes_}, got {classes!r}"
                )
            self.classes_ = known
        check_classification_targets(y)
        strangers = np.setdiff1d(y, self.classes_)
        if len(strangers):
            raise ValueError(f"y must hold labels of {self.classes_}, got {strangers[0]}")
        return self._signs(y)

    def _start_orders(self) -> None:
        """Let the next partial_fit draw the first of the orders that the seed stands for."""
        self._orders = np.random.default_rng(seed(self.random_state))

    def _report_more(self, passes: int, steps: int, gap: float) -> None:
        """Set what one more call of partial_fit changes; it knows nothing of what is gone."""
        self.gap_, self.status_ = gap, CONVERGED if gap == 0 else RUNNING
        self.n_passes_ = getattr(self, "n_passes_", 0) + passes
        self.n_updates_ = getattr(self, "n_updates_", 0) + steps
        if hasattr(self, "objective_"):
            del self.objective_


class SparseLinearClassifier(LinearClassifier):
    """One that takes sparse rows as they are."""

    bias: float

    def _constant(self) -> float:
        """Return the value of the constant feature, 0 for none."""
        is_bool = isinstance(self.bias, bool | np.bool_)
        return float(self.bias) if is_bool else check_number(self.bias, "bias")

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, UniqueRows]:
        """Return the examples that differ, their classes, and what is a copy of which."""
        refuse_masked_and_dates(X)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, order="C")
        unique = unique_rows(X, y, example_weights(sample_weight, X))
        return X[unique.rows], y[unique.rows], unique

    def __sklearn_tags__(self) -> Any:
        """X may be sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@dataclass(eq=False, repr=False)
class LinearSVC(SparseLinearClassifier):
    """The linear support vector machine by dual coordinate descent, to a duality gap.

    Minimises ½‖w‖² + Σ C_i L(y_i f(x_i)), where the weight of the constant feature is a part of w.
    More than two classes are told apart one against the rest. Hsieh and others (2008). Taught in
    notebook 04.

    Parameters
    ----------
    C, lam, gap, max_passes, class_weight : As in `KernelSVC`.
    loss : {"hinge", "squared_hinge"}. max(0, 1 − y f), or its square.
    bias : float or bool
        0 (False) for no bias; else the value of a constant feature whose weight times this value is
        b. That weight is regularised with the others: `KernelSVC(Linear())` has a free bias.
    random_state : int, RandomState or None. Seed of the order.

    Attributes
    ----------
    alpha_ : array of shape (n,), or (n_classes, n) if there are more than two. Dual variables ≥ 0.
    C_, lam_, nu_ : float
        C, λ = 1/(Cn), and ν = Σα/ΣC, whose reading as a share of examples is that of the hinge.
    """

    C: float = 1.0
    _: KW_ONLY
    lam: float | None = None
    loss: Literal["hinge", "squared_hinge"] = "hinge"
    bias: float = 1.0
    gap: float = 1e-3
    max_passes: int = 1000
    class_weight: Any = None
    random_state: Any = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearSVC:
        """Fit to n examples and their classes, each counting sample_weight times."""
        if self.loss not in LOSSES:
            known = " or ".join(map(repr, LOSSES))
            raise ValueError(f"loss must be {known}, got {self.loss!r}")
        X, y, unique = self._read(X, y, sample_weight)
        labels = self._encode(y)
        self.C_, self.lam_ = cost_and_lam(self.C, self.lam, unique.weight.sum())
        costs = self.C_ * by_class(unique.weight, self.class_weight, y)
        loss, bias, rng = LOSSES[self.loss], self._constant(), seed(self.random_state)
        X = _with_constant(X, bias)  # once: all classes share it
        results = [
            self._run(dual_coordinate_descent(X, sign, costs, loss=loss, rng=rng))
            for sign in labels
        ]
        self.coef_, self.intercept_ = split(np.array([result.w for result in results]), bias)
        alpha = np.array([result.alpha for result in results])
        self.alpha_ = unique.spread(alpha[0] if len(alpha) == 1 else alpha)
        self.nu_ = float(alpha.mean(axis=0).sum() / costs.sum())
        self._report(results, [result.primal for result in results])
        return self


@dataclass(eq=False, repr=False)
class PegasosSVC(SparseLinearClassifier):
    """The linear support vector machine by stochastic subgradient steps.

    Minimises λ/2 ‖w‖² + Σ c_i max(0, 1 − y_i f(x_i)) / Σ c_i, where the weight of the constant
    feature is a part of w: Pegasos knows no free bias. More than two classes are told apart one
    against the rest. Shalev-Shwartz and others (2011). Taught in notebook 04.

    Parameters
    ----------
    lam : float. λ > 0.
    batch_size : int. Examples of a step; n if there are fewer.
    average : {False, "uniform", "linear"} or True
        Whether w is the last, or the average over all steps, alike (True) or weighing the t-th t.
    project : bool. Whether every step returns to the ball ‖w‖ ≤ 1/√λ.
    bias, max_passes, class_weight, random_state : As in `LinearSVC`.
    gap : float. Relative duality gap to reach: it closes like 1/t, so ask for 1 %, not for 1e-6.

    Attributes
    ----------
    lam_, C_ : float. λ, and C = 1/(λn), n the sum of sample_weight.
    """

    lam: float = 1e-2
    _: KW_ONLY
    batch_size: int = 1
    average: bool | str = "linear"
    project: bool = False
    bias: float = 1.0
    gap: float = 1e-2
    max_passes: int = 1000
    class_weight: Any = None
    random_state: Any = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PegasosSVC:
        """Fit to n examples and their classes, each counting sample_weight times."""
        X, y, unique = self._read(X, y, sample_weight)
        labels = self._encode(y)
        self.lam_ = check_positive(self.lam, "lam")
        self.C_ = 1 / (self.lam_ * unique.weight.sum())
        share = by_class(unique.weight, self.class_weight, y) / unique.weight.mean()
        constant = self._constant()
        X = _with_constant(X, constant)
        options: dict[str, Any] = {
            "batch_size": min(check_positive_integer(self.batch_size, "batch_size"), len(y)),
            "average": self.average,
            "project": self.project,
            "sample_weight": share,
            "rng": seed(self.random_state),
        }
        results = [self._run(pegasos(X, sign, self.lam_, **options)) for sign in labels]
        self.coef_, self.intercept_ = split(np.array([r.w for r in results]), constant)
        self._report(results, [result.objective / self.lam_ for result in results])
        self._moving = [result.state.moving for result in results]
        self._settings = self.lam_, check_average(self.average), constant
        self._t = [result.steps for result in results]
        self._seen = float(unique.weight.sum())
        self._start_orders()
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> PegasosSVC:
        """Step once over n more examples, from where the last call, or fit, has come to.

        `classes` are all there will be, asked for at the first call. What is minimised is the mean
        over all examples so far, so sample_weight is not divided by its mean. There is no
        certificate of data that are gone: gap_ is inf, and there is no objective_.
        """
        if self.class_weight == "balanced":
            raise ValueError("class_weight must not be 'balanced': partial_fit sees a part of y")
        refuse_masked_and_dates(X)
        first = not hasattr(self, "coef_")
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, order="C", reset=first
        )
        labels = self._encode_more(y, classes)
        weight = by_class(example_weights(sample_weight, X), self.class_weight, y)
        used = np.flatnonzero(weight)
        constant, lam = self._constant(), check_positive(self.lam, "lam")
        rows = check_rows(_with_constant(X[used], constant))
        cost = weight[used]
        size = min(check_positive_integer(self.batch_size, "batch_size"), len(used))
        radius = float(np.sqrt(cost.mean() / lam)) if self.project else np.inf
        power = check_average(self.average)
        if first:
            self._settings, self._seen = (lam, power, constant), 0.0
            self._t = [0] * len(labels)
            self._start_orders()
        if self._settings != (lam, power, constant):
            raise ValueError("lam, average and bias must stay as they were; fit starts anew")
        order = self._orders.permutation(len(used))
        problem = cost, lam, size, radius, power
        runs = [PegasosRun(rows, False, sign[used], *problem) for sign in labels]
        for k, run in enumerate(runs):
            if not first:
                run.resume(self._moving[k])
            run.advance(order, self._t[k])
        self._t = [t - (-len(used) // size) for t in self._t]
        self._seen += float(cost.sum())
        self._moving = [run.moving(t) for run, t in zip(runs, self._t, strict=True)]
        weights = np.array([run.answer(t) for run, t in zip(runs, self._t, strict=True)])
        self.coef_, self.intercept_ = split(weights, constant)
        self.lam_, self.C_ = lam, 1 / (lam * self._seen)
        self._report_more(len(runs), len(runs) * -(-len(used) // size), np.inf)
        return self


def _with_constant(X: Any, value: float) -> Any:
    """Append a constant feature, unless it is zero."""
    if value == 0:
        return X
    parts = [X, np.full((X.shape[0], 1), value)]
    return scipy.sparse.hstack(parts, "csr") if scipy.sparse.issparse(X) else np.hstack(parts)


def split(weights: FloatArray, constant: float) -> tuple[FloatArray, FloatArray]:
    """Return w and b, of shapes (q, d) and (q,), from weights with that of the constant feature."""
    if constant == 0:
        return weights, np.zeros(len(weights))
    return weights[:, :-1], weights[:, -1] * constant
