"""The live figures of notebook 03 in JupyterLab: every control, and the numbers it moves."""

from __future__ import annotations

import pytest
from figures import cell, choose, click, number, press
from test_live_figures import all_differ

# --- the lift ------------------------------------------------------------------------------------


def test_lift(opened, notebook, no_error):
    figure = opened(cell("lift", "Lift"))
    for label in ("turn", "tilt", "w₁", "w₂", "w₃", "height"):
        before = figure.seen()
        press(figure, label, "ArrowLeft")
        assert all_differ(figure.seen(), before), label
        before = figure.seen()
        with figure.redrawn():
            figure.drag_slider(label, -25)
        assert all_differ(figure.seen(), before), label
    said = click(figure, "fit")
    assert number("on the wrong side:", said) == 0
    assert "a circle" in said or "an ellipse" in said
    for sample in ("slanted ellipse", "four quarters (XOR)"):
        assert number("on the wrong side:", choose(figure, 0, sample)) > 0
        assert number("on the wrong side:", click(figure, "fit")) == 0
    assert "a hyperbola" in figure.readout.inner_text()


def test_the_cone_is_turned_by_mouse_finger_and_keyboard(opened, notebook, no_error):
    figure = opened(cell("lift", "Lift"))
    view = "print(figure.turn.value, figure.tilt.value)"
    start = [float(v) for v in notebook.python(view).split()]
    cut, picture = figure.readout.inner_text().split("\n")[0], figure.seen()[0]
    with figure.redrawn():
        figure.drag_point(0, 60, -40)
    turn, tilt = (float(v) for v in notebook.python(view).split())
    assert turn > start[0] + 20
    assert tilt > start[1] + 5
    assert figure.seen()[0] != picture
    assert figure.readout.inner_text().split("\n")[0] == cut  # the cut stays what it is
    with figure.redrawn():
        figure.touch_point(0, -30, 0)
    assert float(notebook.python(view).split()[0]) < turn
    figure.grips.first.focus()
    before = float(notebook.python(view).split()[0])
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowRight")
    assert float(notebook.python(view).split()[0]) == before + 18  # 5 % of 360 degrees
    figure.slider("tilt").press("End")
    figure.root.get_by_text("tilt 90°").first.wait_for()
    assert figure.point(0)[1] == 90  # the grip went with the slider


# --- the cross term ------------------------------------------------------------------------------


def test_cross_term(opened, notebook, no_error):
    figure = opened(cell("cross_term", "CrossTerm"))
    said = figure.readout.inner_text()
    assert number("turned by 45°:", said) == 21
    assert number("(x·z)² =", said) != number("κ with c = 0.000:", said)
    for label in ("c of the feature", "turn of the data"):
        before = figure.seen()
        press(figure, label, "ArrowRight")
        with figure.redrawn():
            figure.drag_slider(label, 40)
        assert all_differ(figure.seen(), before), label
    notebook.python("figure.c.value = 1.414")
    said = press(figure, "turn of the data", "Home")
    assert number("left out:", said) == pytest.approx(0, abs=1e-3)
    assert number("turned by 0°:", said) == 0
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(1, 40, 40)
    assert all_differ(figure.seen(), before)
    figure.grips.first.focus()
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowLeft")
    x = notebook.python("print(*figure.live.at[0].round(2))").split()
    assert [float(v) for v in x] == figure.point(0)


# --- the kernel perceptron -----------------------------------------------------------------------


def test_kernel_perceptron(opened, notebook, no_error):
    figure = opened(cell("kernel_perceptron", "KernelPerceptron"))
    assert "α = (1, 1, 1, 1)" in figure.readout.inner_text()
    said = choose(figure, 0, "XOR, inputs 0 and 1")
    assert "α = (7, 5, 5, 4)" in said
    assert "Polynomial(degree=2, coef0=1.0)" in said
    said = choose(figure, 1, "x·z")
    assert "kernel_perceptron(X, y, Linear())" in said
    assert "not converged" in said
    said = press(figure, "step t", "Home")
    assert said.split("\n")[1].startswith("0 of ")
    assert click(figure, "step").split("\n")[1].startswith("1 of ")
    with figure.redrawn():
        figure.drag_slider("step t", 60)
    assert not figure.readout.inner_text().split("\n")[1].startswith("1 of ")
    said = choose(figure, 1, "(1 + x·z)²")
    with figure.redrawn():
        figure.drag_point(3, -260, 120)  # the corner (1, 1) on top of (0, 0), its own class
    assert "[1. 1.]" not in notebook.python("print(figure.X[3])")
    before = figure.seen()
    figure.grips.nth(1).focus()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowDown")
    assert figure.seen()[0] != before[0]
    assert "converged in" in choose(figure, 0, "two rings")


