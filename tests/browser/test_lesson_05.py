"""The live figures of notebook 05 in JupyterLab, and its film: every control, and what it moves."""

from __future__ import annotations

import lab
import pytest
from figures import cell, choose, click, number, play, press
from test_live_figures import all_differ

# --- the coordinate parabola ---------------------------------------------------------------------


def test_coordinate(opened, notebook, no_error):
    figure = opened(cell("coordinate", "CoordinateParabola", arguments="0.8, 2"))
    said = figure.readout.inner_text()
    assert said.startswith("update 3: α₁ = 1.000 + (−0.160) / 1 = 0.840, inside the box")
    lacks = number("D = 0.5200,", said)
    said = click(figure, "one update")
    assert said.startswith("update 4: α₂")
    assert number("after 3 updates: D = 0.5328,", said) < lacks
    for label, key, pixels in (("K₁₂", "ArrowLeft", -40), ("updates", "ArrowRight", 30)):
        before = figure.seen()
        press(figure, label, key)
        with figure.redrawn():
            figure.drag_slider(label, pixels)
        assert all_differ(figure.seen(), before), label
    assert "C = 0.4 (λ = 1.25)" in press(figure, "C", "Home")
    said = choose(figure, 0, "opposite: +1, −1")
    assert "outside, clipped to 0.400" in said or "C = 0.4" in said
    press(figure, "C", "End")
    notebook.python("figure.t.value = 0")
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(0, 60, -80)
    assert figure.seen()[0] != before[0]
    start = [float(v) for v in notebook.python("print(*figure.run.start)").split()]
    assert min(start) > 0.1
    figure.grips.first.focus()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowLeft")
    moved = [float(v) for v in notebook.python("print(*figure.run.start)").split()]
    assert moved[0] < start[0]
    assert moved[1] == pytest.approx(start[1])


# --- the staircase -------------------------------------------------------------------------------


def test_staircase(opened, notebook, no_error):
    figure = opened(cell("staircase", "Staircase", arguments="t=22"))
    said = figure.readout.inner_text()
    assert "update 22, pass 1.1" in said  # the page has not set the slider back
    assert said.startswith("next, point 5: α ← clip(1.00 + (1 − −0.07) / 1, 0, 2) = 2.00")
    said = click(figure, "one update")
    assert "update 23" in said
    assert notebook.python("print(figure.alpha[4], round(figure.terms[4], 9))") == "2.0 0.0\n"
    click(figure, "one pass")
    said = click(figure, "one pass")
    assert "update 60" in said
    areas = number("areas", said)
    assert areas < 2
    before = figure.seen()
    said = press(figure, "C", "ArrowRight")  # the shelf goes up, its points stay behind
    assert all_differ(figure.seen(), before)
    assert "update 0" in said
    assert "C = 2.5" in said
    assert number("areas", said) > areas + 0.5
    with figure.redrawn():
        figure.drag_slider("updates", 100)
    assert number("areas", figure.readout.inner_text()) < number("areas", said)
    said = click(figure, "from zero")
    assert number("areas", said) == 50
    assert "support vectors 0" in said
    notebook.python("figure.t.value = 100")  # now drag it
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(2, 60, 40)
    assert all_differ(figure.seen(), before)
    assert "update 0" in figure.readout.inner_text()
    assert number("support vectors", figure.readout.inner_text()) > 5  # a warm start
    figure.grips.nth(3).focus()
    before = figure.seen()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowUp")
    assert figure.seen()[0] != before[0]
    choose(figure, 0, "a point with K_ii = 0, linear kernel")
    said = press(figure, "updates", *["ArrowRight"] * 5)
    assert "K_ii = 0, no slope: it jumps to the bound, 2.50" in said
    choose(figure, 0, "one point, two labels")
    said = press(figure, "updates", "End")
    assert "the recording ends here" in said
    highest = notebook.python("print(figure.C.value)").strip()
    assert notebook.python("print(*figure.alpha[3:5])") == f"{highest} {highest}\n"
    assert "K_ii" not in press(figure, "updates", "Home")
    said = play(figure)
    t = int(notebook.python("print(figure.t.value)"))
    assert t > 0
    assert f"update {t}, pass" in said
    assert "two labels coincide" in said


# --- the gap by point ----------------------------------------------------------------------------


def test_gap_by_point(opened, notebook, no_error):
    figure = opened(cell("gap_by_point", "GapByPoint"))
    assert number("after 0 updates: gap", figure.readout.inner_text()) == 1
    before = figure.seen()
    said = press(figure, "point", "ArrowRight", "ArrowRight")
    assert said.startswith("point 3:")
    assert figure.point(0)[0] == 3
    assert all_differ(figure.seen(), before)
    gap = number("gap", click(figure, "update this point").split("\n")[1])
    assert gap < 1
    with figure.redrawn():
        figure.drag_point(0, 150, 30)
    assert int(notebook.python("print(figure.point.value)")) > 3
    figure.grips.first.focus()
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowRight")
    chosen = int(notebook.python("print(figure.point.value)"))
    assert figure.readout.inner_text().startswith(f"point {chosen}:")
    for _ in range(3):
        said = click(figure, "largest term")
    assert "after 4 updates" in said
    assert number("gap", said.split("\n")[1]) < gap
    assert "after 5 updates" in click(figure, "roll the dice")
    assert "after 4 updates" in click(figure, "back")
    assert "C = 5 (λ = 0.0167)" in press(figure, "C", "ArrowRight")
    assert "after 0 updates: gap 1 in" in click(figure, "start again")
    with figure.redrawn():
        figure.drag_slider("C", -60)
    assert "C = 5" not in figure.readout.inner_text()


