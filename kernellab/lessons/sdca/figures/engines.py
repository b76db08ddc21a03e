"""Four solvers of one problem, by the kernel values that they ask for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.lessons.sdca.figures.log_curves import log_curves
from kernellab.lessons.sdca.theory.recording import clipped_step, rises
from kernellab.solvers.pegasos import kernel_pegasos
from kernellab.solvers.sdca import sdca
from kernellab.solvers.smo import smo
from kernellab.solving import solve
from kernellab.validation import FloatArray

Curve = tuple[FloatArray, FloatArray]
BEST = "one α, the best"
APART = 0.05  # n² kernel values from one dot of a curve to the next
FAR = 30  # n² kernel values, and no more


def engines(K: FloatArray, y: FloatArray, C: float) -> dict[str, Curve]:
    """Run four solvers of the problem without a bias.

    Returns for each the kernel values it has asked for, in units of n², and by how much the least
    primal so far is above the optimum, as a share of that. A change of one α needs a row of K, a
    step of SMO two, a violation in Pegasos one; to look at the scores is free. Taught in notebook
    05.
    """
    n = len(y)
    optimum = solve(smo(K, y, C, bias=False, gap=1e-10), gap=1e-9, max_passes=10_000).dual
    two = smo(K, y, C, bias=False, gap=1e-9, one_at_a_time=True)
    pegasos = kernel_pegasos(K, y, lam=1 / (C * n))  # it speaks in λ-form
    runs: dict[str, Iterable[tuple[float, float]]] = {
        "SDCA": ((state.n_kernel_evaluations, state.primal) for state in sdca(K, y, C)),
        "SMO, no bias": ((state.n_kernel_evaluations, state.primal) for state in two),
        "Pegasos": ((n * state.n_violations, C * n * state.objective) for state in pegasos),
        BEST: best_one(K, y, C),
    }
    return {name: followed(states, n, optimum) for name, states in runs.items()}


def best_one(K: FloatArray, y: FloatArray, C: float) -> Iterator[tuple[float, float]]:
    """Yield kernel values and P of SDCA that always moves the α with which D rises most."""
    alpha, scores = np.zeros(len(y)), np.zeros(len(y))
    for moved in itertools.count():
        losses = np.maximum(0, 1 - y * scores)
        yield moved * len(y), float((alpha * y) @ scores / 2 + C * losses.sum())
        now = K.diagonal(), y, scores, alpha, C
        change, i = clipped_step(*now), rises(*now).argmax()
        alpha[i] += change[i]
        scores += y[i] * change[i] * K[i]


def followed(states: Iterable[tuple[float, float]], n: int, optimum: float) -> Curve:
    """Return kernel values and suboptimality of one solver, until either is far enough."""
    asked: list[float] = []
    above: list[float] = []
    for values, primal in states:
        if asked and values / n**2 < asked[-1] + APART and primal / optimum - 1 > 1e-7:
            continue
        asked.append(values / n**2)
        above.append(primal / optimum - 1)
        if asked[-1] > FAR or above[-1] < 1e-7:
            break
    return np.array(asked), np.minimum.accumulate(above)


def race(K: FloatArray, y: FloatArray, costs: Sequence[float]) -> Picture:
    """Draw `engines` for some C side by side."""
    figure = style.new_figure((10.4, 3.9))
    told = []
    for axes, C in zip(figure.subplots(1, len(costs), sharey=True), costs, strict=True):
        runs = engines(K, y, C)
        log_curves(axes, runs, x="kernel values / n²", y="", floor=1e-7, top=3000)
        axes.set(title=f"C = {C:g}", xlim=(0, FAR if C > 1 else 10))
        axes.axhline(1e-3, color=style.NEUTRAL, linewidth=0.8, zorder=1)
        after = {
            name: above[np.searchsorted(asked, 2) - 1] for name, (asked, above) in runs.items()
        }
        told.append(f"C = {C:g}: " + ", ".join(f"{k} {max(v, 1e-7):.0e}" for k, v in after.items()))
    figure.axes[0].set_ylabel("(least P so far − P*) / P*")
    figure.axes[0].legend(loc="upper right")
    return picture(
        figure,
        "By how much the least P so far is above its optimum against kernel values asked for; "
        f"after 2n² of them, {'; '.join(told)}.",
    )
