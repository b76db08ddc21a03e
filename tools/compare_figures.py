"""Hold live figures against those of an earlier version: pixels, readout and alternative text.

    python tools/compare_figures.py soft_margin kkt --old /path/to/earlier/checkout

Both make the same moves: all presets and resets, and random controls, buttons and drags. A name is
that of the earlier module in ``kernellab.live``; its classes keep their names, or are given as
``kkt:KKT=kernellab.lessons.margin.exercises:KKT``. Pictures that differ are kept, side by side.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import ipywidgets
import numpy as np
from PIL import Image

SMALL = {"width": 500, "ratio": 1.0, "calm": True}
Move = dict[str, Any]


def seen(figure: Any, path: Path) -> tuple[str, str, str]:
    """Save the picture; return the digest of its pixels, the readout and the alternative text."""
    live = figure.live
    if live.error:
        return live.last_traceback, "", ""
    live._paint(sharp=True)
    pixels = np.asarray(live._canvas.buffer_rgba())
    Image.fromarray(pixels).convert("RGB").save(path, compress_level=1)
    digest = hashlib.sha256(pixels.tobytes()).hexdigest()
    return digest, live.readout, live.alt


def buttons(figure: Any) -> dict[str, Any]:
    """Return the buttons of a figure, by what is written on them."""
    widgets = [w for w in figure._controls if isinstance(w, ipywidgets.Button)]
    return {widget.description: widget for widget in widgets}


def random_move(figure: Any, dice: random.Random) -> Move:
    """Choose a move that the figure allows now."""
    controls = figure._named()
    what = dice.choice([*2 * list(controls), *buttons(figure), "points", "points"])
    if what in controls:
        control = controls[what]
        if control.has_trait("options"):
            return {"control": what, "index": dice.randrange(len(control.options))}
        if control.has_trait("min"):
            steps = round((control.max - control.min) / control.step)
            value = control.min + control.step * dice.randint(0, steps)
            return {"control": what, "value": round(value, 10)}
        if isinstance(control.value, bool):
            return {"control": what, "value": not control.value}
        return {"control": what, "value": control.value + dice.choice("x2(+ ")}
    if what in buttons(figure):
        return {"press": what}
    at = [list(point) for point in figure.live.points["at"]]
    if not at:
        return random_move(figure, dice)
    left, right, bottom, top = figure.live.limits
    grip, share = dice.randrange(len(at)), dice.choice([0.1, 1.0])
    target = dice.uniform(left, right), dice.uniform(bottom, top)
    at[grip] = [(1 - share) * a + share * b for a, b in zip(at[grip], target, strict=True)]
    return {"points": at}


def make(figure: Any, move: Move) -> None:
    """Make a move."""
    if "preset" in move:
        figure.load(move["preset"])
    elif "reset" in move:
        figure.reset()
    elif "press" in move:
        buttons(figure)[move["press"]].click()
    elif "index" in move:
        figure._named()[move["control"]].index = move["index"]
    elif "control" in move:
        figure._named()[move["control"]].value = move["value"]
    elif "points" in move:
        n = figure.live.points["move"] + 1
        figure.live.points = {"move": n, "at": move["points"]}


def run(kind: Any, moves: list[Move] | None, folder: Path, n: int) -> list[Any]:
    """Make moves, or choose them; return each with what is then seen."""
    figure, dice = kind(), random.Random(n)
    figure.live.view = SMALL
    done: list[Any] = []

    def one(move: Move) -> None:
        make(figure, move)
        done.append([move, *seen(figure, folder / f"{len(done)}.png")])

    if moves is not None:
        for move in moves:
            one(move)
        return done
    one({})
    for preset in figure.presets:
        one({"preset": preset})
        one(random_move(figure, dice))
        one({"reset": True})
    for _ in range(n):
        one(random_move(figure, dice))
    one({"reset": True})
    return done


def classes(module: str) -> dict[str, Any]:
    """Return the figures that a module makes, by name."""
    from kernellab.live.explorer import Explorer

    return {
        name: kind
        for name, kind in vars(import_module(module)).items()
        if isinstance(kind, type) and issubclass(kind, Explorer) and kind.__module__ == module
    }


def child(folder: Path, where: str, name: str, n: int) -> None:
    """Record, or replay what was recorded; runs in a process of its own."""
    kind = classes(where)[name]
    old = folder / "old.json"
    moves = None
    if old.exists():
        moves = [move for move, *_ in json.loads(old.read_text())]
    side = "old" if moves is None else "new"
    (folder / side).mkdir()
    found = run(kind, moves, folder / side, n)
    (folder / f"{side}.json").write_text(json.dumps(found))


def begin(root: Path, *arguments: Any) -> None:
    """Run a child with the package of one checkout."""
    environment = os.environ | {"PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--child", *map(str, arguments)]
    subprocess.run(command, check=True, env=environment, cwd=root)


def plain(text: str) -> str:
    """Leave out what may differ: minus or hyphen, the sign of zero, spaces at the end of a line."""
    text = re.sub(r" +$", "", text, flags=re.MULTILINE)
    return re.sub(r"[-+](?=0(\.0+)?(?![\d.]))", "", text.replace("−", "-"))


def compare(old: Path, new: Path, module: str, name: str, renamed: str, n: int) -> bool:
    """Compare one figure; print a line, and whatever differs."""
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    where, _, called = renamed.partition(":")
    begin(old, folder, f"kernellab.live.{module}", name, n)
    begin(new, folder, where or f"kernellab.live.{module}", called or name, n)
    before, after = (json.loads((folder / f"{side}.json").read_text()) for side in ("old", "new"))
    differing = 0
    for k, (a, b) in enumerate(zip(before, after, strict=True)):
        what = [word for word, x, y in zip(("pixels", "readout", "alt"), a[1:], b[1:], strict=True)
                if (x != y if word == "pixels" else plain(x) != plain(y))]  # fmt: skip
        if not what:
            continue
        differing += 1
        if differing <= 5:
            print(f"  state {k}, {json.dumps(a[0], ensure_ascii=False)[:100]}: {what}")
            for word, x, y in zip(("pixels", "readout", "alt"), a[1:], b[1:], strict=True):
                if word in what and word != "pixels":
                    print(f"    old {word} {x!r}\n    new {word} {y!r}")
            if "\n" in b[1]:
                print(b[1])
            elif "pixels" in what and "\n" not in a[1]:
                pair = [Image.open(folder / side / f"{k}.png") for side in ("old", "new")]
                both = Image.fromarray(np.vstack([np.asarray(one) for one in pair]))
                both.save(folder / f"{k}.png")
                print(f"    {folder / f'{k}.png'}: old above new")
    print(f"{name}: {len(before)} states compared, {differing} differing")
    return differing == 0


def main() -> None:
    """Compare the figures that are named."""
    if "--child" in sys.argv:
        folder, where, name, n = sys.argv[2:]
        child(Path(folder), where, name, int(n))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", nargs="+", help="module, or module:Old=new.module:New")
    parser.add_argument("--old", type=Path, default=Path(tempfile.gettempdir(), "frozen"))
    parser.add_argument("--moves", type=int, default=30)
    options = parser.parse_args()
    new, fine = Path(__file__).resolve().parent.parent, True
    for one in options.figures:
        first, _, renamed = one.partition("=")
        module, _, name = first.partition(":")
        source = (options.old / "kernellab" / "live" / f"{module}.py").read_text()
        names = [name] if name else [
            line.split()[1].split("(")[0] for line in source.splitlines()
            if line.startswith("class ") and "Explorer)" in line
        ]  # fmt: skip
        for each in names:
            fine &= compare(options.old.resolve(), new, module, each, renamed, options.moves)
    sys.exit(not fine)


if __name__ == "__main__":
    main()
