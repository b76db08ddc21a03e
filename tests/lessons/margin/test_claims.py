"""What notebook 02 and its further notebooks say and do not show, each computed in a second way."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize
from scipy.stats import binomtest
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.svm import SVC

import kernellab as kl
from kernellab.lessons.margin import exercises
from kernellab.lessons.margin.figures import bands
from kernellab.lessons.margin.figures.hulls import two_groups
from kernellab.lessons.margin.figures.one_constraint import lower_bounds, two_fences
from kernellab.lessons.margin.figures.soft_margin import noisy_clouds, one_outlier, over_costs
from kernellab.lessons.margin.theory.c_path import alpha_path
from kernellab.lessons.margin.theory.soft_margin import soft_margin
from kernellab.lessons.margin.theory.structural_risk import fewest_errors
from kernellab.losses import hinge
from kernellab.solvers.descent import descend
from kernellab.solvers.hard_margin import hard_margin
from kernellab.solvers.perceptron import homogeneous, perceptron_loop
from kernellab.solving import NotConverged

THREE = np.array([[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0]])
LABELS = np.array([-1.0, -1.0, 1.0])


def slopes(function, at, step=1e-6):
    """Central differences, one a coordinate."""
    sides = [function(at + step * e) - function(at - step * e) for e in np.eye(len(at))]
    return np.array(sides) / (2 * step)


# --- which line -----------------------------------------------------------------------------------


def test_a_fence_at_one_has_the_lower_bound_of_the_lesson():
    a, w = np.array([1.0, 0.5]), np.array([0.8, 0.4])
    for alpha in (0.0, 0.4, 0.8, 1.2):
        least = minimize(lambda w, alpha=alpha: w @ w / 2 - alpha * (a @ w - 1), np.zeros(2)).fun
        assert least == pytest.approx(alpha - 5 / 8 * alpha**2)
    alt = lower_bounds(np.array([0, 0.4, 0.8, 1.2])).alt
    assert alt == "D at [0.0, 0.4, 0.8, 1.2]: [0.0, 0.3, 0.4, 0.3]; the cost is 0.4."
    assert a @ w == pytest.approx(1) and w @ w / 2 == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("square", "alpha", "rests", "said"),
    [
        ((0, -1), (0.5, 0.75), (0.5, 1), ("(0, −1)", "α = (1/2, 3/4)", "(0.5, 1)")),
        ((-1, -2), (0.8, 0), (0.8, 0.4), ("(−1, −2)", "α = (0.8, 0)", "(0.8, 0.4)")),
    ],
)
def test_the_ball_at_the_fences_of_two_examples_is_held_by_their_pushes(square, alpha, rests, said):
    fences = np.array([[1.0, 0.5], np.negative(square)])  # y x
    allowed = LinearConstraint(fences, 1.0, np.inf)
    found = minimize(lambda w: w @ w / 2, [2.0, 2.0], method="SLSQP", constraints=allowed)
    np.testing.assert_allclose(found.x, rests, atol=1e-6)
    np.testing.assert_allclose(np.array(alpha) @ fences, rests)  # both forces cancel
    np.testing.assert_allclose(alpha * (fences @ rests - 1), 0, atol=1e-12)
    assert all(words in two_fences().alt for words in said)


def test_the_five_learners_of_lesson_01_arrive_at_the_widest_band():
    starts = np.random.default_rng(0).normal(0, 1.5, (5, 3))
    step = lambda t: 0.5 / np.sqrt(t)  # noqa: E731
    run = descend(homogeneous(bands.X), bands.Y, hinge, lam=0.1, step=step, start=starts)
    *_, last = islice(run, 1001)
    found = [bands.half_margin(w[:2], w[2]) for w in last.w]
    best = hard_margin(bands.X, bands.Y)
    np.testing.assert_allclose(found, best.half_margin, atol=0.01)
    assert (best.alpha > 1e-9).sum() == 3  # the band touches three
    assert round(best.half_margin, 2) == 1.45 and round(max(bands.HALF_MARGINS), 2) == 1.11


def test_a_circle_that_comes_later_is_wrong_at_line_e_and_right_at_c_and_at_the_widest():
    figure = bands.Bands()
    for name, right in {"line E": False, "line C": True, "the widest": True}.items():
        figure.load(name)
        scores = bands.NEW @ figure.numbers["w"] + figure.numbers["b"]
        assert (scores > 0).all() == right == (len(figure.new.crosses.get_offsets()) == 0)
    assert (bands.NEW @ figure.numbers["w"] + figure.numbers["b"] > 1).all()  # the band is empty
    away = np.linalg.norm(bands.X - bands.NEW, axis=1)
    assert bands.Y[away.argmin()] > 0 and round(away.min(), 2) == 0.86
    assert bands.HALF_MARGINS[-1] < away.min() < bands.BEST.half_margin


# --- real data ------------------------------------------------------------------------------------


def test_other_halves_of_the_digits_have_mistakes():
    digits = kl.load_digits((3, 8))
    seen = []
    for seed in range(200):
        X, X_test, y, y_test = train_test_split(
            digits.X, digits.y, test_size=0.5, stratify=digits.y, random_state=seed
        )
        fitted = SVC(kernel="linear", C=1).fit(X / X.max(), y)
        assert X.max() == 16  # so all three see the same scale in every half
        first = perceptron_loop(homogeneous(X / 16), y, passes=100)  # binary fractions
        assert (y * (homogeneous(X / 16) @ first) > 0).all()
        scores = homogeneous(X_test / 16) @ first
        hard = SVC(kernel="linear", C=1000).fit(X / X.max(), y)
        assert np.abs(hard.dual_coef_).max() < 10  # no push comes near its lid: no slack
        by_each = fitted.predict(X_test / X.max()), np.sign(scores), hard.predict(X_test / X.max())
        seen.append([np.sum(predicted != y_test) for predicted in by_each])
    mistakes, others, without_slack = np.array(seen).T
    assert 1.86 < without_slack.mean() < 1.94
    without = [np.mean(one == 0) for one in (mistakes, without_slack, others)]
    assert np.round(without, 1).tolist() == [0.2, 0.2, 0.1] and without[0] < 0.19
    assert 1.86 < mistakes.mean() < 1.94 and round(others.mean(), 1) == 3.1  # far from a step
    assert np.mean(mistakes < others) > 2.5 * np.mean(mistakes > others)  # and not by a few halves


def test_where_pushes_are_cheap_nearly_all_images_push():
    digits = kl.load_digits((3, 8))
    X, _, y, _ = train_test_split(
        digits.X, digits.y, test_size=0.5, stratify=digits.y, random_state=0
    )
    machine = SVC(kernel="linear", C=0.01, tol=1e-6).fit(X / X.max(), y)
    pushes = np.abs(machine.dual_coef_[0])
    assert len(pushes) == 141 and (pushes > 0.01 - 1e-6).sum() == 139
    assert pushes.min() > 1e-5  # none of them by rounding


def test_two_mistakes_of_the_perceptron_against_none_could_be_chance():
    digits = kl.load_digits((3, 8))
    X, X_test, y, y_test = train_test_split(
        digits.X, digits.y, test_size=0.5, stratify=digits.y, random_state=0
    )
    lifted = homogeneous(X)
    w = (kl.dual_perceptron_loop(lifted @ lifted.T, y) * y) @ lifted
    mistaken = y_test * (homogeneous(X_test) @ w) <= 0
    machine = SVC(kernel="linear", C=1).fit(X / X.max(), y)
    assert (machine.predict(X_test / X.max()) == y_test).all() and mistaken.sum() == 2
    assert binomtest(2, 2).pvalue == 0.5  # McNemar: on two images they differ


def test_the_lid_of_lesson_01_is_above_every_push():
    best = hard_margin(bands.X, bands.Y)
    assert round(1 / (0.1 * len(bands.Y)), 2) == 0.83
    lifted = homogeneous(bands.X)
    paths = alpha_path(lifted @ lifted.T, bands.Y, C_max=1)
    for C, stopped in ((0.26, True), (0.28, False), (1, False)):
        alpha = paths.at(C)
        margins = bands.Y * (lifted @ ((alpha * bands.Y) @ lifted))
        assert (margins.min() < 1 - 1e-3) == stopped  # somebody has slack
    touch = np.isclose(bands.Y * (bands.X @ best.w + best.b), 1)
    assert ((alpha > 1e-9) == touch).all() and round(alpha.max(), 2) == 0.27
    for moved, same in ((0, True), (1, False)):  # the pull at b decides only where b counts
        X = bands.X + moved
        pulled, _ = kl.max_margin_through_origin(homogeneous(X), bands.Y)
        free = hard_margin(X, bands.Y)
        assert np.allclose(pulled, np.append(free.w, free.b), atol=1e-6) == same


def test_what_the_outlier_costs():
    X, y = one_outlier()
    at = {C: soft_margin(X, y, C, gap=1e-9) for C in (100, 1, 0.03)}
    assert at[100].margins[0] > 0 > at[1].margins[0]  # the circle is on the wrong side then
    assert at[100].alpha.argmax() == at[1].alpha.argmax() == 0  # no push is larger than its own
    assert round(at[1].half_margin / at[100].half_margin) == 15
    assert at[1].errors.sum() == 1 and at[0.03].errors.sum() == 8
    assert at[0.03].half_margin > 1.05 * at[1].half_margin
    assert np.flatnonzero(np.isclose(at[1].alpha, 1)).tolist() == [0]  # the circle is at the lid
    without = hard_margin(X[1:], y[1:])
    np.testing.assert_allclose(at[1].w, without.w, rtol=1e-3)  # and left out
    assert at[1].b == pytest.approx(without.b, rel=1e-3)


def test_with_cheaper_slack_errors_and_support_vectors_usually_grow():
    X, y = one_outlier()
    path = over_costs(X, y)
    support, errors = path.counts[:, ::-1]  # from the largest C on
    assert (np.diff(errors) >= 0).all() and (np.diff(support) >= 0).mean() > 0.9
    assert (errors <= support).all()
    assert (np.diff(path.lengths) >= -1e-6).all()  # over rising C


def test_an_example_that_does_not_hold_the_line_may_go():
    X, y = two_groups()
    best = hard_margin(X, y)
    holds = best.alpha > 1e-9
    assert (len(y), holds.sum()) == (10, 3)
    for i in range(len(y)):
        left = hard_margin(np.delete(X, i, axis=0), np.delete(y, i))
        assert left.half_margin >= best.half_margin - 1e-9
        if not holds[i]:
            np.testing.assert_allclose(np.append(left.w, left.b), np.append(best.w, best.b))
        assert (left.half_margin > 1.01 * best.half_margin) == holds[i]  # wider without 1, 6 or 8
    assert np.flatnonzero(holds).tolist() == [0, 5, 7]
    shares = best.alpha / best.alpha[y > 0].sum()  # of p and of q
    assert shares[[0, 5, 7]].round(2).tolist() == [1, 0.86, 0.14]


def test_two_points_may_be_enough():
    X, y = (np.delete(part, 7, 0) for part in two_groups())  # without point 8
    best = hard_margin(X, y)
    assert (y * (X @ best.w + best.b) < 1 + 1e-6).sum() == 2


@pytest.mark.parametrize(("place", "beside"), [((-1.0, 1.5), True), ((1.0, -1.0), False)])
def test_a_point_in_the_band_pushes_beside_the_first_or_instead_of_it(place, beside):
    X, y = two_groups()
    before = hard_margin(X, y)
    X[1] = place
    assert 0 < X[1] @ before.w + before.b < 1
    assert ((hard_margin(X, y).alpha > 1e-9)[:2] == [beside, True]).all()


def test_four_small_violations_may_cost_a_hundred_times_the_least():
    X, y = np.array([[1000.0], [-1000.0]]), np.array([1.0, -1.0])
    w = np.array([0.01])
    violations = exercises.kkt_violations.solution(w, 0.0, np.zeros(2), X, y)
    assert violations == pytest.approx([0, 0, 0.01, 0])
    assert w @ w == pytest.approx(100 * hard_margin(X, y).w @ hard_margin(X, y).w)


def test_a_push_is_the_price_of_a_little_more_margin():
    for i, price in enumerate(hard_margin(THREE, LABELS).alpha):
        asked = 1 + 1e-4 * (np.arange(3) == i)
        rows = LinearConstraint(LABELS[:, None] * homogeneous(THREE), asked, np.inf)
        cost = minimize(lambda v: v[:2] @ v[:2] / 2, [0, -1, 0], constraints=rows, tol=1e-14).fun
        assert (cost - 1 / 8) / 1e-4 == pytest.approx(price, abs=1e-3)


def test_of_the_plateau_the_first_has_the_widest_band_and_far_digits_may_go():
    digits = kl.load_digits((3, 8))
    X, _, y, _ = train_test_split(
        digits.X, digits.y, test_size=0.5, stratify=digits.y, random_state=0
    )
    X = X / X.max()
    sizes = np.array([len(test) for _, test in StratifiedKFold(5).split(X, y)])
    bars = {}
    for C, mistakes in ((0.01, 5), (0.1, 3), (1, 2), (1000, 2)):
        errors = 1 - cross_val_score(SVC(kernel="linear", C=C), X, y, cv=5)
        wrong = np.round(errors * sizes)
        assert wrong.sum() == mistakes
        bars[C] = errors.mean() + np.array([-1, 0, 1]) * errors.std(ddof=1) / np.sqrt(5)
    assert bars[0.01][0] < bars[1][2]  # they overlap
    fitted = {C: SVC(kernel="linear", C=C).fit(X, y) for C in (1, 10, 100, 1000)}
    pushes = [np.abs(one.dual_coef_).max() for one in fitted.values()]
    assert pushes[0] == 1 and all(1.75 < push < 1.85 for push in pushes[1:])
    lengths = [np.linalg.norm(one.coef_) for one in fitted.values()]
    assert lengths[0] == min(lengths)
    assert lengths[0] / lengths[-1] == pytest.approx(0.9, abs=0.02)  # a tenth narrower
    assert np.sum(y * fitted[1].decision_function(X) < 1 - 1e-3) == 6
    margins = y * fitted[1].decision_function(X)
    order = np.argsort(margins)
    assert set(order[:8]) <= set(fitted[1].support_)  # the upper row holds the line
    kept = order[:-8]
    again = SVC(kernel="linear", C=1).fit(X[kept], y[kept])
    np.testing.assert_allclose(again.coef_, fitted[1].coef_, atol=1e-2)


# --- further: why a wide margin -------------------------------------------------------------------


def test_hyperplanes_with_a_bias_have_dimension_d_plus_one():
    for d in (1, 2, 3, 4):
        simplex = np.vstack([np.zeros(d), np.eye(d)])
        for s in product((-1.0, 1.0), repeat=d + 1):
            w, b = np.array(s[1:]) - s[0], s[0]  # by hand: f = s_i at each corner
            np.testing.assert_array_equal(simplex @ w + b, s)
        # Radon: any d + 2 points have parts that share a mixture, so no plane parts the parts.
        X = np.random.default_rng(d).normal(size=(d + 2, d))
        radon = np.linalg.svd(np.column_stack([X, np.ones(d + 2)]).T)[2][-1]
        assert hard_margin(X, np.sign(radon)).status == "not separable"


def test_the_bound_is_lowest_where_the_truth_is():
    rng = np.random.default_rng(0)

    def quarters(n):
        x = rng.uniform(0, 1, n)
        y = np.where(np.floor(4 * x) % 2 == 0, -1.0, 1.0)
        return x, y * rng.choice([1.0, -1.0], n, p=[0.9, 0.1])

    (x, y), (new_x, new_y) = quarters(400), quarters(20_000)
    train, signs = fewest_errors(x, y, 40)
    order = np.argsort(x)
    nearest = np.searchsorted(x[order], new_x).clip(0, 399)
    test = np.array([np.mean(s[order][nearest] != new_y) for s in signs])
    h = np.arange(1, 42)
    confidence = ((h * (np.log(800) - np.log(h) + 1) + np.log(4 * 41 / 0.05)) / 400) ** 0.5
    bound = train + confidence
    assert bound.argmin() == test.argmin() == 3
    assert (round(bound[3], 2), round(test[3], 2)) == (0.37, 0.10)
    assert np.all(test <= bound) and np.all(np.diff(train) <= 0)


@pytest.mark.parametrize("m", [2, 4, 6])
def test_the_dimension_of_wide_margins_is_attained_by_a_simplex(m):
    simplex = np.eye(m) - 1 / m
    simplex /= np.linalg.norm(simplex, axis=1, keepdims=True)  # m points at distance R = 1
    halves = [
        hard_margin(simplex, np.array(s)).half_margin
        for s in product((-1.0, 1.0), repeat=m)
        if len(set(s)) == 2
    ]
    ratio = min(halves)  # every labelling keeps this distance, and the bound allows just m
    assert min(np.floor(1 / (ratio * (1 - 1e-9)) ** 2), m - 1) + 1 == m


# --- the problem and its dual ---------------------------------------------------------------------


def test_the_stationary_conditions_are_the_slopes_of_the_lagrangian():
    def lagrangian(v, alpha):
        w, b = v[:2], v[2]
        return w @ w / 2 - alpha @ (LABELS * (THREE @ w + b) - 1)

    rng = np.random.default_rng(0)
    v, alpha = rng.normal(size=3), rng.uniform(0, 1, 3)
    slope = slopes(lambda u: lagrangian(u, alpha), v)
    np.testing.assert_allclose(slope[:2], v[:2] - (alpha * LABELS) @ THREE, atol=1e-8)
    assert slope[2] == pytest.approx(-alpha @ LABELS)
    # Where Σ α y = 0, its least value over w and b is D(α).
    alpha[2] = alpha[0] + alpha[1]
    least = minimize(lagrangian, v, args=(alpha,)).fun
    Q = np.outer(LABELS, LABELS) * (THREE @ THREE.T)
    assert least == pytest.approx(alpha.sum() - alpha @ Q @ alpha / 2)


# --- further: the top of the dual -----------------------------------------------------------------


def test_a_lifted_point_would_have_to_pull_and_make_the_band_narrower():
    X = np.array([[1.0, 3.0], [-1.0, 2.0], [-1.0, -2.0]])
    pulled = np.array([-1 / 8, 9 / 32, 5 / 32])
    w = (pulled * LABELS) @ X
    assert pulled @ LABELS == 0
    assert 2 - [[29, 20], [20, 16]] @ pulled[:2] == pytest.approx([0, 0])  # both equations
    np.testing.assert_allclose(np.ptp(LABELS - X @ w), 0, atol=1e-12)  # all three on a margin
    assert 1 / np.linalg.norm(w) < 2  # narrower
    allowed = hard_margin(X, LABELS)
    np.testing.assert_allclose(allowed.alpha, [0, 1 / 8, 1 / 8], atol=1e-12)
    assert LABELS[0] * (X[0] @ allowed.w + allowed.b) > 1  # point 1 has room


def test_one_negative_multiplier_never_holds_the_line_and_one_of_several_may():
    rng = np.random.default_rng(0)
    holds = {1: [], 2: []}
    for _ in range(300):
        X, y = rng.normal(size=(4, 3)), np.array([1.0, 1.0, -1.0, -1.0])
        Q = np.outer(y, y) * (X @ X.T)
        top = np.linalg.solve(np.block([[Q, y[:, None]], [y, 0]]), [1, 1, 1, 1, 0])[:4]
        negative = top < -1e-6
        if negative.sum() in holds:
            holds[negative.sum()].append((hard_margin(X, y).alpha[negative] > 1e-6).any())
    assert len(holds[1]) > 20 and not any(holds[1])
    assert any(holds[2])


def test_the_dual_along_the_hull_weights_is_a_parabola():
    X, y = two_groups()
    hulls = kl.closest_points(X, y)
    Q = np.outer(y, y) * (X @ X.T)
    for s in (0.1, 0.5, 2 / hulls.distance**2, 3.0):
        alpha = s * hulls.weights
        assert alpha.sum() == pytest.approx(2 * s)
        assert np.linalg.norm((alpha * y) @ X) == pytest.approx(s * hulls.distance)
        dual = alpha.sum() - alpha @ Q @ alpha / 2
        assert dual == pytest.approx(2 * s - s**2 * hulls.distance**2 / 2)
    assert 2 / hulls.distance**2 == pytest.approx(hard_margin(X, y).w @ hard_margin(X, y).w / 2)
    p, q = (hulls.weights[y == s] @ X[y == s] for s in (1, -1))
    way = p - q
    intruder = p - 0.2 * way + 3 * np.array([-way[1], way[0]])  # in the band, far to the side
    first = p + 0.01 * (intruder - p)
    assert np.linalg.norm(first - q) < np.linalg.norm(p - q)  # the walk comes nearer at first
    w = 2 / hulls.distance**2 * (hulls.weights * y) @ X
    assert (X @ w)[y > 0].min() - (X @ w)[y < 0].max() == pytest.approx(2)  # so w is allowed


# --- soft margin ----------------------------------------------------------------------------------


def test_the_multipliers_of_the_soft_margin_meet_its_lagrangian():
    X, y = noisy_clouds()
    machine = soft_margin(X, y, 0.3, gap=1e-9)
    assert machine.errors.any() and np.any(machine.support & ~machine.bounded)
    n, mu = len(y), machine.C - machine.alpha  # C = α + μ

    def lagrangian(v):
        w, b, slack = v[:2], v[2], v[3:]
        hinge = machine.alpha @ (y * (X @ w + b) - 1 + slack)
        return w @ w / 2 + machine.C @ slack - hinge - mu @ slack

    at = np.concatenate([machine.w, [machine.b], machine.slack])
    np.testing.assert_allclose(slopes(lagrangian, at), np.zeros(3 + n), atol=1e-5)
    assert mu.min() >= 0 and machine.alpha.min() >= 0
    np.testing.assert_allclose(mu * machine.slack, 0, atol=1e-6)


# --- further: every C at once ---------------------------------------------------------------------


def test_two_slacks_of_one_point_with_two_labels_sum_to_two_inside_the_band():
    f = np.linspace(-3, 3, 61)
    both = np.maximum(0, 1 - f) + np.maximum(0, 1 + f)
    np.testing.assert_allclose(both[np.abs(f) <= 1], 2)
    assert both.min() >= 2 - 1e-12


def test_a_class_that_costs_more_never_has_more_slack():
    X, y = noisy_clouds()
    totals = []
    for ratio in (0.5, 1.0, 2.0, 4.0, 8.0):
        found = soft_margin(X, y, np.where(y > 0, 0.2 * ratio, 0.2), gap=1e-9)
        totals.append(found.slack[y > 0].sum())
    assert np.all(np.diff(totals) <= 1e-6) and totals[0] > totals[-1] + 0.1


def test_a_solver_with_a_lid_obeys_where_no_line_exists():
    xor = kl.make_xor()
    with pytest.warns(NotConverged):
        result = kl.solve(kl.smo(xor.X @ xor.X.T, xor.y, 1e6), max_passes=100)
    assert result.status == "stopped at the cap"
