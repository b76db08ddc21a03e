"""A cluster for the solvers over blocks: some processes here, or a Dask scheduler elsewhere.

Blocks are made on the workers and stay there; what travels is a function, α of a block, and w. All
that has been learnt is on this side, and what a worker does is a function of what it was sent. So a
worker may die at any time: its blocks are made again, its task is run again, and the result is the
same. Dask is the extra `scale`, and is imported when a cluster is asked for.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any

from kernellab.validation import check_positive, check_positive_integer

ADDRESS = "DASK_SCHEDULER_ADDRESS"
"""The environment variable that may hold the address of a scheduler."""

BY_ITSELF = 300_000_000
"""Bytes of memory that a worker must be allowed: half of them are the libraries it loads."""

PATIENCE = 20.0
"""Seconds without any worker at work, all paused for memory or gone, after which one gives up."""

_POLL = 2.0  # seconds between two looks at the workers
_NEEDED = 'a cluster needs Dask: pip install "kernellab[scale]"'
_NOT_IN_A_BROWSER = (
    "a cluster needs processes, and a page has none. This cell runs where the course is installed; "
    "go on with the next one."
)


class ClusterError(RuntimeError):
    """Something is wrong with the cluster, and not with the data."""


@contextmanager
def cluster(
    address: str | None = None,
    *,
    workers: int = 2,
    memory: int | str = "700 MB",
    timeout: float = 10.0,
) -> Iterator[Cluster]:
    """Start worker processes on this machine, or use those of a scheduler; stop what was started.

    Without an address, and without one in the variable DASK_SCHEDULER_ADDRESS, it starts a
    scheduler in this process and workers in others: they listen on 127.0.0.1 only, at free ports,
    and there is no dashboard. Whoever else works on this machine could reach them. A script that
    starts one has to keep its own work under `if __name__ == "__main__":`, because the processes
    import it. Taught in notebook 08. Raises ImportError without Dask; ValueError for a bad
    argument; ClusterError if no scheduler answers, if it has no workers, or if kernellab is missing
    there or has another version.

    Parameters
    ----------
    address : str, optional. Of a scheduler, such as "tcp://192.168.0.7:8786".
    workers : int. Processes to start, of one thread each.
    memory : int or str
        What each of them may use, in bytes or such as "700 MB". Past 60 % Dask puts blocks aside on
        disk, past 95 % it stops the process.
    timeout : float. Seconds to wait for a scheduler and its first worker.
    """
    distributed, parse = _dask()
    workers = check_positive_integer(workers, "workers")
    timeout = check_positive(timeout, "timeout")
    address = address or os.environ.get(ADDRESS) or None
    with ExitStack() as stack:
        if address is None:
            started = _start(stack, workers, _check_memory(memory, parse))
            client = stack.enter_context(distributed.Client(started))
        else:
            client = stack.enter_context(_connect(distributed, address, timeout))
        _check_workers(client, timeout)
        yield Cluster(client)


@dataclass(frozen=True)
class Cluster:
    """Workers that make and keep blocks.

    Parameters
    ----------
    client : distributed.Client. Dask's own; joblib's backend "dask" finds it by itself.
    """

    client: Any

    @property
    def n_workers(self) -> int:
        """How many workers there are now."""
        return len(self.client.nthreads())

    @property
    def pids(self) -> list[int]:
        """Numbers of the workers' processes."""
        return sorted(self.client.run(os.getpid).values())

    def blocks(
        self, make: Callable[[Any], Any], keys: Iterable[Any], *, progress: bool = False
    ) -> BlocksOnCluster:
        """Let block b be `make(keys[b])`, a pair (X_b, y_b), made on a worker and kept there.

        It is made when it is first read, and again if its worker dies, so it must be the same every
        time: read a file, or draw from a seed. With `progress` every reading of all blocks shows
        Dask's bar. Taught in notebook 08. Raises ValueError if there are no keys; what make raises
        is raised when blocks are read, with a note that names the block.
        """
        addresses = sorted(self.client.nthreads())
        futures = [
            self.client.submit(
                make, key, pure=False, workers=addresses[b % len(addresses)],
                allow_other_workers=True,
            )
            for b, key in enumerate(keys)
        ]  # fmt: skip
        return self._hold(futures, progress)

    def blocks_of(self, X: Any, y: Any, *, progress: bool = False) -> BlocksOnCluster:
        """Let the chunks of rows of two Dask arrays be the blocks.

        X has shape (n, d) and one chunk of columns, y shape (n,) or (n, q), and the same chunks of
        rows. Taught in notebook 08. Raises ValueError if they have not.
        """
        if not all(hasattr(array, "to_delayed") for array in (X, y)):
            raise ValueError("X and y must be Dask arrays; for others there is blocks(make, keys)")
        if X.ndim != 2 or X.numblocks[1] != 1 or (y.ndim == 2 and y.numblocks[1] != 1):
            raise ValueError("X must have one chunk of columns: X.rechunk({1: -1})")
        if X.chunks[0] != y.chunks[0]:
            raise ValueError(
                f"X and y must have the same chunks of rows, got {X.chunks[0]} and {y.chunks[0]}"
            )
        pair = import_module("dask").delayed(_pair)
        parts = zip(X.to_delayed().ravel(), y.to_delayed().ravel(), strict=True)
        return self._hold(self.client.compute([pair(*part) for part in parts]), progress)

    def _hold(self, futures: list[Any], progress: bool) -> BlocksOnCluster:
        if not futures:
            raise ValueError("blocks must hold at least one block, got none")
        limits = {worker["memory_limit"] for worker in _workers(self.client)} - {0, None}
        limit = f"of which a worker may use {min(limits) / 1e6:.0f} MB" if limits else "not limited"
        return BlocksOnCluster(self.client, futures, progress, limit)


