"""The perceptron, on weights and on examples."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from kernellab.estimators.base import seed, unique_rows
from kernellab.estimators.linear import LinearClassifier, split
from kernellab.estimators.svm import KernelClassifier, Solution
from kernellab.solvers.perceptron import (
    check_margin,
    dual_perceptron,
    homogeneous,
    primal_perceptron,
    primal_perceptron_pass,
)
from kernellab.validation import FloatArray, check_bool, check_squares, refuse_masked_and_dates

Vector = FloatArray


@dataclass(eq=False, repr=False)
class Settings:
    """What both perceptrons are told."""

    _: KW_ONLY
    bias: bool = True
    margin: float = 0.0
    shuffle: bool = True
    orders: Any = None
    max_passes: int = 1000
    random_state: Any = 0


@dataclass(eq=False, repr=False)
class Perceptron(Settings, LinearClassifier):
    """The perceptron on weights: every mistake on x_i adds y_i x_i to w.

    There are no class or sample weights: a mistake is a mistake. More than two classes are told
    apart one against the rest. Rosenblatt (1958). Taught in notebook 01.

    Parameters
    ----------
    bias : bool. Whether to learn b too, as the weight of a constant feature of 1.
    margin : float. Learn where y_i f(x_i) ≤ margin, ≥ 0.
    shuffle : bool. A fresh order every pass; False for the order of the rows.
    orders : list of integer arrays, optional. The order of each pass, instead.
    max_passes : int. Cap of the passes: data that no plane separates run to it, and warn.
    random_state : int, RandomState or None. Seed of the order.

    Attributes
    ----------
    n_mistakes_ : int. Mistakes made while learning.
    gap_ : float. 0 if the last pass made no mistake, else inf. There is no objective_.
    """

    gap = 0.0

    def fit(self, X: Any, y: Any) -> Perceptron:
        """Pass over the n examples until a pass makes no mistake, or to the cap."""
        refuse_masked_and_dates(X)
        check_bool(self.bias, "bias")
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        labels = self._encode(y)
        vectors = homogeneous(X) if self.bias else X
        rng = seed(self.random_state) if self.shuffle else None
        options: dict[str, Any] = {"margin": self.margin, "rng": rng, "orders": self.orders}
        results = [self._run(primal_perceptron(vectors, sign, **options)) for sign in labels]
        weights = np.array([result.w for result in results])
        self.coef_, self.intercept_ = split(weights, self.bias)
        self.n_mistakes_ = sum(result.n_mistakes for result in results)
        self._report(results, None, asked="a pass without a mistake")
        self._start_orders()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Perceptron:
        """Pass once over n more examples, from the w that the last call, or fit, has left.

        `classes` are all there will be, asked for at the first call. gap_ is 0 if this pass made no
        mistake; n_mistakes_ goes on counting.
        """
        refuse_masked_and_dates(X)
        check_bool(self.bias, "bias")
        if self.orders is not None:
            raise ValueError("orders are those of fit: partial_fit sees other examples every time")
        first, margin = not hasattr(self, "coef_"), check_margin(self.margin)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", reset=first)
        check_squares(np.abs(X).max())
        labels = self._encode_more(y, classes)
        vectors = homogeneous(X) if self.bias else X
        if first:
            self.n_mistakes_, weights = 0, np.zeros((len(labels), vectors.shape[1]))
            self._start_orders()
        else:
            weights = np.column_stack([self.coef_, self.intercept_])[:, : vectors.shape[1]]
        order = self._orders.permutation(len(y)) if self.shuffle else np.arange(len(y))
        mistakes = sum(
            primal_perceptron_pass(vectors, sign, w, order, margin)
            for sign, w in zip(labels, weights, strict=True)
        )
        self.coef_, self.intercept_ = split(weights, self.bias)
        self.n_mistakes_ += mistakes
        self._report_more(len(labels), len(labels) * len(y), np.inf if mistakes else 0.0)
        return self


@dataclass(eq=False, repr=False)
class KernelPerceptron(Settings, KernelClassifier):
    """The perceptron on examples: α_i counts the mistakes on example i.

    With the linear kernel it is `Perceptron`, mistake for mistake. It runs on any symmetric matrix;
    only for a kernel is there a bound of the mistakes. Aizerman, Braverman and Rozonoer (1964).
    Taught in notebooks 01 and 03.

    Parameters
    ----------
    kernel, gamma, degree, coef0 : As in `KernelSVC`.
    bias : bool. Whether f(x) = Σ α_i y_i (k(x_i, x) + 1), or without the 1.
    margin, shuffle, orders, max_passes, random_state : As in `Perceptron`.

    Attributes
    ----------
    n_mistakes_ : int. Mistakes made while learning: the sum of alpha_.
    gap_ : float. 0 if the last pass made no mistake, else inf. There is no objective_.
    """

    gap = 0.0

    def fit(self, X: Any, y: Any) -> KernelPerceptron:
        """Pass over the n examples until a pass makes no mistake, or to the cap."""
        check_bool(self.bias, "bias")
        X, y = self._read(X, y)
        unique = unique_rows(None, y, np.ones(len(X)))  # in the order of the rows, copies and all
        self._fit(X, y, unique, unique.weight)
        self.n_mistakes_ = int(self.alpha_.sum())
        return self

    def _solve(self, K: Any, sign: Vector, weight: Vector) -> Solution:
        rng = seed(self.random_state) if self.shuffle else None
        K = K + 1.0 if self.bias else K
        states = dual_perceptron(K, sign, margin=self.margin, rng=rng, orders=self.orders)
        result = self._run(states)
        return result.alpha, float(result.alpha @ sign) * self.bias, result, np.nan

    def _set_results(self, solved: list[Solution], K: Any) -> None:
        results = [solution[2] for solution in solved]
        self._report(results, None, asked="a pass without a mistake")
