"""The committed notebooks keep the rules of tools/notebook_rules.py; so do the rules themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import notebook_rules as rules
import pytest
from nbformat import v4

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(p for p in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)

# What a student gets has not been run.
NOT_FOR_EXERCISES = {rules.run_in_order}


def test_the_notebook_that_make_lab_opens_is_there():
    assert FOLDER / "00_start_here.ipynb" in NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.relative_to(FOLDER)))
@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_notebook_keeps_the_rule(rule, path):
    if "exercises" in path.parts and rule in NOT_FOR_EXERCISES:
        pytest.skip("exercises are handed out before they are run")
    assert rule(rules.read(path)) == []


# --- the rules, on small notebooks: one that keeps them all, and ways to break each -------------

ALT = "Two clouds of points and the line between them"
PICTURE = v4.new_output(
    "display_data", {"image/png": "iVBORw0KGgo="}, metadata={"image/png": {"alt": ALT}}
)
WIDGET = v4.new_output("display_data", {rules.WIDGET_VIEW: {"model_id": "1"}, "text/plain": "Live"})

TEXT = """\
# A title with a formula $K_{ij} = k(x_i, x_j)$ and a ![drawing](picture.png)

| a table | is not counted |
|---|---|

Read [the notes](notes.md#part), [the web](https://example.org) or <img src="picture.png" alt="it">.
`![not a picture]()` and `[not a link](nowhere.md)` are code.
"""


def good(folder: Path) -> rules.Notebook:
    (folder / "notes.md").touch()
    (folder / "picture.png").touch()
    stream = v4.new_output("stream", name="stdout", text="gap 0.001, colour #0072b2, 3/4\n")
    cells = [
        v4.new_markdown_cell(TEXT),
        v4.new_code_cell("1 + 1", execution_count=1, outputs=[stream]),
        v4.new_code_cell("show()", execution_count=2, outputs=[PICTURE, WIDGET]),
    ]
    return rules.Notebook(folder / "good.ipynb", v4.new_notebook(cells=cells))


def test_a_good_notebook_keeps_all_rules(tmp_path):
    assert [rule(good(tmp_path)) for rule in rules.RULES] == [[]] * len(rules.RULES)


def text(notebook, source):
    notebook.node.cells[0].source = source


def code(notebook, source):
    notebook.node.cells[1].source = source


def output(notebook, **fields):
    notebook.node.cells[1].outputs = [v4.new_output(**fields)]


def prints(words):
    return lambda nb: output(nb, output_type="stream", text=words)


def fails(nb):
    output(nb, output_type="error", ename="ValueError", evalue="no", traceback=[])


def alt_text(alt):
    return lambda nb: nb.node.cells[2].outputs[0].metadata["image/png"].update(alt=alt)


def no_alt_text(nb):
    nb.node.cells[2].outputs[0].metadata = {}


def outputs(*new):
    return lambda nb: nb.node.cells[2].update(outputs=list(new))


def tag(name):
    return lambda nb: nb.node.cells[1].metadata.update(tags=[name])


def both(*breaks):
    return lambda nb: [b(nb) for b in breaks]


# Put together, so that no path of a machine stands in this file.
HOME, MAC = "/home" + "/alice", "/Users" + "/alice"
BROKEN: list[tuple[Callable, str, Callable]] = [
    (rules.valid, "old format", lambda nb: nb.node.update(nbformat_minor=4)),
    (rules.valid, "unknown field", lambda nb: nb.node.cells[1].update(colour="red")),
    (rules.run_in_order, "never run", lambda nb: nb.node.cells[1].update(execution_count=None)),
    (rules.run_in_order, "run twice", lambda nb: nb.node.cells[2].update(execution_count=3)),
    (rules.run_in_order, "starts late", lambda nb: nb.node.cells[1].update(execution_count=2)),
    (rules.errors_are_announced, "error", fails),
    (rules.errors_are_announced, "no error", tag("raises-exception")),
    (rules.strictly_compared, "tag", tag("nbval-ignore-output")),
    (rules.strictly_compared, "comment", lambda nb: code(nb, "# NBVAL_SKIP\n1")),
    (rules.no_widget_state, "state", lambda nb: nb.node.metadata.update(widgets={})),
    (rules.small, "too big", prints("many words\n" * 250_000)),
    (rules.nothing_of_this_machine, "address", prints("<object at 0x7f3a5c1d2e80>")),
    (rules.nothing_of_this_machine, "home", prints(f"saved in {HOME}/course/x.csv")),
    (rules.nothing_of_this_machine, "Mac", prints(f"in '{MAC}/x.py'")),
    (rules.nothing_of_this_machine, "Windows", prints(r"in C:\Users\alice\x.py")),
    (rules.nothing_of_this_machine, "warning", prints("/tmp/ipykernel_12/1.py:1: UserWarning")),
    (rules.nothing_of_this_machine, "source", lambda nb: code(nb, f"open('{HOME}/x.csv')")),
    (rules.pictures_have_alt_text, "missing", no_alt_text),
    (rules.pictures_have_alt_text, "empty", alt_text("  ")),
    (rules.pictures_have_alt_text, "short", alt_text("a picture")),
    (rules.pictures_have_alt_text, "markdown", lambda nb: text(nb, "![ ](picture.png)")),
    (rules.pictures_have_alt_text, "html", lambda nb: text(nb, '<img src="picture.png">')),
    (rules.pictures_before_widgets, "no picture", outputs(WIDGET)),
    (rules.pictures_before_widgets, "picture after", outputs(WIDGET, PICTURE)),
    (rules.pictures_before_widgets, "one for two", outputs(PICTURE, WIDGET, WIDGET)),
    (rules.short_code, "16 lines", lambda nb: code(nb, "# why\n\n" + "x = 1\n" * 16)),
    (rules.short_text, "141 words", lambda nb: text(nb, "word " * 141)),
    (rules.links_lead_somewhere, "link", lambda nb: text(nb, "[next](02_nothing.ipynb#top)")),
    (rules.links_lead_somewhere, "reference", lambda nb: text(nb, "[next]\n\n[next]: gone.md")),
    (rules.links_lead_somewhere, "html", lambda nb: text(nb, '<a href="gone.md">next</a>')),
    (rules.links_lead_somewhere, "image", lambda nb: text(nb, "![a drawing](gone.png)")),
    (rules.links_lead_somewhere, "attached", lambda nb: text(nb, "![it](attachment:gone.png)")),
]


@pytest.mark.parametrize(
    ("rule", "break_it"),
    [(r, b) for r, _, b in BROKEN],
    ids=[f"{r.__name__}-{w}" for r, w, _ in BROKEN],
)
def test_a_broken_notebook_is_told_so_by_that_rule_alone(tmp_path, rule, break_it):
    notebook = good(tmp_path)
    notebook = rules.Notebook(notebook.path, nbformat.from_dict(notebook.node))  # outputs copied
    break_it(notebook)
    assert [r.__name__ for r in rules.RULES if r(notebook)] == [rule.__name__]


def test_every_rule_has_been_seen_to_fail():
    assert {rule for rule, _, _ in BROKEN} == set(rules.RULES)


@pytest.mark.parametrize(
    "keep_it",
    [
        both(fails, tag("raises-exception")),
        lambda nb: code(nb, "# why\n\n" + "x = 1\n" * 15),
        lambda nb: text(
            nb, "word " * 140 + "$a + b + c$ `f(x) + g(x)`\n\n```\nfour words of code\n```"
        ),
        prints("a ratio of 1/2, 0x1f, https://example.org/ho" + "me/page, y/" + "root/z"),
        lambda nb: text(nb, "[a section](#part) and [mail](mailto:a@example.org)"),
    ],
    ids=["expected error", "15 lines", "140 words", "no path", "no file"],
)
def test_what_is_allowed_is_not_complained_about(tmp_path, keep_it):
    notebook = good(tmp_path)
    keep_it(notebook)
    assert [r.__name__ for r in rules.RULES if r(notebook)] == []


def test_rules_run_from_the_command_line(tmp_path, capsys):
    notebook = good(tmp_path)
    nbformat.write(notebook.node, notebook.path)
    assert rules.main([str(notebook.path)]) == 0
    code(notebook, "x = 1\n" * 16)
    nbformat.write(notebook.node, notebook.path)
    assert rules.main([str(notebook.path)]) == 1
    assert "has 16 lines of code" in capsys.readouterr().out
