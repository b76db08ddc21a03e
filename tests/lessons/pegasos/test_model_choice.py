"""The 52 models of the lesson: which they are, how they are judged, and that the test waits."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from kernellab.datasets import load_rings, make_rings
from kernellab.datasets.folds import stratified_folds
from kernellab.kernels import Gaussian, Linear, Polynomial
from kernellab.kernels.features import polynomial_map
from kernellab.lessons.pegasos.theory.model_choice import (
    KERNELS,
    LAMBDAS,
    Model,
    Trial,
    all_models,
    best,
    kernel_name,
    try_models,
    verdicts,
    within_one_error,
)
from kernellab.solvers.pegasos import pegasos


def test_the_grid_of_the_lesson():
    models = all_models()
    assert len(models) == len(set(models)) == 52
    assert {model.lam for model in models} == {1e-4, 1e-2, 0.1, 2.0} == set(LAMBDAS)
    polynomials = {(k.degree, k.coef0) for k in KERNELS if isinstance(k, Polynomial)}
    assert polynomials == {(p, c) for p in (2, 3, 4) for c in (1, 2, 3)}
    widths = {round(k.bandwidth, 9) for k in KERNELS if isinstance(k, Gaussian)}
    assert widths == {0.01, 0.1, 1.0}
    assert KERNELS[0] == Linear()


def test_names():
    names = [kernel_name(kernel) for kernel in KERNELS]
    assert names[0] == "x·z"
    assert "(x·z + 2)^3" in names
    assert "Gaussian, σ = 0.01" in names
    assert len(set(names)) == 13


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_cross_validation_agrees_with_the_primal_on_explicit_features(degree):
    data = make_rings(60, 3)
    model = Model(Polynomial(degree, 1.0), 0.1)
    (trial,) = try_models(data.X, data.y, [model], passes=4, folds=3, rng=7)
    Phi, Phi_other = (polynomial_map(X, degree, 1.0) for X in (data.X, other(100)[0]))

    def scores(rows, asked):
        state = next(islice(pegasos(Phi[rows], data.y[rows], 0.1), 4, None))
        return asked @ state.w, state.gap

    fold = stratified_folds(data.y, 3, 7)
    held_out = np.empty(60)
    for k in range(3):
        held_out[fold == k] = scores(fold != k, Phi[fold == k])[0]
    p = np.mean(data.y * held_out <= 0)
    assert trial.validated == pytest.approx(p)
    assert trial.error_bar == pytest.approx(np.sqrt(p * (1 - p) / 60))
    everything, gap = scores(slice(None), Phi)
    assert trial.train == pytest.approx(np.mean(data.y * everything <= 0))
    assert trial.gap == pytest.approx(gap)
    wrong = verdicts(trial, data.X, *other(100))
    right = other(100)[1] * scores(slice(None), Phi_other)[0] > 0
    np.testing.assert_array_equal(wrong, ~right)


def other(n):
    data = make_rings(n, 99)
    return data.X, data.y


def test_the_choice_of_the_lesson():
    rings = load_rings()
    trials = try_models(rings.X[:200], rings.y[:200], all_models())
    chosen = best(trials)
    assert (chosen.model.name, chosen.model.lam) == ("(x·z + 1)^2", 0.1)
    assert chosen.validated == pytest.approx(0.01)
    within = within_one_error(trials)
    assert len(within) == 6
    assert within[0] is chosen
    wrong = verdicts(chosen, rings.X[:200], rings.X[200:], rings.y[200:])
    assert wrong.mean() == pytest.approx(0.02625)
    published = [
        t
        for t in trials
        if t.model.lam == 1e-4 and t.model.name in ("(x·z + 2)^2", "Gaussian, σ = 1")
    ]
    assert [t.validated for t in published] == pytest.approx([0.035, 0.035])
    assert min(t.gap for t in published) > 0.85  # not converged at all


def trial(validated, error_bar=0.02):
    return Trial(Model(Linear(), 1.0), 0.0, validated, error_bar, 0.0, np.zeros(1))


def test_one_standard_error():
    trials = [trial(0.5), trial(0.11), trial(0.1), trial(0.119), trial(0.121), trial(0.1, 0.5)]
    assert best(trials) is trials[2]  # the first of two that are equal
    assert within_one_error(trials) == [trials[1], trials[2], trials[3], trials[5]]


def test_progress_sees_every_model():
    data = make_rings(20, 0)
    seen = []

    def progress(models):
        for model in models:
            seen.append(model)
            yield model

    models = all_models()[:3]
    try_models(data.X, data.y, models, passes=1, folds=2, progress=progress)
    assert seen == models
