"""What a live figure shows in each of its presets, for readers without Python: pictures and words.

A cell such as ``margin.Hulls(pair="touching")`` is run once, and every preset of the figure drawn,
for a wide page and, with its panels one under the other, for a narrow one. They are kept in
build/states until the lesson's room, or what all rooms stand on, has changed.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import io
import os
import pickle
import warnings
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from cells import ROOT
from PIL import Image

from kernellab.draw.picture import SIGN_OF_ZERO, few_colours
from kernellab.live.declared import Figure
from kernellab.live.strip import between_panels, one_below_the_other

KEPT = ROOT / "build" / "states"
ROOMS = ROOT / "kernellab" / "lessons"
LESSONS = "kernellab.lessons"
RATIO = 1.5  # image pixels for each of the page
NARROW = 560  # CSS pixels; a panel that is wider is drawn anew, less wide
LESS_WIDE = 4.9  # inches
LEAST = 0.5  # of the width of a narrow picture, for its curves
SLENDER = 1.3  # times as high as wide
AS_IT_OPENS = "at first"


@dataclass(frozen=True)
class State:
    """One picture of a live figure: what it is called, what it says, and how it looks.

    Attributes
    ----------
    name : Of the preset; that of the state it begins with is `AS_IT_OPENS`.
    alt, readout : What it shows, in words; and the line of numbers under it.
    width, height : On the page, in CSS pixels.
    wide, narrow : PNG files; the second has the panels one under the other, or is empty.
    """

    name: str
    alt: str
    readout: str
    width: int
    height: int
    wide: bytes
    narrow: bytes


def figure_of(source: str) -> str | None:
    """Return the expression that makes the figure of a cell, without the question put over it.

    If it is given what its notebook has computed it is left to compute that itself.
    """
    try:
        node = ast.parse(source, mode="eval").body
    except SyntaxError:
        return None
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    if called and node.func.attr == "ask":  # type: ignore[attr-defined]
        node = node.func.value  # type: ignore[attr-defined]
    if not isinstance(node, ast.Call):
        return None
    if names(node) - set(rooms(node)):
        node = ast.Call(node.func, [], [])
    return ast.unparse(node)


def opened(expression: str) -> Any:
    """Return what an expression makes that needs nothing but the rooms of the lessons."""
    found = rooms(ast.parse(expression))
    return eval(expression, {room: importlib.import_module(f"{LESSONS}.{room}") for room in found})


def states(expression: str) -> list[State]:
    """Draw a figure in the state it begins with, and in all its presets."""
    figure = opened(expression)
    if not isinstance(figure, Figure):
        return []
    slim = less_wide(expression, figure)
    found: list[State] = []
    for name in (AS_IT_OPENS, *figure.presets):
        if name != AS_IT_OPENS:
            figure.load(name)
            if slim:
                slim.load(name)
        image = drawn(figure)
        narrow = drawn(slim) if slim else under_each_other(figure, image)
        found.append(
            State(
                name,
                SIGN_OF_ZERO.sub("", figure.live.alt),
                figure.live.readout,
                round(image.width / RATIO),
                round(image.height / RATIO),
                png(image),
                png(narrow) if narrow else b"",
            )
        )
    return found


def drawn(figure: Figure) -> Image.Image:
    """Return the present picture of a figure as it stands on a page, with a palette."""
    figure.live.view = {"width": figure.live.size[0], "ratio": RATIO}
    with Image.open(io.BytesIO(figure.live.frame)) as image:
        return few_colours(image.convert("RGB"))


def under_each_other(figure: Figure, image: Image.Image) -> Image.Image | None:
    """Return a picture of a figure with its panels one under the other, if it has several."""
    return one_below_the_other(image, between_panels(figure.live._figure))


def less_wide(expression: str, figure: Figure) -> Figure | None:
    """Return the same figure less wide, if it is one wide panel and its words have room so."""
    if figure.live.size[0] < NARROW or under_each_other(figure, drawn(figure)):
        return None
    kind = type(figure)
    size = (LESS_WIDE, kind.size[1])
    with warnings.catch_warnings(action="error", category=UserWarning):
        try:  # Matplotlib warns of a picture that is too small for its words
            slim = eval(expression, {expression.split(".")[0]: _Other(kind, size)})
        except UserWarning:
            return None
    return slim if words_fit(slim) else None


class _Other:
    """A room in which one figure has another size."""

    def __init__(self, kind: type[Figure], size: tuple[float, float]) -> None:
        setattr(self, kind.__name__, type(kind.__name__, (kind,), {"size": size}))


def words_fit(figure: Figure) -> bool:
    """Whether no title, label or legend is cut off, or leaves the curves little room."""
    drawn_on: Any = figure.live._figure
    renderer = drawn_on.canvas.get_renderer()
    words = [
        word
        for axes in drawn_on.axes
        for word in (axes._left_title, axes.xaxis.label, axes.yaxis.label)
        if word.get_text()
    ]
    keys = [axes.get_legend() for axes in drawn_on.axes if axes.get_legend()]
    boxes = [one.get_window_extent(renderer) for one in (*words, *keys, *drawn_on.legends)]
    return all(box.x0 >= -1 and box.x1 <= drawn_on.bbox.width + 1 for box in boxes) and all(
        axes.get_position().width > LEAST for axes in drawn_on.axes
    )


def png(image: Image.Image) -> bytes:
    """Encode a picture with a palette; quickly, because there are many of them."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def panels_in(source: str) -> int:
    """Return how many panels the strip of a cell has; 0 if it shows none."""
    nodes = ast.walk(ast.parse(source)) if ".strip(" in source else ()
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    strips = [call.args for call in calls if getattr(call.func, "attr", "") == "strip"]
    return sum(isinstance(name, ast.Constant) for name in strips[0]) if strips else 0


