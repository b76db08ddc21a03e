"""partial_fit: the same steps as the solvers take, on examples that come a few at a time."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone

from kernellab.estimators import PegasosSVC, Perceptron
from kernellab.estimators.base import seed
from kernellab.solvers.pegasos import pegasos
from kernellab.solvers.perceptron import homogeneous, primal_perceptron
from kernellab.solving import solve

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 4))
Y = np.where(X[:, 0] - 0.5 * X[:, 1] + 0.3 * RNG.normal(size=120) > 0, 1, -1)
THREE = np.array(["a", "b", "c"])[X[:, :3].argmax(axis=1)]
MODELS = [Perceptron(), PegasosSVC(), PegasosSVC(average=False, batch_size=7, project=True)]
every_model = pytest.mark.parametrize("model", MODELS, ids=["perceptron", "pegasos", "batches"])


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"average": False}, {"average": True, "batch_size": 7}, {"project": True}]
)
def test_calls_on_all_examples_are_passes_of_pegasos(options, sparse):
    rows = scipy.sparse.csr_array(X) if sparse else X
    model = PegasosSVC(0.05, **options)
    draw = np.random.default_rng(seed(model.random_state))
    orders = [draw.permutation(120) for _ in range(3)]
    for _ in range(3):
        model.partial_fit(rows, Y, classes=[-1, 1])
    settings = {"average": "linear", **options}
    there = solve(pegasos(homogeneous(X), Y, 0.05, orders=orders, **settings), warn=False)
    found = np.append(model.coef_, model.intercept_)
    np.testing.assert_allclose(found, there.w, rtol=1e-9, atol=1e-12)
    assert model.n_updates_ == there.steps
    assert (model.n_passes_, model.gap_, model.status_) == (3, np.inf, "running")
    assert pytest.approx(1 / (0.05 * 360)) == model.C_


def test_pieces_in_order_are_one_pass_of_the_perceptron():
    model = Perceptron(shuffle=False)
    for _ in range(2):
        for part in np.split(np.arange(120), 6):
            model.partial_fit(X[part], Y[part], classes=[-1, 1])
    there = solve(primal_perceptron(homogeneous(X), Y), max_passes=2, warn=False)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), there.w, rtol=1e-12)
    assert model.n_mistakes_ == there.n_mistakes
    assert model.n_passes_ == 12


def test_it_goes_on_from_fit():
    model = PegasosSVC(0.05, average=False, project=False, bias=0.0).fit(X, Y)
    w, steps = model.coef_.copy(), model.n_updates_
    far = 100 * model.coef_ / np.linalg.norm(model.coef_)  # right, and beyond its margin
    model.partial_fit(far, [1])
    np.testing.assert_allclose(model.coef_, (1 - 1 / (steps + 1)) * w, rtol=1e-9)
    assert not hasattr(model, "objective_")
    model.fit(X, Y)  # and fit starts anew
    np.testing.assert_array_equal(model.coef_, w)
    separable = np.where(X[:, 0] > 0, 1, -1)
    perceptron = Perceptron().fit(X, separable)
    w = perceptron.coef_.copy()
    perceptron.partial_fit(X, separable)
    np.testing.assert_array_equal(perceptron.coef_, w)
    assert (perceptron.gap_, perceptron.status_) == (0.0, "converged")


@every_model
def test_a_stream_of_three_classes_some_of_them_absent(model):
    model = clone(model)
    by_class = np.argsort(THREE, kind="stable")
    for _ in range(20):
        for part in np.array_split(by_class, 8):
            model.partial_fit(X[part], THREE[part], classes=["a", "b", "c"])
    assert model.coef_.shape == (3, 4)
    assert list(model.classes_) == ["a", "b", "c"]
    assert model.score(X, THREE) > 0.6


def test_weights_are_costs_and_zero_is_absent():
    whole = PegasosSVC(0.05, class_weight={-1: 2.0, 1: 1.0})
    whole.partial_fit(X, Y, classes=[-1, 1], sample_weight=(np.arange(120) < 60) * 1.0)
    part = PegasosSVC(0.05)
    part.partial_fit(X[:60], Y[:60], classes=[-1, 1], sample_weight=np.where(Y[:60] < 0, 2.0, 1.0))
    np.testing.assert_allclose(whole.coef_, part.coef_)


@every_model
def test_what_cannot_be_done_is_said(model):
    model = clone(model)
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X, Y)
    with pytest.raises(ValueError, match="at least two classes"):
        model.partial_fit(X, Y, classes=[1])
    model.partial_fit(X, Y, classes=[-1, 1])
    with pytest.raises(ValueError, match=r"y must hold labels of \[-1  1\], got 5"):
        model.partial_fit(X, np.full(120, 5))
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        model.partial_fit(X, Y, classes=[-1, 1, 2])
    with pytest.raises(ValueError, match="X has 3 features"):
        model.partial_fit(X[:, :3], Y)
    model.partial_fit(X, Y, classes=[-1, 1])  # and all of this did no harm


def test_settings_have_to_stay():
    model = PegasosSVC(0.05).partial_fit(X, Y, classes=[-1, 1])
    with pytest.raises(ValueError, match="lam, average and bias must stay"):
        model.set_params(lam=0.1).partial_fit(X, Y)
    with pytest.raises(ValueError, match="must not be 'balanced'"):
        PegasosSVC(class_weight="balanced").partial_fit(X, Y, classes=[-1, 1])
    with pytest.raises(ValueError, match="orders are those of fit"):
        Perceptron(orders=[np.arange(120)]).partial_fit(X, Y, classes=[-1, 1])
