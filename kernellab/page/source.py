"""Show the package's own code on the page: the code that is read is the code that runs."""

from __future__ import annotations

import ast
import inspect
import os
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Source:
    """The source of a function or class, as a notebook output with a link to its file.

    The docstring is cut to its first line, because the lesson around it says the rest; the code is
    unchanged.
    """

    def __init__(self, thing: Callable[..., Any] | type) -> None:
        plain = getattr(thing, "py_func", thing)  # the Python function behind a compiled one
        try:
            self.code = shorten_docstring(textwrap.dedent(inspect.getsource(plain)))
            self.file = Path(inspect.getsourcefile(plain) or "")
        except (OSError, TypeError):
            raise ValueError(
                f"thing must be a function or class of Python source, got {thing!r}"
            ) from None

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        package = next((p for p in self.file.parents if p.name == "kernellab"), None)
        name = self.file.relative_to(package.parent).as_posix() if package else self.file.name
        # A link only where the file is in the reader's tree: JupyterLab opens it beside the lesson.
        near = package is not None and (package.parent / "notebooks").is_dir()
        link = f"[`{name}`]({Path(os.path.relpath(self.file)).as_posix()})" if near else f"`{name}`"
        return f"{link}\n```python\n{self.code}```"


def show(*things: Callable[..., Any] | type) -> None:
    """Show the source of functions or classes of the package, highlighted, each with its file.

    Raises ValueError if one of ``things`` has no Python source.
    """
    from IPython.display import display

    for source in [Source(thing) for thing in things]:
        display(source)


def shorten_docstring(code: str) -> str:
    """Return the code of a function or class with its docstring cut to the first line."""
    try:
        definition = ast.parse(code).body[0]
    except SyntaxError:  # no whole statement: a lambda in the middle of a line
        return code
    if not isinstance(definition, ast.FunctionDef | ast.ClassDef):
        return code
    docstring = definition.body[0]
    if ast.get_docstring(definition) is None or docstring.lineno == docstring.end_lineno:
        return code
    lines = code.splitlines(keepends=True)
    opening = lines[docstring.lineno - 1].rstrip()
    quotes = opening.lstrip(" rR")[:3]
    lines[docstring.lineno - 1 : docstring.end_lineno] = [f"{opening}{quotes}\n"]
    return "".join(lines)
