"""A hand that knows nothing: random sliders, lists, buttons, drags and presets, in every figure.

`make test` makes a few moves; `make sturdy` makes 500 with each figure, and measures growth too.
"""

from __future__ import annotations

import gc
import os
import random
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from live_figures import LIVE_FIGURES, seen
from matplotlib.figure import Figure

from kernellab.live.explorer import Explorer

MOVES = int(os.environ.get("KERNELLAB_MOVES", "8"))
PAGE = 4096 / 1e6  # of memory, in MB
MANY = 200  # from here on memory is measured
# MB of the process, in the second half of the moves: what the allocator keeps for later comes to
# some 7, and a small picture that is never given back to 50.
MOST_GROWTH = 12.0
SMALL = {"width": 320, "ratio": 1.0, "calm": False}  # few pixels are quickly drawn
MOST_NEW_ARTISTS = 60  # Matplotlib keeps a few ticks of the limits that were


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


def drag(live: Any, dice: random.Random) -> None:
    """Move a grip a little, or to anywhere it may go, as the front end says it."""
    left, right, bottom, top = live.limits
    at = [list(point) for point in live.points["at"]]
    grip = dice.randrange(len(at))
    share = dice.choice([0.05, 1.0])
    target = dice.uniform(left, right), dice.uniform(bottom, top)
    at[grip] = [(1 - share) * a + share * b for a, b in zip(at[grip], target, strict=True)]
    live.points = {"move": live.points["move"] + 1, "at": at}


def move(figure: Explorer, dice: random.Random) -> str:
    """Do one thing to a figure; return what it was."""
    controls = [c for c in figure._controls if not isinstance(c, ipywidgets.Play)]
    what = dice.choice([*2 * controls, "drag", "drag", "preset", "width"])
    if what == "drag" and figure.live.points["at"]:
        drag(figure.live, dice)
    elif what == "preset":
        figure._grant(
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


@pytest.mark.parametrize("name", LIVE_FIGURES)
def test_random_moves(name):
    kind, dice = LIVE_FIGURES[name], random.Random(f"{name} {MOVES}")
    figure, done = kind(), []
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

    fresh = kind()
    fresh.live.view = figure.live.view
    fresh.configure(**figure.settings())
    picture, words, alt = seen(figure)
    assert (fresh.live.error, fresh.live.readout, fresh.live.alt) == ("", words, alt), done[-5:]
    assert seen(fresh)[0] == picture, done[-5:]  # of the pixels
    artists = [len(one.live._figure.findobj()) for one in (fresh, figure)]
    assert artists[1] <= artists[0] + MOST_NEW_ARTISTS
