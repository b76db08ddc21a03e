"""What `show` shows is the code that runs, and nothing else."""

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest
from IPython.display import Markdown

from kernellab.kernels import Gaussian
from kernellab.page.source import Source, shorten_docstring, show
from kernellab.solvers.perceptron import dual_perceptron, dual_perceptron_pass

ROOT = Path(__file__).resolve().parents[2]


def without_docstring(code):
    """Return the syntax of a function or class without what it says of itself."""
    (tree,) = ast.parse(code).body
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:]
    return ast.dump(tree)


@pytest.mark.parametrize("thing", [dual_perceptron, dual_perceptron_pass, Gaussian, Source])
def test_the_code_is_unchanged_but_for_the_docstring(thing):
    shown = Source(thing).code
    assert without_docstring(shown) == without_docstring(
        inspect.getsource(getattr(thing, "py_func", thing))
    )
    (tree,) = ast.parse(shown).body
    assert ast.get_docstring(tree) == inspect.getdoc(thing).splitlines()[0]


def test_show_displays_each_thing_in_turn(monkeypatch):
    displayed = []
    monkeypatch.setattr("IPython.display.display", displayed.append)
    assert show(dual_perceptron, Gaussian) is None
    assert [repr(shown).split("(")[0] for shown in displayed] == [
        "def dual_perceptron",
        "@dataclass",
    ]


# --- the docstring ------------------------------------------------------------------------------

LONG = '    """First.\n\n    More.\n    """\n'


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n{}    return x\n",
        "@cached\nclass A(B):\n{}\n    x = 1\n",
        'def f(x="""a\nb"""):\n{}    return """a\n    b"""\n',  # other strings are not touched
        'def f():\n{}    return r"\\|w\\|"\n',
    ],
)
def test_a_long_docstring_is_cut_to_its_first_line(code):
    assert shorten_docstring(code.format(LONG)) == code.format('    """First."""\n')


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


# --- what has no source ------------------------------------------------------------------------


@pytest.mark.parametrize("thing", [len, np.exp, 3, "text", int])
def test_what_has_no_source_is_an_error_that_names_it(thing):
    with pytest.raises(ValueError, match="thing must be a function or class of Python source"):
        show(dual_perceptron, thing)
