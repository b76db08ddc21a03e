"""A Matplotlib figure that answers: Python draws each frame, one small widget shows it.

The figure is drawn on an Agg canvas. What never changes (axes, ticks, titles) is drawn once and
kept; a move restores it and draws only the *moving* artists over it, then sends the bytes. The
browser's half, with the list of everything that travels, is ``figure.js``.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import numpy as np
import traitlets
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from threadpoolctl import ThreadpoolController

from kernellab.draw.picture import Picture, small_png
from kernellab.draw.style import fit_the_hall, freeze_layout, hall_type, in_lecture
from kernellab.draw.title import TITLE, unwrap_titles, wrap_titles
from kernellab.live.quick_marks import straighten
from kernellab.live.quick_text import canvas_for
from kernellab.validation import FloatArray

Stage = tuple[Any, ...]

HERE = Path(__file__).parent
MIN_WIDTH = 200  # CSS pixels; narrower, and there is nothing to be seen
MAX_RATIO = 3.0  # device pixels per CSS pixel; more costs time and shows nothing
MOST_BACKGROUNDS = 4  # a hand that goes to and fro over one edge finds both sides ready
MARGIN = 8  # pixels of a still, round a panel
GRIP = "grip"  # gid of what marks a grip, and belongs to no picture on paper
DPI = 100.0  # a figure of 9 inches is meant to be 900 CSS pixels wide
# On a projector, or on a fine screen, a frame has up to four times the pixels of one at the desk,
# and takes three times as long: so while it moves it has no more of them than at the desk.
MOVING_PIXELS = 560_000


@cache
def linear_algebra() -> ThreadpoolController:
    """Return what says how many threads NumPy and SciPy may multiply matrices with."""
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Multiply matrices with one thread within.

    With two of two cores they wait for the one that the browser has: 250 ms instead of 3.
    """
    if sys.platform == "emscripten":  # in a browser there is but one, and no way to ask for it
        return nullcontext()
    return linear_algebra().limit(limits=1, user_api="blas")


def still_ratio() -> float:
    """Return how many pixels a still has for each CSS pixel; KERNELLAB_STILL_RATIO says another."""
    # Large type needs less, unless the picture is enlarged.
    return float(os.environ.get("KERNELLAB_STILL_RATIO") or (1.0 if in_lecture() else 1.5))


