"""Every live figure, made twice: its presets in the hall, its reset, and a hand that knows nothing.

In the hall the type is large, nothing is cut off, and the classes differ by shape, for eyes and
projectors that show no colours. (`tests/browser/test_demos.py` measures how much of a projector's
picture the figure has.) Then random sliders, lists, buttons, drags and presets: `make test` makes a
few moves, `make fuzz` 500 with each figure, and measures growth too. In the end a new figure with
the same settings shows the same. What is saved in `notebooks/demos.ipynb` is compared here too.
"""

from __future__ import annotations

import gc
import io
import os
import random
import re
from functools import cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from string import Formatter
from typing import Any

import ipywidgets
import matplotlib
import nbformat
import numpy as np
import pytest
import show_demos
from live_figures import EVERY_KIND, LIVE_FIGURES, seen
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image, ImageFont

from kernellab.draw import style
from kernellab.draw.mark import artists_of
from kernellab.live import declared
from kernellab.live.controls import Control, Sample
from kernellab.live.controls import declared as declared_in

# Of the demos the question, and the alternative text that is saved with the still.
DEMOS = {
    asked[1]: (asked[2], output.metadata["image/png"]["alt"])
    for cell in nbformat.read(show_demos.DEMOS, as_version=4).cells
    if (asked := re.search(r'(\w+)\(\)\.ask\(\s*"(.*)",$', cell.source, re.MULTILINE))
    for output in cell.outputs
    if "image/png" in output.get("data", {})
}
ROOT = Path(__file__).resolve().parents[2]
# The notebooks show a strip of these, and are run too.
ON_PAPER = {
    name
    for file in ROOT.glob("notebooks/**/*.ipynb")
    for name in re.findall(r"\b(\w{,40})\.strip\(", file.read_text(encoding="utf-8"))
}
PAPER = 250  # of 255, and lighter
MOVES = int(os.environ.get("KERNELLAB_MOVES", "8"))
PAGE = 4096 / 1e6  # of memory, in MB
MANY = 200  # from here on memory is measured
# MB of the process, in the second half of the moves: what the allocator keeps for later comes to
# some 7, and a small picture that is never given back to 50.
MOST_GROWTH = 12.0
SMALL = {"width": 320, "ratio": 1.0, "calm": False}  # few pixels are quickly drawn
# The room for a picture on the stage, in windows of 1024 × 768 and 1920 × 1080, and the type there.
NARROW_STAGE = {"width": 988, "height": 430, "type": 20.0, "ratio": 1.0, "calm": True}
WIDE_STAGE = {"width": 1869, "height": 690, "type": 28.0, "ratio": 1.0, "calm": True}
FONTS = [
    ImageFont.truetype(Path(matplotlib.get_data_path(), "fonts/ttf", file), NARROW_STAGE["type"])
    for file in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
]
MOST_SEEN = 6  # controls at first, buttons aside
DATA = ("data", "pair", "sample")  # other data begin anew, and so may all that is shown of them
# Controls that say once more what another one does, or where the grips are, or how long a run was.
FOLLOWS = {"FindTheWitness": "formula", "KernelPerceptron": "t", "ShatteringGame": "number"}
MOST_NEW_ARTISTS = 60  # Matplotlib keeps a few ticks of the limits that were


@pytest.fixture
def hall():
    style.lecture()
    gc.freeze()  # what was there before is not looked through whenever figures are counted
    yield
    gc.unfreeze()
    style.lecture(False)


def too_small(live):
    """Return the words in a picture on the stage whose type is smaller than other type there."""
    pixels, least = live._figure.get_dpi() / 72, live.view["type"] - 1e-6
    words = [text for text in live._figure.findobj(Text) if text.get_visible() and text.get_text()]
    sizes = {text.get_text(): pixels * text.get_fontsize() for text in words}
    return {word: size for word, size in sizes.items() if size < least}


