"""Dual coordinate descent over blocks: sweep each, collect the active examples, settle them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from kernellab.certificates import Bounds
from kernellab.losses import DualLoss, check_dual_loss, hinge
from kernellab.solvers.blocks.reading import (
    Data,
    Features,
    Machine,
    Reader,
    Rows,
    add_up,
    look_at_all,
    order_of,
)
from kernellab.solvers.linear import MOST, settle, sweep
from kernellab.solvers.sdca import Problem
from kernellab.solvers.sparse import (
    SparseRows,
    check_rows,
    shape,
    squared_lengths,
    take,
    times,
    transposed_times,
)
from kernellab.solving import Order, Seed, random_generator
from kernellab.validation import FloatArray, check_number, check_positive, check_positive_integer

Vector = FloatArray


class Swept(NamedTuple):
    """What a sweep over one block leaves: its α, w, and the rows that did not come to rest.

    The dual rises by rise·γ − ½ (bend + ‖Δw‖²) γ², if only γ times this step is taken.
    """

    variables: Vector
    w: Vector
    largest: float
    rise: float
    bend: float
    active: Order  # where they are in the block, in the order of the sweep
    rows: Rows
    sign: Vector
    target: Vector
    squares: Vector


def sweep_block(
    reader: Reader, block: Any, C: float, variables: Vector, w: Vector, order: Order, room: int
) -> Swept:
    """Update each α_i of a block once, from w; α and w are copied."""
    problem = _problem(reader, block, C)
    squares, resting = squared_lengths(problem.data), np.zeros(len(variables), dtype=np.bool_)
    new, moved = variables.copy(), w.copy()
    largest = sweep(problem, squares, new, moved, order, resting)
    step, (smoothing, insensitivity, *_) = new - variables, problem.loss.dual
    rise = step @ problem.target - (moved - w) @ w - smoothing / C * (step @ variables)
    rise -= insensitivity * (np.abs(new).sum() - np.abs(variables).sum())
    left = order[~resting[order]][:room]
    return Swept(
        new, moved, largest, float(rise), float(smoothing / C * (step @ step)), left,
        take(problem.data, left) if len(left) else np.empty((0, len(w))),
        problem.sign[left], problem.target[left], squares[left],
    )  # fmt: skip


def weights_of_block(reader: Reader, block: Any, variables: Vector) -> Vector:
    """Return Σ α_i sign_i x_i over one block."""
    rows = reader.rows(block[0])
    return transposed_times(rows, reader.sign_and_target(block[1], len(variables))[0] * variables)


def objectives_of_block(
    reader: Reader, block: Any, C: float, variables: Vector, w: Vector
) -> tuple[float, float]:
    """Return the terms of primal and dual that belong to the rows of one block."""
    problem = _problem(reader, block, C)
    scores = times(problem.data, w) if w.any() else np.zeros(len(variables))
    return problem.objectives(variables, scores)[:2]


def _problem(reader: Reader, block: Any, C: float) -> Problem:
    rows = reader.rows(block[0])
    sign, target = reader.sign_and_target(block[1], n := shape(rows)[0])
    assert reader.loss is not None
    return Problem(rows, sign, target, np.full(n, C), reader.loss)


@dataclass(frozen=True)
class DescentOverBlocks(Bounds, Machine):
    """Where dual coordinate descent over blocks on ½‖w‖² + C Σ ρ(r_i) is.

    α is live. A gap is computed from α alone, in two readings of all blocks.

    Parameters
    ----------
    passes, steps : int. Sweeps over all blocks, and updates so far.
    share : float
        The smallest share of a common step that was taken in the last pass; 1 if one block at a
        time steps.
    n_active : int. Rows that were brought together and settled in the last pass.
    """

    passes: int
    steps: int
    share: float
    n_active: int
    _weights: Vector
    _variables: list[Vector]
    _C: float
    _data: Data

    @property
    def alpha(self) -> Vector:
        """Dual variables α_i ≥ 0, shape (n,), one block after the other; a copy."""
        if self._data.reader.signed:
            raise AttributeError("a regression has no alpha: its dual variables are coef")
        return np.concatenate(self._variables)

    @property
    def coef(self) -> Vector:
        """Dual variables of a regression, shape (n,), one block after the other; a copy."""
        if not self._data.reader.signed:
            raise AttributeError("coef is for a regression: here the dual variables are alpha")
        return np.concatenate(self._variables)

    @cached_property
    def _objectives(self) -> tuple[float, float]:
        w = sum(self._data.read(weights_of_block, [(part,) for part in self._variables]))
        each = [(self._C, part, w) for part in self._variables]
        primal, dual = add_up(self._data.read(objectives_of_block, each))
        return float(primal), float(dual)


def descend_over_blocks(
    blocks: Any,
    C: Any,
    *,
    loss: DualLoss = hinge,
    bias: float = 0.0,
    features: Features = None,
    positive: Any = None,
    at_once: int = 1,
    rng: Seed | None = 0,
) -> Iterator[DescentOverBlocks]:
    """Dual coordinate descent over blocks: sweep each, collect the active examples, settle them.

    The first state is α = 0. It never ends. The problem is that of
    `linear.dual_coordinate_descent`, and with one block so is every step, bit for bit. A pass
    sweeps every block once, and then goes back to the examples that did not come to rest at a
    bound, until they have settled. Those are few near the optimum, so they are brought together: as
    many as the largest block has rows, at most. Without that, many small blocks undo each other's
    steps for hundreds of passes. Where blocks step at once, all from the same w, their steps
    together go too far; the dual along the common step is a parabola, and it is taken to its top,
    which gains no less than the average of the steps.
    Yu, Hsieh, Chang and Lin (2010), *Large linear classification when data cannot fit in memory*;
    active examples kept in memory: Chang and Roth (2011), *Selective block minimization*; averaged
    steps: Jaggi and others (2014), CoCoA. Taught in notebook 08. Raises ValueError for a bad
    argument, or a bad block, which it names, before the first step.

    Parameters
    ----------
    blocks, features : As in `ridge_over_blocks`; features are made anew at every reading.
    C : float. Cost C > 0 of a loss of 1.
    loss, bias, rng : As in `linear.dual_coordinate_descent`; y_b holds what the loss takes.
    positive : label, optional
        The label that is +1, all others −1: one class against the rest. Else y_b holds −1 and +1.
    at_once : int
        How many blocks step from the same w: the number of processes that have blocks. 1: one
        block after the other.
    """
    reader = Reader(features, check_number(bias, "bias"), positive, check_dual_loss(loss))
    C = check_positive(C, "C")
    at_once = check_positive_integer(at_once, "at_once")
    generator = None if rng is None else random_generator(rng)
    return _descend(look_at_all(blocks, reader), C, at_once, generator)


def _descend(
    data: Data, C: float, at_once: int, generator: np.random.Generator | None
) -> Iterator[DescentOverBlocks]:
    """The loop."""
    sizes, w = data.sizes, np.zeros(shape(data.looks[0].sample)[1])
    variables, room = [np.zeros(n) for n in sizes], -(-max(sizes) // len(sizes))
    groups = [range(b, min(b + at_once, len(sizes))) for b in range(0, len(sizes), at_once)]
    steps, share, n_active = 0, 1.0, 0
    for passes in count():
        yield DescentOverBlocks(passes, steps, share, n_active, w, variables, C, data)
        # As in memory: shuffles of those that go on are drawn apart.
        again = None if generator is None else generator.spawn(1)[0]
        orders = [order_of(n, generator) for n in sizes]
        share, found = 1.0, []
        for k in order_of(len(groups), generator):
            g = groups[k]
            each = [(C, variables[b], w, orders[b], room) for b in g]
            swept = list(data.read(sweep_block, each, g))
            w, taken = _join_steps(swept, w)
            share = min(share, taken)
            for b, result in zip(g, swept, strict=True):
                step = result.variables - variables[b]
                variables[b] = variables[b] + taken * step if taken < 1 else result.variables
                found.append((b, result))
        updates, n_active = _settle_active(found, variables, w, data, C, again)
        steps += sum(sizes) + updates


def _join_steps(swept: list[Swept], w: Vector) -> tuple[Vector, float]:
    """Return the w after steps from one w, and the share of them that was taken.

    Each step alone gains; so does their average, as the dual is concave, and so at least the top of
    the parabola rise·γ − ½ curvature γ² along their sum.
    """
    if len(swept) == 1:
        return swept[0].w, 1.0
    together = np.sum([result.w - w for result in swept], axis=0)
    curvature = together @ together + sum(result.bend for result in swept)
    rise = sum(result.rise for result in swept)
    taken = float(min(1.0, max(rise, 0.0) / curvature)) if curvature > 0 else 1.0
    return w + taken * together, taken


def _settle_active(
    found: list[tuple[int, Swept]],
    variables: list[Vector],
    w: Vector,
    data: Data,
    C: float,
    again: np.random.Generator | None,
) -> tuple[int, int]:
    """Settle the active examples of all blocks together; α and w change in place.

    Returns the number of updates and of active examples.
    """
    found = [(b, result) for b, result in found if len(result.active)]
    if not found:
        return 0, 0
    _, results = zip(*found, strict=True)
    rows = _stack([result.rows for result in results])
    sign, target, squares = (
        np.concatenate([getattr(result, name) for result in results])
        for name in ("sign", "target", "squares")
    )
    ours = np.concatenate([variables[b][result.active] for b, result in found])
    assert data.reader.loss is not None
    problem = Problem(rows, sign, target, np.full(len(ours), C), data.reader.loss)
    largest = max(result.largest for result in results)
    order, most = np.arange(len(ours)), (MOST - 1) * sum(data.sizes)
    steps = settle(problem, squares, ours, w, order, largest, most, again)
    ends = np.cumsum([len(result.active) for result in results])[:-1]
    for (b, result), settled in zip(found, np.split(ours, ends), strict=True):
        variables[b][result.active] = settled
    return steps, len(ours)


def _stack(parts: list[Rows]) -> Rows:
    """Return rows below rows."""
    sparse = [part.matrix for part in parts if isinstance(part, SparseRows)]
    if sparse:
        return check_rows(scipy.sparse.vstack(sparse, format="csr"))
    return np.concatenate([part for part in parts if isinstance(part, np.ndarray)])
