"""A film of a run: a frame for each update, by celluloid, as a video that a notebook carries along.

The film is H.264, encoded by the ffmpeg that comes in the wheel of imageio-ffmpeg. It lies in the
notebook as a data address, with controls, and does not start by itself. Where a part is missing,
the first frame stands there as a picture, and words say what is missing. A page without a server
encodes nothing: there a live figure plays the same frames.
"""

from __future__ import annotations

import base64
import html
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as MplFigure
from numpy.typing import NDArray

from kernellab.datasets.targets import quarters
from kernellab.draw import style
from kernellab.draw.picture import Picture, small_png
from kernellab.kernels.base import Kernel
from kernellab.lessons.sdca.figures.run_marks import CurveAndStems, prepare, round_up
from kernellab.lessons.sdca.theory.recording import Recording
from kernellab.live.controls import Player, Steps
from kernellab.live.declared import Figure

SIZE = (7.6, 4.8)  # inches; times DPI an even number of pixels, as H.264 asks for
DPI = 100
CONTROLS = 0.2  # of the height: a player lays them, and a shade, over the lower edge
FRAMES_A_SECOND = 10
SLOW = 5  # frames for each update of the first pass, which decides most
STILL = 1  # the frame that is seen before it is played: a later one would say what comes
MAX_BYTES = 1_500_000
# One thread and no build numbers: the same frames give the same file from the same encoder.
ENCODER = (
    "-crf", "27", "-preset", "slow", "-tune", "animation", "-threads", "1",
    "-movflags", "+faststart", "-map_metadata", "-1", "-fflags", "+bitexact",
    "-flags:v", "+bitexact",
)  # fmt: skip
INSTALL = "run `%pip install celluloid imageio-ffmpeg` in a cell, then run this one again"
IN_A_PAGE = sys.platform == "emscripten"

# Told by a browser that cannot decode H.264. No ">": it would end the tag for a simple reader.
NOT_PLAYED = """const still = new Image(this.width); still.src = this.poster;
still.alt = this.getAttribute('aria-label'); still.className = this.className;
still.style.cssText = 'display: block; max-width: 100%';
this.replaceWith(still, ' This browser cannot play the film (H.264); this is one frame of it.')"""
# The still stands before the video for readers of a page that plays nothing.
ONE_OF_TWO = """<style>
.jp-OutputArea-child:has(> .jp-RenderedImage):has(+ .jp-OutputArea-child .kl-film) {display: none}
</style>"""


@dataclass(frozen=True)
class Moment:
    """What is shown at once: f on the grid, (k,), α, (n,), the example just updated; how long."""

    f: NDArray[np.float64]
    alpha: NDArray[np.float64]
    used: int
    words: str
    frames: int = 1


@dataclass(frozen=True)
class Film:
    """A finished film, as a notebook output, and one frame where none can be played.

    `mp4` is empty if there is no video: `live` then plays it, or `problem` says why nothing does.
    """

    mp4: bytes
    still: Picture
    n_frames: int
    n_stems: int
    problem: str = ""
    live: Figure | None = None

    def __repr__(self) -> str:
        return self.still.alt

    def _ipython_display_(self) -> None:
        if self.live:
            display(self.live)
            return
        if self.problem:
            words = f"No film here, only one frame of it. {self.problem}"
            display({"text/plain": words, "text/markdown": words}, raw=True)
            display(self.still)
            return
        picture = {"image/png": base64.b64encode(self.still.png).decode()}
        about = {"alt": self.still.alt, "width": self.still.width}
        display(picture | {"text/plain": self.still.alt}, metadata={"image/png": about}, raw=True)
        display({"text/html": self.html(), "text/plain": f"{self.n_frames} frames"}, raw=True)

    def html(self) -> str:
        """Return the player: controls, one frame until it is started, words beside."""
        said = html.escape(self.still.alt, quote=True)
        width, height = SIZE  # known before the file is read, so that nothing moves then
        film, poster = (base64.b64encode(data).decode() for data in (self.mp4, self.still.png))
        return (
            f'{ONE_OF_TWO}<video class="kl-film" controls preload="metadata" '
            f'width="{self.still.width}" style="max-width: 100%; aspect-ratio: {width} / {height}" '
            f'aria-label="{said}" onerror="{NOT_PLAYED}" '
            f'poster="data:image/png;base64,{poster}" src="data:video/mp4;base64,{film}">'
            f"{said}</video>"
            f'<details class="kl-words"><summary>In words</summary>{said}</details>'
        )


def film(x: NDArray[np.float64], y: NDArray[np.float64], kernel: Kernel, run: Recording) -> Film:
    """Make the film of a run on numbers x of classes y, (n,); the first pass is slow."""
    grid = np.linspace(0, 1, 301)
    curves = kernel(grid[:, np.newaxis], x[:, np.newaxis]) @ (run.alphas * y).T
    moments = [
        Moment(
            curves[:, t], run.alphas[t], i,
            f"update {t}, pass {(t - 1) // len(y) + 1}: example {i + 1}, "
            f"α {run.alphas[t - 1, i]:.2f} → {run.alphas[t, i]:.2f}",
            SLOW if t <= len(y) else 1,
        )
        for t, i in enumerate(run.i.tolist(), 1)
    ]  # fmt: skip
    alt = (
        f"Film of {len(moments)} updates. A flat curve grows into a wave with the sign of the "
        "dashed target −1, +1, −1, +1 at the points, then it moves less and less. "
        f"{len(y)} stems go up and down; the longest ends at α = {run.alphas[-1].max():.2f}."
    )
    return film_of_run(grid, quarters(grid), x, y, moments, title="one example at a time", alt=alt)


