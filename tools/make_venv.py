"""Make a virtual environment, or say in words why it cannot be made: make_venv.py FOLDER.

Written for any Python 3, so that an old one can read this far and be told that it is too old.
"""

import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)


def main(folder: str) -> None:
    """Make `folder` a virtual environment with pip, unless it is one already."""
    if sys.version_info < OLDEST:
        sys.exit(
            "kernellab needs Python {}.{} or newer; {} is Python {}.{}.\n"
            "Name a newer one, for example: make lab PYTHON=python3.12".format(
                *OLDEST, sys.executable, *sys.version_info[:2]
            )
        )
    if works(folder):
        return
    try:
        import ensurepip  # noqa: F401  (Debian splits both off)
        import venv
    except ImportError:
        sys.exit(
            "This Python ({}) cannot make virtual environments: its venv module is not installed.\n"
            "On Debian or Ubuntu: sudo apt install python3-venv".format(sys.executable)
        )
    print("Making a virtual environment in {}".format(folder), flush=True)
    try:
        venv.create(folder, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit("The virtual environment {} could not be made: {}".format(folder, error))


def works(folder: str) -> bool:
    """Whether `folder` already holds a Python that has pip (an interrupted run leaves one half)."""
    python = Path(folder) / "bin" / "python"
    if not python.exists():
        return False
    return (
        subprocess.run(
            [str(python), "-m", "pip", "--version"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).returncode
        == 0
    )


if __name__ == "__main__":
    main(sys.argv[1])
