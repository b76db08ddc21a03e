"""Real Jupyter servers, and a notebook in them as a person has it in front of them."""

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
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal

import show_demos

import kernellab

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# JupyterLab as it is when nobody has changed it, but for the news pop-up.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
}

# --- servers -------------------------------------------------------------------------------------


def find_chromium() -> str | None:
    """Path of an installed Chromium or Chrome; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def running_server(
    command: list[str], home: Path, ready: str, variables: Mapping[str, str] = os.environ
) -> Iterator[tuple[str, str]]:
    """Start a Jupyter server on a free port with a token of its own; yields address and token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    # The kernels of the server must find the package also where it is not installed.
    checkout = str(Path(kernellab.__file__).parents[1])
    environment = {
        **variables,
        "PYTHONPATH": os.pathsep.join([checkout, variables.get("PYTHONPATH", "")]).rstrip(
            os.pathsep
        ),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_TOKEN": token,
    }
    for plugin, values in SETTINGS.items():
        package, name = plugin.split(":")
        file = home / "settings" / package / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    arguments = [sys.executable, "-m", *command, f"--port={port}", "--no-browser"]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(arguments, env=environment, stdout=log, stderr=log, cwd=home)
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until_ready(f"{address}{ready}?token={token}", process, home / "server.log")
            yield address, token
        finally:
            process.terminate()  # the server ends its kernels
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until_ready(url: str, process: subprocess.Popen[Any], log: Path) -> None:
    """Wait until the server answers; its log is in the error if it does not."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-3000:]}")


Server = AbstractContextManager[tuple[str, str]]
AS_ROOT = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def jupyter_lab(home: Path, root: Path) -> Server:
    """JupyterLab over the folder ``root``: a context manager that yields (address, token)."""
    options = [f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True"]
    options += ["--LabApp.news_url=None", "--ServerApp.port_retries=0"]
    return running_server(["jupyterlab", *options, *AS_ROOT], home, "/api/status")


def demos(home: Path, notebook: Path = show_demos.DEMOS) -> Server:
    """The application of `make demos`: a context manager that yields (address, token)."""
    command = ["voila", str(notebook), *show_demos.FLAGS, "--port_retries=0", "--token"]
    return running_server(command, home, "/voila/static/voila.js", show_demos.environment())


# --- a notebook ----------------------------------------------------------------------------------

PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
# The notebook that is to be seen: `shell.currentWidget` is null until the page has the focus.
WIDGET = """[...window.jupyterapp?.shell?.widgets("main") ?? []]
  .find(widget => widget.isVisible && widget.sessionContext)"""
KERNEL = f"{WIDGET}?.sessionContext.session?.kernel"

RUN_IN_KERNEL = f"""async code => {{
  const future = {KERNEL}.requestExecute({{ code, store_history: false }});
  let said = "";
  future.onIOPub = ({{ header, content }}) => {{
    if (header.msg_type === "stream") said += content.text;
    if (header.msg_type === "error") said += content.traceback.join("\\n");
  }};
  const reply = await future.done;
  return [reply.content.status, said];
}}"""

ERROR_OUTPUTS = f"""() => [...{WIDGET}.content.model.cells]
  .filter(cell => !(cell.getMetadata("tags") ?? []).includes("raises-exception"))
  .flatMap(cell => cell.toJSON().outputs ?? [])
  .filter(output => output.output_type === "error")
  .map(output => `${{output.ename}}: ${{output.evalue}}`)"""

OUTPUTS = f"""() => [...{WIDGET}.content.model.cells]
  .flatMap(cell => cell.toJSON().outputs ?? [])
  .map(output => output.data === undefined ? output.output_type
    : Object.keys(output.data).find(key => key.includes("widget")) ? "widget"
    : Object.keys(output.data).find(key => key !== "text/plain") ?? "text/plain")"""

FORGET_WIDGETS = "import ipywidgets; ipywidgets.Widget.close_all(); figure = None"
CLOSE_ALL = """async ([shared, code]) => {
  for (const widget of [...window.jupyterapp.shell.widgets("main")]) {
    const kernel = widget.sessionContext?.session?.kernel;
    if (kernel?.id === shared) await kernel.requestExecute({ code }).done;
    else await widget.sessionContext?.shutdown();
    if (widget.context) widget.context.model.dirty = false;
    widget.close();
  }
}"""


class Notebook:
    """An open notebook in JupyterLab."""

    def __init__(self, page: Any, address: str, token: str) -> None:
        self.page = page
        self.address = address
        self.token = token
        self.shared_kernel: str | None = None

    def open(self, name: str, *, kernel: Literal["shared", "own", "none"] = "own") -> None:
        """Open a notebook of the server's folder, and wait for its kernel.

        Starting a kernel takes seconds, so tests that do it no harm share one.
        """
        if not self.page.url.startswith(f"{self.address}/lab"):
            self.page.goto(f"{self.address}/lab?token={self.token}&reset")
            self.page.wait_for_function("() => window.jupyterapp?.shell", timeout=60_000)
            self.page.evaluate("() => window.jupyterapp.restored.then(() => null)")
        preference: dict[str, Any] = {"shouldStart": kernel != "none"}
        if kernel == "shared" and self.shared_kernel:
            preference["id"] = self.shared_kernel
        self.command("docmanager:open", path=name, kernelPreference=preference)
        self.page.wait_for_selector(f"{PANEL} .jp-Notebook .jp-Cell", timeout=60_000)
        if kernel != "none":
            self.wait_for_kernel()
        if kernel == "shared":
            self.shared_kernel = self.page.evaluate(f"() => {KERNEL}.id")

    def wait_for_kernel(self) -> None:
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=60_000)

    def run_all(self) -> None:
        """Run all cells and wait until they are done."""
        self.command("notebook:run-all-cells")
        self.wait_for_kernel()

    def command(self, name: str, **options: Any) -> None:
        """Run a command of JupyterLab, and wait until it is done."""
        run = "([name, options]) => window.jupyterapp.commands.execute(name, options)"
        self.page.evaluate(f"{run}.then(() => null)", [name, options])

    def python(self, code: str) -> str:
        """Run code in the kernel, beside the cells; returns what it printed."""
        status, said = self.page.evaluate(RUN_IN_KERNEL, code)
        assert status == "ok", said
        return str(said)

    def errors(self) -> list[str]:
        """Return the error outputs of the cells."""
        return list(self.page.evaluate(ERROR_OUTPUTS))

    def outputs(self) -> list[str]:
        """Return what the cells put out, in order: their most telling format, or what else."""
        return list(self.page.evaluate(OUTPUTS))

    def save(self) -> None:
        """Save the notebook, as Ctrl+S does."""
        self.command("docmanager:save")

    def shut_down_kernel(self) -> None:
        """End the kernel, without a question."""
        self.page.evaluate(f"() => {WIDGET}.sessionContext.shutdown()")

    def start_kernel(self) -> None:
        """Start a kernel where there is none."""
        self.page.evaluate(
            f"() => {WIDGET}.sessionContext.changeKernel({{ name: 'python3' }}).then(() => null)"
        )
        self.wait_for_kernel()

    def crash_kernel(self) -> None:
        """Kill the kernel's process; the server starts another."""
        self.page.evaluate(
            f"code => {{ {KERNEL}.requestExecute({{ code }}) }}",
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        )

    def restart_kernel(self) -> None:
        """Start the kernel anew, without a question."""
        self.page.evaluate(f"() => {WIDGET}.sessionContext.restartKernel().then(() => null)")
        self.wait_for_kernel()

    def close_all(self) -> None:
        """Close all notebooks, unsaved, and end their kernels, or what lives in the shared one."""
        self.page.evaluate(CLOSE_ALL, [self.shared_kernel, FORGET_WIDGETS])
