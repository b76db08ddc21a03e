"""A support vector machine that weighs several kernels as it learns."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from kernellab.certificates import negative_eigenvalues
from kernellab.estimators.base import (
    ScoringClassifier,
    as_scores,
    by_class,
    cost_and_lam,
    example_weights,
    known_psd,
    make_kernel,
    unique_rows,
)
from kernellab.solvers.mkl import mkl, normalize_kernels
from kernellab.validation import FloatArray, check_bool, refuse_masked_and_dates


@dataclass(eq=False, repr=False)
class MKLClassifier(ScoringClassifier):
    """Multiple kernel learning: a support vector machine with the kernel Σ η_j k_j.

    Minimises ½ Σ ‖w_j‖²/η_j + Σ C_i max(0, 1 − y_i f(x_i)) over w_j, b and η. More than two classes
    are told apart one against the rest, each with weights of its own. Compare it with the plain
    average, `KernelSVC(sum(kernels))`, which is hard to beat. Taught in notebook 07.

    Parameters
    ----------
    kernels : sequence of kernels. Each a Kernel, a name or a function, as in `KernelSVC`.
    p : float. ‖η‖_p = 1: 1 selects kernels, more combines them.
    C, lam, bias, class_weight, gamma, degree, coef0 : As in `KernelSVC`.
    normalize : {"trace", "spherical"} or None
        How to bring the kernels to one size on the training examples: without it a weight says more
        about the size of a kernel than about its use.
    gap : float. Relative duality gap to reach, of weights and α at once.
    max_passes : int. Cap of the support vector machines to solve; one is a pass and an update here.

    Attributes
    ----------
    kernels_ : list of M kernels. Normalised.
    weights_ : array of shape (M,), or (n_classes, M) if there are more than two. η ≥ 0.
    alpha_, intercept_, support_, support_vectors_, dual_coef_ : As in `KernelSVC`.
    C_, lam_, nu_ : float. C, λ = 1/(Cn), and ν = Σα/ΣC.
    """

    kernels: Any = ("linear", "rbf")
    p: float = 1.0
    C: float = 1.0
    _: KW_ONLY
    lam: float | None = None
    bias: bool = True
    normalize: str | None = "trace"
    gap: float = 1e-3
    max_passes: int = 200
    gamma: float | str = "scale"
    degree: int = 3
    coef0: float = 1.0
    class_weight: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MKLClassifier:
        """Fit to n examples and their classes, each counting sample_weight times."""
        if isinstance(self.kernels, str) or not np.iterable(self.kernels):
            raise ValueError(f"kernels must be a sequence of kernels, got {self.kernels!r}")
        bias = check_bool(self.bias, "bias")
        refuse_masked_and_dates(X)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        unique = unique_rows(X, y, example_weights(sample_weight, X))
        labels = self._encode(y[unique.rows])
        known = X[unique.rows]
        self.C_, self.lam_ = cost_and_lam(self.C, self.lam, unique.weight.sum())
        costs = self.C_ * by_class(unique.weight, self.class_weight, y[unique.rows])

        settings = self.gamma, self.degree, self.coef0, known, unique.weight
        self.kernels_ = [make_kernel(kernel, *settings) for kernel in self.kernels]
        for kernel in self.kernels_:
            if not known_psd(kernel) and (found := negative_eigenvalues(kernel(known))):
                raise ValueError(
                    f"kernels must be positive semi-definite, got {kernel} with eigenvalues from "
                    f"{found[0]:.4g} to {found[1]:.4g}"
                )
        if self.normalize is not None:
            self.kernels_ = normalize_kernels(
                self.kernels_, known, self.normalize, weight=unique.weight
            )
        Ks = np.array([kernel(known) for kernel in self.kernels_])
        results = [self._run(mkl(Ks, sign, costs, p=self.p, bias=bias)) for sign in labels]

        alpha = unique.spread(np.array([result.alpha for result in results]))
        weights = np.array([result.weights for result in results])
        self.alpha_ = alpha[0] if len(results) == 1 else alpha
        self.weights_ = weights[0] if len(results) == 1 else weights
        self.intercept_ = np.array([result.b for result in results])
        self.support_ = np.flatnonzero(alpha.any(axis=0))
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = (alpha * labels[:, unique.group])[:, self.support_]
        self.nu_ = float(alpha.mean(axis=0).sum() / costs.sum())
        self._report(results, [result.primal for result in results])
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """Return f(x) of each example, shape (n,), or one score a class, shape (n, n_classes)."""
        check_is_fitted(self)
        refuse_masked_and_dates(X)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        scores = np.tile(self.intercept_, (len(X), 1))
        for kernel, eta in zip(self.kernels_, np.atleast_2d(self.weights_).T, strict=True):
            if eta.any() and len(self.support_):
                scores += (
                    kernel(X, self.support_vectors_) @ (eta[:, np.newaxis] * self.dual_coef_).T
                )
        return as_scores(scores)