def film_of_run(
    grid: NDArray[np.float64],
    target: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    moments: Iterable[Moment],
    *,
    title: str,
    alt: str,
) -> Film:
    """Make a film on points of a line: the curve, its target, α as stems.

    grid and target have shape (k,), x and y shape (n,). `alt` says in words how it begins, what
    changes, how it ends. Raises ValueError if there are no moments, or alt is empty.
    """
    moments = list(moments)
    if not moments:
        raise ValueError("moments must hold at least one frame, got none")
    if not alt.strip():
        raise ValueError("alt must say in words what the film shows, got an empty text")
    figure = style.new_figure(SIZE)
    axes, second = axes_of(figure, moments, title)
    canvas = FigureCanvasAgg(figure)
    style.fit_the_hall(figure)
    style.freeze_layout(figure)
    left, bottom, width, height = axes.get_position().bounds
    axes.set_position((left, bottom + CONTROLS, width, height - CONTROLS))  # of both axes
    canvas.draw()
    stage = canvas.copy_from_bbox(figure.bbox)  # what is in every frame

    # celluloid's frame is what is new on the axes since the last: each has artists of its own.
    try:
        camera, problem = open_camera(figure), ""
    except ImportError:
        camera, problem = None, f"The package celluloid is missing: {INSTALL}."
    frames = []
    first = min(STILL, len(moments)) - 1
    for moment in moments if camera else [moments[first]]:
        marks = CurveAndStems(axes, second)
        marks.show(
            (grid, moment.f, target), x, y, moment.alpha, used=moment.used, words=moment.words
        )
        frames += [camera.snap() if camera else marks.artists] * moment.frames

    def draw(frame: Sequence[Artist]) -> None:
        canvas.restore_region(stage)
        for artist in sorted(frame, key=lambda artist: artist.get_zorder()):
            figure.draw_artist(artist)

    mp4 = b""
    live = by_hand(grid, target, x, y, moments, title, alt) if IN_A_PAGE else None
    if live:
        problem = ""
    elif camera:
        try:
            mp4 = encode(canvas, frames, draw)
        except Exception as error:
            problem = f"The video could not be encoded ({type(error).__name__}): {INSTALL}."
    draw(frames[first if camera else 0])
    still = Picture(small_png(canvas), alt, style.on_the_page(SIZE[0] * DPI))
    return Film(mp4, still, len(frames) if mp4 else 0, marks.n_stems, problem, live)


def axes_of(figure: MplFigure, moments: Sequence[Moment], title: str) -> tuple[Axes, Axes]:
    """Return axes for the curve and for the stems, as high as all moments need."""
    axes = figure.subplots()
    second = axes.twinx()
    prepare(axes, second)
    second.set_ylim(0, round_up(2 * max(float(moment.alpha.max()) for moment in moments)))
    axes.set_title(title)
    return axes, second


def by_hand(
    grid: NDArray[np.float64],
    target: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    moments: Sequence[Moment],
    title: str,
    said: str,
) -> Figure:
    """Return a live figure that plays the moments."""

    class Frames(Figure):
        """The film, drawn frame by frame while it plays."""

        size = SIZE
        t = Steps("update", 1, len(moments), min(STILL, len(moments)))
        play = Player("t", 1000 // FRAMES_A_SECOND, "play the film")
        readout = "{words}"
        alt = "{words}. {film}"

        def build(self, figure: MplFigure) -> None:
            self.marks = CurveAndStems(*axes_of(figure, moments, title))

        def show(self, points: NDArray[np.float64]) -> dict[str, Any]:
            moment = moments[self.t - 1]
            shown = (grid, moment.f, target)
            self.marks.show(shown, x, y, moment.alpha, used=moment.used)
            return {"words": moment.words, "film": said}

    return Frames()


def open_camera(figure: MplFigure) -> Any:
    """Return a celluloid camera that has seen what is on the axes already."""
    camera = import_module("celluloid").Camera(figure)
    camera.snap()
    return camera


def encode(
    canvas: FigureCanvasAgg,
    frames: Sequence[Sequence[Artist]],
    draw: Callable[[Sequence[Artist]], None],
) -> bytes:
    """Draw and encode frame after frame; raises where there is no ffmpeg, or it fails."""
    ffmpeg = import_module("imageio_ffmpeg")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"
        writer = ffmpeg.write_frames(
            str(file), canvas.get_width_height(), pix_fmt_in="rgba", fps=FRAMES_A_SECOND,
            codec="libx264", quality=None, macro_block_size=2, output_params=list(ENCODER),
        )  # fmt: skip
        writer.send(None)
        for frame in frames:
            draw(frame)
            writer.send(bytes(canvas.buffer_rgba()))
        writer.close()
        return file.read_bytes()
