"""Run a solver to a certificate: every solver is a generator of states, and `solve` drives it.

The same generator fits a model (`solve`), animates (draw each state as it comes) and answers a
slider (start from the last solution, run to a gap).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from kernellab.validation import check_number, check_positive_integer

Order = NDArray[np.intp]
Seed = int | np.random.Generator

RUNNING = "running"
CONVERGED = "converged"
STOPPED = "stopped at the cap"
STALLED = "stalled"
DIVERGED = "diverged"


class NotConverged(UserWarning):
    """A solver stopped before it reached the gap it was asked for."""


class State(Protocol):
    """What `solve` asks of the states of a solver.

    A state may also have a `status`: "running", or how the solver itself ended it, such as
    "unbounded" or "not separable".
    """

    @property
    def passes(self) -> int:
        """Complete passes over the data so far."""

    @property
    def gap(self) -> float:
        """How far from the answer at most: inf when not yet known."""


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Result(Generic[S]):
    """Where a solver ended, and how; the arrays of its last state are attributes too.

    Parameters
    ----------
    state : State. The last state: `result.alpha` is short for `result.state.alpha`.
    status : str
        "converged", "stopped at the cap", "stalled" (the solver had no step left), "diverged" (the
        gap is not a number), or what the solver itself said, such as "unbounded".
    gap : float. The gap reached.
    passes : int. Passes over the data.
    history : list of (passes, gap). One entry a pass.
    """

    state: S
    status: str
    gap: float
    passes: int
    history: list[tuple[int, float]]

    @property
    def converged(self) -> bool:
        """Whether the gap asked for was reached."""
        return self.status == CONVERGED

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "state":  # not found while copying or unpickling
            raise AttributeError(name)
        return getattr(self.state, name)

    def __repr__(self) -> str:
        return f"Result({self.status}, gap {self.gap:.3g}, passes {self.passes})"


def solve(
    states: Iterable[S], *, gap: float | None = 1e-3, max_passes: int = 1000, warn: bool = True
) -> Result[S]:
    """Run a solver until its gap is small enough, or to the cap, and say which.

    The last state with an honest status, the gap reached, and the gap after each pass. The gap
    costs O(n) or more, so it is looked at once a pass, even if there is a state for each example. A
    generator is sent the gap that is wanted, for a solver that could end a pass there. Taught in
    notebook 01. Raises ValueError if gap is negative, max_passes is no positive integer, or states
    is empty. Warns, NotConverged, if it ends without that gap; the message gives the gap reached.

    Parameters
    ----------
    states : iterable of states
        Any solver of the course, such as `dual_perceptron(K, y)`. A generator that has been run
        for a while goes on from there.
    gap : float
        Stop when `state.gap <= gap`. What the gap measures is said by each solver. None asks for
        exactly max_passes, whatever the gap, without a warning.
    max_passes : int. Stop when `state.passes` reaches this.
    warn : bool. Whether to warn; the status says it in any case.
    """
    if gap is not None and check_number(gap, "gap") < 0:
        raise ValueError(f"gap must not be negative, got {gap!r}; 0 asks for an exact answer")
    check_positive_integer(max_passes, "max_passes")
    wanted = -np.inf if gap is None else gap

    history: list[tuple[int, float]] = []
    status = RUNNING
    state: S | None = None
    for state in _told(iter(states), max(wanted, 0.0)):
        status = getattr(state, "status", RUNNING)
        if not history or state.passes > history[-1][0]:
            history.append((state.passes, reached := state.gap))
            if status == RUNNING:
                status = _judge(reached, wanted, STOPPED if state.passes >= max_passes else RUNNING)
        if status != RUNNING:
            break
    if state is None:
        raise ValueError("states must yield at least one state; has this generator ended?")
    reached = state.gap
    if status == RUNNING:
        status = _judge(reached, wanted, STALLED)

    if warn and status != CONVERGED and not (gap is None and status in (STOPPED, STALLED)):
        words = f"{status} after {state.passes} passes"
        if reached != np.inf:
            words += f" with gap {reached:.3g}" + ("" if gap is None else f", asked for {gap:.3g}")
        warnings.warn(words, NotConverged, stacklevel=2)
    return Result(state, status, float(reached), state.passes, history)


def _told(states: Iterator[S], gap: float) -> Iterator[S]:
    """The states of a solver; from the second on, a generator is sent the gap."""
    send = getattr(states, "send", None)
    try:
        yield next(states)
        while True:
            yield next(states) if send is None else send(gap)
    except StopIteration:
        return


def _judge(reached: float, wanted: float, otherwise: str) -> str:
    if np.isnan(reached):
        return DIVERGED
    return CONVERGED if reached <= wanted else otherwise


def pass_orders(
    n: int, rng: Seed | None = None, orders: Iterable[Any] | None = None
) -> Iterator[Order]:
    """The order in which each pass visits the n examples: 0 … n−1, or a fresh shuffle each time.

    An integer or a generator for `rng` is the seed of fresh permutations, None the same cyclic
    order every time; `orders` are the orders themselves, of any lengths, each checked when it is
    needed. It never ends, unless orders do. Raises ValueError if rng is neither, or orders is no
    iterable.
    """
    if orders is not None:
        if not isinstance(orders, Iterable):
            raise ValueError(f"orders must be an iterable of integer arrays, got {orders!r}")
        return (check_order(order, n) for order in orders)
    if rng is None:
        return (np.arange(n) for _ in count())
    generator = random_generator(rng)
    return (generator.permutation(n) for _ in count())


def check_order(order: Any, n: int) -> Order:
    """Return the numbers of some of n examples as an array, or raise a ValueError."""
    array = np.asarray(order)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(f"orders must yield arrays of integers, one a pass, got {order!r}")
    if array.min() < 0 or array.max() >= n:
        raise ValueError(f"orders must yield integers from 0 to {n - 1}, got {order!r}")
    return np.ascontiguousarray(array, dtype=np.intp)


def random_generator(rng: Seed) -> np.random.Generator:
    """Return the generator for a seed or the generator itself, or raise a ValueError."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise ValueError(
            f"rng must be a seed (an integer ≥ 0) or a numpy.random.Generator, got {rng!r}"
        )
    return np.random.default_rng(rng)
