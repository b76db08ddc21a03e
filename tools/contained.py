"""Run the cells of one notebook that somebody handed in, contained as far as this machine can.

With bubblewrap (`bwrap`, a package of every Linux) an answer sees the system's programs, Python and
the course, all read-only, and an empty folder of its own. It sees no other student's folder, no
marks, no home folder, no process but its own, and no network. Where there is none, only time and
memory are limited, and `words` says so.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import site
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HOME = "/answers"  # where an answer's own folder is, in the container
RUNNER = ROOT / "tools" / "run_answers.py"
MEMORY = 3 * 2**30  # of address space a process, and in use by all processes of a notebook
DISK = 256 * 2**20  # of files it may write into each of three folders, which are kept in memory
MOST_REPORTED = 30 * 2**20  # characters that are read of what it reports
SECONDS_A_CELL = 30
SECONDS = 150  # all cells of a notebook
# Each process is one thread of arithmetic: two notebooks run at once, and matrices are small.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


@dataclass
class Ran:
    """What came out of one notebook.

    outputs : By the number of the cell; a cell that was not finished is not in it.
    running : The number of the cell that ran when the process stopped; None if it came to its end.
    trouble : What happened to it, in words; empty if nothing did.
    """

    outputs: dict[int, list[Any]] = field(default_factory=dict)
    running: int | None = None
    trouble: str = ""


# --- the container ------------------------------------------------------------------------------


@functools.cache
def works() -> bool:
    """Say whether bubblewrap is here, and is allowed to do what it is for."""
    if sys.platform != "linux" or not shutil.which("bwrap"):
        return False
    try:
        command = [*walls(), sys.executable, "-c", "import IPython"]
        done = subprocess.run(command, capture_output=True, timeout=60, env=outside())
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def words() -> str:
    """Say what is contained on this machine, and what is not."""
    if works():
        return (
            "Each notebook runs on its own in bubblewrap: no network, no other folder, "
            f"at most {MEMORY / 2**30:g} GB and {SECONDS} s."
        )
    return (
        "NOT CONTAINED: bubblewrap (bwrap) is missing here or may not run, so answers can read and "
        f"change your files and use the network. Only time ({SECONDS} s) and memory are limited. "
        "Grade people whom you trust, or install it: apt install bubblewrap"
    )


def walls() -> list[str]:
    """Return the words before a command that build the container round it.

    Everything outside is missing but what is named here. Its own folder and /tmp can be written;
    they are kept in memory, and gone afterwards.
    """
    said = [
        "bwrap", "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000",
        "--hostname", "grading", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
        "--proc", "/proc", "--dev", "/dev", "--size", str(DISK), "--tmpfs", "/tmp",
        "--size", str(DISK), "--tmpfs", "/dev/shm",
    ]  # fmt: skip
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        place = Path("/", name)
        if place.is_symlink():
            said += ["--symlink", os.readlink(place), str(place)]
        elif place.is_dir():
            said += ["--ro-bind", str(place), str(place)]
    for place in readable():
        said += ["--ro-bind-try", str(place), str(place)]
    said += ["--size", str(DISK), "--tmpfs", HOME, "--chdir", HOME]
    said += ["--remount-ro", "/", "--clearenv"]
    for name, value in environment(HOME).items():
        said += ["--setenv", name, value]
    return [*said, "--"]


def readable() -> list[Path]:
    """Return what an answer may read: the system's programs, Python, and the course."""
    python = {
        Path(path).resolve()
        for path in (
            sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.realpath(sys.executable),
            sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), *site.getsitepackages(),
        )
    }  # fmt: skip
    system = ("/usr", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")
    course = (ROOT / "kernellab", ROOT / "data", RUNNER)
    places = {*map(Path, system), *python, Path(sys.prefix), *course}
    # What lies in another is there already; the outer ones come first.
    return sorted(p for p in places if not places & set(p.parents))


def outside() -> dict[str, str]:
    """Return the variables of bubblewrap itself: what runs in it can read them."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


def environment(home: str) -> dict[str, str]:
    """Return the variables that an answer gets; none of whoever grades."""
    return {
        **ONE_THREAD,
        "HOME": home,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": f"{home}/.matplotlib",
        "IPYTHONDIR": f"{home}/.ipython",
        # Compiling takes longer than the small examples of the checks; results are the same.
        "KERNELLAB_NUMBA": "0",
    }


# --- running ------------------------------------------------------------------------------------


class Stopped(Exception):  # noqa: N818  (whoever grades wanted it)
    """Raised when grading was stopped while a notebook ran."""


class Runner:
    """Runs notebooks, several at once if `run` is called in several threads; `stop` ends all."""

    def __init__(self, seconds: float = SECONDS, seconds_a_cell: float = SECONDS_A_CELL) -> None:
        self.seconds, self.seconds_a_cell = seconds, seconds_a_cell
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, cells: Sequence[tuple[int, str]]) -> Ran:
        """Run some cells, (number, source) each, in order, in a process of their own."""
        job = {
            "cells": list(cells),
            "seconds": self.seconds,
            "seconds_a_cell": self.seconds_a_cell,
            "memory": MEMORY,
            "contained": works(),
        }
        if works():  # its folder is in the container
            return self._run(job, Path("/"))
        with tempfile.TemporaryDirectory(prefix="answers-", ignore_cleanup_errors=True) as home:
            return self._run(job, Path(home))

    def stop(self) -> None:
        """End what runs, and let nothing else begin."""
        with self._lock:
            self._stopped = True
            for process in self._processes:
                end(process)

    def _run(self, job: dict[str, Any], home: Path) -> Ran:
        contained = works()
        python = [sys.executable, str(RUNNER)]
        with self._lock:
            if self._stopped:
                raise Stopped
            process = subprocess.Popen(
                [*walls(), *python] if contained else python,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=home,
                env=outside() if contained else {**os.environ, **environment(str(home))},
                start_new_session=True,
            )
            self._processes.add(process)
        late = threading.Event()

        def ring() -> None:
            late.set()
            end(process)

        clock = threading.Timer(self.seconds, ring)
        clock.start()
        try:
            ran = self._listen(process, json.dumps(job).encode())
        finally:
            clock.cancel()
            end(process)
            process.wait()
            with self._lock:
                self._processes.discard(process)
        if self._stopped:
            raise Stopped
        if late.is_set():
            ran.trouble = f"stopped after {self.seconds:g} s"
        return ran

    def _listen(self, process: subprocess.Popen[bytes], job: bytes) -> Ran:
        assert process.stdin is not None
        assert process.stdout is not None
        ran, read, done = Ran(), 0, False
        with contextlib.suppress(OSError):  # it ended before it had read all
            process.stdin.write(job)
            process.stdin.close()
        known = {number for number, _ in json.loads(job)["cells"]}
        while line := process.stdout.readline(MOST_REPORTED):
            read += len(line)
            if read > MOST_REPORTED:
                ran.trouble = "put out more than can be kept, and was stopped"
                return ran
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if not isinstance(said, dict):
                continue
            if said.get("begins") in known:
                ran.running = said["begins"]
            elif said.get("ends") in known and isinstance(said.get("outputs"), list):
                ran.outputs[said["ends"]], ran.running = said["outputs"], None
            done = done or said.get("done") is True
            if said.get("crowded"):
                ran.trouble = "started too many or too large processes, and was stopped"
        if not done and not ran.trouble:
            ran.trouble = "ended its Python before the last cell, or ran out of memory"
        return ran


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and, as far as they are its own, those that it started."""
    if process.poll() is not None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # its session is its own
        else:
            process.kill()
