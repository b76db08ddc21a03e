"""Run the cells of one notebook and report what each put out: the process that is contained.

It reads a job as JSON from its standard input: the cells, the seconds a cell may take, and limits.
It writes one line of JSON for each cell that it begins and that it ends, so that what was done is
known even if the process is stopped. The cells run in IPython itself, without a kernel beside it:
starting one, and talking to it, took longer than checking the answers.

Only IPython and the standard library are needed, and what the cells import.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

MOST_TEXT = 20_000  # characters of one output
MOST_DATA = 2_000_000  # characters of a picture, or of other data
MOST_OUTPUTS = 50  # a cell
MOST_PROCESSES = 100  # in the container
GIB = 2**30

Output = dict[str, Any]


class TooLong(BaseException):
    """Raised inside a cell whose time is over; no `except Exception` of that cell catches it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class Report:
    """Writes lines where answers do not print by accident."""

    def __init__(self) -> None:
        self._file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):  # what a program started by an answer prints is not kept
            os.dup2(nowhere, number)

    def write(self, **line: Any) -> None:
        """Write one line, at once."""
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


class Outputs:
    """What one cell put out, in nbformat's terms, cut where it grows too long."""

    def __init__(self) -> None:
        self.found: list[Output] = []

    def text(self, name: str, words: str) -> None:
        """Add what was printed."""
        last = self.found[-1] if self.found else {}
        if last.get("output_type") != "stream" or last["name"] != name:
            self.add({"output_type": "stream", "name": name, "text": ""})
            last = self.found[-1]
        if last.get("name") == name and len(last["text"]) < MOST_TEXT:
            last["text"] = shortened(last["text"] + words)

    def add(self, output: Output) -> None:
        """Add an output, unless there are too many."""
        if len(self.found) < MOST_OUTPUTS or output["output_type"] == "error":
            self.found.append(output)


class Stream:
    """A standard stream whose text becomes an output."""

    encoding, errors, closed = "utf-8", "strict", False

    def __init__(self, name: str, shell: Any) -> None:
        self.name, self._shell = name, shell

    def write(self, words: str) -> int:
        """Keep some words."""
        self._shell.outputs.text(self.name, str(words))
        return len(words)

    def writelines(self, lines: list[str]) -> None:
        """Keep some lines."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing: nothing waits."""

    def isatty(self) -> bool:
        """Say that this is no terminal."""
        return False

    def writable(self) -> bool:
        """Say that this can be written to."""
        return True

    def fileno(self) -> int:
        """Return the descriptor that a program started here would write to."""
        return 1 if self.name == "stdout" else 2


def shortened(words: str) -> str:
    """Return text, cut where it grows too long."""
    return words if len(words) <= MOST_TEXT else f"{words[:MOST_TEXT]}\n… and more"


