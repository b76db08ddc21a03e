"""What notebook 01 and its further page say and do not print."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from moves import move
from scipy.stats import binomtest
from sklearn.linear_model import Perceptron
from sklearn.model_selection import train_test_split

from kernellab.certificates import novikoff_bound
from kernellab.datasets import (
    load_digits,
    make_and,
    make_clouds,
    make_contradiction,
    make_xor,
)
from kernellab.lessons.perceptron import ManySeparators, PerceptronStepper
from kernellab.lessons.perceptron.figures.losses import LOSSES
from kernellab.lessons.perceptron.figures.pictures import SIGNED, novikoff
from kernellab.lessons.perceptron.figures.separators import Descent
from kernellab.lessons.perceptron.theory.starts import accuracies_of_starts, descended
from kernellab.lessons.perceptron.theory.steps import steps_of_both
from kernellab.losses import MARGIN_LOSSES, zero_one
from kernellab.solvers.hard_margin import max_margin_through_origin
from kernellab.solvers.perceptron import (
    dual_perceptron_loop,
    homogeneous,
    perceptron_loop,
    trace,
)
from kernellab.solvers.smo import smo
from kernellab.solving import solve


def run_and_bound(X, y):
    """Return the mistakes and Novikoff's bound of points in the plane."""
    X = homogeneous(X)
    w, _ = max_margin_through_origin(X, y)
    return trace(X @ X.T, y).mistake.sum(), novikoff_bound(X, y, w)


def test_the_run_on_sixteen_points():
    clouds = make_clouds(16, 3.5, 20)
    X, y = homogeneous(clouds.X), clouds.y
    run = trace(X @ X.T, y)
    assert (np.flatnonzero(run.mistake)[:2] + 1).tolist() == [1, 13]
    counts = run.alpha(len(run.order))
    assert sorted(counts[counts > 0]) == [1, 3, 3, 7]
    margins = {t: y * ((run.alpha(t) * y) @ X @ X.T) for t in (23, 24, 31)}
    helped, pay = margins[23] < margins[24], margins[24] < 0
    assert y[run.order[23]] == -1
    assert helped[run.order[23]]
    assert (
        np.flatnonzero(pay & (margins[23] > 0)).tolist() == np.flatnonzero(pay).tolist() == [12, 14]
    )
    assert (run.alpha(23)[[12, 14]] > 0).all()  # they had been learnt
    assert run.mistake[30]
    assert margins[31][run.order[30]] < 0  # learnt, and still wrong
    assert np.flatnonzero(margins[23] < 0).tolist() == [run.order[23]]  # before: one is wrong
    w = np.zeros(3)
    for i in np.tile(np.arange(16), 8):  # a loop with < never learns anything
        w += y[i] * X[i] * (y[i] * (X[i] @ w) < 0)
    assert not w.any()


def test_what_dragging_does_to_mistakes_and_bound():
    clouds = make_clouds(16, 3.5, 20)
    X, y = clouds.X, clouds.y
    across = max_margin_through_origin(homogeneous(X), y)[0][:2]
    across /= np.linalg.norm(across)

    def after(i, far):
        moved = X.copy()
        moved[i] -= far * y[i] * across
        return run_and_bound(moved, y)

    before = run_and_bound(X, y)
    assert after(12, 0.3)[1] > 5 * before[1]  # one of the nearest
    assert after(3, 0.3) == (14, pytest.approx(before[1]))  # and one that is not
    assert (before[0], round(before[1])) == (14, 332)
    assert X[2].round(2).tolist() == [0.04, 0.4]
    assert across[1] > 0 and y[2] == 1  # down is towards the squares
    lower = X.copy()
    lower[2, 1] = -0.4
    assert run_and_bound(lower, y) == (7, pytest.approx(630, abs=5))
    for x2 in (-0.2, -0.5):  # a hand need not be exact
        lower[2, 1] = x2
        mistakes, bound = run_and_bound(lower, y)
        assert mistakes == 7 and bound > before[1]


@pytest.mark.usefixtures("drawn_at_the_end")
def test_a_figure_at_its_end_stays_there_when_the_run_gets_longer():
    figure = PerceptronStepper(t=128)
    points = figure.X.copy()
    points[7] += (0.15, 0.1)
    move(figure, points)
    assert figure.t == len(figure.run.order) == 160
    assert len(figure.points.crosses.get_offsets()) == 0
    figure.shuffle()
    assert figure.t == len(figure.run.order)


@pytest.mark.usefixtures("drawn_at_the_end")
def test_another_order_makes_other_mistakes_under_the_same_bound():
    figure = PerceptronStepper()
    mistakes, bound = figure.run.mistake.sum(), figure.numbers["bound"]
    figure.shuffle()
    assert figure.run.mistake.sum() != mistakes
    assert figure.numbers["bound"] == pytest.approx(bound)