def ink_at_the_edge(live):
    """Return the sides of the picture at which something is cut off."""
    pixels = np.asarray(Image.open(io.BytesIO(live.frame)).convert("L"))
    sides = {"left": pixels[:, 0], "right": pixels[:, -1], "top": pixels[0], "below": pixels[-1]}
    return [side for side, edge in sides.items() if edge.min() < PAPER]


def length(words):
    """Return how long words are under a picture on the narrow stage, numbers in bold."""
    apart = NARROW_STAGE["type"] * 0.6 * words.count("   ")  # between two phrases
    parts = re.split(r"([+−]?\d[\d.,]*%?)", re.sub(" +", " ", words))
    return apart + sum(FONTS[k % 2].getlength(part) for k, part in enumerate(parts))


def too_long(readout):
    """Whether a readout takes more than two lines of the stage, give or take a word.

    On the narrow stage its lines run on, and so do three or more on the wide one.
    """
    wide = 1.04 * WIDE_STAGE["width"] * NARROW_STAGE["type"] / WIDE_STAGE["type"]
    lines, all_in_one = readout.split("\n"), length(readout.replace("\n", "   "))
    on_wide = all_in_one / wide if len(lines) > 2 else sum(ceil(length(x) / wide) for x in lines)
    return on_wide > 2 or all_in_one > 2.01 * NARROW_STAGE["width"]


def alike_without_colour(figure):
    """Return the axes on which points of both classes have one shape."""
    found = []
    for axes in figure.axes:
        shapes = {style.POSITIVE: set(), style.NEGATIVE: set()}
        for marks in axes.collections:
            if isinstance(marks, PathCollection) and len(marks.get_offsets()):
                colours = {to_hex(colour) for colour in marks.get_facecolor()}
                for colour in colours & set(shapes):
                    shapes[colour] |= {path.vertices.tobytes() for path in marks.get_paths()}
        if shapes[style.POSITIVE] & shapes[style.NEGATIVE]:
            found.append(axes.get_title("left"))
    return found


def one_in(n: int, dice: random.Random) -> bool:
    return dice.randrange(n) == 0


def turn(control: Any, dice: random.Random) -> None:
    """Set a control to something it allows, as a person might."""
    if isinstance(control, ipywidgets.Button):
        control.click()
    elif control.has_trait("options"):
        control.index = dice.randrange(len(control.options))
    elif control.has_trait("min"):
        steps = round((control.max - control.min) / control.step)
        control.value = control.min + control.step * dice.randint(0, steps)
    elif isinstance(control.value, bool):
        control.value = not control.value
    elif isinstance(control.value, str):  # a slip of the finger
        at = dice.randrange(len(control.value) + 1)
        control.value = control.value[:at] + dice.choice("x2(+ ") + control.value[at + 1 :]


def put(live: Any, points: Any) -> None:
    """Put the grips somewhere, as the front end says it."""
    live.points = {"move": live.points["move"] + 1, "at": np.asarray(points).tolist()}


def drag(live: Any, dice: random.Random) -> None:
    """Move a grip a little, or to anywhere it may go."""
    left, right, bottom, top = live.limits
    at = [list(point) for point in live.points["at"]]
    grip = dice.randrange(len(at))
    share = dice.choice([0.05, 1.0])
    target = dice.uniform(left, right), dice.uniform(bottom, top)
    at[grip] = [(1 - share) * a + share * b for a, b in zip(at[grip], target, strict=True)]
    put(live, at)


def move(figure: declared.Figure, dice: random.Random) -> str:
    """Do one thing to a figure; return what it was."""
    controls = [c for c in figure._widgets if not isinstance(c, ipywidgets.Play)]
    what = dice.choice([*2 * controls, "drag", "drag", "preset", "width"])
    if what == "drag" and figure.live.points["at"]:
        drag(figure.live, dice)
    elif what == "preset":
        figure.answer_request(
            {"preset": dice.randrange(len(figure.presets))} if dice.random() < 0.7 else {}
        )
    elif what == "width":
        figure.live.view = {**SMALL, "width": dice.choice([250, 320, 400]), "calm": one_in(5, dice)}
    elif not isinstance(what, str):
        turn(what, dice)
        return f"{what.description} = {getattr(what, 'value', 'pressed')}"
    return str(what)


