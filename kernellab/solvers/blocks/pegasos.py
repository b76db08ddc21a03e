"""Pegasos over blocks: the same steps, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np

from kernellab.losses import hinge
from kernellab.solvers.blocks.reading import (
    Data,
    Features,
    Machine,
    Reader,
    add_up,
    look_at_all,
    order_of,
)
from kernellab.solvers.pegasos import (
    Moving,
    PegasosBounds,
    PegasosRun,
    best_multiple,
    check_average,
)
from kernellab.solvers.sparse import times, transposed_times
from kernellab.solving import Order, Seed, random_generator
from kernellab.validation import (
    FloatArray,
    check_bool,
    check_number,
    check_positive,
    check_positive_integer,
)

Vector = FloatArray


def pegasos_block(
    reader: Reader,
    block: Any,
    settings: tuple[float, int, float, int],
    alpha: Vector,
    moving: Moving,
    order: Order,
    t: int,
) -> tuple[Vector, Moving]:
    """Take the steps of one block, after t steps; return its counts, and what moves from there."""
    rows = reader.rows(block[0])
    y, ones = reader.sign_and_target(block[1], len(alpha))
    run = PegasosRun(rows, False, y, ones, *settings)
    run.alpha = alpha.copy()
    run.v, run.late, run.scale = (part.copy() for part in moving)
    run.advance(order, t)
    return run.alpha, (run.v, run.late, run.scale)


def slack_of_block(
    reader: Reader, block: Any, w: Vector, alpha: Vector
) -> tuple[float, float, Vector]:
    """Return Σ ξ_i of one block at w, and of its dual variables Σ α_i and Σ α_i y_i x_i."""
    rows = reader.rows(block[0])
    y, _ = reader.sign_and_target(block[1], len(alpha))
    slack = np.maximum(0.0, 1 - y * times(rows, w))
    return float(np.ones(len(y)) @ slack), alpha.sum(), transposed_times(rows, alpha * y)


@dataclass(frozen=True)
class PegasosOverBlocks(PegasosBounds, Machine):
    """Where Pegasos over blocks is; a gap takes one reading.

    Parameters
    ----------
    w, b : array of shape (r,) and float. The average, if one is kept, else the last.
    passes, steps : int. Passes over all blocks, and steps t so far.
    n_violations : float. Violations so far, each of them 1/k if a step takes k examples.
    lam : float. λ; in C-form C = 1/(λn).
    """

    passes: int
    steps: int
    n_violations: float
    lam: float
    _weights: Vector
    _counts: list[Vector]
    _data: Data

    @cached_property
    def _certificate(self) -> tuple[float, float]:
        w, lam, n = self._weights, self.lam, sum(self._data.sizes)
        each = [
            (w, np.minimum(counts / max(self.steps, 1), 1 / n) / lam) for counts in self._counts
        ]
        slack, gain, v = add_up(self._data.read(slack_of_block, each))
        return float(lam / 2 * (w @ w) + slack / n), best_multiple(lam, gain, float(v @ v))


def pegasos_over_blocks(
    blocks: Any,
    lam: Any,
    *,
    features: Features = None,
    bias: float = 0.0,
    positive: Any = None,
    batch_size: int = 1,
    project: bool = False,
    average: bool | str = False,
    rng: Seed | None = 0,
) -> Iterator[PegasosOverBlocks]:
    """Pegasos over blocks: the w that one block has left goes on to the next.

    The first state is w = 0. It never ends. Problem, steps and certificate are those of `pegasos`,
    and with one block so is every step, bit for bit; a fresh permutation is drawn in each block,
    and of the blocks. A step needs the w before it, so one block at a time is at work: past memory
    it helps, on more machines it does not. Taught in notebook 08. Raises ValueError for a bad
    argument, or a bad block, which it names, before the first step.

    Parameters
    ----------
    blocks, features, positive : As in `descend_over_blocks`.
    lam, batch_size, project, average, rng
        As in `pegasos`; a batch holds examples of one block.
    bias : float. Value of a constant feature, 0 for none; λ shrinks its weight too.
    """
    lam = check_positive(lam, "lam")
    reader = Reader(features, check_number(bias, "bias"), positive, hinge)
    batch_size = check_positive_integer(batch_size, "batch_size")
    radius = float(np.sqrt(1 / lam)) if check_bool(project, "project") else np.inf
    settings = lam, batch_size, radius, check_average(average)
    generator = None if rng is None else random_generator(rng)
    data = look_at_all(blocks, reader)
    if batch_size > (least := min(data.sizes)):
        raise ValueError(
            f"batch_size must be at most what each block holds, {least}, got {batch_size}"
        )
    run = PegasosRun(data.looks[0].sample, False, np.ones(1), np.ones(1), *settings)
    return _walk(data, run, generator)


def _walk(
    data: Data, run: PegasosRun, generator: np.random.Generator | None
) -> Iterator[PegasosOverBlocks]:
    """The loop; `run` knows no rows here, and what moves is copied from block to block."""
    settings, sizes = (run.lam, run.batch_size, run.radius, run.power), data.sizes
    counts, t = [np.zeros(n) for n in sizes], 0
    for passes in count():
        violations = float(sum(part.sum() for part in counts))
        w = run.answer(t).copy()
        yield PegasosOverBlocks(passes, t, violations, run.lam, w, list(counts), data)
        orders = [order_of(n, generator) for n in sizes]
        for b in order_of(len(sizes), generator):
            each = [(settings, counts[b], (run.v, run.late, run.scale), orders[b], t)]
            ((counts[b], moving),) = data.read(pegasos_block, each, [b])
            run.v, run.late, run.scale = moving
            t += -(-sizes[b] // run.batch_size)
