"""More than two classes from a classifier for two: one against the rest, or one against one.

scikit-learn's, which also say how well the problems were solved; one against one takes texts and
graphs too, and shows its pairs.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import sklearn.multiclass
from sklearn.base import clone
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kernellab.estimators.base import example_weights, reads_arrays
from kernellab.solving import CONVERGED
from kernellab.validation import FloatArray


def _report(model: Any) -> None:
    """Set gap_, the largest, and status_, of the first problem that did not converge."""
    if all(hasattr(fitted, "status_") for fitted in model.estimators_):
        model.gap_ = max(fitted.gap_ for fitted in model.estimators_)
        states = (fitted.status_ for fitted in model.estimators_)
        model.status_ = next((status for status in states if status != CONVERGED), CONVERGED)


def _check_classes(classes: Any) -> None:
    if len(classes) < 2:
        raise ValueError(f"y must hold two classes, got one class: {classes[0]!r}")


class OneVsRestClassifier(sklearn.multiclass.OneVsRestClassifier):
    """One problem a class: its examples against all others. The largest score is right.

    Of equal scores the first class's is taken. The scores of different problems are compared as
    they are: none of them promises to be on the scale of another. Taught in notebook 04.

    Parameters
    ----------
    estimator : classifier. For two classes, with a decision_function.

    Attributes
    ----------
    gap_, status_ : float, str
        The largest gap, and "converged" or how the first problem that did not ended; if the
        estimator says how it ended.
    """

    def fit(self, X: Any, y: Any) -> OneVsRestClassifier:
        """Fit to n examples and their classes."""
        super().fit(X, y)
        _check_classes(self.classes_)
        _report(self)
        return self


class OneVsOneClassifier(sklearn.multiclass.OneVsOneClassifier):
    """One problem for each of the k(k − 1)/2 pairs of classes, and a vote. Most votes are right.

    A score of exactly 0 is a vote for the first of the two. Ties of votes, such as one each of
    three classes in a circle, go to the class with the largest sum s of its scores over all its
    pairs; if these are equal too, to the first class. `decision_function` is
    votes + s / (3 (|s| + 1)), so that its largest entry is what `predict` says. Taught in
    notebook 04.

    Parameters
    ----------
    estimator : classifier. For two classes, with a decision_function.

    Attributes
    ----------
    classes_ : array of shape (n_classes,). In order.
    estimators_ : list. One a pair, in the order (0, 1), (0, 2), …, (1, 2), …
    pairs_ : list of (int, int). These pairs. A positive score is for the second.
    gap_, status_ : As in `OneVsRestClassifier`.
    """

    def __init__(self, estimator: Any) -> None:
        super().__init__(estimator)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OneVsOneClassifier:
        """Fit to n examples and their classes, each counting sample_weight times."""
        X, y = self._read(X, y)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        _check_classes(self.classes_)
        self.pairs_ = list(combinations(range(len(self.classes_)), 2))
        members = [np.flatnonzero(np.isin(y, self.classes_[list(p)])) for p in self.pairs_]
        self.pairwise_indices_ = members if self.__sklearn_tags__().input_tags.pairwise else None
        parts = [_safe_split(self.estimator, X, y, rows) for rows in members]
        weight = None if sample_weight is None else example_weights(sample_weight, X)
        weights = [{} if weight is None else {"sample_weight": weight[rows]} for rows in members]
        self.estimators_ = [
            clone(self.estimator).fit(*part, **w) for part, w in zip(parts, weights, strict=True)
        ]
        _report(self)
        return self

    def pairwise_scores(self, X: Any) -> FloatArray:
        """Return the score of every pair, shape (n, k(k − 1)/2), in the order of `pairs_`."""
        check_is_fitted(self)
        X = self._read(X)
        rows = self.pairwise_indices_
        parts = [X[:, r] for r in rows] if rows else [X] * len(self.pairs_)
        scores = [e.decision_function(Z) for e, Z in zip(self.estimators_, parts, strict=True)]
        return np.column_stack(scores)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores, shape (n,) for two classes, (n, n_classes) for more."""
        pairs = self.pairwise_scores(X)
        if len(self.classes_) == 2:
            return pairs.ravel()
        votes, sums = np.zeros((2, len(pairs), len(self.classes_)))
        for score, (first, second) in zip(pairs.T, self.pairs_, strict=True):
            votes[:, first] += score <= 0
            votes[:, second] += score > 0
            sums[:, first] -= score
            sums[:, second] += score
        return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))

    def _read(self, X: Any, *y: Any) -> Any:
        """Check X, and y if it is there; leave texts and graphs to the estimator."""
        if reads_arrays(getattr(self.estimator, "kernel", None), X):
            return validate_data(self, X, *y, accept_sparse="csr", reset=bool(y))
        return (X, np.asarray(y[0])) if y else X