def count_figures() -> int:
    gc.collect()
    return sum(type(thing) is Figure for thing in gc.get_objects())


def megabytes() -> float:
    """Return what the process holds in memory; nothing where the system does not say it so."""
    held = Path("/proc/self/statm")
    return int(held.read_text().split()[1]) * PAGE if held.exists() else 0.0


def kinds(figure):
    """Return the kinds of controls and of points in a figure."""
    points = {f"points with {sorted(handle)}" for handle in figure.live.handles or [()]}
    return {type(control).__name__ for control in figure._widgets} | points


@cache
def kinds_in_the_browser():
    """Return the kinds that `tests/browser/test_every_control.py` moves."""
    return set().union(*(kinds(LIVE_FIGURES[name]()) for name in EVERY_KIND))


@pytest.mark.parametrize("name", LIVE_FIGURES)
def test_every_figure(name, hall):
    kind = LIVE_FIGURES[name]
    figure = kind()
    if name in DEMOS:
        assert figure.live.alt == DEMOS[name][1], "make notebooks"
    assert kinds(figure) <= kinds_in_the_browser()
    assert figure.question.endswith(("?", "."))
    assert all(artists_of(getattr(figure, mark)) for mark in figure.answer)
    every_preset_can_be_read_and_is_a_picture_of_its_own(figure)
    one_thing_changes_from_preset_to_preset(figure, name)
    every_choice_can_be_shown_with_all_points_in_one_place(figure)
    random_moves(figure, name)
    another_with_the_same_settings_shows_the_same(figure, kind())


def every_preset_can_be_read_and_is_a_picture_of_its_own(figure):
    figure.live.view = WIDE_STAGE
    assert too_small(figure.live) == {}
    assert ink_at_the_edge(figure.live) == []
    figure.live.view = NARROW_STAGE
    first, pictures, known = seen(figure), set(), set(figure.controls)
    assert 2 <= len(figure.presets) <= 9  # one key each
    for preset in (None, *figure.presets):
        if preset:
            figure.load(preset)
            assert len(preset) <= 32
            pictures.add(seen(figure))
        known |= set(figure.numbers)
        is_well(figure, preset)
        assert 50 < len(figure.live.alt) < 700, preset
        assert not too_long(figure.live.readout), preset
        assert too_small(figure.live) == {}, preset
        assert ink_at_the_edge(figure.live) == [], preset
        assert alike_without_colour(figure.live._figure) == [], preset
    assert len(pictures) == len(figure.presets)
    assert named(figure.readout + figure.alt) - known <= {
        "one_class"
    }  # which only a hand can leave
    figure.reset()
    assert seen(figure) == first


def one_thing_changes_from_preset_to_preset(figure, name):
    data = {n for n, one in declared_in(type(figure)).items() if isinstance(one, Sample)} | {*DATA}
    settings = []
    for preset in figure.presets:
        figure.load(preset)
        settings.append({name: control.value for name, control in figure.controls.items()})
    for (before, after), preset in zip(pairwise(settings), [*figure.presets][1:], strict=True):
        changed = {name for name in after if after[name] != before[name]}
        changed -= {*figure.linked, FOLLOWS.get(name)}
        assert len(changed) <= 1 or changed & data, preset
    figure.reset()


def named(template):
    """Return the numbers that a template names: a slip of the pen there would never be said."""
    fields = (field for _, field, _, _ in Formatter().parse(template) if field)
    return {re.split(r"[.\[]", field)[0] for field in fields}


def is_well(figure, after):
    assert figure.live.error == "", f"{after}: {figure.live.last_traceback}"
    assert figure.live.readout
    assert not re.search(r"\bnan\b", figure.live.readout + figure.live.alt), after


