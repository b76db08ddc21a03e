"""Photograph the application for the README: screenshots.py. Needs Chromium.

docs/drag.gif       a live figure in JupyterLab, one of its points dragged
docs/check.png      an exercise in JupyterLab that names the slip in an answer
docs/phone.png      a lesson of the site on a phone
"""

from __future__ import annotations

import io
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import make_site
import nbformat
from nbformat import v4
from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import lab  # noqa: E402
from figures import Figure  # noqa: E402

OUT = ROOT / "docs"
MOST_BYTES = 300_000
FRAME_MS = 90
# What many write at first: a score of zero is no mistake, so that nothing is ever learnt.
SLIP = """\
def dual_update(K, y, alpha, i):
    \"\"\"Return alpha after example i was tested, shape (n,).\"\"\"
    alpha = alpha.copy()
    if y[i] * (K[i] @ (alpha * y)) < 0:
        alpha[i] += 1
    return alpha


exercises.dual_update.check(dual_update)"""


def cells_around(lesson: str, words: str) -> list[Any]:
    """Return the code cell of a notebook that holds some words, and the text before it."""
    (file,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    cells = nbformat.read(file, as_version=4).cells
    (number,) = (
        k for k, cell in enumerate(cells) if cell.cell_type == "code" and words in cell.source
    )
    return list(cells[number - 1 : number + 1])


def picture_of(page: Page, box: dict[str, float] | None = None) -> Image.Image:
    """Photograph a page, or a part of it."""
    shot = page.screenshot(clip=box) if box else page.screenshot()  # type: ignore[arg-type]
    return Image.open(io.BytesIO(shot)).convert("RGB")


def drag(notebook: lab.Notebook) -> None:
    """A point of a live figure goes round, and the figure follows."""
    page = notebook.page
    figure = Figure(page, lab.PANEL).ready()
    x, y = figure.centre(figure.grips.nth(0))
    page.mouse.move(x, y)
    page.mouse.down()
    frames = []
    for right, down in path():
        with figure.redrawn():
            page.mouse.move(x + right, y + down)
        frames.append(picture_of(page))
    page.mouse.up()
    frames = [frame.resize((800, round(800 * frame.height / frame.width))) for frame in frames]
    palette = frames[0].quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [FRAME_MS] * (len(small) - 1) + [900]
    small[0].save(
        OUT / "drag.gif",
        save_all=True,
        append_images=small[1:],
        duration=times,
        loop=0,
        optimize=True,
    )


def path() -> Iterator[tuple[float, float]]:
    """Yield where the hand goes, in pixels from where it began: round a drop, and back."""
    for k in range(25):
        turn = 2 * math.pi * k / 24
        yield 45 * (1 - math.cos(turn)), -40 * math.sin(turn)


def check(notebook: lab.Notebook) -> None:
    """An exercise says what is wrong with an answer."""
    save(picture_of(notebook.page), "check.png", 900)


def phone(browser: Any, folder: Path) -> None:
    """A lesson, read on a phone."""
    make_site.build(folder)
    context = browser.new_context(viewport={"width": 360, "height": 640}, device_scale_factor=2)
    page = context.new_page()
    page.goto((folder / "01_dual_perceptron.html").as_uri())
    shots = [picture_of(page)]
    page.evaluate("document.querySelector('.is-live').scrollIntoView({ behavior: 'instant' })")
    shots.append(picture_of(page))
    context.close()
    both = Image.new("RGB", (2 * 720 + 40, 1280), "#c8ccd2")
    for k, shot in enumerate(shots):
        both.paste(shot, (k * 760, 0))
    save(both, "phone.png", 740)


def save(image: Image.Image, name: str, width: int) -> None:
    """Save a picture in a palette of 200 colours."""
    image = image.resize(
        (width, round(width * image.height / image.width)), Image.Resampling.LANCZOS
    )
    image.quantize(200, Image.Quantize.MAXCOVERAGE).save(OUT / name, optimize=True)


def main() -> int:
    """Make all pictures; complain about one that is too large."""
    chromium = lab.find_chromium()
    if chromium is None:
        sys.exit("There is no Chromium or Chrome; install one, or name it in CHROMIUM.")
    OUT.mkdir(exist_ok=True)
    imports, margin = map(
        v4.new_code_cell,
        (
            "from kernellab.lessons.perceptron import exercises",
            "from kernellab.lessons import margin",
        ),
    )
    shots: list[tuple[str, list[Any], Callable[[lab.Notebook], None], tuple[int, int]]] = [
        ("hulls", [margin, *cells_around("02", "Hulls()")], drag, (1100, 720)),
        (
            "exercise",
            [imports, cells_around("exercises/01", "def dual_update(")[0], v4.new_code_cell(SLIP)],
            check,
            (1000, 760),
        ),
    ]
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        home, root, site = (Path(name) / part for part in ("home", "course", "site"))
        home.mkdir()
        root.mkdir()
        browser = playwright.chromium.launch(executable_path=chromium, args=lab.CHROMIUM_FLAGS)
        phone(browser, site)
        with lab.jupyter_lab(home, root) as (address, token):
            notebook = lab.Notebook(browser.new_page(), address, token)
            for title, cells, photograph, (width, height) in shots:
                notebook.page.set_viewport_size({"width": width, "height": height})
                metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
                content = v4.new_notebook(cells=cells, metadata=metadata)
                nbformat.write(content, root / f"{title}.ipynb")
                notebook.open(f"{title}.ipynb")
                if notebook.page.locator("#jp-left-stack").is_visible():
                    notebook.command("application:toggle-left-area")
                notebook.run_all()
                photograph(notebook)
                notebook.close_all()
        browser.close()
    large = [file for file in OUT.iterdir() if file.stat().st_size > MOST_BYTES]
    for file in sorted(OUT.iterdir()):
        print(f"{os.path.relpath(file)}: {file.stat().st_size / 1000:.0f} kB")
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(main())