# --- the scrubber --------------------------------------------------------------------------------


def test_scrubber(opened, notebook, no_error):
    figure = opened(cell("scrubber", "Scrubber", arguments="t=60"))
    said = figure.readout.inner_text()
    assert said.startswith("update 60 (pass 3)")
    assert number("gap", said) == pytest.approx(0.031)
    assert "update 61" in click(figure, "one update")
    before = figure.seen()
    with figure.redrawn():
        figure.drag_slider("update", 80)
    assert all_differ(figure.seen(), before)
    assert number("update", figure.readout.inner_text()) > 70
    notebook.python("figure.t.value = 200")
    gaps = []
    for _ in range(2):
        said = press(figure, "C", "ArrowLeft")
        gap, lacks = number("gap", said), number("≥", said)
        assert gap >= lacks
        gaps.append(gap)
    assert "C = 10 (λ = 0.005)" in said
    before = figure.seen()
    said = press(figure, "γ", "End")
    assert "γ = 3000 (σ = 0.0129)" in said
    assert all_differ(figure.seen(), before)
    for label, pixels in (("C", -60), ("γ", -60)):
        before = figure.seen()
        with figure.redrawn():
            figure.drag_slider(label, pixels)
        assert all_differ(figure.seen(), before), label
    said = press(figure, "update", "Home")
    assert said.startswith("before the first update")
    assert number("gap", said) == 1
    said = play(figure)
    t = int(notebook.python("print(figure.t.value)"))
    assert t > 0
    assert said.startswith(f"update {t} (pass {-(-t // 20)})")


# --- the sum form --------------------------------------------------------------------------------


def test_sum_form(opened, notebook, no_error):
    figure = opened(cell("sum_form", "SumForm"))
    before = figure.seen()
    said = press(figure, "λ_s", "Home")
    assert "λ_s = 0.01 (C = 100" in said
    assert number("training", said) == 100
    assert all_differ(figure.seen(), before)
    said = press(figure, "λ_s", "End")
    assert number("training", said) < 95
    said = press(figure, "γ", "Home")
    assert "γ = 0.1" in said
    assert number("test", said) == 59  # nothing but the larger class
    with figure.redrawn():
        figure.drag_slider("γ", 120)
    assert number("test", figure.readout.inner_text()) > 70
    with figure.redrawn():
        figure.drag_slider("λ_s", -120)
    assert "λ_s = 10 " not in figure.readout.inner_text()


# --- other losses --------------------------------------------------------------------------------


def test_other_stairs(opened, notebook, no_error):
    figure = opened(cell("other_stairs", "OtherStairs"))
    few = number("ε-insensitive:", figure.readout.inner_text())
    said = choose(figure, 0, "regression, squared")
    assert number("regression, squared:", said) == 18 > few
    assert "ν =" in choose(figure, 0, "one class, hinge")
    at_bound = number("have a weight,", figure.readout.inner_text())
    assert number("have a weight,", press(figure, "C", "Home")) > at_bound
    with figure.redrawn():
        figure.drag_slider("C", 120)
    assert "C = 0.1 " not in figure.readout.inner_text()
    choose(figure, 0, "regression, ε-insensitive")
    assert number("ε-insensitive:", press(figure, "ε, or s", "End")) < few
    before = figure.seen()
    with figure.redrawn():
        figure.drag_point(4, 0, -50)
    assert all_differ(figure.seen(), before)
    figure.grips.nth(5).focus()
    before = notebook.python("print(figure.y[5])")
    with figure.redrawn():
        notebook.page.keyboard.press("Shift+ArrowUp")
    assert float(notebook.python("print(figure.y[5])")) > float(before)
    for name in ("hinge", "smoothed hinge", "squared hinge"):
        assert choose(figure, 0, name).startswith(f"{name}:")


# --- the film ------------------------------------------------------------------------------------

FILM = """
from kernellab.draw.animation import Moment, film_of_run
import numpy as np
grid = np.linspace(0, 1, 21)
x, y = np.array([0.2, 0.8]), np.array([-1.0, 1.0])
moments = [Moment(grid * t / 10, np.array([t, 1.0]), 0, f"update {t}") for t in range(1, 13)]
film = film_of_run(grid, grid, x, y, moments, title="a film", alt="A line that rises in 12 steps.")
assert not film.problem, film.problem
film
"""


def test_the_film_plays_when_it_is_asked_to(notebook, write):
    notebook.open(write(FILM), kernel="shared")
    notebook.run_all()
    assert notebook.errors() == []
    assert notebook.outputs() == ["image/png", "text/html"]
    video = notebook.page.locator(f"{lab.PANEL} video.kl-film")
    video.scroll_into_view_if_needed()
    notebook.page.wait_for_function("v => v.readyState >= 1", arg=video.element_handle())
    about = "v => [v.paused, v.controls, v.autoplay, v.loop, v.videoWidth, v.videoHeight]"
    assert video.evaluate(about) == [True, True, False, False, 760, 440]
    assert video.evaluate("v => v.duration") == pytest.approx(1.2, abs=0.05)
    assert video.get_attribute("aria-label") == "A line that rises in 12 steps."
    assert not notebook.page.locator(f"{lab.PANEL} .jp-RenderedImage").first.is_visible()
    video.evaluate("async v => { v.muted = true; await v.play() }")
    notebook.page.wait_for_function("v => v.ended", arg=video.element_handle())
    assert video.evaluate("v => v.error") is None
