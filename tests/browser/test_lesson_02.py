"""The live figures of notebook 02 in JupyterLab, by slider, mouse and keys: the numbers move."""

from __future__ import annotations

import re

import pytest
from test_live_figures import all_differ

START = """
from kernellab.live.{module} import {name}
figure = {name}({arguments})
figure
"""


@pytest.fixture
def live(opened):
    """Return a function that opens one figure."""

    def live(module: str, name: str, arguments: str = ""):
        return opened(START.format(module=module, name=name, arguments=arguments))

    return live


def value(notebook, expression: str) -> float:
    return float(notebook.python(f"print(float({expression}))"))


def press(figure, label: str, key: str, times: int) -> None:
    """Press a key on a slider, and wait until the last one is answered."""
    handle = figure.slider(label)
    with figure.redrawn():
        for _ in range(times):
            handle.press(key)


# --- KKT -----------------------------------------------------------------------------------------


def test_the_kkt_table_turns_from_violated_to_satisfied(live, notebook):
    figure = live("kkt", "KKTExplorer")
    assert figure.readout.inner_text().startswith("9 of 11 conditions met")
    press(figure, "w₁", "ArrowRight", 10)
    assert (
        notebook.python("print([bool(m) for m in figure.numbers['met'][:3]])")
        == "[True, True, True]\n"
    )
    assert value(notebook, "abs(figure.numbers['residual']).max()") == pytest.approx(0.5)
    press(figure, "α₂", "ArrowRight", 5)
    assert value(notebook, "figure.numbers['balance']") == pytest.approx(-0.125)
    press(figure, "α₃", "ArrowRight", 5)
    assert value(notebook, "abs(figure.numbers['residual']).max()") == pytest.approx(0, abs=1e-12)
    assert "11 of 11 conditions met   this is the widest margin" in figure.readout.inner_text()
    assert "11 of them are met" in figure.picture.get_attribute("alt")


@pytest.mark.parametrize("label", ["w₁", "w₂", "t", "α₁", "α₂", "α₃"])
def test_every_slider_of_the_table(live, label):
    figure = live("kkt", "KKTExplorer")
    before = figure.seen()
    with figure.redrawn():
        figure.slider(label).press("ArrowRight")
    assert all_differ(figure.seen(), before)
    with figure.redrawn():
        figure.drag_slider(label, 60)
    assert all_differ(figure.seen(), before)


def test_the_line_of_the_table_by_mouse_and_by_keys(live, notebook):
    figure = live("kkt", "KKTExplorer")
    w, t = value(notebook, "figure.numbers['w'][0]"), value(notebook, "figure.threshold")
    with figure.redrawn():
        figure.drag_point(0, 60, 0)
    assert (
        value(notebook, "figure.numbers['w'][0]") != w and value(notebook, "figure.threshold") != t
    )
    a, b = figure.point(0), figure.point(1)
    across = [round(q, 1) - round(p, 1) for p, q in zip(a, b, strict=True)]
    squared = sum(x * x for x in across)
    assert value(notebook, "figure.numbers['w'][0]") == pytest.approx(across[0] / squared, rel=0.05)
    assert value(notebook, "figure.controls['w1'].value") == pytest.approx(
        value(notebook, "figure.numbers['w'][0]"), abs=0.026
    )
    margins = notebook.python("print(figure.numbers['margins'])")
    figure.grips.nth(1).focus()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowDown")
    assert notebook.python("print(figure.numbers['margins'])") != margins


# --- the dual ------------------------------------------------------------------------------------


def test_the_hill_is_climbed_by_two_sliders(live, notebook):
    figure = live("dual_surface", "DualWalk")
    assert value(notebook, "figure.numbers['dual']") == pytest.approx(0.1)
    press(figure, "α₁", "ArrowLeft", 40)
    press(figure, "α₂", "ArrowRight", 30)
    assert value(notebook, "figure.numbers['dual']") == pytest.approx(1 / 8)
    assert figure.point(0) == [0.0, 0.12] or figure.point(0) == [0.0, 0.13]  # read aloud rounded
    assert "the top" in figure.readout.inner_text()
    assert (
        notebook.python("print((figure.numbers['w'] + 0.0).round(6).tolist())") == "[0.0, -0.5]\n"
    )
    with figure.redrawn():
        figure.slider("α₁").press("ArrowLeft")
    assert "not allowed" in figure.readout.inner_text()


def test_the_point_on_the_hill_is_dragged(live, notebook):
    figure = live("dual_surface", "DualWalk")
    before, w = figure.seen(), notebook.python("print(figure.numbers['w'])")
    with figure.redrawn():
        figure.drag_point(0, -50, -40)
    assert all_differ(figure.seen(), before)
    assert value(notebook, "figure.numbers['dual']") > 0.1
    assert notebook.python("print(figure.numbers['w'])") != w
    a1 = value(notebook, "figure.controls['alpha1'].value")
    assert a1 == pytest.approx(value(notebook, "figure.numbers['alpha'][0]"))
    figure.grips.first.focus()
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowRight")
    assert value(notebook, "figure.numbers['alpha'][0]") == pytest.approx(a1 + 0.0025)


# --- hulls and deletion --------------------------------------------------------------------------


