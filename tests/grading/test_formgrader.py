"""A notebook that was graded can be looked at in formgrader, and the teacher is told how."""

from __future__ import annotations

import html
import re

import exercises
import grading
import nbformat
import pytest
from handed_in import IN_OTHER_WAYS, SOURCE, filled
from nbconvert import HTMLExporter
from nbgrader.apps.nbgraderapp import NbGraderApp
from texts import is_harmless, text_cell

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


REFUSED = [
    "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))", "[x](javascript\\:alert(1))", "[x](<javascript:alert(1)>)",
    "[x](java\tscript:alert(1))", "[x](\n javascript:alert(1))", "![x](javascript:alert(1))",
    "[x](attachment:javascript:alert(1))", "[x](data:text/html,alert(1))", "[x](vbscript:alert(1))",
    "[x][r]\n\n[r]: javascript:alert(1)", "[x][r]\n\n[r]:\n  <javascript:alert(1)>",
    "<javascript:alert(1)>", "[x](//[y](javascript:alert(1)))", "[x](file:///alert(1))",
    r"$\href{javascript:alert(1)}{x}$", "&#36;&#92;href{javascript:alert(1)}{x}&#36;",
    r'$\mmlToken{mi}[href="javascript:alert(1)"]{x}$', r"$\require{html}$ alert(1)",
    "> [x](\n> javascript:alert(1))", "- [x](\n  javascript:alert(1))",
    "> [r]\n>\n> [r]:\n> javascript:alert(1)", "- [r]\n\n  [r]:\n  javascript:alert(1)",
    "[x](files/javascript:alert(1))", "[x](\x01javascript:alert(1))", "[x](java\n>script:alert(1))",
    "<p\nonclick='alert(1)'>x</p>", "a <b onclick='alert(1)'>b</b>", "<!-- > alert(1) -->",
    "````\n<script>alert(1)</script>\n```\n````\n<img src=x onerror='alert(1)'>",
    "$$\n```\n$$\n<img src=x onerror='alert(1)'>", "~~~mermaid\nclick A href 'alert(1)'\n~~~",
    "![x](attachment:gone.png) alert(1)",
    "```mermaid\nclick A href 'javascript:alert(1)'\n```",
]  # fmt: skip
KEPT = ["https://a.de/b?c&d", "http://a.de", "mailto:a@b.de", "#top", "../03_kernel_trick.ipynb"]
HARMFUL = re.compile(
    r"<script|<\w[^<>]* on\w+=|\\(?:href|mmlToken|require)|class=\"mermaid"
    r"|<\w[^<>]*(?:href|src)=\"(?!https?:|mailto:|//|#|[^\":]*\")"
)


def shown(text: str) -> str:
    """Return the body of formgrader's page of one text cell that a student wrote."""
    cell = text_cell(nbformat.v4.new_markdown_cell(text))
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(
        nbformat.v4.new_notebook(cells=[cell])
    )
    return page[page.index("<body") :]


@pytest.mark.parametrize("text", REFUSED)
def test_a_link_that_runs_something_is_shown_as_text(text):
    page = shown(text)
    assert "alert(1)" in html.unescape(page)
    assert not HARMFUL.search(html.unescape(re.sub("(?s)<pre>.*?</pre>", "", page)))


def test_what_is_shown_as_text_is_shown_whole():
    typed = "Two lists:\n````\n$$\n```\n<b>fat</b> \\href"
    code = html.unescape(re.findall("(?s)<pre><code>(.*?)</code></pre>", shown(typed))[0])
    assert code == f"{typed}\n"
    assert not is_harmless(nbformat.v4.new_markdown_cell("[" * 100_000))  # nor read slowly


@pytest.mark.parametrize("link", KEPT)
def test_a_link_that_leads_somewhere_is_left(link):
    page = shown(f"see [this]({link}), [r] and $a <b$\n\n> [r]: {link}")
    assert page.count(f'href="{html.escape(link)}"') == 2
    assert "$a &lt;b$" in page


@pytest.mark.parametrize(
    "page", ["README.md", "notebooks/solutions/README.md", "docs/jupyterhub.md"]
)
def test_nbgrader_has_the_commands_that_the_teacher_is_told(page):
    text = (exercises.ROOT / page).read_text(encoding="utf-8")
    told = set(re.findall(r"(?:^|`)nbgrader (\w+)", text, re.MULTILINE))
    assert told <= set(NbGraderApp().subcommands)
