"""The live figures of notebook 06 in JupyterLab: every control, and the numbers it moves."""

from __future__ import annotations

from figures import cell, choose, click, number, press
from test_live_figures import all_differ


def tick(figure, label: str) -> str:
    """Tick or untick a box; return the readout."""
    with figure.redrawn():
        figure.all.locator(f".widget-checkbox:has-text('{label}') input").click()
    return figure.readout.inner_text()


def turned(figure, notebook) -> None:
    """Turn a picture in space by slider, mouse, finger and keyboard."""
    view = "print(figure.turn.value, figure.tilt.value)"
    start = [float(v) for v in notebook.python(view).split()]
    numbers, picture = figure.readout.inner_text(), figure.seen()[0]
    with figure.redrawn():
        figure.drag_point(0, 60, -30)
    turn, tilt = (float(v) for v in notebook.python(view).split())
    assert turn > start[0] + 20
    assert tilt > start[1] + 5
    assert figure.seen()[0] != picture
    with figure.redrawn():
        figure.touch_point(0, -20, 0)
    assert float(notebook.python(view).split()[0]) < turn
    figure.grips.first.focus()
    before = float(notebook.python(view).split()[0])
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowRight")
    assert float(notebook.python(view).split()[0]) == before + 18  # 5 % of 360 degrees
    picture = figure.seen()[0]
    press(figure, "turn", "ArrowLeft")
    with figure.redrawn():
        figure.drag_slider("tilt", 20)
    assert figure.seen()[0] != picture
    assert figure.point(0) == [float(v) for v in notebook.python(view).split()]
    assert figure.readout.inner_text() == numbers  # nothing but the view has changed


# --- one dial ------------------------------------------------------------------------------------


def test_ridge_dial(opened, notebook, no_error):
    figure = opened(cell("ridge_dial", "RidgeDial"))
    freedom, train = [], []
    for key in ("Home", "PageUp", "PageUp", "End"):
        before = figure.seen()
        said = press(figure, "λ", key)
        assert all_differ(figure.seen(), before)
        freedom.append(number("degrees of freedom", said))
        train.append(number("training", said))
    assert freedom == sorted(freedom, reverse=True)
    assert train == sorted(train)
    with figure.redrawn():
        figure.drag_slider("λ", -60)
    before = figure.seen()
    said = press(figure, "γ", "ArrowRight")
    assert all_differ(figure.seen(), before)
    assert "γ = 100 (σ = 0.0707)" in said
    with figure.redrawn():
        figure.drag_slider("γ", -40)
    loo = number("leave-one-out", figure.readout.inner_text())
    with figure.redrawn():
        figure.drag_point(4, 0, 80)
    assert number("leave-one-out", figure.readout.inner_text()) != loo
    figure.grips.nth(2).focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowUp")
    assert figure.seen()[0] != before[0]
    said = choose(figure, 1, "linear")
    assert number("lowest: test at λ =", said) >= 0.05
    assert notebook.python("print(len(figure.lam.options))") == "100\n"
    assert "1/γ" in choose(figure, 0, "Laplacian")


# --- the surface ---------------------------------------------------------------------------------


def test_ridge_surface(opened, notebook, no_error):
    figure = opened(cell("ridge_surface", "RidgeSurface"))
    far = number("distance from the truth", figure.readout.inner_text())
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider("λ", -50)
    assert all_differ(figure.seen(), before)
    near = number("distance from the truth", figure.readout.inner_text())
    assert near < far
    said = press(figure, "γ", "End")
    assert number("distance from the truth", said) > far
    assert "γ = 200 (σ = 0.05)" in said
    with figure.redrawn():
        figure.drag_slider("γ", -60)
    assert number("degrees of freedom", figure.readout.inner_text()) < 99
    before = figure.seen()
    choose(figure, 0, "Laplacian, ℓ2")
    assert all_differ(figure.seen(), before)
    before = figure.seen()[0]
    choose(figure, 1, "linear")
    assert figure.seen()[0] != before


def test_the_surfaces_are_turned(opened, notebook, no_error):
    turned(opened(cell("ridge_surface", "RidgeSurface")), notebook)


# --- bias and variance, rough and smooth, the band -----------------------------------------------