# --- gamma ---------------------------------------------------------------------------------------


def test_gamma(opened, notebook, no_error):
    figure = opened(cell("gamma", "GammaDial"))
    seen = {}
    for key in ("Home", "End"):
        before = figure.seen()
        seen[key] = press(figure, "γ", key)
        assert all_differ(figure.seen(), before)
    assert "everything alike" in seen["Home"]
    assert "everything apart" in seen["End"]
    assert number("eigenvalues above 1 % of n:", seen["Home"]) == 1
    assert number("eigenvalues above 1 % of n:", seen["End"]) == 40
    assert number("training", seen["End"]) == 0
    assert number("test", seen["End"]) > 40
    assert "σ = 0.0224" in seen["End"]
    with figure.redrawn():
        figure.drag_slider("γ", -75)
    assert number("test", figure.readout.inner_text()) < number("test", seen["End"])
    c, norm = [], []
    for _ in range(2):
        c.append(number("C =", press(figure, "C", "ArrowLeft")))
        norm.append(float(notebook.python("print(figure.alphas[figure.gamma.value].max())")))
        assert "λ" in figure.all.locator(".widget-readout").last.inner_text()
    assert c == [1.0, 0.1]
    assert norm[0] >= norm[1]
    before = notebook.python("print(figure.test.tolist())")
    with figure.redrawn():
        figure.drag_point(5, 70, 70)
    assert notebook.python("print(figure.test.tolist())") != before
    figure.grips.nth(0).focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowRight")
    assert figure.seen()[0] != before[0]
    for sample in ("iris: versicolor, virginica", "one point, two labels"):
        assert "nan" not in choose(figure, 0, sample)
    for key in ("Home", "End"):
        assert number("training", press(figure, "γ", key)) > 0  # twins with two labels


# --- digits --------------------------------------------------------------------------------------


def test_digits(opened, notebook, no_error):
    figure = opened(cell("digits_gram", "DigitsGram"))
    assert number("between digits", figure.readout.inner_text()) == 0.229
    before = figure.seen()
    said = press(figure, "degree", "ArrowRight")
    assert all_differ(figure.seen(), before)
    assert number("between digits", said) < 0.229
    with figure.redrawn():
        figure.drag_slider("degree", -100)
    assert number("between digits", figure.readout.inner_text()) > 0.229
    said = choose(figure, 0, "Gaussian")
    assert "σ =" in said
    assert number("within a digit", press(figure, "γ", "Home")) > 0.99
    assert number("between digits", press(figure, "γ", "End")) < 0.01
    assert "Laplacian" in choose(figure, 0, "Laplacian (ℓ1)")
    pair = figure.readout.inner_text().split("x is")[1][:20]
    with figure.redrawn():
        figure.drag_point(0, -200, -60)
    assert figure.readout.inner_text().split("x is")[1][:20] != pair
    figure.grips.first.focus()
    at = figure.point(0)
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowRight")
    assert figure.point(0)[0] == pytest.approx(at[0] + 1.2, abs=0.011)
    # The rows of a matrix are counted downwards, and so is its axis.
    for key, rows in (("ArrowDown", 1.2), ("ArrowUp", -1.2)):
        row = figure.point(0)[1]
        with figure.redrawn():
            notebook.page.keyboard.press(key)
        assert figure.point(0)[1] == pytest.approx(row + rows, abs=0.011)


# --- the witness ---------------------------------------------------------------------------------


