"""Show the demos as an application, in a browser and without the network: show_demos.py [FLAG …].

What Voilà does by itself but for three things: its page asks no far server for icons, of the
extensions of JupyterLab only those that draw widgets are loaded (others expect a whole JupyterLab),
and what a figure answers is sent at once.
The flags are Voilà's own, such as --no-browser or --port=8870.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEMOS = ROOT / "notebooks" / "demos.ipynb"
TEMPLATES = ROOT / "tools" / "demos"  # laid out as one of Jupyter's folders for data
CONFIG = TEMPLATES / "config"  # what Voilà is told besides flags
EXTENSIONS = (
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
)
FLAGS = (
    f"--Voila.config_file_paths={CONFIG}",
    "--template=demos",
    "--progressive_rendering=True",  # the first figure is there while the last are being made
    "--Voila.kernel_websocket_connection_class=kernellab.live.server.PromptConnection",
    *(f"--VoilaConfiguration.extension_allowlist={name}" for name in EXTENSIONS),
)


def environment() -> dict[str, str]:
    """Return the variables that Voilà and its kernels need to find our template and the package."""
    before = {name: os.environ.get(name, "") for name in ("JUPYTER_PATH", "PYTHONPATH")}
    paths = {"JUPYTER_PATH": str(TEMPLATES), "PYTHONPATH": str(ROOT)}
    return {
        "JUPYTER_WIDGETS_ECHO": "0",  # as kernellab.live.server has it for JupyterLab
        **os.environ,
        **{name: os.pathsep.join(filter(None, [paths[name], before[name]])) for name in paths},
    }


def main(flags: list[str]) -> int:
    """Run Voilà until it is stopped with Ctrl+C."""
    command = [sys.executable, "-m", "voila", str(DEMOS), *FLAGS, *flags]
    try:
        return subprocess.run(command, env=environment()).returncode
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
