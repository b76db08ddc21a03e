"""What notebook 00 and its further page say and do not print, and their figures."""

from __future__ import annotations

import io
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from PIL import Image
from scipy.optimize import linprog
from sklearn.svm import SVC

from kernellab.lessons.start.figures import hello
from kernellab.lessons.start.figures.bend import (
    HIGHER,
    VIEW,
    Bend,
    corners,
    flat_cut,
    lifted,
    make_corners,
    make_ringed,
    name_of_border,
    nobody_lifts,
)
from kernellab.lessons.start.figures.hello import Hello, self_test

pytestmark = pytest.mark.usefixtures("drawn_at_the_end")


def test_even_the_best_line_gets_ten_wrong():
    X, y = make_ringed()
    fewest = len(y)
    for i, j in combinations(range(len(y)), 2):  # every cut turns onto two points, then off them
        across = np.array([X[i, 1] - X[j, 1], X[j, 0] - X[i, 0]])
        side = np.sign((X - X[i]) @ across)
        for side[i], side[j] in product((-1, 1), repeat=2):
            wrong = np.sum(side != y)
            fewest = min(fewest, wrong, len(y) - wrong)
    assert fewest == 10


def test_the_higher_the_lift_the_fewer_crosses():
    figure = Bend()
    wrong = []
    for figure.lift in np.arange(0, 0.81, 0.05):
        wrong.append(figure.numbers["mistakes"])
    assert wrong[0] == 11
    assert wrong[-1] == 0
    assert np.all(np.diff(wrong) <= 0)
    assert [Bend(lift=lift).numbers["mistakes"] for lift in (0.6, 0.65)] == [1, 0]


def test_the_sheet_is_never_seen_edge_on_and_cuts_the_bowl_above_the_circle():
    figure = Bend()
    for figure.lift in np.arange(0, 0.81, 0.05):
        w = figure.numbers["w"]
        assert w @ VIEW[:, 2] / np.linalg.norm(w) > 0.2  # its upper side, and not a stroke
        low, high = figure.key[1].get_ylim()
        sheet = figure.space.cut.get_xy()[:, 1]
        assert low < sheet.min() and sheet.max() < high
    trace = lifted(np.transpose(figure.border.get_data()), figure.lift)
    heights = trace[~np.isnan(trace[:, 2])] @ w + figure.numbers["b"]
    np.testing.assert_allclose(heights, 0, atol=0.01)
    cut, shadow = (np.transpose(line.get_data()) for line in (figure.space.trace, figure.shadow))
    np.testing.assert_allclose(cut[:, 0], shadow[:, 0])  # straight below
    assert np.nanmin(cut[:, 1] - shadow[:, 1]) > 0.1


def test_a_greater_weight_of_height_is_what_a_small_lift_would_need():
    X, y = make_ringed()
    for lift in (0.12, 0.15):  # with C = 1 they are separated long before 0.6
        assert SVC(kernel="linear").fit(lifted(X, lift), y).score(lifted(X, lift), y) == 1
        w, _ = flat_cut(lifted(X, lift), y, 1.0)
        assert w[2] > 3 * flat_cut(lifted(X, 0.65), y, 0.03)[0][2]


def test_the_weights_are_a_sum_of_the_points():
    X, y = make_ringed()
    Z = lifted(X, 1.0)
    machine = SVC(kernel="linear").fit(Z, y)
    c = np.zeros(len(y))
    c[machine.support_] = machine.dual_coef_[0]
    np.testing.assert_allclose(machine.coef_[0], c @ Z)
    from_dots = SVC(kernel="precomputed").fit(Z @ Z.T, y)
    np.testing.assert_allclose(from_dots.dual_coef_, machine.dual_coef_, atol=0.01)


def test_the_border_is_a_line_and_then_a_circle():
    figure = Bend()
    assert figure.numbers["border"] == "a straight line"
    figure.load("lifted more")
    w = figure.numbers["w"]
    centre = -w[:2] / (2 * w[2] * figure.lift)
    drawn = np.transpose(figure.border.get_data())
    radius = np.linalg.norm(drawn[~np.isnan(drawn[:, 0])] - centre, axis=1)
    assert np.ptp(radius) < 0.01
    assert figure.numbers["border"] == f"a circle of radius {radius.mean():.1f}"
    figure.lift = 0.01
    assert figure.numbers["border"] == "a huge circle"
    assert name_of_border(np.zeros(2), 0.0, 1.0) == name_of_border(np.zeros(2), 1.0, 1.0) == "none"


def test_products_of_64_pixels():
    assert comb(64 + 1, 2) == 2080  # of two, "about two thousand"
    assert comb(64 + 4, 5) == pytest.approx(1e7, rel=0.05)
    assert comb(64 + 5, 5) == pytest.approx(1.1e7, rel=0.05)  # of up to five
    assert comb(100_000, 2) == pytest.approx(5e9, rel=0.01)  # pairs


