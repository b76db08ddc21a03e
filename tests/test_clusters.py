"""Blocks on worker processes: the same answers, and words for everything that can be missing."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

from kernellab import clusters
from kernellab.kernels import Gaussian
from kernellab.solvers.blocks import descend_over_blocks, pegasos_over_blocks, ridge_over_blocks
from kernellab.solvers.fourier import fourier_map
from kernellab.solving import solve


def test_dask_is_imported_only_where_a_cluster_is_asked_for():
    code = "import sys, kernellab.clusters, kernellab.solvers.blocks; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"dask", "distributed"} & set(done.stdout.split()) == set()


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(clusters, "import_module", missing)
    with pytest.raises(ImportError, match=r'pip install "kernellab\[scale\]"'), clusters.cluster():
        pass


try:
    import dask
    import distributed
    import psutil
except ImportError:
    dask = None

needs_dask = pytest.mark.skipif(dask is None, reason='needs Dask: pip install "kernellab[scale]"')
if dask is None:
    pytestmark = needs_dask


def sent_whole(function):
    """Have it sent as code, not as a name: else each worker imports this file and pytest."""
    function.__module__ = "__main__"
    return function


@sent_whole
def make(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(500, 6))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=500) > 0, 1.0, -1.0)


SEEDS = range(4)
HERE = [make(seed) for seed in SEEDS]


@pytest.fixture(autouse=True)
def no_address(monkeypatch):
    monkeypatch.delenv(clusters.ADDRESS, raising=False)


@pytest.fixture(scope="module")
def local():
    with clusters.cluster(memory="600 MB") as started:
        yield started


def agree(there, here):
    """Up to rounding: where in memory a block came to lie decides how it is summed."""
    np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-9)


# --- the same answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 2])
def test_descent_is_that_of_the_same_blocks_here(local, at_once):
    blocks = local.blocks(make, SEEDS)
    options = {"bias": 1.0, "at_once": at_once}
    there = solve(descend_over_blocks(blocks, 1.0, **options), gap=1e-3)
    here = solve(descend_over_blocks(HERE, 1.0, **options), gap=1e-3)
    assert there.converged
    np.testing.assert_allclose(there.w, here.w, rtol=1e-6, atol=1e-9)
    assert there.primal == pytest.approx(here.primal, rel=1e-6)


def test_so_are_ridge_and_pegasos(local):
    blocks = local.blocks(make, SEEDS)
    phi = fourier_map(Gaussian(0.2), 6, 30)
    there = ridge_over_blocks(blocks, 0.1, features=phi, classes=[-1, 1])
    here = ridge_over_blocks(HERE, 0.1, features=phi, classes=[-1, 1])
    np.testing.assert_allclose(there.w, here.w, rtol=1e-6, atol=1e-9)
    assert there.gap < 1e-9
    walked = [
        solve(pegasos_over_blocks(it, 0.01, average="linear"), gap=0.03) for it in (blocks, HERE)
    ]
    np.testing.assert_allclose(walked[0].w, walked[1].w, rtol=1e-6, atol=1e-9)


@sent_whole
def sparse(seed):
    X, y = make(seed)
    return scipy.sparse.csr_array(X * (np.abs(X) > 1)), y


def test_blocks_may_be_sparse(local):
    there = solve(descend_over_blocks(local.blocks(sparse, SEEDS), 1.0), gap=1e-3)
    here = solve(descend_over_blocks([sparse(s) for s in SEEDS], 1.0), gap=1e-3)
    np.testing.assert_allclose(there.w, here.w, rtol=1e-6, atol=1e-9)


def test_chunks_of_dask_arrays_are_blocks(local):
    import dask.array as da

    X, y = (np.concatenate(parts) for parts in zip(*HERE, strict=True))
    rows = da.from_array(X, chunks=(500, -1))
    labels = da.from_array(y, chunks=500)
    found = ridge_over_blocks(local.blocks_of(rows, labels), 1.0)
    np.testing.assert_allclose(found.w, ridge_over_blocks(HERE, 1.0).w, rtol=1e-9)
    with pytest.raises(ValueError, match=r"one chunk of columns: X\.rechunk"):
        local.blocks_of(rows.rechunk((500, 3)), labels)
    with pytest.raises(ValueError, match="the same chunks of rows, got"):
        local.blocks_of(rows, labels.rechunk(100))
    with pytest.raises(ValueError, match="must be Dask arrays"):
        local.blocks_of(X, y)


def test_the_bar_is_that_of_dask(local, capsys):
    ridge_over_blocks(local.blocks(make, SEEDS, progress=True), 1.0)
    assert "100% Completed" in capsys.readouterr().out


# --- a worker dies --------------------------------------------------------------------------------


def is_replaced(victim, local):
    try:
        return local.n_workers == 2 and victim not in local.pids
    except OSError:  # it was asked as it died
        return False


@pytest.fixture
def doomed():  # its own workers: the others would be gone for the next test
    with clusters.cluster(memory="600 MB") as started:
        yield started


def test_a_killed_worker_costs_time_and_no_result(doomed):
    blocks = doomed.blocks(make, SEEDS)
    undisturbed = list(islice(descend_over_blocks(blocks, 1.0, at_once=2), 8))[-1]
    alpha, w, gap = undisturbed.alpha, undisturbed.w.copy(), undisturbed.gap

    mine = psutil.Process().children(recursive=True)
    victim = doomed.pids[0]
    assert victim in [child.pid for child in mine]  # it is a worker that this test has started
    states = descend_over_blocks(blocks, 1.0, at_once=2)
    for state in states:
        if state.passes == 3:
            threading.Timer(0.02, os.kill, (victim, signal.SIGKILL)).start()
        if state.passes == 7:
            break
    deadline = time.monotonic() + 120
    while not is_replaced(victim, doomed):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    agree(state.alpha, alpha)
    agree(state.w, w)
    assert state.gap == pytest.approx(gap, rel=1e-6)
    os.kill(doomed.pids[1], signal.SIGKILL)  # and now the other, before a fold
    agree(ridge_over_blocks(blocks, 1.0).w, ridge_over_blocks(doomed.blocks(make, SEEDS), 1.0).w)


def test_an_answer_that_comes_as_the_wait_ends_is_waited_for_again(local, monkeypatch):
    """Dask's `sync` may then know neither answer nor error (dask/distributed issue 8514)."""
    result, calls = distributed.Future.result, []

    def late(future, timeout=None):
        calls.append(future)
        if len(calls) == 2:
            raise UnboundLocalError("cannot access local variable 'result'")
        return result(future, timeout)

    blocks = local.blocks(make, SEEDS)
    expected = ridge_over_blocks(blocks, 1.0).w
    monkeypatch.setattr(distributed.Future, "result", late)
    agree(ridge_over_blocks(blocks, 1.0).w, expected)
    assert calls[1] is calls[2]


