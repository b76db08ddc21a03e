"""What `show` shows is the code that runs, and nothing else."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest
from IPython.display import Markdown

import kernellab
from kernellab.kernels import Gaussian
from kernellab.page import source
from kernellab.page.source import Source, shorten_docstring, show
from kernellab.solvers.perceptron import dual_perceptron, dual_perceptron_pass

ROOT = Path(__file__).resolve().parents[2]


def without_docstring(code):
    """Return the syntax of a function or class without what it says of itself."""
    (tree,) = ast.parse(code).body
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:]
    return ast.dump(tree)


@pytest.mark.parametrize("thing", [dual_perceptron, source.show, Gaussian, Source])
def test_the_code_is_unchanged_but_for_the_docstring(thing):
    shown = Source(thing).code
    assert without_docstring(shown) == without_docstring(inspect.getsource(thing))
    (tree,) = ast.parse(shown).body
    assert ast.get_docstring(tree) == inspect.getdoc(thing).splitlines()[0]


def test_a_compiled_function_shows_what_was_compiled():
    shown = Source(dual_perceptron_pass).code
    assert shown.startswith("@compiled\ndef dual_perceptron_pass(")
    assert "scores += y[i] * K[i]" in shown
    # It is that code which runs: take it from the page, and compare.
    scope = {"compiled": lambda function: function, "Matrix": None, "Vector": None, "Order": None}
    exec(shown, scope)
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0])
    runs = []
    for run in (dual_perceptron_pass, scope["dual_perceptron_pass"]):
        alpha, scores = np.zeros(2), np.zeros(2)
        runs.append((run(K, y, alpha, scores, np.array([0, 1])), alpha.tolist(), scores.tolist()))
    assert runs[0] == runs[1]


def test_show_displays_each_thing_in_turn(monkeypatch):
    displayed = []
    monkeypatch.setattr("IPython.display.display", displayed.append)
    assert show(dual_perceptron, Gaussian) is None
    assert [repr(shown).split("(")[0] for shown in displayed] == [
        "def dual_perceptron",
        "@dataclass",
    ]


def test_the_public_name_is_this_function():
    assert kernellab.show is show


# --- the docstring ------------------------------------------------------------------------------

LONG = '    """First.\n\n    More.\n    """\n'


def test_a_long_docstring_is_cut_to_its_first_line():
    code = f"def f(x):\n{LONG}    return x\n"
    assert shorten_docstring(code) == 'def f(x):\n    """First."""\n    return x\n'
    code = f"@cached\nclass A(B):\n{LONG}\n    x = 1\n"
    assert shorten_docstring(code) == '@cached\nclass A(B):\n    """First."""\n\n    x = 1\n'


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """First."""\n    return 1\n',
        "def f():\n    return 1\n",
        'def f():\n    text = """two\n    lines"""\n    return text\n',
        "f = 1\n",
        '    "square": lambda x: x * x,\n',
    ],
)
def test_a_short_docstring_and_none_at_all_are_left(code):
    assert shorten_docstring(code) == code


def test_no_other_string_is_taken_for_the_docstring():
    code = f'def f(x="""a\nb"""):\n{LONG}    return """a\n    b"""\n'
    assert shorten_docstring(code) == (
        'def f(x="""a\nb"""):\n    """First."""\n    return """a\n    b"""\n'
    )


def test_backslashes_are_kept():
    code = 'def f():\n    r"""The norm \\|w\\| of \\1.\n\n    More.\n    """\n'
    assert shorten_docstring(code) == 'def f():\n    r"""The norm \\|w\\| of \\1."""\n'


def test_a_method_starts_at_the_margin():
    shown = Source(Gaussian.diag).code
    assert shown.startswith("def diag(self, X")
    assert "\n    return " in shown


# --- the link ----------------------------------------------------------------------------------


def test_a_link_where_the_file_lies_in_the_readers_tree(monkeypatch):
    monkeypatch.chdir(ROOT / "tests")
    markdown = Source(dual_perceptron)._repr_markdown_()
    first, fence, *_ = markdown.splitlines()
    assert first == "[`kernellab/solvers/perceptron.py`](../kernellab/solvers/perceptron.py)"
    assert fence == "```python"
    assert markdown.endswith("```")
    assert Markdown(markdown)


def test_no_link_where_it_does_not(monkeypatch, tmp_path):
    installed = tmp_path / "site-packages/kernellab/solvers/perceptron.py"
    installed.parent.mkdir(parents=True)
    shown = Source(dual_perceptron)
    shown.file = installed
    assert shown._repr_markdown_().splitlines()[0] == "`kernellab/solvers/perceptron.py`"


def test_code_of_the_reader_has_only_a_name():
    def mine(x):
        return x

    markdown = Source(mine)._repr_markdown_()
    assert markdown.startswith("`test_source.py`\n```python\n")


# --- what has no source ------------------------------------------------------------------------


@pytest.mark.parametrize("thing", [len, np.exp, 3, "text", int])
def test_what_has_no_source_is_an_error_that_names_it(thing):
    with pytest.raises(ValueError, match="thing must be a function or class of Python source"):
        show(dual_perceptron, thing)
