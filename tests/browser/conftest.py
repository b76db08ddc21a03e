"""One browser and one JupyterLab a session; every test has a notebook and a kernel of its own.

The browser is Chromium, or with KERNELLAB_BROWSER Firefox or WebKit; tests that run there too are
marked so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import browsers
import lab
import nbformat
import numpy as np
import pytest
from figures import Figure
from nbformat import v4

ROOT = Path(__file__).resolve().parents[2]
IN_CI = os.environ.get("CI", "").lower() not in {"", "0", "false", "no"}


# Several workers take a file each: those that take longest are not to be the last.
LONGEST = ("test_demos.py", "test_live_figures.py", "test_slides.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser, and put the longest files first."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
    items.sort(key=lambda item: item.path.name not in LONGEST)


def cannot(reason: str) -> None:
    """Skip, saying why; in CI nothing is skipped."""
    if IN_CI:
        pytest.fail(f"{reason}, and in CI browser tests are not skipped")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A running browser."""
    try:
        with browsers.running(os.environ.get("KERNELLAB_BROWSER", "chromium")) as browser:
            yield browser
    except browsers.MissingError as missing:
        cannot(str(missing))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that JupyterLab opens: the course is copied there, so nothing in it changes."""
    return tmp_path_factory.mktemp("course")


# When a key was pressed or the pointer moved; heard before anything of the page hears it.
HAPPENED = """for (const type of ["keydown", "pointermove", "pointerrawupdate"]) {
  addEventListener(type, event => { window.happened ??= event.timeStamp }, { capture: true });
}"""


@pytest.fixture(scope="session")
def jupyter(
    browser: Any, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[lab.Notebook]:
    """A page of JupyterLab."""
    with lab.jupyter_lab(tmp_path_factory.mktemp("home"), folder) as (address, token):
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(30_000)
        page.add_init_script(HAPPENED)
        yield lab.Notebook(page, address, token)
        page.close()


@pytest.fixture
def write(folder: Path, request: pytest.FixtureRequest) -> Callable[..., str]:
    """Return a function that writes a notebook of the given cells, and returns its name."""
    name = re.sub(r"\W+", "_", request.node.name) + ".ipynb"

    def write(*cells: str) -> str:
        notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, folder / name)
        return name

    return write


# What JupyterLab itself throws when a notebook is opened without a kernel.
JUPYTERLABS_OWN = ("Cannot read properties of null (reading 'kernel')",)


@pytest.fixture
def notebook(jupyter: lab.Notebook, request: pytest.FixtureRequest) -> Iterator[lab.Notebook]:
    """JupyterLab, for one test: what it opens is closed again, and a failure is photographed."""
    problems: list[str] = []

    def note(problem: Any) -> None:
        if str(problem) not in JUPYTERLABS_OWN:
            problems.append(str(problem))

    jupyter.page.on("pageerror", note)
    yield jupyter
    jupyter.page.remove_listener("pageerror", note)
    if request.node.stash.get(FAILED, False):
        keep_screenshot(jupyter.page, request.node)
        jupyter.page.goto("about:blank")  # the next test starts from a fresh page …
        jupyter.shared_kernel = None  # … and a fresh kernel
    else:
        jupyter.close_all()
        assert problems == []


@pytest.fixture
def opened(notebook: lab.Notebook, write: Callable[..., str]) -> Callable[..., Figure]:
    """Return a function that runs cells in a new notebook, and returns its first live figure."""

    def opened(*cells: str, kernel: Literal["shared", "own"] = "shared") -> Figure:
        notebook.open(write(*cells), kernel=kernel)
        notebook.run_all()
        assert notebook.errors() == []
        return Figure(notebook.page, lab.PANEL).ready()

    return opened


# --- screenshots of failures ---------------------------------------------------------------------

FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[Any]:
    """Remember whether a test failed, for the fixtures that end after it."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


def keep_screenshot(page: Any, item: pytest.Item) -> None:
    """Save what the page shows to test-results/browser."""
    file = ROOT / "test-results/browser" / (re.sub(r"\W+", "_", item.name) + ".png")
    file.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=file)


# --- how fast it was -----------------------------------------------------------------------------

LATENCIES = pytest.StashKey[dict[str, dict[str, Any]]]()
START = "from {} to the first live figure"


@pytest.fixture
def latencies(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """What `test_latency.py` measures, for the table at the end."""
    return request.config.stash.setdefault(LATENCIES, {})


@pytest.fixture
def started(record_property: Callable[[str, object], None]) -> Callable[[str, float], None]:
    """Return a function that notes how long a start took, to be printed at the end."""
    # With the report of the test, because that comes back from another process too.
    return lambda what, seconds: record_property(START.format(what), f"{seconds:.1f} s")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print how long starts took and the table of latencies, and keep that in test-results."""
    said = {
        name: value
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name.endswith(START.partition("{}")[2])
    }
    for name, value in said.items():
        terminalreporter.write_line(f"{name}: {value}")
    measured = config.stash.get(LATENCIES, {})
    if not measured:
        return
    columns = ("echo", "slider", "point", "handle")
    above = ("slider - echo", "point - echo")
    lines = [f"{'ms, p50 / p95':24}" + "".join(f"{name:>15}" for name in (*columns, *above))]
    lines[0] += "    load"
    for figure, row in measured.items():
        times = {name: np.percentile(row[name], [50, 95]) for name in columns if name in row}
        if "echo" in times:  # what the picture costs
            times |= {
                f"{name} - echo": times[name] - times["echo"]
                for name in ("slider", "point")
                if name in times
            }
        cells = "".join(
            f"{times[name][0]:7.0f} /{times[name][1]:6.0f}" if name in times else f"{'–':>15}"
            for name in (*columns, *above)
        )
        lines.append(f"{figure:24}{cells}{row['load']:8.1f}")
    terminalreporter.section("from a key or the pointer to the pixels")
    terminalreporter.write_line("\n".join(lines))
    (ROOT / "test-results").mkdir(exist_ok=True)
    (ROOT / "test-results/latency.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
