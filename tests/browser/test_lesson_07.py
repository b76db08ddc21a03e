"""The live figures of notebook 07 in JupyterLab: every control, and the numbers it moves."""

from __future__ import annotations

import pytest
from figures import cell, choose, click, number, press
from test_live_figures import all_differ


def pull(figure, label: str, pixels: float) -> str:
    """Drag a slider with the mouse; the picture, the numbers and the alt text must all change."""
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider(label, pixels)
    assert all_differ(figure.seen(), before), label
    return figure.readout.inner_text()


def key(figure, notebook, name: str) -> str:
    """Press a key on the grip that has the focus; return the readout."""
    with figure.redrawn():
        notebook.page.keyboard.press(name)
    return figure.readout.inner_text()


# --- m columns -----------------------------------------------------------------------------------


def test_columns(opened, notebook, no_error):
    figure = opened(cell("gram_columns", "ColumnDial"))
    lost = [number("lost:", figure.readout.inner_text())]
    for name in ("PageUp", "PageUp", "End"):
        before = figure.seen()
        lost.append(number("lost:", press(figure, "m", name)))
        assert all_differ(figure.seen(), before)
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] == 0
    assert "columns: 120 of 120" in figure.readout.inner_text()
    lost_again = number("lost:", pull(figure, "m", -200))
    assert lost_again > 1
    for how in ("k-means", "ridge leverage", "pivoted Cholesky", "eigenvectors (takes all of K)"):
        before = figure.seen()
        choose(figure, 1, how)
        assert all_differ(figure.seen(), before)
    assert number("lost:", figure.readout.inner_text()) < lost_again
    assert "(x·z)^3" in press(figure, "degree p", "ArrowRight")
    said = choose(figure, 0, "clusters and outliers, Gaussian")
    assert "σ = 0.6" in said
    assert number("lost:", press(figure, "σ", "ArrowRight")) < number("lost:", said) + 1e-9
    assert "is no Gram matrix" in choose(figure, 1, "random Fourier features")


# --- landmarks by hand ---------------------------------------------------------------------------


def test_landmarks_by_mouse_finger_and_keyboard(opened, notebook, no_error):
    figure = opened(cell("landmarks", "LandmarkGame"))
    assert number("methods you beat on average:", figure.readout.inner_text()) == 0
    lost = number("lost:", figure.readout.inner_text())
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(7, 90, -120)
    assert all_differ(figure.seen(), before)
    assert number("lost:", figure.readout.inner_text()) != lost
    with figure.redrawn():
        figure.touch_point(0, 40, -60)
    at = figure.point(0)
    figure.grips.first.focus()
    said = key(figure, notebook, "Shift+ArrowUp")
    assert figure.point(0)[1] > at[1]
    assert number("your best:", said) <= number("lost:", said)
    a_hand_beats_the_four_methods(figure)
    landmarks_controls(figure)


def a_hand_beats_the_four_methods(figure):
    places = [
        (-1.5, -0.7), (-1.1, -0.6), (-1.3, -0.9), (0.1, 0.9), (0.35, 0.95), (1.6, -0.3),
        (-1.9, 1.5), (1.2, -1.9),
    ]  # fmt: skip
    figure.root.scroll_into_view_if_needed()
    first, second = figure.centre(figure.grips.nth(0)), figure.centre(figure.grips.nth(7))
    a, b = figure.point(0), figure.point(7)
    right = (second[0] - first[0]) / (b[0] - a[0])  # pixels of a unit
    down = (second[1] - first[1]) / (b[1] - a[1])
    for k in reversed(range(8)):  # the one on top first
        x, y = figure.point(k)
        with figure.redrawn():
            figure.grips.nth(k).focus()
            figure.drag_point(k, right * (places[k][0] - x), down * (places[k][1] - y))
    said = figure.readout.inner_text()
    assert number("lost:", said) < 0.12
    assert number("methods you beat on average:", said) == 4


def landmarks_controls(figure):
    for how in ("k-means centres", "pivoted Cholesky"):
        choose(figure, 1, how)
        before = figure.seen()
        click(figure, "put")
        assert all_differ(figure.seen(), before), how
    lost = number("lost:", press(figure, "landmarks m", "ArrowRight"))
    assert figure.grips.count() == 9
    assert number("lost:", press(figure, "landmarks m", "End")) < lost
    assert figure.grips.count() == 12
    wide = number("lost:", pull(figure, "σ", 80))
    assert wide < lost
    with figure.redrawn():
        figure.drag_slider("landmarks m", -400)
    assert figure.grips.count() == 2
    before = figure.seen()
    choose(figure, 0, "one round cloud")
    assert all_differ(figure.seen(), before)


# --- random features -----------------------------------------------------------------------------


def test_fourier(opened, notebook, no_error):
    figure = opened(cell("fourier", "FourierDial"))
    few = number("‖K − K̃‖ / ‖K‖ =", figure.readout.inner_text())
    many = number("‖K − K̃‖ / ‖K‖ =", press(figure, "frequencies m", "End"))
    assert many < few / 3
    off = number("on [−4, 4]:", figure.readout.inner_text())
    assert number("on [−4, 4]:", pull(figure, "frequencies m", -150)) > off
    before = figure.seen()
    click(figure, "draw again")
    assert all_differ(figure.seen(), before)
    assert "σ = 0.5)" in press(figure, "γ", "ArrowRight")
    pull(figure, "γ", -120)
    said = choose(figure, 0, "Laplacian")
    assert said.startswith("Laplacian")
    assert "(ℓ1)" in press(figure, "γ", "End")


# --- ten digits ----------------------------------------------------------------------------------