def between(panels: int, image: Image.Image) -> list[tuple[float, float, float]]:
    """Return where the panels of a strip stand apart, as fractions of its width."""
    drawn_on = np.asarray(image.convert("L")).min(axis=0) < 255
    ends = np.flatnonzero(np.diff(drawn_on.astype(int)))  # before each run, and at its end
    gaps = list(zip(ends[1::2], ends[2::2], strict=False))
    widest = sorted(gaps, key=lambda gap: gap[0] - gap[1])[: panels - 1]
    return sorted((a / image.width, (a + b) / 2 / image.width, b / image.width) for a, b in widest)


def strip_below(source: str, data: bytes) -> bytes:
    """Return the panels of a strip one under the other; nothing if a cell shows no strip."""
    panels = panels_in(source)
    if panels < 2:
        return b""
    with Image.open(io.BytesIO(data)) as image:
        below = one_below_the_other(image, between(panels, image))
    return png(below) if below else b""


def strip_panels(source: str, data: bytes, top: int = 0) -> list[bytes]:
    """Return the panels of a strip, each a picture, from ``top`` on: without their names."""
    with Image.open(io.BytesIO(data)) as image:
        apart = between(panels_in(source), image)
        ends = pairwise([0, *(round(best * image.width) for _, best, _ in apart), image.width])
        return [png(abreast(image.crop((left, top, right, image.height)))) for left, right in ends]


def abreast(image: Image.Image) -> Image.Image:
    """Return a slender picture with its lower half beside the upper one."""
    if image.height < SLENDER * image.width:
        return image
    blank = np.flatnonzero(np.asarray(image.convert("L")).min(axis=1) == 255)
    cut = int(blank[np.argmin(np.abs(blank - image.height / 2))])
    upper, lower = (image.crop((0, a, image.width, b)) for a, b in ((0, cut), (cut, image.height)))
    page = Image.new("RGB", (2 * image.width, max(upper.height, lower.height)), "white")
    for half, left in ((upper, 0), (lower, image.width)):
        page.paste(half.convert("RGB"), (left, page.height - half.height))
    return few_colours(page)


# --- all of them, and those that are known ------------------------------------------------------


def names(tree: ast.AST) -> set[str]:
    """Return the names in an expression."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def rooms(tree: ast.AST) -> list[str]:
    """Return the rooms of the lessons that an expression names."""
    return sorted(name for name in names(tree) if (ROOMS / name).is_dir())


@cache
def fingerprint(room: str | None) -> str:
    """Return what changes with the sources of a room, or with what all of them stand on."""
    if room:
        files = sorted((ROOMS / room).rglob("*.py"))
    else:
        package = ROOT / "kernellab"
        files = sorted(f for f in package.rglob("*.py") if ROOMS not in f.parents)
        files += [Path(__file__), *sorted(f for f in (ROOT / "data").rglob("*") if f.is_file())]
    seen = hashlib.sha256()
    for file in files:
        seen.update(file.read_bytes())
    for package_name in ("matplotlib", "numpy", "pillow", "scikit-learn"):
        seen.update(version(package_name).encode())
    return seen.hexdigest()


def kept_in(expression: str, folder: Path) -> Path:
    """Return the file that keeps the states of a figure."""
    of = [expression, fingerprint(None), *map(fingerprint, rooms(ast.parse(expression)))]
    return folder / f"{hashlib.sha256('|'.join(of).encode()).hexdigest()[:24]}.pickle"


def make(expression: str, file: Path) -> None:
    """Draw the states of a figure, and keep them in a file."""
    found = states(expression)
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(f".{os.getpid()}")
    written.write_bytes(pickle.dumps(found))
    written.replace(file)


def all_states(expressions: Iterable[str], folder: Path = KEPT) -> dict[str, list[State]]:
    """Return the states of many figures, drawing on all processors those that are not kept."""
    wanted = sorted(set(expressions))
    files = {expression: kept_in(expression, folder) for expression in wanted}
    new = [expression for expression in wanted if not files[expression].exists()]
    if new:
        # Not forked: what has threads of its own, as BLAS has, may wait for them for ever.
        at_once, anew = min(len(new), os.cpu_count() or 1), get_context("spawn")
        with ProcessPoolExecutor(max_workers=at_once, mp_context=anew) as workers:
            list(workers.map(make, new, [files[expression] for expression in new]))
    return {expression: pickle.loads(file.read_bytes()) for expression, file in files.items()}
