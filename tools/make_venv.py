"""Make a virtual environment, or say in words why it cannot be made: make_venv.py FOLDER.

Written for Python 3.6 and later, so that one that is too old can say so.
"""

import subprocess
import sys
from pathlib import Path


def main(folder: str) -> None:
    """Make `folder` a virtual environment with pip, unless it is one already."""
    if sys.version_info < (3, 11):  # noqa: UP036  (an old one has to be told)
        sys.exit(
            f"kernellab needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}.\n"
            "Name a newer one, for example: make lab PYTHON=python3.12"
        )
    if works(folder):
        return
    try:
        import ensurepip  # noqa: F401  (Debian splits both off)
        import venv
    except ImportError:
        sys.exit(
            f"This Python ({sys.executable}) cannot make virtual environments: "
            "its venv module is not installed.\n"
            "On Debian or Ubuntu: sudo apt install python3-venv"
        )
    print(f"Making a virtual environment in {folder}", flush=True)
    try:
        venv.create(folder, clear=True, symlinks=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"The virtual environment {folder} could not be made: {error}")


def works(folder: str) -> bool:
    """Whether `folder` already holds a Python that has pip (an interrupted run leaves one half)."""
    try:
        subprocess.check_output([str(Path(folder) / "bin" / "python"), "-m", "pip", "--version"])
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1])