def every_choice_can_be_shown_with_all_points_in_one_place(figure):
    figure.live.view = SMALL
    lists = [c for c in figure._widgets if isinstance(c, ipywidgets.Dropdown)]
    for choices, k in [(None, 0), *((one, k) for one in lists for k in range(len(one.options)))]:
        figure.reset()
        if choices:
            choices.index = k
        is_well(figure, choices and choices.label)
        middle = np.reshape(figure.live.limits, (2, 2)).mean(axis=1)
        put(figure.live, np.tile(middle, (len(figure.live.at), 1)))
        is_well(figure, (choices and choices.label, "all points in one place"))
    figure.reset()


def random_moves(figure, name):
    dice, done = random.Random(f"{name} {MOVES}"), []
    figure.live.view = SMALL
    figures, memory = 0, 0.0
    for k in range(MOVES):
        if k == MOVES // 2:
            figures, memory = count_figures(), megabytes()
        done.append(move(figure, dice))
        assert figure.live.error == "", f"{done[-5:]}\n{figure.live.last_traceback}"
    assert count_figures() == figures
    if MOVES >= MANY:
        growth = megabytes() - memory
        print(f"{name}: {growth:+.1f} MB in the last {MOVES - MOVES // 2} moves")
        assert growth < MOST_GROWTH


def another_with_the_same_settings_shows_the_same(figure, fresh):
    fresh.live.view = figure.live.view
    fresh.configure(**figure.settings())
    assert fresh.live.error == ""
    assert seen(fresh) == seen(figure)
    artists = [len(one.live._figure.findobj()) for one in (fresh, figure)]
    assert artists[1] <= artists[0] + MOST_NEW_ARTISTS


@pytest.mark.parametrize("name", sorted(set(LIVE_FIGURES) - ON_PAPER))
def test_every_figure_can_be_shown_as_a_strip(name):
    kind = LIVE_FIGURES[name]
    still = kind.strip(*list(kind.presets)[:2])
    assert np.asarray(Image.open(io.BytesIO(still.png)).convert("L")).min() < PAPER


def test_small_type_and_cut_off_words_are_noticed(hall):
    figure = LIVE_FIGURES["Hello"]()
    figure.live.view = NARROW_STAGE
    assert (too_small(figure.live), ink_at_the_edge(figure.live)) == ({}, [])
    figure.live._figure.text(0.99, 0.5, "cut off", fontsize=8)
    figure.live.view = WIDE_STAGE
    assert list(too_small(figure.live)) == ["cut off"]
    assert ink_at_the_edge(figure.live) == ["right"]


def test_a_long_readout_is_noticed():
    assert not too_long("α = 0.5   " * 9 + "\nβ = 1")
    assert too_long("α = 0.5   " * 16 + "\n" + "β = 1   " * 6)  # 16 on a line are too many
    assert too_long(2 * ("α = 0.5   " * 11 + "\n"))  # and 22 on two narrow ones


def test_classes_that_differ_by_colour_alone_are_noticed():
    figure = style.new_figure()
    axes = figure.subplots()
    axes.scatter([0], [0], c=style.POSITIVE)
    axes.scatter([1], [0], c=style.NEGATIVE, marker="s")
    assert alike_without_colour(figure) == []
    axes.set_title("by colour alone")
    axes.scatter([2], [0], c=style.NEGATIVE)
    assert alike_without_colour(figure) == ["by colour alone"]


def test_every_figure_is_a_demo_with_a_question_but_the_one_that_greets():
    in_others = {base.__name__ for kind in LIVE_FIGURES.values() for base in kind.__mro__[1:]}
    assert sorted(DEMOS) == sorted(set(LIVE_FIGURES) - {"Hello"} - in_others)
    for question, _ in DEMOS.values():
        assert question.endswith("?")
        assert len(question) <= 80  # two lines on the stage, at most


def test_no_figure_opens_with_many_controls():
    for name, kind in LIVE_FIGURES.items():
        named = [n for n, one in declared_in(kind).items() if isinstance(one, Control)]
        assert set(kind.at_first) <= set(named), name
        if kind.at_first:
            assert len(kind.at_first) <= MOST_SEEN, name