def test_another_number_does_not_help_and_a_kernel_does():
    X, y = make_ringed()
    flat, one_square = X, np.column_stack([X, X[:, 0] ** 2])
    wrong = [
        np.sum(SVC(kernel="linear").fit(points, y).predict(points) != y)
        for points in (flat, one_square)
    ]
    assert wrong == [11, 6]
    for machine in (SVC(kernel="poly", degree=2), SVC(kernel="rbf")):
        assert (y * machine.fit(X, y).decision_function(X)).min() > 0.1  # no rounding goes so far


def separable(points, y):
    rows = -y[:, None] * np.column_stack([points, np.ones(len(y))])
    found = linprog(np.zeros(rows.shape[1]), rows, -np.ones(len(y)), bounds=(None, None))
    return found.status == 0


def test_no_sheet_separates_the_points_lifted_by_one_square():
    X, y = make_ringed()
    assert not separable(np.column_stack([X, X[:, 0] ** 2]), y)
    assert separable(lifted(X, 1.0), y)  # and so by every lift above zero: divide the weight by it


def test_a_square_dragged_past_the_circles_gets_a_cross_and_a_circle_dragged_out_gets_none():
    figure = Bend(lift=0.8)
    directions = np.column_stack([f(np.arange(8) * np.pi / 4) for f in (np.cos, np.sin)])
    for outside in 2.1 * directions:
        square, circle = figure.start.copy(), figure.start.copy()
        square[7] = outside
        nearest = 20 + np.argmax(circle[20:] @ outside)
        circle[nearest] = outside
        figure.configure(points=square)
        assert figure.numbers["mistakes"] == 1
        assert figure.y[7] * (lifted(outside, 0.8) @ figure.numbers["w"] + figure.numbers["b"]) < 0
        assert not separable(lifted(square, 1.0), figure.y)  # by no lift
        figure.configure(points=circle)
        assert figure.numbers["mistakes"] == 0


def test_the_strip_shows_the_points_from_above_and_from_the_side():
    strip = Bend.strip("not lifted", "lifted more")
    width, height = Image.open(io.BytesIO(strip.png)).size
    assert height > 1.5 * width / 2 > 300  # two columns, and in each two views
    assert strip.width < 1000  # so that its type is not small on paper


def test_the_square_of_a_product_is_a_product_after_a_lift():
    x, z = np.random.default_rng(0).normal(size=(2, 50, 2))
    X, Z = (np.column_stack([v**2, np.sqrt(2) * v[:, 0] * v[:, 1]]) for v in (x, z))
    np.testing.assert_allclose((x * z).sum(axis=1) ** 2, (X * Z).sum(axis=1))


def test_the_border_that_nobody_lifted_is_an_ellipse():
    X, y = make_ringed()
    machine = SVC(kernel="poly", degree=2).fit(X, y)
    bent, signed = machine.support_vectors_, machine.dual_coef_[0]
    form = (bent * signed[:, None]).T @ bent  # up to scale f(x) = x·form·x + b
    assert form[1, 1] > 1.2 * form[0, 0]  # the weights of the squares differ
    assert abs(form[0, 1]) > 0.1 * form[0, 0]  # "tilted"
    assert form[0, 0] > 2 * abs(2 * form[0, 1])  # "x₁² and x₂² weighed most"
    short, long = np.linalg.eigvalsh(form)
    assert short > 0
    assert long > 1.1 * short  # "not a circle"
    assert machine.intercept_[0] < 0
    alt = nobody_lifts(machine, X, y).alt
    assert "1.1 from (0, 0) where it is nearest and 1.4 where it is farthest" in alt
    assert alt.endswith("; 0 of 40 are on the wrong side.")


def test_a_point_dragged_to_a_corner_stays_in_the_picture_from_the_side():
    figure = Bend(lift=0.8)
    side = figure.key[1]
    for corner in product((-2.2, 2.2), repeat=2):
        figure.configure(points=[corner, *figure.start[1:]])
        marks = np.vstack([mark.get_offsets() for mark in figure.space.points.values()])
        assert len(marks) == 40
        low, high = np.transpose([side.get_xlim(), side.get_ylim()])
        assert np.all((low < marks) & (marks < high))


@pytest.mark.parametrize("view", [VIEW, HIGHER])
def test_the_view_from_the_side_has_right_and_away_like_that_from_above(view):
    (right, up, _), (_, _, near) = view[0], view[1]
    assert right > 0.9 > 0.3 > abs(up)
    assert near < -0.8


def test_the_score_of_the_point_is_its_distance_from_the_line():
    figure = Hello(angle=70)
    along = np.array([np.cos(np.radians(70)), np.sin(np.radians(70))])
    point = np.ones(2)
    away = np.linalg.norm(point - (point @ along) * along)
    assert figure.numbers["score"] == pytest.approx(away, abs=0.005)


