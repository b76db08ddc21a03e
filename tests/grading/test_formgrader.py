"""A notebook that was graded can be looked at in formgrader, and the teacher is told how."""

from __future__ import annotations

import re

import exercises
import grading
import nbformat
import pytest
from handed_in import IN_OTHER_WAYS, SOURCE, filled
from nbconvert import HTMLExporter
from nbgrader.apps.nbgraderapp import NbGraderApp

SCRIPT = "<script>steal()</script>"


def test_formgrader_can_show_it_and_runs_nothing_of_it():
    notebook = filled(IN_OTHER_WAYS)
    wrote = f"if $a <b$ {SCRIPT} ![gone](attachment:gone.png) ![too](attachment:too.png 'gone')"
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(wrote))
    graded = grading.restored(notebook, exercises.source(exercises.read(SOURCE)))
    shown = {"text/html": SCRIPT, "text/plain": "seen", "image/svg+xml": f"<svg>{SCRIPT}</svg>"}
    output = nbformat.v4.new_output("display_data", data=shown)
    graded.cells[2].outputs = [grading.clean(output)]
    # Formgrader's page is made by this template; of a picture that is missing it makes an error.
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(graded)
    assert "steal()" in page
    assert SCRIPT not in page
    assert "seen" in page
    pictures = re.findall(r"attachment:expected", "".join(cell.source for cell in notebook.cells))
    assert page.count('src="data:image/png') == len(pictures) > 3


@pytest.mark.parametrize(
    "page", ["README.md", "notebooks/solutions/README.md", "docs/jupyterhub.md"]
)
def test_nbgrader_has_the_commands_that_the_teacher_is_told(page):
    text = (exercises.ROOT / page).read_text(encoding="utf-8")
    told = set(re.findall(r"(?:^|`)nbgrader (\w+)", text, re.MULTILINE))
    assert told <= set(NbGraderApp().subcommands)
