"""A progress bar that leaves nothing behind: what a notebook keeps does not depend on the clock."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TypeVar

from IPython.display import display

Item = TypeVar("Item")


class InPlace(io.TextIOBase):
    """A stream whose last line is shown in one place; ``words`` stand there before and after."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.handle = display({"text/plain": words}, raw=True, display_id=True)

    def write(self, text: str) -> int:
        """Show a line instead of the one before."""
        if self.handle is not None:
            self.handle.update({"text/plain": text.strip("\r\n ") or self.words}, raw=True)
        return len(text)


def progress_bar(items: Sequence[Item]) -> Iterable[Item]:
    """Return the items, with tqdm's bar while a loop goes through them, if tqdm is installed."""
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:  # it comes with the notebooks' tools, not with the package
        return items
    return tqdm(
        items, file=InPlace(f"{len(items)} models, tried one after another"), leave=False, ncols=70
    )