def test_witness(opened, notebook, no_error):
    figure = opened(cell("witness", "FindTheWitness"))
    lowest = "print(figure.lowest)"
    assert float(notebook.python(lowest)) == pytest.approx(-0.139, abs=1e-3)
    assert "NOT a kernel" in figure.readout.inner_text()
    assert "proves nothing" in choose(figure, 0, "exp(−‖x−z‖²)")
    assert float(notebook.python(lowest)) > 0
    assert "none with cᵀKc < 0" in click(figure, "search")
    assert "NOT a kernel" in choose(figure, 0, "−‖x−z‖²")
    assert "proves nothing" in choose(figure, 1, "Σ c = 0 only")
    choose(figure, 1, "any c")
    before = figure.seen()
    press(figure, "points", "ArrowRight")
    assert all_differ(figure.seen(), before)
    assert figure.grips.count() == 4
    with figure.redrawn():
        figure.drag_slider("points", 120)
    assert figure.grips.count() > 4
    choose(figure, 0, "exp(−‖x−z‖⁴)")
    assert "cᵀKc = -" in click(figure, "search")
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, 50, 0)
    assert all_differ(figure.seen(), before)
    figure.grips.nth(1).focus()
    before = notebook.python(lowest)
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowUp")
    assert notebook.python(lowest) != before


def test_a_formula_is_typed(opened, notebook, no_error):
    figure = opened(cell("witness", "FindTheWitness"))
    field = figure.all.locator("input[type=text]").first

    def write(text: str) -> str:
        with figure.redrawn():
            field.fill(text)
            field.press("Enter")
        return figure.readout.inner_text()

    assert "proves nothing" in write("exp(dot)")
    assert "NOT a kernel" in write("dot - 30")
    assert "__import__" in write("__import__('os')")
    assert "may call" in figure.readout.inner_text()
    assert "symmetric" in write("x1 - z1")
    assert "complete" in write("tanh(")
    assert "NOT a kernel" in write("tanh(dot) - 1")


# --- the representer theorem ---------------------------------------------------------------------


def test_representer(opened, notebook, no_error):
    figure = opened(cell("representer", "OrthogonalComponent"))
    said = figure.readout.inner_text()
    assert number("examples move by", said) < 1e-9
    assert number("between them by up to", said) > 1
    norms = []
    for key in ("Home", "PageUp", "PageUp"):
        before = figure.seen()
        norms.append(number("‖f + t·g‖² =", press(figure, "t: how much", key)))
        assert all_differ(figure.seen(), before)
        assert number("examples move by", figure.readout.inner_text()) < 1e-9
    assert norms == sorted(norms, reverse=True)  # from −4 towards 0
    assert min(norms) >= number("‖f‖² =", figure.readout.inner_text())
    with figure.redrawn():
        figure.drag_slider("t: how much", 50)
    before = figure.seen()
    said = press(figure, "σ", "ArrowRight")
    assert all_differ(figure.seen(), before)
    assert "σ = 0.5 (γ = 2)" in said
    with figure.redrawn():
        figure.drag_slider("σ", -30)
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(8, 60, 0)  # the bump
    assert all_differ(figure.seen(), before)
    loss = number("C Σ ξ =", figure.readout.inner_text())
    with figure.redrawn():
        figure.drag_point(3, 0, 250)  # an example, across the axis
    assert number("C Σ ξ =", figure.readout.inner_text()) != loss
    assert number("examples move by", figure.readout.inner_text()) < 1e-9
    figure.grips.nth(0).focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowRight")
    assert figure.seen()[0] != before[0]


# --- texts and graphs ----------------------------------------------------------------------------


def test_structures(opened, notebook, no_error):
    figure = opened(cell("structures", "StructureGram"))
    right = [number("10-fold:", figure.readout.inner_text())]
    for _ in range(3):
        before = figure.seen()
        right.append(number("10-fold:", press(figure, "letters p", "ArrowRight")))
        assert all_differ(figure.seen(), before)
    assert right == sorted(right, reverse=True)  # p = 2, 3, 4, 5
    with figure.redrawn():
        figure.drag_slider("letters p", -80)
    assert number("10-fold:", figure.readout.inner_text()) > right[-1]
    pair = figure.readout.inner_text().split("   ")[1]
    with figure.redrawn():
        figure.drag_point(0, -80, 30)
    assert figure.readout.inner_text().split("   ")[1] != pair
    assert choose(figure, 1, "counts").startswith("Spectrum")
    said = choose(figure, 0, "molecules that boil above 100 °C")
    assert "wrong: 2,2,4-trimethylpentane" in said
    best = number("10-fold:", said)
    assert number("10-fold:", press(figure, "rounds h", "ArrowLeft")) < best
    assert number("10-fold:", choose(figure, 1, "angle (normalised)")) < best
    figure.grips.first.focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowUp")
    assert figure.seen()[0] != before[0]
