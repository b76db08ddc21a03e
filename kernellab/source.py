"""Show the package's own code on the page: the code that is read is the code that runs."""

from __future__ import annotations

import inspect
import os
import re
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
            self.code = shorten_docstring(inspect.getsource(plain), inspect.getdoc(plain))
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

    Raises
    ------
    ValueError
        If one of ``things`` has no Python source.
    """
    from IPython.display import display

    for source in [Source(thing) for thing in things]:
        display(source)


def shorten_docstring(code: str, docstring: str | None) -> str:
    """Return ``code`` with its docstring cut to the first line."""
    if not docstring or "\n" not in docstring:
        return code
    first = docstring.splitlines()[0]
    return re.sub(r'"""(?:.|\n)*?"""', lambda _: f'"""{first}"""', code, count=1)
