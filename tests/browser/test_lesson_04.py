"""The live figures of notebook 04 in JupyterLab: every control, and the numbers it moves."""

from __future__ import annotations

import pytest
from figures import cell, choose, click, number, play, press
from test_live_figures import all_differ


def nudge(figure, notebook, grip: int, key: str) -> str:
    """Move a grip by a key; return the readout."""
    figure.grips.nth(grip).focus()
    with figure.redrawn():
        notebook.page.keyboard.press(key)
    return figure.readout.inner_text()


# --- one step at a time --------------------------------------------------------------------------


def test_stepper(opened, notebook, no_error):
    figure = opened(cell("pegasos", "PegasosStepper"))
    assert figure.readout.inner_text().startswith("step 3: example")  # where Python put it
    said = click(figure, "step")
    assert said.startswith("step 4: example")
    said = play(figure)
    t = int(notebook.python("print(figure.t.value)"))
    assert t > 4
    assert said.startswith(f"step {t}: ")
    before = figure.seen()
    said = press(figure, "step t", "ArrowRight", "ArrowRight")
    assert said.startswith(f"step {t + 2}: ")
    assert all_differ(figure.seen(), before)
    assert ("< 1, so w ←" in said) or ("≥ 1, so it only shrinks" in said)
    with figure.redrawn():
        figure.drag_slider("step t", 120)
    assert int(number("step", figure.readout.inner_text())) > 30
    ball = number("ball 1/√λ =", figure.readout.inner_text())
    said = press(figure, "λ", "ArrowLeft")
    assert number("ball 1/√λ =", said) > ball
    assert number(" λ =", said) == 0.05
    assert number("C =", said) == 1.25
    assert "1.25" in figure.all.locator(".widget-readout").first.inner_text()
    with figure.redrawn():
        figure.drag_slider("λ", -60)
    assert number(" λ =", figure.readout.inner_text()) < 0.05


def test_stepper_switches_and_points(opened, notebook, no_error):
    figure = opened(cell("pegasos", "PegasosStepper"))
    press(figure, "step t", "Home")
    press(figure, "step t", "ArrowRight")
    free = number("‖w‖ =", figure.readout.inner_text())
    before = figure.seen()
    said = choose(figure, 1, "back into the ball")
    assert "back onto the ball" in said
    assert number("‖w‖ =", said) == pytest.approx(number("ball 1/√λ =", said))
    assert number("‖w‖ =", said) < free
    assert all_differ(figure.seen(), before)
    choose(figure, 1, "stay")
    with figure.redrawn():
        figure.drag_slider("step t", 300)
    last = number("P(w) =", figure.readout.inner_text())
    uniform = number("P(w) =", choose(figure, 2, "average of all w"))
    linear = number("P(w) =", choose(figure, 2, "average, late w weigh more"))
    assert len({last, uniform, linear}) == 3
    assert linear < uniform
    assert "of 4 are < 1" in choose(figure, 3, "4")
    order = "print(figure.seen[0].batch)"
    before = notebook.python(order)
    click(figure, "other order")
    assert notebook.python(order) != before
    lowest = "print(figure.lowest)"
    before = notebook.python(lowest)
    upper = int(notebook.python("print(int(figure.y.argmax()))"))
    with figure.redrawn():
        figure.drag_point(upper, -90, 120)  # to the other side
    assert notebook.python(lowest) != before
    before = notebook.python(lowest)
    nudge(figure, notebook, upper, "Shift+ArrowLeft")
    assert notebook.python(lowest) != before
    assert "one point, two labels" in notebook.python("print(list(figure.sample.options))")
    said = choose(figure, 0, "one point, two labels")
    assert figure.grips.count() == 4
    assert "margins" in said


# --- the bound -----------------------------------------------------------------------------------


def test_bound(opened, notebook, no_error):
    figure = opened(cell("pegasos_bound", "PegasosBound"))
    said = figure.readout.inner_text()
    assert number("above the bound at", said) == 0
    free = number("the average", said)
    assert number("the bound allows", said) > 100 * free
    before = figure.seen()
    said = choose(figure, 0, "back into the ball")
    assert number("the average", said) < free
    assert "c = (√λ + R)²" in said
    assert all_differ(figure.seen(), before)
    said = choose(figure, 1, "late w weigh more")
    assert number("the average", said) < 0.2 * free
    assert "the average" not in choose(figure, 1, "none")
    choose(figure, 1, "all w alike")
    for key, lam in (("ArrowRight", 0.003), ("Home", 0.0001), ("End", 1.0)):
        said = press(figure, "λ", key)
        assert number("λ =", said) == lam
        assert number("above the bound at", said) == 0
    assert number("C =", said) == pytest.approx(1 / 60, rel=0.01)
    with figure.redrawn():
        figure.drag_slider("λ", -100)
    assert number("λ =", figure.readout.inner_text()) < 1
    assert number("at t =", press(figure, "step t", "Home")) == 1
    with figure.redrawn():
        figure.drag_slider("step t", 100)
    assert number("at t =", figure.readout.inner_text()) > 5


# --- words ---------------------------------------------------------------------------------------