def test_the_trap_of_two_spaces():
    gate = make_and((0, 1))
    distances = gate.y * (gate.X.sum(axis=1) - 1.5) / np.sqrt(2)  # of the corners, from the line
    assert distances.min() == pytest.approx(1 / np.sqrt(8))
    mistakes, bound = run_and_bound(gate.X, gate.y)
    assert np.max((gate.X**2).sum(axis=1)) / distances.min() ** 2 == pytest.approx(16)
    assert 16 < mistakes == 18 <= bound


def test_the_table_of_and_ends_where_the_run_ends():
    gate = make_and((0, 1))
    rows = steps_of_both(homogeneous(gate.X), gate.y, first=8).splitlines()
    assert rows[-1] == "| 30 | 1 | (3, 2, −4) | (2, 5, 4, 7) |"
    assert rows[-2] == "| … | 9 more | | |"
    assert len(rows) == 2 + 8 + 2
    assert "…" not in steps_of_both(homogeneous(gate.X), gate.y, first=17)


def test_twelve_errors_of_twelve_is_a_good_line_with_its_sides_swapped():
    figure = ManySeparators(sample="two clouds")
    assert figure.numbers["errors"] == [6, 10, 0, 12, 12]
    for w, sign in zip(figure.numbers["weights"], figure.signs, strict=True):
        assert w[:2] @ sign.get_position() + w[2] > 0
        if (figure.y * (figure.X @ w[:2] + w[2]) < 0).all():
            assert (figure.y * (figure.X @ -w[:2] - w[2]) > 0).all()
    figure.load("λ, arrived")
    assert "all five the same" in figure.numbers["found"]


def test_two_mistakes_leave_the_rate_open():
    interval = binomtest(2, 179).proportion_ci()
    assert (round(interval.low, 3), round(interval.high, 2)) == (0.001, 0.04)


def test_no_line_for_xor():
    figure = PerceptronStepper(sample="XOR", t=10**6)
    assert figure.run.mistake.sum() == len(figure.run.mistake) == 240
    gate = make_xor((0, 1))
    assert not (figure.numbers["alpha"] * gate.y @ homogeneous(gate.X)).any()  # undone
    orders = [list(order) for order in permutations(range(4))]
    runs = [trace(homogeneous(gate.X[i]) @ homogeneous(gate.X[i]).T, gate.y[i]) for i in orders]
    shares = [run.mistake[:240].sum() for run in runs]
    assert (shares.count(240), shares.count(239)) == (16, 8)
    f = homogeneous(gate.X) @ np.random.default_rng(0).normal(size=(3, 100))
    at = {tuple(x): score for x, score in zip(gate.X, f, strict=True)}
    np.testing.assert_allclose(at[0, 0] + at[1, 1], at[0, 1] + at[1, 0])


def test_two_labels_on_one_point_spoil_nothing_else():
    data = make_contradiction()
    X, y = homogeneous(data.X), data.y
    w = perceptron_loop(X, y, passes=60)
    twice = (data.X == [1, 1]).all(axis=1)
    assert twice.sum() == 2
    assert (y * (X @ w) > 0)[~twice].all()
    assert dual_perceptron_loop(X @ X.T, y, passes=60)[twice].tolist() == [60, 60]


def test_losses():
    assert [loss.name for loss in LOSSES] == [
        "zero_one",
        "hinge",
        "logistic",
        "squared",
        "exponential",
        "squared_hinge",
    ]  # the order of the table, and then those of the box
    silent = [loss.name for loss in MARGIN_LOSSES if loss.value(0.7) == 0]
    more = [loss.name for loss in MARGIN_LOSSES if loss.value(2.4) > loss.value(0.7)]
    assert (silent, more) == (["zero_one"], ["squared"])
    z = np.linspace(-4, 4, 801)
    for loss in MARGIN_LOSSES:
        assert (loss.value(z) >= zero_one.value(z) - 1e-12).all()


@pytest.mark.usefixtures("drawn_at_the_end")
def test_five_lines_or_one():
    figure = ManySeparators()
    figure.load("no error left")
    assert figure.numbers["n_lines"] == 5
    assert figure.numbers["errors"] == [0] * 5
    weights = figure.numbers["weights"]
    figure.t = 0
    assert (figure.numbers["weights"] == weights).all(axis=1).tolist() == [k == 2 for k in range(5)]
    figure.t = 1000
    half_margins = figure.numbers["half_margins"]
    assert (min(half_margins), max(half_margins)) == (0.45, 1.11)
    smallest = (figure.y * (weights[2, :2] @ figure.X.T + weights[2, 2])).min()
    assert round(smallest, 1) == 2.7  # longer than it had to be
    for figure.lam in (0.001, 0.01):
        assert figure.numbers["n_lines"] == 5  # a thousand steps are too few
    figure.load("λ, arrived")
    assert figure.numbers["half_margins"] == [1.45] * 5
    figure.load("λ, too early")
    assert figure.numbers["n_lines"] == 5


