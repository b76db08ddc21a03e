"""The course for the browser, built once from pinned parts, and handed out by a plain server."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import lab
import pytest
from distribution import ROOT, NotToBeHadError, distribution


@pytest.fixture(scope="session")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that `make lite PYODIDE=…` makes."""
    try:
        pyodide = distribution()
    except NotToBeHadError as reason:
        pytest.skip(f"Pyodide's distribution is not to be had: {reason}")
    out = tmp_path_factory.mktemp("course") / "lite"
    command = ["make", "--no-print-directory", "lite", f"PYODIDE={pyodide}", f"LITE_OUT={out}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="session")
def address(lite: Path) -> Iterator[str]:
    """Return where a plain server hands out the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "http.server", port, "--bind=127.0.0.1", "--directory", lite]
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent) as server:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", int(port)), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """Return a Chromium that finds no other machine than this one, workers included."""
    if (path := lab.find_chromium()) is None:
        pytest.skip("there is no chromium; install one, or name it in CHROMIUM")
    from playwright.sync_api import sync_playwright

    alone = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=[*lab.CHROMIUM_FLAGS, alone]
        )
        yield browser
        browser.close()
