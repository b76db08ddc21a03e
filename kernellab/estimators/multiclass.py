"""More than two classes from a classifier for two: one against the rest, or one against one."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from kernellab.estimators.base import example_weights, reads_arrays
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray, check_gram


class Reduction(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """What the two reductions share: problems of two classes, solved by copies of one estimator.

    Attributes
    ----------
    gap_, status_ : float, str
        The largest gap, and "converged" or how the first problem that did not ended; if the
        estimator says how it ended.
    """

    estimator: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit to n examples and their classes; sample_weight goes to the estimator, if given.

        Examples of weight zero are left out.
        """
        X, y = self._read(X, y)
        check_classification_targets(y)
        weight = example_weights(sample_weight, X)
        used = np.flatnonzero(weight)
        self.classes_, codes = np.unique(y[used], return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must hold two classes, got one class: {self.classes_[0]!r}")
        self.estimators_, self._rows = [], []
        for rows, labels in self._problems(codes):
            rows = used[rows]
            extra = {} if sample_weight is None else {"sample_weight": weight[rows]}
            part = _part(X, rows, self._is_pairwise())
            self.estimators_.append(clone(self.estimator).fit(part, labels, **extra))
            self._rows.append(rows)
        if all(hasattr(fitted, "status_") for fitted in self.estimators_):
            self.gap_ = max(fitted.gap_ for fitted in self.estimators_)
            states = (fitted.status_ for fitted in self.estimators_)
            self.status_ = next((s for s in states if s != CONVERGED), CONVERGED)
        return self

    def _problems(self, codes: Any) -> Any:
        """Yield examples by number, and their labels: positive scores are for the larger label."""
        raise NotImplementedError

    def _scores(self, X: Any) -> FloatArray:
        """Return the scores of all problems, shape (n, number of problems)."""
        check_is_fitted(self)
        X = self._read(X)
        columns = [
            fitted.decision_function(X[:, rows] if self._is_pairwise() else X)
            for fitted, rows in zip(self.estimators_, self._rows, strict=True)
        ]
        return np.column_stack(columns)

    def predict(self, X: Any) -> Any:
        """Return the class of each example, shape (n,)."""
        check_is_fitted(self)
        scores = self.decision_function(X)
        second = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[second]

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores, shape (n,) for two classes, (n, n_classes) for more."""
        raise NotImplementedError

    def _read(self, X: Any, *y: Any) -> Any:
        """Check X, and y if it is there; leave texts and graphs to the estimator."""
        tags = get_tags(self.estimator).input_tags
        if reads_arrays(getattr(self.estimator, "kernel", None), X):
            accept = ["csr"] if tags.sparse else False
            return validate_data(self, X, *y, accept_sparse=accept, reset=bool(y))
        return (X, _labels(y[0])) if y else X

    def _is_pairwise(self) -> bool:
        return bool(get_tags(self.estimator).input_tags.pairwise)

    def __sklearn_tags__(self) -> Any:
        """X is what the estimator takes."""
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.sparse = inner.input_tags.sparse
        if inner.classifier_tags is not None:
            tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags


def _labels(y: Any) -> Any:
    y = column_or_1d(y, warn=True)
    assert_all_finite(y)
    return y


def _part(X: Any, rows: Any, pairwise: bool) -> Any:
    """Return some of the examples: rows of X, rows and columns of a Gram matrix, or a list."""
    if isinstance(X, list | tuple):
        return [X[i] for i in rows]
    return check_gram(X, "X")[np.ix_(rows, rows)] if pairwise else X[rows]


class OneVsRestClassifier(Reduction):
    """One problem a class: its examples against all others. The largest score is right.

    Parameters
    ----------
    estimator : classifier
        For two classes, with a decision_function.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        In order.
    estimators_ : list
        One a class; one altogether, for the second, if there are two.

    Notes
    -----
    Of equal scores the first class's is taken. The scores of different problems are compared as
    they are: none of them promises to be on the scale of another. Taught in notebook 04.
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def _problems(self, codes: Any) -> Any:
        k = len(self.classes_)
        for label in range(k) if k > 2 else [1]:
            yield np.arange(len(codes)), (codes == label).astype(np.intp)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores, shape (n,) for two classes, (n, n_classes) for more."""
        scores = self._scores(X)
        return scores.ravel() if len(self.classes_) == 2 else scores


class OneVsOneClassifier(Reduction):
    """One problem for every two classes: k(k − 1)/2 duels, each with a vote. Most votes are right.

    Parameters
    ----------
    estimator : classifier
        For two classes, with a decision_function.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        In order.
    estimators_ : list
        One a pair, in the order (0, 1), (0, 2), …, (1, 2), …
    pairs_ : list of (int, int)
        These pairs. A positive score is for the second.

    Notes
    -----
    A score of exactly 0 is a vote for the first of the two. Ties of votes, such as one each of
    three classes in a circle, go to the class with the largest sum s of its scores over all its
    duels; if these are equal too, to the first class. `decision_function` is
    votes + s / (3 (|s| + 1)), so that its largest entry is what `predict` says. Taught in
    notebook 04.
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def _problems(self, codes: Any) -> Any:
        self.pairs_ = list(combinations(range(len(self.classes_)), 2))
        for pair in self.pairs_:
            rows = np.flatnonzero(np.isin(codes, pair))
            yield rows, self.classes_[codes[rows]]

    def duels(self, X: Any) -> FloatArray:
        """Return the score of every duel, shape (n, k(k − 1)/2), in the order of `pairs_`."""
        return self._scores(X)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores, shape (n,) for two classes, (n, n_classes) for more."""
        duels = self.duels(X)
        if len(self.classes_) == 2:
            return duels.ravel()
        votes, sums = np.zeros((2, len(duels), len(self.classes_)))
        for score, (first, second) in zip(duels.T, self.pairs_, strict=True):
            votes[:, first] += score <= 0
            votes[:, second] += score > 0
            sums[:, first] -= score
            sums[:, second] += score
        return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))