def test_away_from_the_origin_short_weights_do_not_find_the_widest():
    clouds = make_clouds(12, 5.0, 4)
    X = homogeneous(clouds.X + 1)
    for lam, expected in ((0.1, 1.10), (0.05, 1.18), (0.001, 1.18)):
        alpha = solve(smo(X @ X.T, clouds.y, 1 / (lam * 12), bias=False), gap=1e-9).alpha
        w = (alpha * clouds.y) @ X
        assert round((clouds.y * (X @ w)).min() / np.linalg.norm(w[:2]), 2) == expected
    starts = np.random.default_rng(0).normal(0, 1.5, (5, 3))  # and the five are there, or nearly
    W = Descent(clouds.X + 1, clouds.y, 0.1, starts).after(1000)
    half_margins = (clouds.y * (W @ X.T)).min(axis=1) / np.linalg.norm(W[:, :2], axis=1)
    np.testing.assert_allclose(half_margins, 1.1, atol=0.05)


def test_the_digits_are_those_of_scikit_learn():
    digits = load_digits((3, 8))
    train, test, y_train, y_test = train_test_split(
        digits.X, digits.y, test_size=0.5, stratify=digits.y, random_state=0
    )
    X = homogeneous(train)
    alpha = dual_perceptron_loop(X @ X.T, y_train)
    assert np.sum(alpha > 1) == 8
    w = (alpha * y_train) @ X
    model = Perceptron(shuffle=False, tol=None, max_iter=100).fit(train, y_train)
    np.testing.assert_array_equal(w, np.append(model.coef_[0], model.intercept_))
    assert (X @ w * y_train > 0).all()
    assert np.sum(model.predict(test) != y_test) == 2
    by_products = homogeneous(test) @ X.T @ (alpha * y_train)  # and no w
    np.testing.assert_allclose(by_products, model.decision_function(test))
    assert y_test[y_test * by_products <= 0].tolist() == [-1, -1]  # two threes
    plus = np.flatnonzero(w[:64] > SIGNED * abs(w[:64]).max())  # where a + stands
    assert np.mean(plus % 8 <= 3) > 0.75  # in the left half
    left = plus[plus % 8 <= 3]
    classes = [np.flatnonzero(y_train == label) for label in (-1, 1)]
    three, eight = (  # the ordinary ones
        at[np.linalg.norm(train[at] - train[at].mean(axis=0), axis=1).argmin()] for at in classes
    )
    hard = alpha.argmax()
    assert (y_train[hard], alpha[three], alpha[eight]) == (-1, 0, 0)
    ink = [train[i, left].mean() for i in (three, hard, eight)]
    assert 1.5 * ink[0] < ink[1] < ink[2]  # "the hard three has ink there too"


def test_w_stays_between_the_line_and_the_curve_of_novikoff():
    clouds = make_clouds(16, 3.5, 20)
    X, y = homogeneous(clouds.X), clouds.y
    run, best = trace(X @ X.T, y), max_margin_through_origin(X, y)[0]
    w = (y[:, None] * X)[run.order[run.mistake]].cumsum(axis=0)
    rho, R = (y * (X @ best)).min() / np.linalg.norm(best), np.linalg.norm(X, axis=1).max()
    M, lengths = np.arange(1, len(w) + 1), np.linalg.norm(w, axis=1)
    assert ((M * rho < lengths) & (lengths < np.sqrt(M) * R)).all()
    assert "meet at 332" in novikoff(X, y).alt


def test_what_a_random_start_costs():
    rates = [values.mean() for values in accuracies_of_starts(runs=10).values()]
    assert abs(rates[0] - rates[1]) < 0.01 > abs(rates[2] - rates[3])
    assert min(rates[2:]) - max(rates[:2]) > 0.07


def test_updates_stay_in_the_span_of_the_images():
    digits = load_digits((3, 8))
    rng = np.random.default_rng(0)
    i = rng.permutation(len(digits.y))[:20]
    X, start = homogeneous(digits.X[i] / 16), 1.5 * rng.normal(size=65)
    assert np.linalg.matrix_rank(X) == 20
    moved = descended(X, digits.y[i], start, 1000, 0.0) - start
    inside = X.T @ np.linalg.lstsq(X.T, moved, rcond=None)[0]
    np.testing.assert_allclose(moved, inside, atol=1e-9)
