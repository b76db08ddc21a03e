"""Live figure of notebook 08: seconds over n, and what a few small sizes tell of a large one."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from kernellab.draw import style
from kernellab.draw.mark import Mark
from kernellab.draw.title import moving_title
from kernellab.lessons.scale.theory.growth import (
    FEATURES,
    FOURIER,
    LINEAR,
    METHODS,
    NYSTROM,
    PAIRS,
    REST,
    RIDGE,
    Curve,
    curve,
)
from kernellab.live.controls import Check, Choice, Ladder
from kernellab.live.declared import Figure
from kernellab.validation import FloatArray

KNOWN = (1000, 2000, 5000, 10_000, 20_000, 50_000)
ASKED = (2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 10_000_000)
LOWEST, NEAR, HIGHEST = 5e-3, 20_000, {6: 1e7, 7: 1e10}  # seconds in view; by the n that is asked
UNITS = (("years", 3.156e7), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0), ("s", 1.0))
LOOKS = dict(
    zip((PAIRS, REST, RIDGE, NYSTROM, FOURIER, LINEAR), ("o", "s", "D", "^", "v", "x"), strict=True)
)
BROWN = "#8c510a"  # the accent is for what is asked, and for a budget
FAR = {"known": 10_000, "reveal": True}  # of the later presets
MAPPED = {f"{name}, m = {m}": (name, m) for name in (NYSTROM, FOURIER) for m in FEATURES}
LEARNERS = {name: (name, 0) for name in (PAIRS, REST, RIDGE)} | MAPPED | {LINEAR: (LINEAR, 0)}
COLOURS = dict(zip(METHODS, (look[0] for look in style.LINES), strict=True)) | {NYSTROM: BROWN}


def count_words(n: int, figure: Any = None) -> str:
    """Write a count with thin spaces: 10 000."""
    return f"{n:,}".replace(",", " ")


def time_words(seconds: float, digits: int = 2) -> str:
    """Write a time in the largest unit of which there are two."""
    for name, unit in UNITS:
        if seconds >= 2 * unit:
            value = float(f"{seconds / unit:.{digits}g}")
            return f"{value:,.0f} {name}".replace(",", " ") if value >= 10 else f"{value:g} {name}"
    return f"{seconds:.2g} s"


def chosen(method: str, m: int) -> Curve:
    """Return the measured curve of a method, with m features where it makes any."""
    return curve(method, m if method in (NYSTROM, FOURIER) else 0)


def known_sizes(figure: Any) -> list[int]:
    """Return up to which sizes a learner was measured: a line needs two of them."""
    sizes = curve(*LEARNERS[figure.method]).n[1:]
    return [n for n in KNOWN if n in sizes]


def time_ticks(axes: Axes) -> None:
    """Write the powers of ten on an axis of seconds: as far apart as those of n mean."""
    names = ["10 ms", "100 ms", "1 s", "10 s", "100 s", "1000 s"]
    names += [f"$10^{{{p}}}$ s" for p in range(4, 11)]
    axes.set_yticks(10.0 ** np.arange(-2, 11), names)
    axes.minorticks_off()


class Guides(Mark):
    """Thin grey lines n, n² and n³ from one mark, which end within the axes."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        look: dict[str, Any] = {"color": style.NEUTRAL, "linewidth": 0.6, "zorder": 0}
        self.lines = [axes.plot([], [], **look)[0] for _ in range(3)]
        self.names = [
            axes.annotate(
                f"$n^{p}$" if p > 1 else "$n$", (1, 1), (3, 0), textcoords="offset points",
                color=style.NEUTRAL, fontsize=9, va="center",
            )
            for p in (1, 2, 3)
        ]  # fmt: skip

    def start(self, n: float, seconds: float) -> None:
        """Let them start at (n, seconds)."""
        ends = self._axes.get_xlim(), self._axes.get_ylim()
        right, top = (low * (high / low) ** 0.95 for low, high in ends)
        for p, line, name in zip((1, 2, 3), self.lines, self.names, strict=True):
            end = min(right, n * (top / seconds) ** (1 / p))
            line.set_data([n, end], [seconds, seconds * (end / n) ** p])
            name.xy = end, seconds * (end / n) ** p