def test_ten_digits(opened, notebook, no_error):
    figure = opened(cell("digits_columns", "ColumnsRace"))
    right = [number("right:", press(figure, "columns m", name)) for name in ("Home", "PageUp")]
    assert right[0] < 50 < right[1]
    pull(figure, "columns m", 40)
    assert " s, the exact one" not in figure.readout.inner_text()
    assert " s, the exact one" in click(figure, "measure the time")
    before = figure.seen()
    choose(figure, 0, "k-means centres")
    assert all_differ(figure.seen(), before)
    assert "C = 100 (λ = 1.67e-05)" in press(figure, "(λ", "ArrowRight")


# --- the triangle --------------------------------------------------------------------------------


def test_the_weights_walk_downhill(opened, notebook, no_error):
    figure = opened(cell("mkl_triangle", "WeightPath"))
    start = figure.readout.inner_text()
    gaps, heights = [number("gap", start)], [number("J =", start)]
    for _ in range(2):
        before = figure.seen()
        said = click(figure, "one step")
        assert all_differ(figure.seen(), before)
        gaps.append(number("gap", said))
        heights.append(number("J =", said))
    assert gaps == sorted(gaps, reverse=True)
    assert heights == sorted(heights, reverse=True)
    said = press(figure, "step t", "End")
    assert number("gap", said) < 1e-4
    assert number("J =", said) == pytest.approx(number("lowest", said), abs=2e-3)
    pull(figure, "step t", -300)


def test_the_weights_are_dragged(opened, notebook, no_error):
    figure = opened(cell("mkl_triangle", "WeightPath"))
    before = figure.seen()
    J = number("J =", figure.readout.inner_text())
    with figure.redrawn():
        figure.drag_point(0, -120, 60)  # towards the upper rows alone
    assert all_differ(figure.seen(), before)
    assert number("J =", figure.readout.inner_text()) > J
    with figure.redrawn():
        figure.touch_point(0, 60, -40)
    figure.grips.first.focus()
    said = figure.readout.inner_text()
    assert key(figure, notebook, "Shift+ArrowRight") != said
    with figure.redrawn():
        figure.drag_point(0, -600, 0)  # far out of the triangle
    assert number("η = (", figure.readout.inner_text()) <= 1


def test_controls_of_the_triangle(opened, notebook, no_error):
    figure = opened(cell("mkl_triangle", "WeightPath"))
    press(figure, "step t", "End")
    said = press(figure, "(λ", "Home")
    assert "η = (0.000, 1.000, 0.000)" in said  # a small C selects
    said = press(figure, "norm p", "End")
    assert "0.000" not in said.split("‖η‖")[0]  # and a round norm combines
    press(figure, "norm p", "Home")
    press(figure, "(λ", "End")
    pull(figure, "third kernel", 90)
    assert number("q / largest q = (", figure.readout.inner_text()) < 1
    press(figure, "third kernel", "Home")
    with figure.redrawn():
        figure.drag_slider("third kernel", 60)
    pull(figure, "(λ", -120)
    pull(figure, "norm p", 60)
    for name in ("rings: three widths", "rings: signal and noise", "one kernel, thrice"):
        before = figure.seen()
        choose(figure, 0, name)
        assert all_differ(figure.seen(), before), name
    assert "C = " in choose(figure, 0, "iris: parts of a flower")


# --- corners and arcs ----------------------------------------------------------------------------


def test_corners(opened, notebook, no_error):
    figure = opened(cell("corners", "CornersAndArc"))
    assert "lowest on the segment: (1.000, 0.000)" in figure.readout.inner_text()
    J = number("): J =", figure.readout.inner_text())
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, -80, 60)  # less of both
    assert figure.seen()[:2] != before[:2]
    assert number("): J =", figure.readout.inner_text()) > J
    figure.grips.first.focus()
    said = figure.readout.inner_text()
    assert key(figure, notebook, "Shift+ArrowUp") != said
    said = press(figure, "(λ", "ArrowRight", "ArrowRight")
    assert "lowest on the segment: (0.792, 0.208)" in said
    pull(figure, "p of the arc", -150)
    assert number("p =", press(figure, "p of the arc", "End")) == 8
    pull(figure, "(λ", -120)
    before = figure.seen()
    choose(figure, 0, "signal and narrow noise")
    assert all_differ(figure.seen(), before)


# --- noise ---------------------------------------------------------------------------------------


def test_noise(opened, notebook, no_error):
    figure = opened(cell("noise_kernels", "NoiseKernels"))
    assert number("weight of noise:", figure.readout.inner_text()) < 1e-3
    narrow = number("weight of noise:", press(figure, "γ of noise", "End"))
    assert narrow > 0.3
    said = press(figure, "(λ", "ArrowRight", "ArrowRight")
    assert "C = 10 " in said
    assert number("weight of noise:", said) > 0.55
    worst = number("learnt", pull(figure, "γ of noise", -90))
    assert worst > number("signal alone", figure.readout.inner_text())
    pull(figure, "(λ", -100)


# --- sixteen kernels -----------------------------------------------------------------------------


def test_sixteen_kernels(opened, notebook, no_error):
    figure = opened(cell("digits_mkl", "DigitsKernels"))
    assert number("kernels with weight:", figure.readout.inner_text()) == 4
    assert number("kernels with weight:", press(figure, "norm p", "End")) == 16
    pull(figure, "norm p", -120)
    press(figure, "(λ", "ArrowRight")
    pull(figure, "(λ", -120)
    before = figure.seen()
    assert choose(figure, 0, "3 against 8").startswith("3 against 8")
    assert all_differ(figure.seen(), before)
    before = figure.seen()
    choose(figure, 1, "pairs of rows")
    assert all_differ(figure.seen(), before)
