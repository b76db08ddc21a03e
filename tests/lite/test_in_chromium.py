"""The course in Chromium, from a plain server and with nobody else to ask."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest
from distribution import ROOT
from figures import Figure
from handed_in import IN_OTHER_WAYS, filled
from handed_in import SOURCE as EXERCISES
from lab import PANEL, WIDGET
from lite_page import Page
from stage import Stage
from test_film import FILM

SOURCE = f"() => {WIDGET}.content.model.sharedModel.cells[0].getSource()"
TOP = f"() => {WIDGET}.content.activeCell.model.sharedModel.getSource()"
FIGURE = "from kernellab.lessons import margin\nfigure = margin.SoftMargin()\nfigure"
WRONG = """from kernellab.lessons.perceptron import exercises
exercises.weights_from_counts.check(lambda *arguments: 0.0)"""
RIGHT = "exercises.weights_from_counts.check(exercises.weights_from_counts.solution)"
ENDLESS = """def endless(*arguments):
    while True:
        pass
exercises.weights_from_counts.check(endless)"""
BESIDE = "open('mine.py', 'w').write('VALUE = 7')\nfrom mine import VALUE\nprint(VALUE)"
ANSWER = f"""sources => {WIDGET}.content.model.sharedModel.cells
  .forEach((cell, i) => cell.setSource(sources[i]))"""
SAID = f"() => [...document.querySelectorAll('{PANEL} .jp-OutputArea')].map(it => it.innerText)"


@pytest.fixture
def page(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = Page(context.new_page(), address)
    page.page.set_default_timeout(60_000)
    yield page
    context.close()


def test_a_lesson_opens_at_the_section_of_the_address(page):
    page.visit("notebooks/03_kernel_trick.ipynb", "#What-we-have")
    page.page.wait_for_function(f"() => ({TOP})().startsWith('## What we have')")
    assert page.page.locator("#your-work-button").inner_text() == "Your work"


def test_a_figure_follows_and_an_exercise_answers_without_a_server(page):
    page.visit("notebooks/00_start_here.ipynb")
    page.write("notebooks/tried.ipynb", FIGURE, WRONG, RIGHT, ENDLESS, BESIDE)
    page.run_to_the_end(seconds=300)
    assert page.errors() == []
    assert page.said_by_python() == []
    said = page.page.evaluate(SAID)
    assert [said[1][0], said[2][0]] == ["✗", "✓"]
    assert "still running after" in said[3]
    assert said[4].strip() == "7"
    figure = Figure(page.page, PANEL).ready()
    before = figure.seen()
    with figure.redrawn():
        figure.all.locator(".noUi-handle").first.press("ArrowRight")
    moved = figure.seen()
    assert moved[:2] != before[:2]
    with figure.redrawn():
        figure.drag_point(0, 25, -20)
    assert figure.seen()[0] != moved[0]
    assert page.asked == []


def test_a_film_plays_to_its_end(page):
    page.visit("notebooks/00_start_here.ipynb")
    page.write("notebooks/film.ipynb", FILM)
    page.run_to_the_end(seconds=300)
    assert page.errors() == []
    figure = Figure(page.page, PANEL).ready()
    assert figure.readout.inner_text() == "update 1"
    before = figure.seen()
    figure.all.locator(".widget-play button").first.click()
    figure.root.get_by_text("update 12").first.wait_for()
    assert figure.at_rest().seen()[0] != before[0]


def test_work_is_kept_saved_loaded_and_given_up(page, lite, tmp_path):
    lesson = "notebooks/01_dual_perceptron.ipynb"
    page.visit(lesson)
    teachers = page.page.evaluate(SOURCE)
    page.page.evaluate(f"() => {WIDGET}.content.model.sharedModel.cells[0].setSource('mine')")
    page.page.evaluate(f"() => {WIDGET}.context.save()")
    page.visit(lesson)
    page.page.wait_for_function(f"() => ({SOURCE})() === 'mine'")
    page.page.click("#your-work-button")
    with page.page.expect_download() as saved:
        page.page.click("[name=save]")
    work = tmp_path / "work.json"
    saved.value.save_as(work)
    assert json.loads(work.read_text())[lesson]["cells"][0]["source"] == "mine"
    with page.page.expect_download() as own:
        page.page.click("[name=back]")
    assert own.value.suggested_filename == "01_dual_perceptron-mine.ipynb"
    status = page.page.locator("#your-work [role=status]")
    status.get_by_text("This is the teacher's version.").wait_for()
    assert page.page.evaluate(SOURCE) == teachers
    with page.page.expect_file_chooser() as chosen:
        page.page.click("[name=load]")
    chosen.value.set_files(work)
    status.get_by_text("are back").wait_for()
    assert page.page.evaluate(SOURCE) == "mine"
    # The teacher corrects the lesson: the copy does not hide it.
    versions = lite / "versions.json"
    told = versions.read_text()
    versions.write_text(json.dumps({**json.loads(told), lesson: "another"}))
    try:
        page.visit(lesson)
        page.page.locator("#your-work-button", has_text="newer").wait_for()
        assert page.page.evaluate(SOURCE) == "mine"
    finally:
        versions.write_text(told)


def test_what_is_downloaded_is_graded(page, tmp_path):
    page.visit(f"notebooks/exercises/{EXERCISES.name}")
    page.page.evaluate(ANSWER, [cell.source for cell in filled(IN_OTHER_WAYS).cells])
    page.page.click("#your-work-button")
    with page.page.expect_download() as download:
        page.page.click("[name=hand-in]")
    assert download.value.suggested_filename == EXERCISES.name
    download.value.save_as(tmp_path / "in" / "Ann" / EXERCISES.name)
    grade = [ROOT / "tools" / "grading.py", "grade", tmp_path / "in", tmp_path / "graded"]
    subprocess.run([sys.executable, *grade, "--lessons=01"], check=True)
    with (tmp_path / "graded" / "marks.csv").open(encoding="utf-8-sig") as file:
        rows = [*csv.DictReader(file)]
    assert {(row["student"], row["percent"], row["remark"]) for row in rows} == {("Ann", "100", "")}


def test_the_demos_begin_on_the_stage(page):
    page.page.goto(f"{page.address}/demos.html")
    stage = Stage(page.page)
    page.page.wait_for_selector(".kl-on-stage .kl-img[src]", timeout=180_000)
    assert "what is the border from above?" in page.page.locator(".kl-on-stage h2").inner_text()
    before = stage.ready().figure.seen()
    with stage.figure.redrawn():
        stage.press("2")
    assert stage.figure.seen()[:2] != before[:2]
    page.page.wait_for_function("() => document.querySelectorAll('.kl-enter').length > 1")
    stage.press("n")
    page.page.locator(".kl-on-stage h2", has_text="How far on the right side").wait_for()
    stage.press("Escape")
    assert stage.is_empty()
    assert page.asked == []


@pytest.mark.parametrize("missing", ["static/pyodide/pyodide.mjs", "wheels/kernellab-*.whl"])
def test_a_page_says_when_python_does_not_come(page, lite, missing):
    sooner = "(act, ms, ...more) => wait(act, ms === 120_000 ? 5_000 : ms, ...more)"
    page.page.add_init_script(f"const wait = setTimeout; window.setTimeout = {sooner};")
    (there,) = lite.glob(missing)
    elsewhere = there.rename(f"{there}.away")
    try:
        page.visit("notebooks/00_start_here.ipynb")
        said = page.page.locator("#no-python")
        said.wait_for()
        assert "tell whoever keeps it" in said.inner_text()
    finally:
        elsewhere.rename(there)