@dataclass(frozen=True)
class BlocksOnCluster:
    """Blocks on workers; all solvers over blocks take them. See `Cluster.blocks`."""

    client: Any
    futures: list[Any]
    progress: bool
    limit: str

    def __len__(self) -> int:
        return len(self.futures)

    def keep(self, value: Any) -> Any:
        """Send a value to the cluster once; any worker that needs it fetches it there."""
        return self.client.submit(_same, value, pure=False)

    def map(
        self, function: Callable[..., Any], kept: Any, arguments: Sequence[tuple[Any, ...]],
        which: Sequence[int],
    ) -> Iterator[Any]:  # fmt: skip
        """Yield function(kept, block, *arguments[k]) of the k-th of some blocks, in order.

        Raises ClusterError if workers or scheduler are lost for good.
        """
        submit = self.client.submit
        futures = [
            submit(_call, function, kept, self.futures[b], *extra, pure=False)
            for b, extra in zip(which, arguments, strict=True)
        ]
        if self.progress and len(futures) == len(self):
            _show_progress(futures)
        for k, b in enumerate(which):
            answer = self._wait(futures[k], b)
            futures[k] = None  # or the cluster would keep it
            yield answer

    def _wait(self, future: Any, b: int) -> Any:
        distributed, _ = _dask()
        waited = 0.0
        while True:
            try:
                return future.result(timeout=_POLL)
            except distributed.KilledWorker:
                raise ClusterError(
                    f"block {b}: the workers that had it were stopped again and again, most likely "
                    f"for memory, {self.limit}; make smaller blocks, or allow more memory"
                ) from None
            except MemoryError:
                raise ClusterError(
                    f"block {b}: there is too little memory, {self.limit}; make smaller "
                    f"blocks, or allow more memory"
                ) from None
            except TimeoutError:
                if future.status == "error":  # that of `make` itself
                    raise
                waited = 0.0 if self._at_work() else waited + _POLL
                if waited >= PATIENCE:
                    raise ClusterError(
                        f"block {b}: no worker has been at work for {PATIENCE:g} s: all of them "
                        f"are gone, or paused for memory, {self.limit}; make smaller or fewer "
                        f"blocks, or allow more memory"
                    ) from None
            except Exception as error:
                if future.status in ("cancelled", "lost") or self.client.status != "running":
                    raise ClusterError(f"block {b}: the scheduler is gone ({error})") from None
                if isinstance(error, UnboundLocalError) and future.status != "error":
                    continue  # Dask's own, if an answer comes just as the wait ends
                error.add_note(f"while block {b} was read")
                raise

    def _at_work(self) -> bool:
        workers = _workers(self.client)
        return any(worker["status"] == "running" for worker in workers)


