"""Our `KernelSVC` under the name, parameters and attributes of scikit-learn's: for its own tests.

It translates; it neither solves nor decides. Parameters that have no counterpart are accepted
and not used (`shrinking`, `cache_size`, `verbose`), those that would change the answer are refused.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import sklearn.svm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import NotFittedError

from kernellab import estimators as ours

GAP = 1e-12  # scikit-learn's tests compare digits; the solver says so where it cannot get there


class SVC(ClassifierMixin, BaseEstimator):
    """Holds a fitted machine of ours, or one of each pair of classes, and asks it."""

    def __init__(
        self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True,
        probability="deprecated", tol=1e-3, cache_size=200, class_weight=None, verbose=False,
        max_iter=-1, decision_function_shape="ovr", break_ties=False, random_state=None,
    ):  # fmt: skip
        for name, value in locals().items():
            if name != "self":
                setattr(self, name, value)

    def fit(self, X, y, sample_weight=None):
        classes = np.unique(y)
        inner = ours.KernelSVC(
            self.kernel, self.C, gap=GAP, degree=self.degree, coef0=self.coef0,
            gamma=1.0 / self.gamma if self.gamma == "auto" else self.gamma,
            max_passes=1000 if self.max_iter < 0 else self.max_iter,
        )  # fmt: skip
        if self.class_weight is not None:  # of all classes, not pair by pair
            by_class = compute_sample_weight(self.class_weight, y)
            sample_weight = by_class if sample_weight is None else by_class * sample_weight
        if len(classes) > 2:
            inner = ours.OneVsOneClassifier(inner)
        self.inner_ = inner.fit(X, y, sample_weight=sample_weight)
        self.classes_ = inner.classes_
        pairs = getattr(inner, "pairs_", [(0, 1)])
        self._describe(X, [np.flatnonzero(np.isin(y, classes[list(pair)])) for pair in pairs])
        return self

    def _describe(self, X, members):
        """Set support_, dual_coef_ and intercept_, of all pairs of classes one below another."""
        pairs = getattr(self.inner_, "estimators_", [self.inner_])
        n = len(X) if isinstance(X, list) else X.shape[0]
        sign = 1 if len(pairs) == 1 else -1  # of two in many, theirs speaks for the first
        signed = np.zeros((len(pairs), n))
        for row, pair, rows in zip(signed, pairs, members, strict=True):
            row[rows[pair.support_]] = sign * pair.dual_coef_[0]
        self.support_ = np.flatnonzero(signed.any(axis=0))
        self.dual_coef_ = signed[:, self.support_]
        self.intercept_ = np.array([sign * pair.intercept_[0] for pair in pairs])
        if not isinstance(X, list) or not isinstance(X[0], str):
            self.support_vectors_ = np.asarray(X, dtype=float)[self.support_]
        self.n_iter_ = np.array([pair.n_passes_ for pair in pairs])
        self._gamma = getattr(pairs[0].kernel_, "gamma", None)

    @property
    def coef_(self):
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        coef = self.dual_coef_ @ self.support_vectors_
        coef.flags.writeable = False
        return coef

    def _fitted(self):
        if not hasattr(self, "inner_"):
            raise NotFittedError("This SVC instance is not fitted yet")
        return self.inner_

    def predict(self, X):
        return self._fitted().predict(X)

    def decision_function(self, X):
        if self.decision_function_shape == "ovo" and len(self.classes_) > 2:
            return -self._fitted().pairwise_scores(X)
        return self._fitted().decision_function(X)


NO_SPARSE = "kernels take dense arrays; LinearSVC and PegasosSVC take sparse ones"
NO_NEGATIVE = "weights below zero are refused; examples of weight zero are left out"
NO_PROBABILITY = "there are no probabilities: a score is not one"

# Tests that are not run, and why; with a bracket, only the cases that start so.
SKIPPED = {
    "test_tweak_params": "sets a private attribute of SVC",
    "test_probability": NO_PROBABILITY,
    "test_hasattr_predict_proba": NO_PROBABILITY,
    "test_probability_raises_futurewarning": NO_PROBABILITY,
    "test_svc_nusvc_probA_probB_deprecated": NO_PROBABILITY,
    "test_negative_sample_weights_mask_all_samples": NO_NEGATIVE,
    "test_negative_weights_svc_leave_just_one_label": NO_NEGATIVE,
    "test_negative_weights_svc_leave_two_labels": NO_NEGATIVE,
    "test_negative_weight_equal_coeffs": NO_NEGATIVE,
    "test_bad_input": "wants a ValueError for sparse X, which is a TypeError here as elsewhere",
    "test_svc_nonfinite_params": "refused too, in other words: X is too large for its variance",
    "test_sparse_precomputed": NO_SPARSE,
    "test_libsvm_convergence_warnings": "wants LIBSVM's words; and two passes are enough here",
    "test_svc_invalid_break_ties_param": "break_ties is not a choice: ties are always broken",
    "test_svc_ovr_tie_breaking": "break_ties is not a choice: ties are always broken",
    "test_svc_raises_error_internal_representation": "sets a private attribute of SVC",
    "test_svm_with_infinite_C": "C = inf is refused: that is HardMarginSVC",
    "test_custom_kernel_not_array_input[SVC": "its function needs X and Z to be the same list",
}


def load_tests() -> ModuleType:
    """Import scikit-learn's tests of `sklearn.svm` with our class in the place of its own."""
    theirs = sklearn.svm.SVC
    path = Path(sklearn.__file__).parent / "svm/tests/test_svm.py"
    spec = importlib.util.spec_from_file_location("own_tests_of_svm", path)
    module = importlib.util.module_from_spec(spec)
    try:
        sklearn.svm.SVC = SVC  # for what it takes at import, in its decorators too
        spec.loader.exec_module(module)
    finally:
        sklearn.svm.SVC = theirs
    for name, value in vars(module).items():  # for what it looks up while it runs: svm.SVC
        if value is sklearn.svm:
            setattr(module, name, SimpleNamespace(**{**vars(sklearn.svm), "SVC": SVC}))
    return module