def test_words(opened, notebook, no_error):
    figure = opened(cell("words", "WordWeights"))
    assert number("cross-validated", figure.readout.inner_text()) == 3.5
    before = figure.seen()
    said = press(figure, "λ", "End")
    assert number("cross-validated", said) > 10
    assert number("C =", said) == 0.0125
    assert all_differ(figure.seen(), before)
    with figure.redrawn():
        figure.drag_slider("λ", -150)
    assert number("cross-validated", figure.readout.inner_text()) < 10
    gap = number("gap", figure.readout.inner_text())
    said = press(figure, "passes", "PageUp")
    assert number("gap", said) < gap
    with figure.redrawn():
        figure.drag_slider("passes", 60)
    said = choose(figure, 0, "sound or net")
    assert "For sound:" in figure.picture.get_attribute("alt")
    assert "of 5143 words" in said


# --- counts --------------------------------------------------------------------------------------


def test_kernel_counts(opened, notebook, no_error):
    figure = opened(cell("pegasos_kernel", "KernelCounts"))
    assert "103 violations, by 25 of 40" in figure.readout.inner_text()
    assert number("counts differ by", choose(figure, 2, "print: 1/(λt)")) == 4
    said = choose(figure, 2, "print: 1/(λt) and y_i for y_j")
    assert number("wrong:", said) == 15
    assert number("counts differ by", said) == 98
    said = choose(figure, 2, "print: 1/(λt) added, never shrunk")
    assert number("P =", said) > 100 * number("the right code's", said)
    choose(figure, 2, "counts, 1/(λ(t − 1))")
    before = figure.seen()
    said = press(figure, "λ", "ArrowRight")
    assert number("λ =", said) == 0.03
    assert number("steps", said) > 103
    assert all_differ(figure.seen(), before)
    gap = number("gap", figure.readout.inner_text())
    assert number("gap", press(figure, "steps t", "End")) < gap
    with figure.redrawn():
        figure.drag_slider("λ", 100)
    assert number("λ =", figure.readout.inner_text()) > 0.03
    with figure.redrawn():
        figure.drag_slider("steps t", -100)
    assert number("after", figure.readout.inner_text()) < 1280
    wrong = number("wrong:", figure.readout.inner_text())
    assert number("wrong:", choose(figure, 1, "x·z")) > wrong
    alpha = "print(figure.alpha.tolist())"
    before = notebook.python(alpha)
    choose(figure, 1, "(x·z + 2)²")
    with figure.redrawn():
        figure.drag_point(3, 80, 80)
    assert notebook.python(alpha) != before
    before = figure.seen()
    nudge(figure, notebook, 0, "Shift+ArrowUp")
    assert figure.seen()[0] != before[0]
    assert "of 4 examples" in choose(figure, 0, "XOR")


# --- the 52 models -------------------------------------------------------------------------------


def test_model_grid(opened, notebook, no_error):
    figure = opened(cell("model_grid", "ModelGrid"))
    assert figure.readout.inner_text().startswith("(x·z + 1)^2, λ = 0.1, C = 0.05")
    before = figure.seen()
    said = choose(figure, 0, "Gaussian, σ = 0.01")
    assert all_differ(figure.seen(), before)
    assert number("training error", said) == 0
    assert number("cross-validated", said) == 7.5
    assert figure.point(0) == [2, 0]
    said = choose(figure, 1, "0.0001  (C = 50)")
    assert "λ = 0.0001" in said
    with figure.redrawn():
        figure.drag_point(0, 80, -200)
    assert "σ = 0.01," not in figure.readout.inner_text()
    model = "print(figure.now.model.name)"
    before, row = notebook.python(model), figure.point(0)[1]
    for _ in range(3):
        nudge(figure, notebook, 0, "Shift+ArrowDown")
    assert figure.point(0)[1] < row
    assert notebook.python(model) != before


# --- breaking it ---------------------------------------------------------------------------------


def test_break_it(opened, notebook, no_error):
    figure = opened(cell("pegasos_break", "PegasosBreak"))
    lacks = number("P is", figure.readout.inner_text())
    assert lacks < 0.01
    said = press(figure, "λ", "Home")
    assert "too few steps for this λ" in said
    assert number("P is", said) > 1
    with figure.redrawn():
        figure.drag_slider("λ", 90)
    assert number("λ =", figure.readout.inner_text()) > 1e-5
    said = choose(figure, 0, "x₂ in mm")
    assert number("P is", said) > 100
    assert number("P is", press(figure, "passes", "End")) > 10
    choose(figure, 0, "both in m")
    with figure.redrawn():
        figure.drag_slider("passes", -200)
    assert number("After", figure.readout.inner_text()) < 4000
    choose(figure, 1, "6 to the right")
    shrunk = number("P is", choose(figure, 2, "a constant feature, shrunk too"))
    b = number("b =", figure.readout.inner_text())
    said = choose(figure, 2, "added, never shrunk")
    assert number("P is", said) != shrunk
    assert number("b =", said) != b
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, 90, 90)
    assert figure.seen()[0] != before[0]
    before = figure.seen()
    nudge(figure, notebook, 1, "Shift+ArrowLeft")
    assert figure.seen()[0] != before[0]