class GrowthDial(Figure):
    """Measure up to some n, read off a power law, and tell the time at another n.

    What is measured is in data/growth.json, from one run; the law is fitted here and now, to the
    last factor of ten of what is known. Taught in notebook 08.
    """

    question = "Measured so far: how long will it take at the n that you ask for?"
    answer = ("law", "told", "cursor", "later")
    size = (7.8, 3.4)
    method = Choice("learner", list(LEARNERS), RIDGE)
    known = Ladder("measured up to", known_sizes, 2000, count_words)
    asked = Ladder("asked: n", ASKED, 10_000, count_words)
    reveal = Check("what it took")
    presets = {
        "the forecast": {},
        "what it took": {"reveal": True},
        "ridge, measured up to 10 000": {"method": RIDGE, "asked": 10_000} | FAR,
        "ridge, a million": {"method": RIDGE, "asked": 1_000_000} | FAR,
        "pairs, a million": {"method": PAIRS, "asked": 1_000_000} | FAR,
        "Nyström, a million": {"method": f"{NYSTROM}, m = 256", "asked": 1_000_000} | FAR,
        "m = 1024, a million": {"method": f"{NYSTROM}, m = 1024", "asked": 1_000_000} | FAR,
    }
    readout = (
        "{method:s}   law from {few:s} ≤ n ≤ {last:s}: n to the power {exponent:.1f}   "
        "at n = {asked}: {told}\n"
        "it took {took}: {ratio:.1f} times the forecast   nobody measured n = {unknown}   "
        "at n = {farthest} it took {beyond:.1f} times the forecast"
    )
    alt = (
        "Seconds of a fit over n, both axes logarithmic, with thin lines n, n² and n³; {method:s}, "
        "measured up to n = {last:s}, grows as n to the power {exponent:.1f}, which tells {told} "
        "at n = {asked}.{after:s}"
    )

    def build(self, figure: MplFigure) -> None:
        """Make what was measured of a learner, and its law."""
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", xlabel="examples n", ylabel="time of a fit")
        axes.yaxis.set_label_coords(-0.115, 0.5)
        time_ticks(axes)
        self.guides = Guides(axes)
        (self.law,) = axes.plot([], [], "--", color=style.ACCENT, linewidth=style.LINE)
        (self.seen,) = axes.plot([], [], "o-", markersize=9, linewidth=3, zorder=5)
        (self.later,) = axes.plot([], [], "o", markerfacecolor="white", markersize=9, zorder=4)
        (self.told,) = axes.plot(
            [], [], "*", color=style.ACCENT, markerfacecolor="white", markersize=15, zorder=6
        )
        (self.cursor,) = axes.plot([], [], ":", color=style.ACCENT, linewidth=style.LINE, zorder=1)
        self.title, self._axes = moving_title(axes), axes

    def show(self, points: FloatArray) -> dict[str, Any]:
        """Fit the law to what is known, and ask it."""
        name, m = LEARNERS[self.method]
        one = curve(name, m)
        top = 5e2 if self.asked <= NEAR else HIGHEST.get(round(np.log10(self.asked)), 2e4)
        self._axes.set(xlim=(400, 2 * max(self.asked, NEAR)), ylim=(LOWEST, top))
        self.guides.start(one.n[0], one.fit[0])
        last, kept = self.known, one.n <= self.known
        law, few = one.law(fewest=last // 10, most=last), int(one.n[one.n >= last // 10][0])
        told, took = float(law(self.asked)), one.fit[one.n == self.asked]
        ends = np.array([few, max(self.asked, last)], dtype=float)
        self.law.set_data(ends, law(ends))
        self.seen.set_data(one.n[kept], one.fit[kept])
        for dots in (self.seen, self.later):
            dots.set(color=COLOURS[name], marker=LOOKS[name], markeredgewidth=2)
        later = ~kept & (one.n <= self.asked) & self.reveal
        self.later.set_data(one.n[later], one.fit[later])
        self.told.set_data([self.asked], [told])
        self.cursor.set_data([self.asked, self.asked], [LOWEST, told])
        there = self.reveal and len(took) and self.asked > last
        beyond = one.n[later][-1:] if not there else one.n[:0]
        times = f"; it took {took[0] / told:.1f} times as long" if there else ""
        self.title.set_text(f"{one.label}: as n to the power {law.exponent:.1f}{times}")
        return {
            "few": count_words(few),
            "last": count_words(last),
            "exponent": law.exponent,
            "seconds": told,
            "told": time_words(told),
            "took": time_words(float(took[0])) if there else None,
            "ratio": float(took[0]) / told if there else None,
            "after": f" It took {time_words(float(took[0]))}." if there else "",
            "unknown": count_words(self.asked) if self.reveal and not len(took) else None,
            "farthest": count_words(int(beyond[0])) if len(beyond) else None,
            "beyond": float(one.fit[later][-1] / law(beyond[0])) if len(beyond) else None,
        }
