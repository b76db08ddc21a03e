"""Our estimators under the names, parameters and attributes of scikit-learn's: for its own tests.

A shim translates; it neither solves nor decides. Parameters that have no counterpart are accepted
and not used (`shrinking`, `cache_size`, `verbose`), those that would change the answer are refused.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, OutlierMixin, RegressorMixin
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import NotFittedError

from kernellab import estimators as ours
from kernellab.kernels import Linear, Normalized, Polynomial

GAP = 1e-12  # scikit-learn's tests compare digits; the solver says so where it cannot get there
ROUGH = 1e-6  # enough where they do not


class Shim(BaseEstimator):
    """Holds a fitted estimator of ours, and asks it."""

    def _more(self, **parameters):
        """Keep parameters for which there is nothing to translate."""
        for name, value in parameters.items():
            setattr(self, name, value)

    def _kernel_parameters(self):
        max_iter = getattr(self, "max_iter", -1)
        return {
            "kernel": self.kernel,
            "gamma": 1.0 / self.gamma if self.gamma == "auto" else self.gamma,
            "degree": self.degree,
            "coef0": self.coef0,
            **({} if max_iter < 0 else {"max_passes": max_iter}),
        }

    def _fitted(self):
        if not hasattr(self, "inner_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet")
        return self.inner_

    def predict(self, X):
        return self._fitted().predict(X)

    def _linear_coef(self, signed, vectors):
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        coef = signed @ vectors
        coef.flags.writeable = False
        return coef


class SVC(ClassifierMixin, Shim):
    def __init__(
        self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True,
        probability="deprecated", tol=1e-3, cache_size=200, class_weight=None, verbose=False,
        max_iter=-1, decision_function_shape="ovr", break_ties=False, random_state=None,
    ):  # fmt: skip
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y, sample_weight=None):
        classes = np.unique(y)
        inner = ours.KernelSVC(C=self.C, gap=GAP, **self._kernel_parameters())
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
        return self._linear_coef(self.dual_coef_, self.support_vectors_)

    def decision_function(self, X):
        if self.decision_function_shape == "ovo" and len(self.classes_) > 2:
            return -self._fitted().pairwise_scores(X)
        return self._fitted().decision_function(X)


class SVR(RegressorMixin, Shim):
    def __init__(
        self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, C=1.0, epsilon=0.1,
        shrinking=True, cache_size=200, verbose=False, max_iter=-1,
    ):  # fmt: skip
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y, sample_weight=None):
        inner = ours.KernelSVR(C=self.C, epsilon=self.epsilon, gap=GAP, **self._kernel_parameters())
        self.inner_ = inner.fit(X, y, sample_weight=sample_weight)
        self.support_, self.support_vectors_ = inner.support_, inner.support_vectors_
        self.dual_coef_ = inner.coef_[np.newaxis, inner.support_]
        self.intercept_ = inner.intercept_
        self.n_support_ = np.array([len(inner.support_)])
        self.n_iter_ = inner.n_passes_
        return self

    @property
    def coef_(self):
        return self._linear_coef(self.dual_coef_, self.support_vectors_)


class OneClassSVM(OutlierMixin, Shim):
    def __init__(
        self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, nu=0.5,
        shrinking=True, cache_size=200, verbose=False, max_iter=-1,
    ):  # fmt: skip
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y=None, sample_weight=None):
        inner = ours.OneClassSVM(nu=self.nu, gap=ROUGH, **self._kernel_parameters())
        self.inner_ = inner.fit(X, sample_weight=sample_weight)
        self.support_, self.support_vectors_ = inner.support_, inner.support_vectors_
        self.dual_coef_ = inner.alpha_[np.newaxis, inner.support_]
        self.intercept_, self.offset_ = np.array([-inner.offset_]), inner.offset_
        self.n_support_ = np.array([len(inner.support_)])
        self.n_iter_ = inner.n_passes_
        return self

    @property
    def coef_(self):
        return self._linear_coef(self.dual_coef_, self.support_vectors_)

    def decision_function(self, X):
        return self._fitted().decision_function(X)

    def score_samples(self, X):
        return self._fitted().score_samples(X)


class LinearSVC(ClassifierMixin, Shim):
    def __init__(
        self, penalty="l2", loss="squared_hinge", *, dual="auto", tol=1e-4, C=1.0,
        multi_class="ovr", fit_intercept=True, intercept_scaling=1, class_weight=None, verbose=0,
        random_state=None, max_iter=1000,
    ):  # fmt: skip
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y, sample_weight=None):
        if self.penalty != "l2" or self.multi_class != "ovr":
            raise NotImplementedError("only the l2 penalty, one class against the rest")
        inner = ours.LinearSVC(
            self.C, loss=self.loss, bias=float(self.intercept_scaling * self.fit_intercept),
            gap=ROUGH, class_weight=self.class_weight, max_passes=self.max_iter,
        )  # fmt: skip
        self.inner_ = inner.fit(X, y, sample_weight=sample_weight)
        self.classes_, self.n_iter_ = inner.classes_, inner.n_passes_
        return self

    @property
    def coef_(self):
        return self._fitted().coef_

    @coef_.setter
    def coef_(self, value):
        self._fitted().coef_ = value

    @property
    def intercept_(self):
        return self._fitted().intercept_

    @intercept_.setter
    def intercept_(self, value):
        self._fitted().intercept_ = value

    def decision_function(self, X):
        return self._fitted().decision_function(X)


class KernelRidge(RegressorMixin, Shim):
    def __init__(
        self, alpha=1, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None
    ):
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y, sample_weight=None):
        d = np.shape(X)[1]
        inner = ours.KernelRidge(
            _kernel(self, d), self.alpha, gamma=1 / d if self.gamma is None else self.gamma
        )
        self.inner_ = inner.fit(X, y, sample_weight=sample_weight)
        return self


class Nystroem(Shim):
    def __init__(
        self, kernel="rbf", *, gamma=None, coef0=None, degree=None, kernel_params=None,
        n_components=100, random_state=None, n_jobs=None,
    ):  # fmt: skip
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y=None):
        d = np.shape(X)[1]
        inner = ours.Nystroem(
            _kernel(self, d), n_components=self.n_components, random_state=self.random_state,
            gamma=1 / d if self.gamma is None else self.gamma,
        )  # fmt: skip
        self.inner_ = inner.fit(X)
        return self

    def transform(self, X):
        return self._fitted().transform(X)

    def fit_transform(self, X, y=None):
        return self.fit(X).transform(X)

    def get_feature_names_out(self, input_features=None):
        return self._fitted().get_feature_names_out(input_features)


class Perceptron(ClassifierMixin, Shim):
    def __init__(self, *, max_iter=1000, tol=1e-3, shuffle=True, random_state=0):
        self._more(**{k: v for k, v in locals().items() if k not in ("self", "__class__")})

    def fit(self, X, y):
        inner = ours.Perceptron(max_passes=self.max_iter, shuffle=self.shuffle)
        self.inner_ = inner.fit(X, y)
        self.coef_, self.intercept_ = inner.coef_, inner.intercept_
        self.classes_ = inner.classes_
        return self


def _kernel(shim, d):
    """Return the kernel; the functions of `Nystroem` and `KernelRidge` take two rows, not all."""
    if shim.kernel in ("linear", "rbf", "laplacian", "precomputed"):
        return shim.kernel
    if shim.kernel == "cosine":
        return Normalized(Linear())
    if shim.kernel in ("poly", "polynomial"):  # (γ x·z + c)^p = γ^p (x·z + c/γ)^p
        gamma = 1 / d if shim.gamma is None else shim.gamma
        degree = 3 if shim.degree is None else shim.degree
        coef0 = 1 if shim.coef0 is None else shim.coef0
        return gamma**degree * Polynomial(degree, coef0 / gamma)
    parameters = shim.kernel_params or {}
    return lambda X, Z: pairwise_kernels(X, Z, metric=shim.kernel, **parameters)


NO_SPARSE = "kernels take dense arrays; LinearSVC and PegasosSVC take sparse ones"
NO_NEGATIVE = "weights below zero are refused; examples of weight zero are left out"
NO_L1 = "neither the l1 penalty, nor the primal form, nor Crammer and Singer's is offered"
NO_PROBABILITY = "there are no probabilities: a score is not one"

# Tests that are not run, and why; with a bracket, only the cases that start so.
SKIPPED = {
    "test_svm_svr_errors": "a kernel of a wrong shape is refused when fitted, before predict",
    "test_svm_tweak_params": "sets a private attribute of SVC",
    "test_svm_probability": NO_PROBABILITY,
    "test_svm_hasattr_predict_proba": NO_PROBABILITY,
    "test_svm_probability_raises_futurewarning": NO_PROBABILITY,
    "test_svm_svc_nusvc_probA_probB_deprecated": NO_PROBABILITY,
    "test_svm_negative_sample_weights_mask_all_samples": NO_NEGATIVE,
    "test_svm_negative_weights_svc_leave_just_one_label": NO_NEGATIVE,
    "test_svm_negative_weights_svc_leave_two_labels": NO_NEGATIVE,
    "test_svm_negative_weight_equal_coeffs": NO_NEGATIVE,
    "test_svm_bad_input": "wants a ValueError for sparse X, which is a TypeError here as elsewhere",
    "test_svm_svc_nonfinite_params": "refused too, in other words: X is too large for its variance",
    "test_svm_sparse_precomputed": NO_SPARSE,
    "test_svm_sparse_fit_support_vectors_empty": NO_SPARSE,
    "test_svm_linearsvc_parameters": NO_L1,
    "test_svm_linearsvc": NO_L1,
    "test_svm_linearsvc_crammer_singer": NO_L1,
    "test_svm_crammer_singer_binary": NO_L1,
    "test_svm_dense_liblinear_intercept_handling": NO_L1,
    "test_svm_linearsvm_liblinear_sample_weight[LinearSVC-params0]": NO_L1,
    "test_svm_libsvm_convergence_warnings": "wants LIBSVM's words; and two passes are enough here",
    "test_svm_linear_svm_convergence_warnings": "wants LIBLINEAR's words; two passes are enough",
    "test_svm_svc_invalid_break_ties_param": "break_ties is not a choice: ties are always broken",
    "test_svm_svc_ovr_tie_breaking": "break_ties is not a choice: ties are always broken",
    "test_svm_svc_raises_error_internal_representation": "sets a private attribute of SVC",
    "test_svm_svm_with_infinite_C": "C = inf is refused: that is HardMarginSVC",
    "test_svm_custom_kernel_not_array_input[SVC": "its function needs X and Z to be the same list",
    "test_nystroem_nystroem_approximation": "additive_chi2 is no kernel: 2 landmarks, 1 feature",
    "test_ridge_kernel_ridge_sparse": NO_SPARSE,
    "test_nystroem_nystroem_approximation_array_api": "other arrays than NumPy's are not taken",
    "test_nystroem_nystroem_poly_kernel_params": "degree 3.1 is refused: it makes no kernel",
    "test_nystroem_nystroem_callable": "counts how often pairwise_kernels calls a function",
    "test_nystroem_nystroem_precomputed_kernel": "a parameter that is not used is not an error",
    "test_nystroem_nystroem_component_indices": "landmarks_ holds the landmarks, not their rows",
    "test_perceptron_perceptron_accuracy[csr": "the perceptron takes dense arrays",
    "test_perceptron_perceptron_l1_ratio": "the perceptron has no penalty",
}

SHIMS = {
    "sklearn.svm": (SVC, SVR, OneClassSVM, LinearSVC),
    "sklearn.kernel_ridge": (KernelRidge,),
    "sklearn.kernel_approximation": (Nystroem,),
    "sklearn.linear_model": (Perceptron,),
}


def load_tests(home: str, path: str) -> ModuleType:
    """Import a test module of scikit-learn with our classes in the place of those of `home`."""
    real = importlib.import_module(home)
    shims = {shim.__name__: shim for shim in SHIMS[home]}
    kept = {name: getattr(real, name) for name in shims}
    spec = importlib.util.spec_from_file_location(
        f"own_tests_of_{Path(path).stem}", Path(sklearn.__file__).parent / path
    )
    module = importlib.util.module_from_spec(spec)
    try:
        vars(real).update(shims)  # for what it takes at import, in its decorators too
        spec.loader.exec_module(module)
    finally:
        vars(real).update(kept)
    for name, value in vars(module).items():  # for what it looks up while it runs: svm.SVC
        if value is real:
            setattr(module, name, SimpleNamespace(**{**vars(real), **shims}))
    return module
