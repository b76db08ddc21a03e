"""What `pytest --nbval` compares beyond nbval's own choice."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("bank")  # the tests of all lessons' exercises


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Compare the metadata of outputs too: it holds the alt texts.

    nbval skips it, and images altogether, so that a figure could change its findings or vanish
    unnoticed. Every figure has an alt text, so one list of them an output cell notices both.
    """
    skipped = getattr(collector, "skip_compare", None)
    if skipped is not None and collector.path.suffix == ".ipynb":
        collector.skip_compare = tuple(key for key in skipped if key != "metadata")
