"""An exercise in JupyterLab as a student has it: a wrong answer, its message, the right one."""

from __future__ import annotations

import shutil
from pathlib import Path

import lab

ROOT = Path(__file__).resolve().parents[2]
NAME = "01_dual_perceptron.ipynb"

STUB = "def weights_from_counts"
CHECK = "exercises.weights_from_counts.check"
WRONG = "def weights_from_counts(X, y, alpha):\n    return alpha @ X"
RIGHT = "def weights_from_counts(X, y, alpha):\n    return (alpha * y) @ X"


class Cells:
    """Cells of an open notebook, found by what stands in them."""

    def __init__(self, notebook: lab.Notebook) -> None:
        self.notebook, self.page = notebook, notebook.page

    def having(self, words: str):
        """Return the code cell that holds some words."""
        cells = self.page.locator(f"{lab.PANEL} .jp-CodeCell")
        return cells.filter(has=self.page.locator(".jp-InputArea", has_text=words)).first

    def run(self, words: str) -> None:
        """Run a cell with Shift+Enter, and wait until it has run."""
        cell = self.having(words)
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        cell.locator(".jp-InputPrompt").filter(has_not_text=before).wait_for()
        self.notebook.wait_for_kernel()

    def type_over(self, words: str, text: str) -> None:
        """Replace what stands in a cell by typing."""
        self.having(words).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def output(self, words: str) -> str:
        """Return the output of a cell, when it is there."""
        cell = self.having(words)
        cell.scroll_into_view_if_needed()
        output = cell.locator(".jp-OutputArea-output")
        output.first.wait_for()
        return " ".join(" ".join(output.all_text_contents()).split())


def test_a_wrong_answer_is_told_why_and_the_right_one_that_it_is(notebook, folder):
    shutil.copy(ROOT / "notebooks" / "exercises" / NAME, folder / NAME)
    notebook.open(NAME)
    notebook.run_all()
    cells = Cells(notebook)
    assert notebook.errors() == []  # stubs do not stop those who run all cells
    assert "○ weights_from_counts: not filled in yet" in cells.output(CHECK)
    expected = notebook.page.locator(f"{lab.PANEL} .jp-MarkdownCell img[alt^='The four inputs']")
    expected.first.scroll_into_view_if_needed()
    assert expected.first.evaluate("image => image.naturalWidth") > 100

    cells.type_over(STUB, WRONG)
    cells.run(STUB)
    cells.run(CHECK)
    said = cells.output(CHECK)
    assert "✗ weights_from_counts: not yet" in said
    assert "expected [-3]" in said
    assert "This looks like “the labels are left out”" in said

    cells.type_over(STUB, RIGHT)
    cells.run(STUB)
    cells.run(CHECK)
    assert "✓ weights_from_counts: correct (18 examples, seed 0)" in cells.output(CHECK)

    cells.run("exercises.weights_from_counts.picture")
    assert "w = [3.0, 2.0, -4.0]" in cells.output("exercises.weights_from_counts.picture")

    cells.run("dashboard(exercises)")
    said = cells.output("dashboard(exercises)")
    assert "1 of 9 done" in said
    rows = cells.having("dashboard(exercises)").locator("tr")
    assert rows.filter(has_text="weights_from_counts").locator("td").first.inner_text() == "✓ done"
    assert rows.filter(has_text="dual_update").locator("td").first.inner_text() == "○ open"

    # The checks cannot be edited by accident.
    cells.having(CHECK).locator(".cm-content").click()
    notebook.page.keyboard.insert_text("broken")
    assert "broken" not in cells.having(CHECK).locator(".cm-content").inner_text()