def tell_range_first(control: ipywidgets.Widget) -> None:
    """Have a control tell the page how far it goes before it tells where it stands.

    ipywidgets tells what has changed in the order of a set. A slider of the page that hears of 32
    while it ends at 8 goes to 8, and says so to Python.
    """
    get_state = control.get_state

    def ordered(key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        state = get_state(key, drop_defaults)
        return dict(sorted(state.items(), key=lambda item: item[0] in ("index", "value")))

    control.get_state = ordered


class LiveFigure(anywidget.AnyWidget):
    """A figure redrawn by Python when a grip moves, the page is resized or `redraw` is called.

    Parameters
    ----------
    figure : A Matplotlib figure, made without pyplot. Its layout is found once, then kept.
    update
        Called with the grips' positions, an array of shape (n_handles, 2) in data units; sets the
        artists' data and returns the line of numbers to show under the picture.
    moving : The artists that ``update`` changes.
    axes : Where the grips live (linear axes).
    limits : Left, right, bottom, top, which no grip leaves; those of the axes unless said.
    points : Where the grips start, shape (n_handles, 2), data units.
    handles : For each grip a dictionary with ``label`` (read aloud) and ``color``.
    describe : Returns the alternative text of the picture as it is now.
    controls : Widgets that ``update`` may set: the page hears of it when it has the picture.
    answer : The artists that :meth:`hide` hides, besides titles and the line of numbers.
    """

    _esm = HERE / "figure.js"
    _css = HERE / "figure.css"

    frame = traitlets.Bytes(b"").tag(sync=True)
    answer: Any = traitlets.Dict({"move": 0, "frame": 0}).tag(sync=True)
    # What the browser says is not said back to it: that would be one message more a move.
    points: Any = traitlets.Dict({"move": 0, "at": []}).tag(sync=True, echo_update=False)
    handles: Any = traitlets.List([]).tag(sync=True)
    affine = traitlets.List([1.0, 0.0, 1.0, 0.0]).tag(sync=True)
    limits = traitlets.List([0.0, 1.0, 0.0, 1.0]).tag(sync=True)
    size = traitlets.List([900, 400]).tag(sync=True)
    view = traitlets.Dict({}).tag(sync=True, echo_update=False)
    rest = traitlets.Int(0).tag(sync=True, echo_update=False)
    readout = traitlets.Unicode("").tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)
    alt = traitlets.Unicode("").tag(sync=True)
    parts: Any = traitlets.List([]).tag(sync=True)  # ids: this and its controls

    def __init__(
        self,
        figure: Figure,
        update: Callable[[FloatArray], str],
        *,
        moving: Sequence[Artist],
        axes: Axes | None = None,
        points: Any = (),
        handles: Sequence[dict[str, str]] = (),
        limits: Sequence[float] | None = None,
        describe: Callable[[], str] = str,
        controls: Sequence[ipywidgets.Widget] = (),
        answer: Sequence[Artist] = (),
    ) -> None:
        super().__init__()
        self._figure = figure
        self._canvas = canvas_for(figure)
        self._dpi = figure.get_dpi()  # of a sharp picture
        self._update = update
        self._moving = moving
        self._axes = axes
        self._bounds = limits
        self._describe = describe
        self._controls = controls
        titles = [artist for artist in moving if artist.get_gid() == TITLE]
        self._answer, self._hidden = frozenset([*answer, *titles]), False
        for control in controls:
            tell_range_first(control)
        self.parts = [part.model_id for part in (self, *controls)]
        # The pixels of all that does not move, by what they depend on: limits, scales and titles.
        self._backgrounds: dict[Stage, Any] = {}
        self._stage: Stage = ()
        # JupyterLab delivers widget messages on a second thread of the kernel (a subshell), so a
        # callback and a running cell may want to draw at the same time.
        self._lock = threading.RLock()
        self._held = False
        self.last_traceback = ""
        self.place(points, handles)
        self.size = [round(DPI * inches) for inches in figure.get_size_inches()]
        readout = self._update(self.at)
        for artist in self._moving:
            artist.set_in_layout(False)  # what moves must not push the axes about
        straighten(figure)
        fit_the_hall(figure)
        freeze_layout(figure)
        self._on_page = [(axes, axes.get_position(original=True)) for axes in figure.axes]
        self._paint(sharp=True)
        self._publish(readout, sharp=True)
        self.observe(self._moved, "points")
        self.observe(self._resized, "view")
        self.observe(self._rested, "rest")

    # --- what a lesson calls -----------------------------------------------------------------

    @property
    def at(self) -> FloatArray:
        """Where the grips are now, shape (n_handles, 2), data units."""
        return np.array(self.points["at"], dtype=float).reshape(-1, 2)

    def place(self, points: Any, handles: Sequence[dict[str, str]] | None = None) -> None:
        """Put the grips elsewhere (with ``handles``: have other grips) without drawing."""
        at = np.asarray(points, dtype=float).reshape(-1, 2).tolist()
        with self._lock, self.hold_sync():
            if self._axes is not None:
                bounds = self._bounds or (*self._axes.get_xlim(), *self._axes.get_ylim())
                self.limits = [float(v) for v in bounds]
            self.points = {"move": self.points["move"], "at": at}
            if handles is not None:
                self.handles = list(handles)

    def hide(self, hidden: bool) -> None:
        """Hide what answers the question, or show it: the ``answer``, titles and the readout."""
        with self._lock:
            if hidden == self._hidden:
                return
            self._hidden = hidden
            self._veil(hidden)
            self.redraw(sharp=True)

    def _veil(self, hidden: bool) -> None:
        for axes in self._figure.axes:
            for title in (axes.title, axes._left_title, axes._right_title):  # type: ignore[attr-defined]
                title.set_visible(not hidden)
            axes.set_visible(not (hidden and axes in self._answer))

    def redraw(self, *, sharp: bool = False) -> None:
        """Update and draw after a move. An exception is shown in words; the next move recovers."""
        with self._lock, self._controls_told_later():
            sharp = sharp or bool(self.view.get("calm"))
            try:
                with one_thread():
                    readout = self._update(self.at)
                if self._held:
                    return
                self._paint(sharp=sharp)
            except Exception as problem:
                self.last_traceback = traceback.format_exc()
                with self.hold_sync():
                    self.error = f"{type(problem).__name__}: {problem}"
                    self._count()
            else:
                self._publish(readout, sharp=sharp)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Update at every change within; at the end tell the page how all stands, and draw once.

        A page gives back what it is told, now and then with another last digit: had it been told of
        what was between, it would move the figure back there. And who sees the picture may press
        the next key, which moves a slider from where the page has it.
        """
        held = self._held
        try:
            with self._lock, self.hold_sync(), self._controls_told_later():
                self._held = True
                yield
        finally:
            self._held = held
            self.redraw(sharp=True)

    @contextmanager
    def _controls_told_later(self) -> Iterator[None]:
        with ExitStack() as said_later:
            for control in self._controls:
                said_later.enter_context(control.hold_sync())
            yield

    def still(self) -> Picture:
        """Return the present picture, at its own size, for places where no widget runs."""
        with self._large():
            png = small_png(self._canvas)
        return Picture(png, self.alt, self.size[0])

    def whole(self) -> Image.Image:
        """Return the present picture, as large as a still."""
        with self._large():
            size = self._canvas.get_width_height()
            return Image.frombuffer("RGBA", size, self._canvas.buffer_rgba()).convert("RGB")

    def panel(self, axes: Axes | None = None, *, legend: bool = True) -> Image.Image:
        """Return some axes or those with the grips, with labels, as large as a still; or all.

        Without ``legend`` the place above the axes, if their legend stands there, stays empty.
        """
        shown = axes or self._axes
        with self._large():
            size = width, height = self._canvas.get_width_height()
            left, bottom, right, top = 0.0, 0.0, float(width), float(height)
            others: list[Any] = []
            if shown is not None:
                box: Any = shown.get_tightbbox(self._canvas.get_renderer())
                left, bottom = max(left, box.x0 - MARGIN), max(bottom, box.y0 - MARGIN)
                right, top = min(right, box.x1 + MARGIN), min(top, box.y1 + MARGIN)
                inside: Any = shown.bbox
                others = [
                    other for other in self._figure.axes
                    if not inside.contains(*other.bbox.get_points().mean(axis=0))
                ]  # fmt: skip
            others += [artist for artist in self._moving if artist.get_gid() == GRIP]
            if shown is not None and not legend and (key := shown.get_legend()):
                above: Any = key.get_window_extent(self._canvas.get_renderer())
                others += [key] if above.y0 >= shown.bbox.y1 - 1 else []
            for artist in [
                *self._moving,
                *(s for a in self._figure.axes for s in a.spines.values()),
            ]:
                artist.set_animated(False)
            for other in others:
                other.set_visible(False)
            self._canvas.draw()
            for other in others:
                other.set_visible(True)
            image = Image.frombuffer("RGBA", size, self._canvas.buffer_rgba()).convert("RGB")
            return image.crop((int(left), int(height - top), int(right), int(height - bottom)))

    @contextmanager
    def _large(self) -> Iterator[None]:
        """Inside, the canvas shows the present picture at the scale of a still."""
        with self._lock:
            dpi, kept = self._dpi, self._backgrounds.copy()
            self._scale(DPI * still_ratio())
            self._paint(sharp=True)
            yield
            self._scale(dpi)
            self._backgrounds = kept  # of the page: it need not be drawn anew
            self._paint(sharp=True)

    # --- what the browser says ---------------------------------------------------------------

    def _moved(self, change: dict[str, Any]) -> None:
        new, old = change["new"], change["old"]
        if new["move"] == old["move"]:  # our own `place`
            return
        if len(new["at"]) == len(old["at"]):
            self.redraw()
        else:  # points that have been replaced since the hand moved one of them
            self.points = {**new, "at": old["at"]}

    def _resized(self, change: dict[str, Any]) -> None:
        # In a page the layout stays, in inches, and what changes is how many pixels an inch has.
        # On the stage the picture fills its room, and its type is as large as all other there.
        view = change["new"]
        width, ratio = max(MIN_WIDTH, view["width"]), min(MAX_RATIO, view["ratio"])
        inches = np.divide(self.size, DPI)
        if "type" in view:
            pixels_an_inch = view["type"] * 72 / hall_type(inches[1])
            inches = np.array([width, view["height"]]) / pixels_an_inch
        with self._lock:
            self._scale(ratio * width / inches[0])
            if not np.array_equal(inches, self._figure.get_size_inches()):
                self._figure.set_size_inches(*inches)
                self._lay_out_for_stage() if "type" in view else self._lay_out_for_page()
            self.redraw(sharp=True)

    def _lay_out_for_page(self) -> None:
        unwrap_titles(self._figure)
        for axes, place in self._on_page:
            axes.set_position(place)
            axes.set_in_layout(True)  # which one that was placed is not

    def _lay_out_for_stage(self) -> None:
        self._figure.set_dpi(self._dpi)
        self._veil(False)  # what is hidden keeps its place
        freeze_layout(self._figure)
        if wrap_titles(self._figure):
            freeze_layout(self._figure)
        self._veil(self._hidden)

    def _rested(self, change: dict[str, Any]) -> None:
        with self._lock:
            if change["new"] == self.answer["frame"] and not self.error:
                if self._figure.get_dpi() != self._dpi:  # else the canvas still holds it
                    self._paint(sharp=True)
                self.frame = self._encode(sharp=True)

    # --- how it draws ------------------------------------------------------------------------

    def _scale(self, dpi: float) -> None:
        self._dpi = dpi
        self._backgrounds.clear()
        self._stage = ()

    def _paint(self, *, sharp: bool) -> None:
        width, height = self._figure.get_size_inches()
        dpi = self._dpi if sharp else min(self._dpi, sqrt(MOVING_PIXELS / (width * height)))
        if self._figure.get_dpi() != dpi:
            self._figure.set_dpi(dpi)
        moving = sorted(self._moving, key=lambda artist: artist.get_zorder())
        # The moving artists would cover the frames of the axes: those lines are drawn last.
        on_top = [spine for axes in self._figure.axes for spine in axes.spines.values()]
        for artist in [*moving, *on_top]:
            artist.set_animated(True)
        said = [
            (
                *axes.get_xlim(), *axes.get_ylim(), axes.get_xscale(), axes.get_yscale(),
                axes.get_title("left"), axes.get_xlabel(), axes.get_ylabel(),
            )
            for axes in self._figure.axes
        ]  # fmt: skip
        stage = (dpi, self._hidden, *said)
        if stage not in self._backgrounds:
            if len(self._backgrounds) == MOST_BACKGROUNDS:  # the oldest goes
                self._backgrounds.pop(next(iter(self._backgrounds)))
            self._canvas.draw()
            self._backgrounds[stage] = self._canvas.copy_from_bbox(self._figure.bbox)
        self._canvas.restore_region(self._backgrounds[stage])
        if stage != self._stage:
            self._stage = stage
            for axes in self._figure.axes:  # a whole drawing does this; a kept one has not done it
                axes.apply_aspect()
            self._locate()
        for artist in [*moving, *on_top]:
            if not self._is_hidden(artist):
                self._figure.draw_artist(artist)

    def _is_hidden(self, artist: Artist) -> bool:
        return self._hidden and (artist in self._answer or artist.axes in self._answer)

    def _locate(self) -> None:
        """Tell the browser where the axes are: column = a x + b, row = c y + d, as fractions."""
        if self._axes is None:
            return
        to_fraction = self._axes.transData + self._figure.transFigure.inverted()
        (left, bottom), (right, _), (_, top) = to_fraction.transform([(0, 0), (1, 0), (0, 1)])
        self.affine = [float(right - left), float(left), float(bottom - top), float(1 - bottom)]

    def _publish(self, readout: str, *, sharp: bool) -> None:
        with self.hold_sync():
            self.readout, self.error = "" if self._hidden else readout, ""
            self.alt = self._describe()
            self._count()
            self.frame = self._encode(sharp=sharp)

    def _count(self) -> None:
        # Equal bytes are not sent again, so the browser listens to this counter, not to the frame.
        move, frame = self.points["move"], self.answer["frame"]
        self.answer = {"move": move, "frame": frame + 1}

    def _encode(self, *, sharp: bool) -> bytes:
        size = self._canvas.get_width_height()
        # X: the fourth byte of a pixel is there, and means nothing. JPEG takes that as it is.
        image = Image.frombuffer("RGBX", size, self._canvas.buffer_rgba(), "raw", "RGBX", 0, 1)
        buffer = io.BytesIO()
        if sharp:
            image.convert("RGB").save(buffer, "PNG", compress_level=1)  # 7 ms; level 6 takes 24
        else:
            # 1 ms. Colour at half the resolution: in motion nobody sees it, and it is there sooner.
            image.save(buffer, "JPEG", quality=85, subsampling="4:2:0")
        return buffer.getvalue()
