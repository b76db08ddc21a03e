"""A real JupyterLab in a real Chromium, as the browser tests and the latency report use it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# A clean page: no news pop-up, no question about updates, and every cell attached to the page.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}


def find_chromium() -> str | None:
    """Path of an installed Chromium or Chrome; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def running_server(command: list[str], home: Path, ready: str) -> Iterator[tuple[str, str]]:
    """Start a Jupyter server on a free port with a token of its own; yields address and token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    environment = os.environ | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_TOKEN": token,
    }
    settings = home / "settings"
    for plugin, values in SETTINGS.items():
        package, name = plugin.split(":")
        file = settings / package / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    log = (home / "server.log").open("w")
    arguments = [sys.executable, "-m", *command, f"--port={port}", "--no-browser"]
    process = subprocess.Popen(arguments, env=environment, stdout=log, stderr=log, cwd=home)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(f"{address}{ready}?token={token}", process, home / "server.log")
        yield address, token
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
        log.close()


def wait_until_ready(url: str, process: subprocess.Popen[Any], log: Path) -> None:
    """Wait until the server answers; its log is in the error if it does not."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-3000:]}")


def jupyter_lab(home: Path, root: Path) -> Any:
    """JupyterLab over the folder ``root``: a context manager that yields (address, token)."""
    root_allowed = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [
        "jupyterlab",
        f"--ServerApp.root_dir={root}",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--ServerApp.port_retries=0",
        *root_allowed,
    ]
    return running_server(command, home, "/api/status")


KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
NO_CELL_IS_RUNNING = (
    "![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('[*]'))"
)


class Notebook:
    """An open notebook, as a person has it in front of them."""

    def __init__(self, page: Any, address: str, token: str) -> None:
        self.page = page
        self.address = address
        self.token = token

    def open(self, name: str) -> None:
        """Open a notebook and wait for its kernel."""
        self.page.goto(f"{self.address}/lab/tree/{name}?token={self.token}&reset")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        self.page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=60_000)

    def run_all(self, timeout: float = 240) -> None:
        """Run all cells and wait until they are done."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            f"() => {KERNEL}.status === 'idle' && {NO_CELL_IS_RUNNING}", timeout=timeout * 1000
        )

    def command(self, name: str) -> None:
        """Run a command of JupyterLab, and wait until it is done."""
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def errors(self) -> list[str]:
        """Return the error outputs that the reader sees."""
        return self.page.locator(
            "[data-mime-type='application/vnd.jupyter.error']"
        ).all_inner_texts()
