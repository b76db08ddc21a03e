"""Printed pictures of notebook 09: what the reader's own function does, mended or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from kernellab.certificates import svm_certificate
from kernellab.datasets.targets import make_bowl, make_outside_circle, make_quarters
from kernellab.draw import style
from kernellab.draw.picture import Picture, picture
from kernellab.kernels import Gaussian
from kernellab.live.readout import minus
from kernellab.solvers.sdca import sdca

PASSES, LONGEST, LEAST, STEP = 30, 500, 0.001, 3
# Of 2000 splits of iris, how many have 0, 1, … of 30 test flowers wrong.
WRONG_OF_30 = np.array([541, 774, 461, 171, 42, 11])
# What exhibits 8 and 7 draw: four errors, and a surface.
LAMS, ERRORS = np.array([0.05, 0.35, 1.0, 5.0]), np.array([0.4, 0.1, 0.2, 0.3])


def slope(X: Any) -> Any:
    """Return x₁² − 2x₂ of points (n, 2)."""
    return X[:, 0] ** 2 - 2 * X[:, 1]


def not_squared(X: Any, gamma: float) -> Any:
    """Return the Gram matrix of the notebook in exhibit 6: its distance is not squared."""
    return np.exp(-gamma * np.sqrt(-np.log(Gaussian(1.0)(X))))


def eight_seeds(report: Callable[[int], float]) -> Picture:
    """Return a picture of what `report` says of eight seeds, over what 2000 splits say."""
    said, share = [report(seed) for seed in range(8)], WRONG_OF_30 / WRONG_OF_30.sum()
    figure, places = style.new_figure((7.0, 3.6)), 1 - np.arange(len(share)) / 30
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.5, 1])
    axes.bar(places, share, width=0.025, color="#d5d5d5")
    piled = [said[:k].count(said[k]) for k in range(8)]  # those with the same number
    below.plot(said, piled, "o", color=style.ACCENT, markersize=5)
    axes.set(title="one split, 2000 times", ylabel="share of splits")
    below.set(title="yours: a dot for each of 8 seeds", xlabel="accuracy on 30 flowers")
    below.set(xlim=(0.8, 1.02), ylim=(-0.8, 7.5), yticks=[])
    below.set_xticks(places, [f"{place:.0%}" for place in places])
    below.spines["left"].set_visible(False)
    lucky = f"{share[0]:.0%} of 2000 splits have an accuracy of 100%."
    return picture(figure, f"{lucky} Eight seeds of yours say {min(said):.0%} to {max(said):.0%}.")


def coins_and_the_best(chosen_error: Callable[[Any], float]) -> Picture:
    """Return a picture of 52 models that toss a coin, of the chosen one, and what is said of it."""
    wrong = np.random.default_rng(39).integers(0, 2, (52, 200)).astype(float)
    errors, said = 100 * wrong.mean(axis=1), 100 * float(chosen_error(wrong))
    # A mark on each model, too small to change a choice, tells which of them the answer is about.
    marked = float(chosen_error(wrong + 1e-9 * np.arange(1, 53)[:, np.newaxis]))
    chosen = round(1e9 * (marked - float(Fraction(marked).limit_denominator(200)))) - 1
    axes, best = (figure := style.new_figure((7.0, 3.0))).subplots(), errors.argmin()
    axes.plot(errors, "o", color=style.INK, markersize=4)
    axes.plot(best, errors[best], "o", color=style.INK, markersize=11, markerfacecolor="none")
    if 0 <= chosen < 52:
        axes.plot(
            chosen, errors[chosen], "s", color=style.ACCENT, markersize=15, fillstyle="none",
            label="chosen by yours",
        )  # fmt: skip
    axes.axhline(50, color=style.INK, linestyle="--", label="a coin")
    axes.axhline(said, color=style.ACCENT, label="reported by yours")
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(1, 0.3))
    axes.set(xlabel="52 models that toss a coin", ylabel="errors, in %", xticks=[])
    axes.set_yticks([45, 50, 55])
    axes.set_title(
        f"one trial; ringed: lowest of 52 ({errors[best]:.0f}%); yours reports {said:.0f}%"
    )
    alt = f"52 models toss a coin: the lowest errs in {errors[best]:.0f}%, yours says {said:.0f}%"
    alt += f" of one that errs in {errors[chosen]:.0f}%." if 0 <= chosen < 52 else "."
    return picture(figure, alt)


def once_and_twice(weights: Callable[..., Any], X: Any, y: Any) -> Picture:
    """Return a picture of the band of X (n, 2) with classes y (n,), and of X twice, at one λ."""
    figure = style.new_figure((5.4, 4.2))
    axes, wide = figure.subplots(), []
    for label, colour, marker in ((1, style.POSITIVE, "o"), (-1, style.NEGATIVE, "s")):
        axes.scatter(*X[y == label].T, color=colour, marker=marker, alpha=0.5)
    for times, line, colour in ((1, "-", style.INK), (2, "--", style.ACCENT)):
        w = np.asarray(weights(np.tile(X, (times, 1)), np.tile(y, times), 2.0))
        wide.append(2 / np.linalg.norm(w))
        for side, width in ((-1, 1), (0, style.LINE), (1, 1)):
            place = side * w / (w @ w)  # where w·x = side
            axes.axline(
                place, place + w[::-1] * [-1, 1], color=colour, linestyle=line, linewidth=width
            )
        axes.plot([], [], line, color=colour, label=("once", "twice")[times - 1])
    axes.set(xlabel="x₁", ylabel="x₂", aspect="equal", xlim=(-4, 4), ylim=(-3, 3))
    axes.set_title(f"each example once: a band {wide[0]:.1f} wide; twice: {wide[1]:.1f}")
    axes.legend(frameon=False, loc="upper right")
    return picture(
        figure, f"The band is {wide[0]:.1f} wide, with each example twice {wide[1]:.1f}."
    )


def objective_over_scale(fit: Callable[..., Any]) -> Picture:
    """Return a picture of the objective of exhibit 11 at s f, for the f of `fit` and s near 1."""
    (X, y), scales = make_bowl(20), np.linspace(0.5, 1.5, 101)
    K = Gaussian(2.0)(X)
    f = K @ (coef := fit(K, y, 0.1))
    values = [0.05 * s**2 * coef @ f + np.mean((y - s * f) ** 2) for s in scales]
    figure = style.new_figure((7.0, 2.6))
    axes, best = figure.subplots(), int(np.argmin(values))
    axes.plot(scales, values, color=style.INK, linewidth=style.LINE)
    axes.plot(1, values[50], "o", color=style.ACCENT, markersize=9)
    axes.plot(scales[best], values[best], "*", color=style.INK, markersize=13)
    title = f"your f (dot) is at s = 1, the lowest (star) at {scales[best]:.2f}"
    axes.set(xlabel="s", ylabel="objective of s · f", title=title)
    return picture(figure, f"The objective of s·f over s is lowest at s = {scales[best]:.2f}.")


def ruler_and_band(distance: Callable[[Any], float]) -> Picture:
    """Return a picture of the line of w = (0, 1), its band, the nearest points, and a ruler."""
    said = float(distance(np.array([0.0, 1.0])))
    figure = style.new_figure((5.4, 2.8))
    axes = figure.subplots()
    axes.hlines([0], -2, 2, color=style.INK)
    axes.hlines([-1, 1], -2, 2, color=style.INK, linestyles="--")
    axes.plot(0, 1, "o", color=style.POSITIVE, markersize=9)
    axes.plot(0, -1, "s", color=style.NEGATIVE, markersize=9)
    axes.plot([0.3, 0.3], [0, said], "_-", color=style.ACCENT, markersize=14)
    axes.set(xlabel="x₁", ylabel="x₂", title=f"your ruler, from the line: {said:g}")
    return picture(figure, f"A line, its band from −1 to 1, and a ruler {said:g} long.")


def alpha_over_margin(is_support_vector: Callable[[float], bool], machine: Any, y: Any) -> Picture:
    """Return a picture of each α over its margin, of a machine (C = 1) on classes y (n,)."""
    margins, figure = y * machine.scores, style.new_figure((7.0, 2.8))
    axes, said = figure.subplots(), np.array([bool(is_support_vector(m)) for m in margins])
    axes.plot(margins, machine.alpha, "o", color=style.INK, markersize=5)
    axes.plot(
        margins[said], machine.alpha[said], "o", color=style.ACCENT, markersize=11, fillstyle="none"
    )
    title = f"{np.sum(machine.alpha > 1e-6)} have α > 0; yours finds {said.sum()} (ringed)"
    axes.set(xlabel="margin y f(x)", ylabel="α", yticks=[0, 1], title=title)
    return picture(figure, f"α over the margin of {len(y)} examples: {title}.")


def gap(Q: Any, alpha: Any, C: float) -> float:
    """Return the relative gap of exhibit 3: of α, (n,), where Q, (n, n), holds y_i y_j K_ij."""
    alpha = np.clip(np.asarray(alpha, dtype=float), 0, C)
    return svm_certificate(Q, np.ones(len(Q)), alpha, C).gap


def cases_of_train() -> Iterator[tuple[str, Any, float]]:
    """Yield what exhibit 3 is tried on: a name, the matrix Q (n, n), and C."""
    data = make_outside_circle()
    everybody = np.arange(len(data.y))
    twins = np.append(everybody[:60], 59)  # the last one never moves
    slow = ", where it takes more than 200 passes,"
    for gamma, C, some, more in (
        (5.0, 10.0, everybody, ""), (7.0, 3.0, everybody, ""),
        (5.0, 10.0, twins, " and the last point twice"),
        (5.0, 1e6, everybody, ""),  # every step is a tiny share of C here: the gap is not small
        (2.0, 3e4, everybody, slow),
    ):  # fmt: skip
        y = data.y[some]
        Q = not_squared(data.X[some], gamma) * np.outer(y, y)  # as printed
        yield f"C = {C:_.0f}{more}".replace("_", " "), Q, C


def gap_over_passes(train: Callable[..., Any]) -> Picture:
    """Return a picture of the gap after each pass in order, and of that where `train` stops.

    It is drawn of the case that the check speaks of: the first that stops above 3%, or the first.
    """
    tried = [(gap(Q, train(Q, C), C), case, Q, C) for case, Q, C in cases_of_train()]
    stop, case, Q, C = next((found for found in tried if found[0] > 0.03), tried[0])
    each, gaps = [np.arange(len(Q))] * LONGEST, []
    for state in islice(sdca(Q, np.ones(len(Q)), C, orders=each), 1, None):
        gaps.append(state.gap)
        if len(gaps) >= PASSES and gaps[-1] <= 1.01 * stop:
            break
    at = int(np.abs(np.log(np.array(gaps) / max(stop, 1e-9))).argmin()) + 1
    figure = style.new_figure((7.0, 3.0))
    axes = figure.subplots()
    shown = np.maximum(gaps, LEAST)
    axes.semilogy(np.arange(1, len(gaps) + 1), shown, color=style.INK, linewidth=style.LINE)
    axes.axhline(0.03, color=style.INK, linestyle="--", linewidth=1, label="3%: near enough")
    axes.plot(
        at, max(stop, LEAST), "o", color=style.ACCENT, markersize=9, label="where yours stops"
    )
    axes.legend(frameon=False)
    said = (
        f"{stop:.0%}"
        if stop > 0.1
        else f"{max(100 * stop, 0.1):.2g}%" + " or less" * (stop < LEAST)
    )
    title = minus(f"{case.split(',')[0]}: it stops where the gap is {said}")
    axes.set(xlabel="passes", ylabel="relative gap", title=title, ylim=(0.8 * LEAST, 1.3))
    axes.set_yticks([1, 0.1, 0.03, 0.01, 0.001], ["100%", "10%", "3%", "1%", "≤ 0.1%"])
    return picture(
        figure, f"The relative gap falls from {gaps[0]:.0%} after one pass to {gaps[-1]:.1%} after "
        f"{len(gaps)}. The function stops where it is {said}, at pass {at}.",
    )  # fmt: skip


def kernel_over_distance(gaussian: Callable[..., Any]) -> Picture:
    """Return a picture of k over the distance from a point, beside the bell, both with γ = 1."""
    side = np.linspace(-2.5, 2.5, 201)
    found, bell = np.ravel(gaussian(side[:, None], np.zeros((1, 1)), 1.0)), np.exp(-(side**2))
    figure = style.new_figure((7.0, 2.6))
    axes = figure.subplots()
    axes.plot(side, found, color=style.ACCENT, linewidth=style.LINE, label="your function")
    axes.plot(side, bell, color=style.INK, linestyle="--", label="Gaussian")
    axes.set(xlabel="x − z", ylabel="k", title="a Gaussian, and your function, for γ = 1")
    axes.legend(frameon=False)
    said = f"At the distance 0.25 a Gaussian has {bell[110]:.2f}"
    return picture(figure, f"{said}, the reader's function {found[110]:.2f}.")


def gaps_by_order(orders: Callable[..., Any]) -> Picture:
    """Return a picture of SDCA's gap with one order, ten times, and with the ten of `orders`.

    On twenty samples of 20 points like the film's, and twenty times on the 100 points of exhibit
    3. Of one order alone while `orders` repeats itself: the rest answers a question before it.
    """
    repeats = np.array_equal(*orders(20, 10, 0)[:2])
    figure = style.new_figure((8.4, 3.2))
    both, counted = figure.subplots(1, 2, sharey=True), []
    for axes, n, gamma, C in zip(both, (20, 100), (100, 5), (100, 10), strict=True):
        ahead = 0
        for seed in range(20):
            data = make_quarters(20, seed) if n == 20 else make_outside_circle()
            K, new = Gaussian(gamma)(data.X), list(orders(n, 10, seed))
            ends = []
            for tried, colour in (([new[0]] * 10, style.ACCENT), (new, style.INK))[: 2 - repeats]:
                gaps = [state.gap for state in sdca(K, data.y, C, orders=tried)][-10:]
                axes.plot(range(1, 11), gaps, color=colour, linewidth=0.8, alpha=0.7)
                ends.append(gaps[-1])
            at = 11 + seed / 4
            axes.vlines(at, min(ends), max(ends), color=style.NEUTRAL, linewidth=0.8)
            for end, colour in zip(ends, (style.ACCENT, style.INK), strict=False):
                axes.scatter(at, end, s=9, color=colour, zorder=3)
            ahead += ends[0] < ends[-1]
        found = "" if repeats else f": one order is lower {ahead} of 20"
        axes.set(xlabel="passes", title=f"{n} points{found}")
        axes.set_xticks([1, 5, 10, 13.5], ["1", "5", "10", "the 20 ends"])
        counted.append(f" On {n} points one order ends lower {ahead} of 20 times.")
    both[0].set(ylabel="relative gap", ylim=(0, 1))
    both[0].set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    names = ["one order, ten times", "ten orders"][: 2 - repeats]
    both[1].legend(both[1].lines[: len(names)], names, frameon=False)
    said = f"Relative gap over ten passes, with {' and with '.join(names)}, on 20 and 100 points."
    return picture(figure, said + "".join(counted * (not repeats)))


def lowest_drawn(error_curve: Callable[..., Any], axes: Axes) -> Any:
    """Draw four errors over λ with `error_curve`, and return where it puts the lowest, (2,)."""
    error_curve(axes, LAMS, ERRORS)
    drawn = axes.lines[0].get_xydata() if axes.lines else axes.collections[0].get_offsets()
    return min(np.asarray(drawn, dtype=float), key=lambda place: place[1])


def curve_and_star(error_curve: Callable[..., Any]) -> Picture:
    """Return a picture of four errors as `error_curve` draws them, and of where the best λ is."""
    figure = style.new_figure((7.0, 2.6))
    star = lowest_drawn(error_curve, axes := figure.subplots())
    axes.axvline(LAMS[ERRORS.argmin()], color=style.INK, linestyle="--", linewidth=1)
    axes.plot(*star, "*", color=style.ACCENT, markersize=15)
    axes.set_title(f"yours: the lowest error (star) at {star[0]:g}; the best λ (dashed) is 0.35")
    return picture(figure, f"The lowest error is drawn at {star[0]:g}, and the best λ is 0.35.")


def two_surfaces(surface: Callable[..., Any]) -> Picture:
    """Return a picture of a function over the square as `surface` has it, and as it is."""
    side, figure = np.linspace(0, 1, 21), style.new_figure((7.0, 3.4))
    right = slope(np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)).reshape(21, 21)
    both = {"yours": np.asarray(surface(slope, side)), "f itself": right}
    for axes, (name, z) in zip(figure.subplots(1, 2), both.items(), strict=True):
        axes.pcolormesh(side, side, z, cmap=style.SCORES, vmin=-2, vmax=2)
        axes.plot(1, 0, "o", color=style.ACCENT, markersize=14, fillstyle="none", clip_on=False)
        axes.set(xlabel="x₁", ylabel="x₂", title=minus(f"{name}: {z[0, -1]:g} at the ring"))
    return picture(figure, minus(f"At (1, 0), ringed: yours {both['yours'][0, -1]:g}, f itself 1."))


def moved_by_a_step(scores: Callable[..., Any], X: Any, y: Any) -> Picture:
    """Return a picture of points (n, 2), classes y (n,), here and moved, and both lines f = 0."""
    figure = style.new_figure((5.4, 4.6))
    axes = figure.subplots()
    side = np.linspace(-3.5, 6.5, 101)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    signs = []
    for by, line, name in ((0, ":", "before, pale"), (STEP, "-", "after")):
        places = X + by
        axes.plot([], [], line, color=style.INK, label=name)
        signs.append(np.sign(scores(places, y, places, 1.0)))
        heights = np.reshape(scores(places, y, grid, 1.0), (len(side), len(side)))
        if np.ptp(np.sign(heights)):
            axes.contour(side, side, heights, levels=[0], colors=[style.INK], linestyles=[line])
        for label, colour, marker in ((1, style.POSITIVE, "o"), (-1, style.NEGATIVE, "s")):
            axes.scatter(*places[y == label].T, color=colour, marker=marker, alpha=0.4 + by / 5)
    changed = signs[0] != signs[1]
    x1, x2 = (X[changed] + STEP).T
    axes.scatter(x1, x2, s=160, facecolors="none", edgecolors=style.ACCENT)
    axes.plot(0, 0, "+", color=style.INK, markersize=12)
    axes.set(xlabel="x₁", ylabel="x₂", aspect="equal")
    axes.set_title(f"all points move by (3, 3): {changed.sum()} of 20 change sides")
    axes.legend(frameon=False, loc="upper left")
    return picture(
        figure, f"Points of two classes, here and moved by ({STEP}, {STEP}), and for each the line "
        f"of score zero. {changed.sum()} points change sides, and are ringed.",
    )  # fmt: skip