@sent_whole
def unbound(seed):
    raise UnboundLocalError("of the block itself")


# --- what can be wrong ----------------------------------------------------------------------------


def test_it_listens_to_this_machine_only(local):
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    listening = [
        connection.laddr
        for process in processes
        for connection in process.net_connections(kind="tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert len(listening) > 2
    assert {address.ip for address in listening} == {"127.0.0.1"}
    assert 8787 not in {address.port for address in listening}


@sent_whole
def with_nan(seed):
    X, y = make(seed)
    if seed == 3:
        X[7, 2] = np.nan
    return X, y


@sent_whole
def narrow(seed):
    X, y = make(seed)
    return X[:, : 6 - (seed == 2)], y


@sent_whole
def absent(seed):
    raise FileNotFoundError(f"no file {seed}")


@pytest.mark.parametrize("solver", [descend_over_blocks, pegasos_over_blocks, ridge_over_blocks])
def test_a_bad_block_is_named_before_the_first_step(local, solver):
    with pytest.raises(ValueError, match=r"block 3: X must be finite, got nan at \[7, 2\]"):
        solver(local.blocks(with_nan, SEEDS), 1.0)
    with pytest.raises(ValueError, match="block 2 must be like block 0, got 5 features"):
        solver(local.blocks(narrow, SEEDS), 1.0)
    with pytest.raises(UnboundLocalError, match="of the block itself"):
        solver(local.blocks(unbound, SEEDS), 1.0)
    with pytest.raises(FileNotFoundError, match="no file 0") as caught:
        solver(local.blocks(absent, SEEDS), 1.0)
    assert caught.value.__notes__ == ["while block 0 was read"]


@sent_whole
def slow(seed):
    time.sleep(1.5)
    return make(seed)


def test_workers_that_all_pause_for_memory_end_it(local, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 0.2)
    monkeypatch.setattr(clusters, "_POLL", 0.1)
    monkeypatch.setattr(clusters.BlocksOnCluster, "_at_work", lambda self: False)
    with pytest.raises(clusters.ClusterError, match="memory, of which a worker may use 600"):
        ridge_over_blocks(local.blocks(slow, SEEDS), 1.0)


@sent_whole
def huge(seed):
    rows = np.ones((50_000_000 // 6, 6))  # 400 MB
    time.sleep(2)
    return rows, rows[:, 0]


def test_a_block_that_is_too_large_is_said(tmp_path):
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        clusters.cluster(workers=1, memory="300 MB") as small,
        pytest.raises(clusters.ClusterError, match=r"block 0: .* for memory, of which"),
    ):
        ridge_over_blocks(small.blocks(huge, [0]), 1.0)


@pytest.mark.parametrize("memory", ["100 MB", "much", None, -1])
def test_too_little_memory_is_refused_before_anything_starts(memory):
    with pytest.raises(ValueError, match="memory must be"), clusters.cluster(memory=memory):
        pass


def test_a_scheduler_by_address_or_by_the_environment(local, monkeypatch):
    address = local.client.scheduler.address
    with clusters.cluster(address) as same:
        assert sorted(same.pids) == sorted(local.pids)
        found = ridge_over_blocks(same.blocks(make, SEEDS), 1.0)
    monkeypatch.setenv(clusters.ADDRESS, address)
    with clusters.cluster() as same:
        again = ridge_over_blocks(same.blocks(make, SEEDS), 1.0)
        agree(found.w, again.w)


def test_no_scheduler_at_the_address():
    with socket.socket() as silent:  # it takes calls and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        for address in (f"tcp://127.0.0.1:{port}", "tcp://127.0.0.1:1", "nowhere", "ftp://x:1"):
            with (
                pytest.raises(clusters.ClusterError, match="no Dask scheduler answers at"),
                clusters.cluster(address, timeout=1),
            ):
                pass


SCHEDULER = """
import distributed, sys
with distributed.LocalCluster(n_workers=0, threads_per_worker=1, processes=False,
                              host="127.0.0.1", protocol="tcp", dashboard_address=None,
                              scheduler_kwargs={"dashboard_address": "127.0.0.1:0"}) as cluster:
    print(cluster.scheduler_address, flush=True)
    for line in sys.stdin:
        cluster.scale(int(line))
"""


def test_a_scheduler_that_cannot_do_it(tmp_path):
    environment = dict(os.environ) | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-B", "-c", SCHEDULER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, text=True, **pipes) as process:
        address = process.stdout.readline().strip()
        assert address

        def refused(words, timeout=10):
            with (
                pytest.raises(clusters.ClusterError, match=words),
                clusters.cluster(address, timeout=timeout),
            ):
                pass

        words = "the scheduler has no workers, and got none within 1 s: .*dask worker tcp"
        refused(words, timeout=1)
        print(1, file=process.stdin, flush=True)
        (tmp_path / "kernellab.py").write_text("raise ImportError")
        refused("the scheduler has no kernellab, and here it is")
        (tmp_path / "kernellab.py").write_text("__version__ = '0.0.1'")
        refused(r"the scheduler has kernellab 0\.0\.1, and here it is")
        process.stdin.close()
        assert process.wait(30) == 0


def test_it_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with clusters.cluster(workers=1) as started:
        (pid,) = started.pids
        assert list(Path(tmp_path).glob("kernellab-*"))
    assert not psutil.pid_exists(pid)
    assert not list(tmp_path.glob("kernellab-*"))