# --- what runs on a worker ------------------------------------------------------------------------


def _same(value: Any) -> Any:
    return value


def _pair(X: Any, y: Any) -> tuple[Any, Any]:
    return X, y


def _call(function: Callable[..., Any], kept: Any, block: Any, *extra: Any) -> Any:
    return function(kept, block, *extra)


# --- starting, connecting, checking ---------------------------------------------------------------


def _dask() -> tuple[Any, Any]:
    """Return the module `distributed` and Dask's reader of sizes in words."""
    try:
        return import_module("distributed"), import_module("dask.utils").parse_bytes
    except ImportError as error:
        here = sys.platform == "emscripten"
        raise ImportError(_NOT_IN_A_BROWSER if here else _NEEDED) from error


def _check_memory(memory: Any, parse: Callable[[Any], Any]) -> int:
    """Return bytes."""
    try:
        number = int(parse(memory))
    except (TypeError, ValueError, AttributeError):
        raise ValueError(f'memory must be a number of bytes, or "700 MB", got {memory!r}') from None
    if number < BY_ITSELF:
        raise ValueError(
            f"memory must be at least {BY_ITSELF / 1e6:.0f} MB a worker, half of which the "
            f"libraries take, got {memory!r}"
        )
    return number


def _start(stack: ExitStack, workers: int, memory: int) -> Any:
    """Start a cluster of this machine, and have it stopped with the stack."""
    settings = {
        "distributed.worker.http.routes": [],
        "distributed.scheduler.http.routes": [],
        "distributed.admin.large-graph-warning-threshold": "1 GB",
    }
    stack.enter_context(import_module("dask").config.set(settings))
    folder = stack.enter_context(TemporaryDirectory(prefix="kernellab-"))
    return stack.enter_context(
        import_module("distributed").LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=memory,
            host="127.0.0.1",
            scheduler_port=0,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # not 8787, where one would be
            worker_dashboard_address=None,
            local_directory=folder,
            silence_logs="CRITICAL",
        )
    )


def _connect(distributed: Any, address: str, timeout: float) -> Any:
    """Return a client of the scheduler at an address."""
    try:
        # In a thread, for a notebook has a loop of its own that is running.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _knock(distributed, address, timeout)).result()
        return distributed.Client(address, timeout=timeout)
    except (OSError, ValueError, TimeoutError, ImportError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r} within {timeout:g} s: start one by "
            f"`dask scheduler`, correct the address, or leave it out (and unset {ADDRESS}) for a "
            f"cluster on this machine"
        ) from error


async def _knock(distributed: Any, address: str, timeout: float) -> None:
    """See whether something there speaks Dask's language: a client would wait for it for ever."""
    security = distributed.Security().get_connection_args("client")
    there = distributed.core.connect(address, timeout=timeout, **security)
    await (await asyncio.wait_for(there, timeout)).close()


def _check_workers(client: Any, timeout: float) -> None:
    """Raise ClusterError without workers, or where kernellab is not the one that is here."""
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise ClusterError(
            f"the scheduler has no workers, and got none within {timeout:g} s: start some by "
            f"`dask worker {client.scheduler.address}`"
        ) from None
    here = import_module("kernellab").__version__
    found = {"the scheduler": client.run_on_scheduler(_version_there())}
    found |= {f"the worker {name}": v for name, v in client.run(_version_there()).items()}
    for where, there in found.items():
        if there != here:
            what = "has no kernellab" if there is None else f"has kernellab {there}"
            raise ClusterError(f"{where} {what}, and here it is {here}: install this version there")


def _version_there() -> Callable[[], str | None]:
    """Return a function that travels whole, and so does not need kernellab where it is run."""

    def version() -> str | None:
        try:
            from importlib import import_module

            return str(import_module("kernellab").__version__)
        except (ImportError, AttributeError):
            return None

    return version


def _workers(client: Any) -> list[dict[str, Any]]:
    """Return what the scheduler knows of its workers."""
    return list(client.scheduler_info(n_workers=-1)["workers"].values())


def _show_progress(futures: list[Any]) -> None:
    """Show Dask's bar: in a notebook a widget that fills by itself, elsewhere a line."""
    bar = import_module("distributed").progress(futures)
    if bar is not None:
        import_module("IPython.display").display(bar)
