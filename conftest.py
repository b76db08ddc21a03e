"""What `pytest --nbval` compares beyond its choice, a fixture, what a run prints at its end."""

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the mutation scores of the exercises, which workers cannot print themselves."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    scores = sorted(
        value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == "mutation score" and report.when == "call"
    )
    if scores:
        terminalreporter.section("mutation scores of the exercises")
        terminalreporter.write_line("\n".join(scores))
