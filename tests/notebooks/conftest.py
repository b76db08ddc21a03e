"""The counts of all lessons, printed at the end of a run of this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import notebook_rules as rules

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the counts of all lessons."""
    terminalreporter.section("what there is to read")
    for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")):
        found = rules.counts(rules.read(path))
        said = "".join(f"{number:6} {what}" for what, number in found.items())
        terminalreporter.write_line(f"{path.stem:26}{said}")