def as_data(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return what can be written as JSON of a MIME bundle, and is not too long."""
    kept: dict[str, Any] = {}
    for mime, value in bundle.items():
        text = base64.b64encode(value).decode() if isinstance(value, bytes) else value
        try:
            size = len(json.dumps(text))
        except (TypeError, ValueError):
            continue
        if size <= (MOST_TEXT if mime == "text/plain" else MOST_DATA):
            kept[mime] = text
    return kept


def make_shell() -> Any:
    """Return IPython, with what it shows kept in `shell.outputs`."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    class Publisher(DisplayPublisher):
        def publish(self, data: Any, metadata: Any = None, *_: Any, **__: Any) -> None:
            if kept := as_data(data):
                shell.outputs.add(
                    {"output_type": "display_data", "data": kept, "metadata": metadata or {}}
                )

        def clear_output(self, wait: bool = False) -> None:
            shell.outputs.found.clear()

    class Hook(DisplayHook):
        def start_displayhook(self) -> None:
            pass

        def write_output_prompt(self) -> None:
            pass

        def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
            shell.outputs.add(
                {
                    "output_type": "execute_result",
                    "data": as_data(format_dict),
                    "metadata": md_dict or {},
                    "execution_count": shell.execution_count,
                }
            )

        def finish_displayhook(self) -> None:
            pass

    class Shell(InteractiveShell):
        outputs = Outputs()

        def enable_gui(self, gui: Any = None) -> None:
            pass  # there is no window

        def ask_exit(self) -> None:
            pass  # the next cell runs all the same

        def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
            lines = stb if isinstance(stb, list) else str(stb).splitlines()
            self.outputs.add(
                {
                    "output_type": "error",
                    "ename": getattr(etype, "__name__", str(etype)),
                    "evalue": shortened(str(evalue)),
                    "traceback": [shortened(str(line)) for line in lines[-100:]],
                }
            )

    shell: Any = Shell.instance(displayhook_class=Hook, display_pub_class=Publisher)
    shell.history_manager.enabled = False
    return shell


class Clock:
    """Stops a cell whose time is over.

    A thread looks at the time and sends the main thread a signal of its own: the checks use the
    alarm, and put it back as they found it. On Windows there is no such signal; there the whole
    process is stopped from outside. Where the answers see no process but their own, which is in the
    container, it also ends all of them when they become too many, or take too much memory together.
    """

    def __init__(
        self, seconds: float, memory: int, crowded: Callable[[], None] | None = None
    ) -> None:
        self.seconds, self.memory, self._crowded = seconds, memory, crowded
        self._end: float | None = None
        if hasattr(signal, "SIGUSR1") and hasattr(signal, "pthread_kill"):
            signal.signal(signal.SIGUSR1, self._ring)
            threading.Thread(target=self._watch, daemon=True).start()

    def _ring(self, *_: Any) -> None:
        if self._end is not None:
            raise TooLong(f"This cell was still running after {self.seconds:g} s, and was stopped.")

    def _watch(self) -> NoReturn:
        while True:
            time.sleep(0.25)  # it rings again and again, for code that catches everything
            if self._crowded and self._is_crowded():
                self._crowded()
                os._exit(1)  # its container ends with it
            if self._end is not None and time.monotonic() > self._end:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    def _is_crowded(self) -> bool:
        processes = [name for name in os.listdir("/proc") if name.isdigit()]
        return len(processes) > MOST_PROCESSES or sum(map(held_by, processes)) > self.memory

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Let the time begin."""
        self._end = time.monotonic() + self.seconds
        try:
            yield
        finally:
            self._end = None


def held_by(process: str) -> int:
    """Return the bytes of memory that a process has of its own; 0 if it is gone."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            _, held, shared, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0
    return (held - shared) * mmap.PAGESIZE


def limit(memory: int, seconds: float) -> None:
    """Limit what this process may take, where the system can."""
    try:
        import resource
    except ImportError:
        return
    for what, amount in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, int(seconds) + 5),
        (resource.RLIMIT_FSIZE, GIB // 16),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (amount, amount))


def main() -> None:
    """Run the job."""
    job = json.loads(sys.stdin.buffer.read())
    report = Report()
    limit(job["memory"], job["seconds"])
    shell = make_shell()
    # Not closed at the end of a cell: what a thread of it prints later goes to the next.
    sys.stdout, sys.stderr = Stream("stdout", shell), Stream("stderr", shell)
    crowded = functools.partial(report.write, crowded=True) if job["contained"] else None
    clock = Clock(job["seconds_a_cell"], job["memory"], crowded)
    for number, source in job["cells"]:
        report.write(begins=number)
        shell.outputs = Outputs()
        try:
            with clock.running():
                shell.run_cell(source, store_history=False)
        except BaseException as error:  # a late ring of the clock; the next cell runs all the same
            shell._showtraceback(type(error), error, [str(error)])
        report.write(ends=number, outputs=shell.outputs.found)
    report.write(done=True)
    os._exit(0)  # threads that were left behind are not waited for


if __name__ == "__main__":
    main()