def test_bias_variance(opened, notebook, no_error):
    figure = opened(cell("bias_variance", "BiasVarianceDial"))
    bias, variance = [], []
    for key in ("Home", "PageUp", "PageUp", "End"):
        said = press(figure, "λ", key)
        bias.append(number("bias²", said))
        variance.append(number("variance", said))
    assert variance == sorted(variance, reverse=True)
    assert bias[-1] > bias[0]
    with figure.redrawn():
        figure.drag_slider("λ", -90)
    low = number("lowest sum", figure.readout.inner_text())
    assert number("lowest sum", press(figure, "noise", "ArrowRight")) > low
    low = number("lowest sum", figure.readout.inner_text())
    assert number("lowest sum", press(figure, "examples in", "ArrowRight")) < low
    for label in ("γ", "noise", "examples in"):
        before = figure.seen()
        with figure.redrawn():
            figure.drag_slider(label, -70)
        assert all_differ(figure.seen(), before), label
    before = figure.seen()
    click(figure, "fifty others")
    assert all_differ(figure.seen(), before)


def test_roughness(opened, notebook, no_error):
    figure = opened(cell("roughness", "Roughness"))
    jump = number("jump of the slope", figure.readout.inner_text().split("Laplacian")[1])
    before = figure.seen()
    said = press(figure, "λ", "End")
    assert all_differ(figure.seen(), before)
    assert number("jump of the slope", said.split("Laplacian")[1]) < jump
    with figure.redrawn():
        figure.drag_slider("λ", -70)
    before = figure.seen()
    press(figure, "reach", "ArrowRight")
    assert all_differ(figure.seen(), before)
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider("reach", -90)
    assert all_differ(figure.seen(), before)
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(5, 10, -40)
    assert all_differ(figure.seen(), before)
    figure.grips.first.focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowDown")
    assert figure.seen()[0] != before[0]


def test_gp_band(opened, notebook, no_error):
    figure = opened(cell("gp_band", "GPBand"))
    assert number("standard deviation from", press(figure, "examples seen", "Home")) == 1
    widths = [
        number("standard deviation from", press(figure, "examples seen", key))
        for key in ("ArrowRight", "PageUp", "End")
    ]
    assert widths == sorted(widths, reverse=True)
    with figure.redrawn():
        figure.drag_slider("examples seen", -60)
    for label in ("noise", "reach"):
        before = figure.seen()
        press(figure, label, "ArrowLeft")
        assert all_differ(figure.seen(), before), label
        with figure.redrawn():
            figure.drag_slider(label, 60)
    before = figure.seen()[0]
    tick(figure, "functions drawn")
    assert figure.seen()[0] != before
    tick(figure, "functions drawn")
    before = figure.seen()[0]
    click(figure, "draw others")
    assert figure.seen()[0] != before
    choose(figure, 0, "Laplacian")
    said = figure.readout.inner_text().split("\n")[1]
    with figure.redrawn():
        figure.drag_point(0, 0, 60)  # only its height: the widths stay
    assert figure.readout.inner_text().split("   the band")[0].endswith(said.split("   ")[0])
    figure.grips.first.focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowRight")
    assert all_differ(figure.seen(), before)


# --- a classifier, and λ → 0 ---------------------------------------------------------------------


def test_ridge_or_svm(opened, notebook, no_error):
    figure = opened(cell("ridge_or_svm", "RidgeOrSVM"))
    said = figure.readout.inner_text()
    assert number("ridge: wrong", said) == 2
    assert number("SVM: wrong", said) == 0
    for k in (17, 18, 19):
        with figure.redrawn():
            figure.drag_point(k, -160, -30)  # those far out, towards the others
    assert number("ridge: wrong", figure.readout.inner_text()) == 0
    before = figure.seen()
    press(figure, "C", "ArrowLeft")
    assert all_differ(figure.seen(), before)
    with figure.redrawn():
        figure.drag_slider("C", 50)
    before = figure.seen()
    choose(figure, 0, "Gaussian, γ = 0.1")
    assert all_differ(figure.seen(), before)
    figure.grips.first.focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowLeft")
    assert figure.seen()[0] != before[0]


