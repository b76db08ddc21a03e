"""Choose a λ, or a kernel too: cross-validation on the training data, and one test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from kernellab.datasets.folds import rate_with_error, stratified_folds
from kernellab.kernels import Gaussian, Kernel, Linear, Polynomial
from kernellab.solvers.pegasos import AVERAGES, PegasosRun, kernel_pegasos
from kernellab.solving import Seed, pass_orders
from kernellab.validation import FloatArray

LAMBDAS = (1e-4, 1e-2, 0.1, 2.0)
KERNELS: tuple[Kernel, ...] = (
    Linear(),
    *(Polynomial(degree, offset) for degree in (2, 3, 4) for offset in (1.0, 2.0, 3.0)),
    *(Gaussian.from_bandwidth(sigma) for sigma in (1.0, 0.1, 0.01)),
)
"""Simple ones first: a line, polynomials by degree, Gaussians from wide to narrow."""

Progress = Callable[[Iterable["Model"]], Iterable["Model"]]


@dataclass(frozen=True)
class Model:
    """A kernel and a λ that might be chosen."""

    kernel: Kernel
    lam: float

    @property
    def name(self) -> str:
        """The kernel in a few signs."""
        return kernel_name(self.kernel)


def kernel_name(kernel: Kernel) -> str:
    """Write one of `KERNELS` as a formula."""
    if isinstance(kernel, Polynomial):
        return f"(x·z + {kernel.coef0:g})^{kernel.degree}"
    return f"Gaussian, σ = {kernel.bandwidth:g}" if isinstance(kernel, Gaussian) else "x·z"


def all_models() -> list[Model]:
    """Return the 52 of the lesson: 13 kernels with four λ each, simple ones first.

    Of one kernel the larger λ is the simpler model: it has the smaller weights.
    """
    return [Model(kernel, lam) for kernel in KERNELS for lam in sorted(LAMBDAS, reverse=True)]


@dataclass(frozen=True)
class Trial:
    """What became of a model: error rates between 0 and 1, and its weights.

    Parameters
    ----------
    model : Model
        What was tried.
    train, validated : float
        Error rate on what it was trained on, and by cross-validation.
    error_bar : float
        Standard error of the cross-validated rate.
    gap : float
        Relative duality gap where it was stopped.
    coef : array of shape (n,)
        Signed weights: f(x) = Σ coef_j k(x_j, x).
    """

    model: Model
    train: float
    validated: float
    error_bar: float
    gap: float
    coef: FloatArray


def try_models(
    X: Any,
    y: Any,
    models: Sequence[Model],
    *,
    passes: int = 10,
    folds: int = 5,
    rng: Seed = 0,
    progress: Progress = iter,
) -> list[Trial]:
    """Train each model by kernel Pegasos, on all examples and on all but one fold at a time.

    X of shape (n, d) and labels y, −1 and +1, are all that is looked at; rng deals the examples
    into folds, and progress wraps the loop over the models, as tqdm does. Returns the trials in
    the order of the models. Taught in notebook 04.
    """
    fold = stratified_folds(y, folds, rng)
    trials = []
    for model in progress(models):
        K = model.kernel(X)
        held_out = np.empty(len(y))
        for k in range(folds):
            kept, left = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
            state = train(K[np.ix_(kept, kept)], y[kept], model.lam, passes)
            held_out[left] = K[np.ix_(left, kept)] @ state.coef
        state = train(K, y, model.lam, passes)
        rate, error_bar = rate_with_error(y * held_out <= 0)
        on_train = float(np.mean(y * state.scores <= 0))
        trials.append(Trial(model, on_train, rate, error_bar, state.gap, state.coef))
    return trials


def train(K: FloatArray, y: FloatArray, lam: float, passes: int) -> Any:
    """Return the state of kernel Pegasos after some passes."""
    return next(islice(kernel_pegasos(K, y, lam), passes, None))


def best(trials: Sequence[Trial]) -> Trial:
    """Return the trial with the lowest cross-validated error: the first, if there are several."""
    return min(trials, key=lambda trial: trial.validated)


def within_one_error(trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials that are no worse than the best one by more than its standard error.

    The one-standard-error rule takes the simplest of them, and that is the first, as `all_models`
    orders them.
    """
    limit = best(trials)
    return [t for t in trials if t.validated <= limit.validated + limit.error_bar]


class Curve(NamedTuple):
    """Cross-validated error rate of each λ, and its standard error: arrays of shape (L,)."""

    rate: FloatArray
    error: FloatArray


def error_curve(K: Any, y: FloatArray, lams: Sequence[float], passes: int, rng: Seed) -> Curve:
    """Cross-validate averaged Pegasos on K, (n, n), for each of L values of λ.

    Five folds of the labels y, −1 and +1, (n,); rng deals them. Taught in notebook 04.
    """
    fold, wrong = stratified_folds(y, 5, rng), np.empty((len(lams), len(y)))
    for k in range(5):
        kept, left = np.flatnonzero(fold != k), fold == k
        order = kept[np.concatenate(list(islice(pass_orders(len(kept), 0), passes)))]
        for lam, row in zip(lams, wrong, strict=True):
            run = PegasosRun(K, True, y, np.ones(len(y)), lam, 1, np.inf, AVERAGES["linear"])
            run.advance(order, 0)
            row[left] = (y * run.scores(len(order)) <= 0)[left]
    return Curve(*np.array([rate_with_error(row) for row in wrong]).T)


def largest_within(curve: Curve) -> int:
    """Return which λ, in rising order, is the largest within one standard error of the lowest."""
    at = curve.rate.argmin()
    return int(np.flatnonzero(curve.rate <= curve.rate[at] + curve.error[at])[-1])


def verdicts(trial: Trial, X: Any, X_test: Any, y_test: Any) -> FloatArray:
    """Return for each test example whether a trained model errs on it: 1 or 0, shape (n_test,)."""
    errs: FloatArray = (y_test * (trial.model.kernel(X_test, X) @ trial.coef) <= 0).astype(float)
    return errs
