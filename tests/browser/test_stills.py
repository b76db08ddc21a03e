"""Where no widget runs, the still picture is shown, and neither an error nor nothing."""

from __future__ import annotations

import shutil

import lab
import nbformat
import pytest
from nbconvert import HTMLExporter
from test_live_figures import LOSSES, PERCEPTRON

from kernellab.live.declared import RUN_ME

CELLS = ("figures = []\n" + LOSSES, PERCEPTRON, "1 + 1")
BAD_WORDS = ("error", "not found", "loading", "traceback")


SAVED = "saved.ipynb"


@pytest.fixture
def saved(opened, notebook, folder) -> str:
    """A notebook run in JupyterLab, saved as a person does, and closed: the first test makes it."""
    if not (folder / SAVED).exists():
        figure = opened(*CELLS)
        with figure.redrawn():
            figure.slider("margin").press("ArrowRight")
        notebook.save()
        shutil.copy(
            folder / notebook.page.evaluate(f"() => {lab.WIDGET}.context.path"), folder / SAVED
        )
        notebook.close_all()
    return SAVED


def assert_stills(page, within: str = "body") -> None:
    """Both stills are there, with their questions, and what else is shown is harmless."""
    stills = page.locator(f"{within} .jp-RenderedImage img")
    assert stills.count() == 2
    for still in stills.all():
        still.scroll_into_view_if_needed()
        assert still.is_visible()
        assert still.evaluate("img => img.naturalWidth") > 1000
    assert page.locator(f"{within} .kl-question").count() == 2
    words = page.locator(f"{within} .kl-words")
    assert [word.inner_text() for word in words.all()] == ["In words", "In words"]
    words.first.locator("summary").click()
    assert "four losses against the margin" in words.first.inner_text()
    outputs = " ".join(page.locator(f"{within} .jp-OutputArea-output").all_inner_texts())
    assert [word for word in BAD_WORDS if word in outputs.lower()] == []
    assert page.locator(f"{within} .kl-live").count() == 0


@pytest.mark.parametrize("kernel", ["own", "none"])
def test_opened_again_without_the_kernel_it_was_run_in(saved, notebook, kernel):
    notebook.open(saved, kernel=kernel)
    lost = notebook.page.locator(f"{lab.PANEL} .jp-OutputArea-child > .lm-Panel")
    if kernel == "own":
        lost = lost.and_(notebook.page.locator(".jupyter-widgets"))
    lost.nth(1).wait_for(state="attached")
    assert_stills(notebook.page, lab.PANEL)
    if kernel == "own":  # the place of the widget says how to get it
        words = "node => getComputedStyle(node, '::after').content"
        assert lost.first.evaluate(words) == f'"{RUN_ME}"'
        notebook.run_all()
        assert notebook.page.locator(f"{lab.PANEL} .kl-live").count() == 2
        for still in (".jp-RenderedImage", ".kl-words"):
            assert notebook.page.locator(f"{lab.PANEL} {still}:visible").count() == 0


def test_a_copy_that_jupyterlab_does_not_trust(saved, notebook, folder):
    content = nbformat.read(folder / saved, as_version=4)
    content.cells[-1].source = "2 + 2"  # changed outside JupyterLab
    nbformat.write(content, folder / "changed.ipynb")
    notebook.open("changed.ipynb")
    notebook.page.locator(lab.PANEL).get_by_text(RUN_ME).first.wait_for()
    assert_stills(notebook.page, lab.PANEL)
    assert notebook.page.locator(f"{lab.PANEL} .jp-mod-trusted").count() == 0


def test_exported_to_html(saved, folder, browser, tmp_path):
    content = nbformat.read(folder / saved, as_version=4)
    stills = [o for c in content.cells for o in c.outputs if "image/png" in o.get("data", {})]
    for still in stills:  # the alt text is saved with it
        assert still.data["text/plain"] == still.metadata["image/png"]["alt"]
    html, _ = HTMLExporter().from_notebook_node(content)
    file = tmp_path / "export.html"
    file.write_text(html, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri(), wait_until="domcontentloaded")
    assert_stills(page)
    assert page.get_by_text(RUN_ME).count() == len(stills) == 2
    context.close()
