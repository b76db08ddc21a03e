"""What axe-core, the checker of accessibility, finds serious in what is ours in JupyterLab.

The stage is looked at in `test_demos.py`, the site and the slides in their own tests.
"""

from __future__ import annotations

import lab
import nbformat
from accessibility import problems
from show_demos import DEMOS

# One figure of each kind of control: sliders, lists, play, buttons, text, check box, points.
SOME = ("Losses", "PerceptronStepper", "FindTheWitness", "FiveMistakes", "GPBand")
CODE = {
    kind: cell.source
    for cell in nbformat.read(DEMOS, as_version=4).cells
    for kind in SOME
    if cell.cell_type == "code" and f"{kind}()" in cell.source
}
# JupyterLab's own: toolbars, prompts, editors. Ours are the outputs.
OURS = f"{lab.PANEL} .jp-OutputArea-output"
UNNAME = """() => {
  document.querySelector(".kl-explorer .noUi-handle").removeAttribute("aria-label");
}"""


def test_figures_in_jupyterlab(opened, notebook):
    assert sorted(CODE) == sorted(SOME)
    opened(*CODE.values())
    notebook.page.wait_for_selector(f"{lab.PANEL} .kl-explorer [role=slider][aria-label]")
    for name in ("play or pause", "stop", "repeat"):
        assert notebook.page.get_by_role("button", name=name, exact=True).count() >= 1
    assert problems(notebook.page, OURS) == []
    notebook.page.evaluate(UNNAME)
    assert any("field-name" in problem for problem in problems(notebook.page, OURS))  # noticed