def test_hulls_meet_and_part_under_the_hand(live, notebook):
    figure = live("hulls", "HullExplorer")
    distance = value(notebook, "figure.numbers['distance']")
    with figure.redrawn():
        figure.drag_point(0, 20, -20)
    assert value(notebook, "figure.numbers['distance']") > distance
    with figure.redrawn():
        figure.drag_point(0, -130, 110)
    assert "not separable" in figure.readout.inner_text()
    assert "unbounded" in figure.readout.inner_text()
    assert value(notebook, "figure.numbers['distance']") == 0
    figure.grips.first.focus()
    for _ in range(8):
        with figure.redrawn():
            notebook.page.keyboard.press("Shift+ArrowRight")
    assert figure.readout.inner_text().startswith("converged")
    for sample in ("XOR", "one point, two labels", "one among the others"):
        with figure.redrawn():
            figure.all.locator("select").select_option(sample)
        assert "not separable" in figure.readout.inner_text()
    assert notebook.python("print(figure.live.last_traceback)") == "\n"


def test_points_on_top_of_each_other(live, notebook):
    figure = live("hulls", "HullExplorer", "sample='three points'")
    target, start = figure.centre(figure.grips.nth(2)), figure.centre(figure.grips.nth(0))
    with figure.redrawn():
        figure.drag_point(0, target[0] - start[0], target[1] - start[1])
    assert figure.point(0) == pytest.approx(figure.point(2), abs=0.03)
    assert notebook.python("print(figure.live.error)") == "\n"


def test_deleting_by_slider_button_and_list(live, notebook):
    figure = live("deletion", "DeletionExplorer")
    before = value(notebook, "figure.numbers['half_margin']")
    moved = []
    for i in range(1, 11):
        with figure.redrawn():
            figure.slider("deleted").press("ArrowRight")
        assert f"point {i} deleted" in figure.readout.inner_text()
        moved.append("the line moves" in figure.readout.inner_text())
        assert (
            value(notebook, f"figure.numbers['half_margins'][{i - 1}]") > before + 1e-9
        ) == moved[-1]
    assert [i for i, m in enumerate(moved) if m] == [0, 5, 7]
    with figure.redrawn():
        figure.all.get_by_role("button", name="delete the next").click()
    assert figure.readout.inner_text().startswith("all points")
    with figure.redrawn():
        figure.all.locator("select").select_option("one against five")
    with figure.redrawn():
        figure.slider("deleted").press("ArrowRight")
    assert "one class is left" in figure.readout.inner_text()
    with figure.redrawn():
        figure.drag_point(0, 10, -30)
    assert value(notebook, "figure.numbers['half_margin']") > before


# --- C -------------------------------------------------------------------------------------------


def test_c_over_noisy_points(live, notebook):
    figure = live("soft_margin", "SoftMarginExplorer", "C=100")
    rows = []
    for _ in range(6):
        numbers = re.search(r"Σξ = ([\d.]+)   ‖w‖ = ([\d.]+)", figure.readout.inner_text())
        rows.append([float(number) for number in numbers.groups()])
        errors = value(notebook, "figure.numbers['errors']")
        assert errors <= value(notebook, "figure.numbers['support']")
        press(figure, "cost", "ArrowLeft", 5)
    slack, length = zip(*rows, strict=True)
    assert list(slack) == sorted(slack) and slack[-1] > slack[0] + 1
    assert list(length) == sorted(length, reverse=True) and length[-1] < length[0] - 0.5
    assert "λ" in figure.all.locator(".widget-slider").inner_text()
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, 40, 30)
    assert all_differ(figure.seen(), before)
    with figure.redrawn():
        figure.drag_slider("cost", 80)
    for sample in ("one among the others", "one point, two labels", "two noisy clouds"):
        with figure.redrawn():
            figure.all.locator("select").select_option(sample)
        assert sample in figure.picture.get_attribute("alt")
    assert notebook.python("print(figure.live.last_traceback)") == "\n"


def test_the_counterexample_to_monotone_counts(live, notebook):
    figure = live("c_path", "PathExplorer")
    assert "support vectors 5   margin errors 1 " in figure.readout.inner_text()
    press(figure, "cost", "ArrowLeft", 15)
    assert value(notebook, "figure.C") == 3.16
    assert "support vectors 4   margin errors 4 " in figure.readout.inner_text()
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(1, 30, 0)
    assert all_differ(figure.seen()[:2], before[:2])  # every α stays at its bound, and is said so
    figure.grips.nth(0).focus()
    with figure.redrawn():
        notebook.page.keyboard.press("ArrowRight")
    assert value(notebook, "figure.x[0]") == pytest.approx(-0.74)
    for point in (0, 1):  # through the middle of the strip: the other class
        with figure.redrawn():
            figure.drag_point(point, 0, 25)
    assert "only one class is left" in figure.readout.inner_text()
    with figure.redrawn():
        figure.drag_point(0, 0, -25)
    assert "support vectors" in figure.readout.inner_text()
    for sample in ("one point, two labels", "fourteen points"):
        with figure.redrawn():
            figure.all.locator("select").select_option(sample)
    assert figure.grips.count() == 14
    assert notebook.python("print(figure.live.last_traceback)") == "\n"


def test_the_price_of_a_rare_class(live, notebook):
    figure = live("class_weights", "WeightExplorer")
    found, alarms = (
        value(notebook, "figure.numbers['found']"),
        value(notebook, "figure.numbers['alarms']"),
    )
    press(figure, "a mistake", "ArrowRight", 3)
    assert value(notebook, "figure.numbers['found']") > found + 0.3
    assert value(notebook, "figure.numbers['alarms']") > alarms + 0.05
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider("a mistake", 60)
    assert all_differ(figure.seen(), before)
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, -60, 60)
    assert figure.seen()[0] != before[0]
    assert notebook.python("print(figure.live.error)") == "\n"