def test_a_point_without_a_class_is_hollow():
    figure = Hello(angle=45)
    assert figure.numbers["score"] == 0
    assert figure.points.marks[1].get_facecolor()[0].tolist() == [1, 1, 1, 1]
    figure.angle = 70
    assert figure.numbers["score"] > 0
    assert figure.points.marks[1].get_facecolor()[0].tolist() != [1, 1, 1, 1]


def test_the_corners_are_separated_by_a_product_and_not_by_the_lift_of_the_ring():
    X = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
    assert not separable(X, np.prod(X, axis=1))  # by no line
    assert "after your lift 0 of 40" in corners(lambda X: X[:, 0] * X[:, 1]).alt
    assert "after your lift 14 of 40" in corners(lambda X: (X**2).sum(axis=1)).alt
    assert "after your lift 12 of 40" in corners(lambda X: np.zeros(len(X))).alt  # no lift at all


def test_between_corners_the_borders_of_the_product_and_of_the_kernel_are_hyperbolas():
    X, y = make_corners()
    w, _ = flat_cut(np.column_stack([X, X.prod(axis=1)]), y, 10.0)
    assert w[2] > 7 * np.hypot(w[0], w[1])  # "almost level"
    machine = SVC(kernel="poly", degree=2).fit(X, y)
    assert (y * machine.decision_function(X)).min() > 0.05
    bent, signed = machine.support_vectors_, machine.dual_coef_[0]
    form = (bent * signed[:, None]).T @ bent
    low, high = np.linalg.eigvalsh(form)
    assert low < 0 < high
    assert 2 * form[0, 1] > 10 * np.abs(np.diag(form)).max()  # of x₁x₂, and of x₁² or x₂²
    assert "does not close, in 2 parts; 0 of 40 are" in nobody_lifts(machine, X, y).alt


def test_the_border_of_rbf_is_an_egg_whose_middle_is_elsewhere():
    X, y = make_ringed()
    picture = nobody_lifts(SVC(kernel="rbf").fit(X, y), X, y)
    assert "that closes, 1.0 from (0, 0) where it is nearest and 1.3 where" in picture.alt
    machine = SVC(kernel="rbf").fit(X, y)
    far = []
    for way in ([1, 1], [-1, -1]):  # how far from (0, 0) the border is
        along = np.linspace(0, 2, 2001)[:, None] * np.array(way) / np.sqrt(2)
        far.append(np.argmax(machine.decision_function(along) > 0) / 1000)
    assert far[1] > far[0] + 0.1


def no_return(X):
    X[:, 0] * X[:, 1]


@pytest.mark.parametrize(
    ("height", "words"),
    [
        (lambda X: X[:, 0] @ X[:, 1], "not ()\n  That is one number for all"),
        (lambda X: X[0] * X[1], "X[:, 0] is the first feature"),
        (lambda X: X[:, :1] * X[:, 1:], "a column"),
        (lambda X: X**2, "two numbers"),
        (lambda X: X @ X.T, "shape (40,), not (40, 40)\n"),
        (lambda X: "up", "one number for each point"),
        (no_return, "it returns nothing: where is the return?"),
        (lambda X: X[:, 2], "IndexError"),
        (lambda X: np.full(len(X), np.nan), "finite"),
    ],
)
def test_the_corners_say_what_the_check_says(height, words, capsys):
    assert corners(height) is None
    assert words in capsys.readouterr().out


def test_the_corners_are_shown_where_some_of_the_plane_has_no_height():
    assert "after your lift 0 of 40" in corners(lambda X: X[:, 0] / X[:, 1]).alt
    assert "after your lift 0 of 40" in corners(lambda X: [x1 * x2 for x1, x2 in X]).alt
    assert corners(lambda X: np.ones(len(X))).alt  # the sheet stands upright


def test_the_label_of_the_second_point_turned_makes_a_mistake():
    X, y = np.array([[1, 1], [2, -1], [-1, 0]]), np.array([1, -1, -1])
    w, b = np.array([1, 1]), -0.5
    margins = y * (X @ w + b)
    np.testing.assert_array_equal(margins, [1.5, -0.5, 1.5])
    np.testing.assert_allclose(np.abs(X @ w + b).min() / np.linalg.norm(w), 0.35, atol=0.005)


def test_the_table_of_packages_is_folded_unless_one_is_missing(monkeypatch):
    monkeypatch.setattr(hello, "WANTED", {})
    assert self_test().startswith("**Everything is there.**\n\n<details>")
    monkeypatch.setattr(hello, "WANTED", {"no-such-package": "nothing"})
    above, _, folded = self_test().partition("<details>")
    assert "| no-such-package | missing |" in above
    assert "| numpy |" in folded and "| numpy |" not in above