def test_ridge_break(opened, notebook, no_error):
    figure = opened(cell("ridge_break", "RidgeBreak"))
    assert "no complaint: λ is above" in figure.readout.inner_text()
    size = number("largest |coef|", figure.readout.inner_text())
    said = press(figure, "λ asked for", "Home")
    assert "was raised to" in said
    assert number("largest |coef|", said) > 1e6 * size
    with figure.redrawn():
        figure.drag_slider("λ asked for", 100)
    said = press(figure, "γ", "Home")
    assert number("degrees of freedom", said) < 12
    with figure.redrawn():
        figure.drag_slider("γ", 60)
    assert "nan" not in choose(figure, 0, "one place, two values")
    press(figure, "λ asked for", "Home")
    said = choose(figure, 0, "evenly spaced, no noise")
    assert "was raised to" in said
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(3, 22, 0)
    assert figure.seen()[0] != before[0]
    figure.grips.nth(5).focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowUp")
    assert figure.seen()[0] != before[0]


# --- the published experiment --------------------------------------------------------------------


def test_five_mistakes(opened, notebook, no_error):
    figure = opened(cell("five_mistakes", "FiveMistakes"))
    lowest = "lowest test error of this curve:"
    assert number(lowest, figure.readout.inner_text()) == 0.3254
    before = figure.seen()
    said = tick(figure, "5 · (n,) minus (n, 1)")
    assert all_differ(figure.seen(), before)
    assert number(lowest, said) == 0.0182
    assert "the edge of the grid" in said
    for label in ("3 · drawn", "4 · surface"):
        before = figure.seen()
        tick(figure, label)
        assert figure.seen()[0] != before[0], label
        assert figure.seen()[1] == before[1], label
    assert number("training", tick(figure, "2 · λ where")) > 0.001
    assert number(lowest, tick(figure, "1 · distance")) == 0.0129
    said = click(figure, "all five")
    assert number("of all eight γ:", said) == 0.3114
    assert number(lowest, click(figure, "none")) == 0.0129
    errors = [number("test", press(figure, "λ", key)) for key in ("Home", "PageUp", "End")]
    assert errors == sorted(errors)
    with figure.redrawn():
        figure.drag_slider("λ", -80)
    before = figure.seen()
    press(figure, "γ", "ArrowRight")
    assert all_differ(figure.seen(), before)
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider("γ", -70)
    assert all_differ(figure.seen(), before)


def test_the_fitted_surface_is_turned(opened, notebook, no_error):
    turned(opened(cell("five_mistakes", "FiveMistakes", "figure.switch_all(False)")), notebook)


def test_broadcast_microscope(opened, notebook, no_error):
    figure = opened(cell("broadcast", "BroadcastMicroscope"))
    assert number("mean square", figure.readout.inner_text()) == 0.0128
    before = figure.seen()
    said = choose(figure, 0, "(n, 1): a column")
    assert all_differ(figure.seen(), before)
    assert number("mean square", said) == 0.4054
    assert number("at λ =", said) > 5
    before = figure.seen()[0]
    assert number("mean square", tick(figure, "shuffle")) == 0.4054
    assert figure.seen()[0] != before
    said = choose(figure, 0, "(n,): a list")
    assert number("mean square", said) > 0.2
    assert number("mean square", tick(figure, "shuffle")) == 0.0128
    before = figure.seen()[0]
    assert number("mean square", choose(figure, 1, "drawing")) == 0.0128
    assert figure.seen()[0] != before
    choose(figure, 1, "target")
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, 120, 20)
    assert all_differ(figure.seen(), before)
    assert "nobody's residual" in figure.readout.inner_text()
    figure.grips.first.focus()
    before = notebook.python("print(*figure.at)")
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowRight")
    row, column = (int(v) for v in before.split())
    assert 30 < row < 50  # dragged by the width of a few entries downwards
    assert column > 45
    assert notebook.python("print(*figure.at)") == f"{row} {column + 1}\n"
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowUp")
    assert notebook.python("print(*figure.at)") == f"{row - 1} {column + 1}\n"
    error = number("mean square", figure.readout.inner_text())
    assert number("mean square", press(figure, "λ", "End")) > error
    with figure.redrawn():
        figure.drag_slider("λ", -60)
    before = figure.seen()
    press(figure, "γ", "ArrowLeft")
    assert all_differ(figure.seen(), before)
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider("γ", -70)
    assert all_differ(figure.seen(), before)
