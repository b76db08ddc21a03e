"""What axe-core, the checker of accessibility, finds serious in what is ours."""

from __future__ import annotations

import lab
import nbformat
import pytest
from accessibility import problems
from show_demos import DEMOS
from stage import Stage

# One figure of each kind of control: sliders, lists, play, buttons, text, check box, points.
SOME = ("LossExplorer", "PerceptronStepper", "FindTheWitness", "FiveMistakes", "GPBand")
CODE = {
    kind: cell.source
    for cell in nbformat.read(DEMOS, as_version=4).cells
    for kind in SOME
    if cell.cell_type == "code" and f"{kind}()" in cell.source
}
# JupyterLab's own: toolbars, prompts, editors. Ours are the outputs.
OURS = f"{lab.PANEL} .jp-OutputArea-output"
NAMES = """() => [...document.querySelectorAll(".kl-explorer :is([role=slider], button)")]
  .map(part => part.getAttribute("aria-label") ?? part.textContent)"""
UNNAME = """() => {
  const handle = document.querySelector(".kl-explorer .noUi-handle");
  handle.dataset.name = handle.getAttribute("aria-label");
  handle.removeAttribute("aria-label");
}"""
RENAME = """() => {
  const handle = document.querySelector(".kl-explorer .noUi-handle");
  handle.setAttribute("aria-label", handle.dataset.name);
}"""


@pytest.mark.parametrize("lecture", [False, True], ids=["at the desk", "in the hall"])
def test_figures_in_jupyterlab(opened, notebook, lecture):
    assert sorted(CODE) == sorted(SOME)
    first = f"import kernellab as kl\nkl.lecture({lecture})"
    opened(first, *CODE.values())
    notebook.page.wait_for_selector(f"{lab.PANEL} .kl-explorer [role=slider][aria-label]")
    try:
        assert all(name.strip() for name in notebook.page.evaluate(NAMES))
        assert problems(notebook.page, OURS) == []
        notebook.page.evaluate(UNNAME)
        assert any("field-name" in problem for problem in problems(notebook.page, OURS))  # noticed
        notebook.page.evaluate(RENAME)
        if lecture:
            notebook.page.locator(".kl-enter").first.click()
            stage = Stage(notebook.page).ready()
            for _ in SOME:
                stage.ready().press("?")
                assert problems(notebook.page, ".kl-on-stage") == []
                stage.press("n")
    finally:
        notebook.python("kl.lecture(False)")


def test_a_slider_says_its_name_and_its_value(opened, notebook):
    figure = opened("from kernellab.live.gamma import GammaDial\nGammaDial()")
    handle = figure.slider("γ")
    assert handle.get_attribute("aria-label") == "γ"
    before = handle.get_attribute("aria-valuetext")
    assert "σ" in before
    with figure.redrawn():
        handle.press("ArrowRight")
    assert handle.get_attribute("aria-valuetext") != before
    assert "σ" in handle.get_attribute("aria-valuetext")


def test_a_play_button_says_what_it_does(opened):
    figure = opened(CODE["PerceptronStepper"])
    for name in ("play or pause", "stop", "repeat"):
        assert figure.all.get_by_role("button", name=name, exact=True).count() == 1


def test_the_application(browser, tmp_path):
    pytest.importorskip("voila")
    root = tmp_path / "root"
    root.mkdir()
    cells = [nbformat.v4.new_code_cell(source) for source in CODE.values()]
    title = nbformat.v4.new_markdown_cell("# Demos")
    lecture = nbformat.v4.new_code_cell("import kernellab as kl\nkl.lecture()")
    notebook = nbformat.v4.new_notebook(cells=[title, lecture, *cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, root / "demos.ipynb")
    with lab.demos(tmp_path, root / "demos.ipynb") as (address, token):
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"{address}/?token={token}", wait_until="commit", timeout=60_000)
        page.wait_for_function(
            f"() => document.querySelectorAll('.kl-img[src]').length === {len(SOME)}",
            timeout=120_000,
        )
        Stage(page).ready()
        assert problems(page) == []
        page.keyboard.press("Escape")
        assert problems(page) == []
        page.close()
