"""Words that are drawn once look as Matplotlib draws them anew, whatever Matplotlib it is."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.font_manager import FontProperties

from kernellab.draw.style import new_figure
from kernellab.live import quick_text
from kernellab.live.figure import LiveFigure
from kernellab.live.quick_text import QuickTextCanvas, QuickTextRenderer, heights, sprite

SIZE = (300, 200)


def words(
    kind, *, said="α = 0.25, gap −1e−3", x=120, y=90, angle=0.0, colour="#7b3294", size=11
):  # fmt: skip
    """Draw words with a renderer of a kind; return the pixels."""
    renderer = kind(*SIZE, 100.0)
    renderer.clear()
    gc = renderer.new_gc()
    gc.set_foreground(colour)
    renderer.draw_text(gc, x, y, said, FontProperties(size=size), angle)
    return np.asarray(renderer.buffer_rgba()).astype(int)


@pytest.mark.parametrize("angle", [0.0, 90.0, 45.0])
@pytest.mark.parametrize("said", ["α = 0.25, gap −1e−3", "0.5", "j1.5g", "−1e−05", " "])
def test_on_whole_pixels_they_are_the_same(angle, said):
    ours, agg = (words(kind, angle=angle, said=said) for kind in (QuickTextRenderer, RendererAgg))
    assert (agg[..., 3] > 0).sum() >= 10 * len(said.strip())
    assert np.abs(ours - agg)[..., 3].max() <= 2  # rounding of two blendings
    inked = agg[..., 3] > 64
    assert np.abs(ours - agg)[inked].max(initial=0) <= 4


@pytest.mark.parametrize("dpi", [100.0, 117.0, 187.5])
@pytest.mark.parametrize(
    "said", ["gap 0.0312, after 12", "α = 0.25", "−1e−05", "(3, 4)", " 7 ", ""]
)
def test_what_is_put_together_has_the_size_of_the_whole(said, dpi):
    one, other = (
        kind(*SIZE, dpi).get_text_width_height_descent(said, FontProperties(size=11), False)
        for kind in (QuickTextRenderer, RendererAgg)
    )
    assert one == pytest.approx(other)


def test_new_numbers_are_made_of_known_digits():
    sprite.cache_clear()
    words(QuickTextRenderer, said="gap 9.876, 543210")
    drawn = sprite.cache_info().misses
    words(QuickTextRenderer, said="gap 1.234, 509768")
    assert sprite.cache_info().misses == drawn + 1  # the whole, which is put together


@pytest.mark.parametrize("said", ["x₁", "two\nlines, and a gap\nof one", "$x^2$"])
@pytest.mark.parametrize("dpi", [100.0, 187.5])
def test_words_are_placed_where_matplotlib_places_them(said, dpi):
    heights.cache_clear()
    boxes = []
    for kind in (FigureCanvasAgg, QuickTextCanvas):
        figure = new_figure((3, 2))
        figure.set_dpi(dpi)
        word = figure.text(0.5, 0.5, said, ha="center", va="center", fontsize=9)
        boxes.append(word.get_window_extent(kind(figure).get_renderer()).bounds)
    assert boxes[0] == pytest.approx(boxes[1])
    assert heights.cache_info().misses == int(ASKS)


# --- a Matplotlib that is not the one we know ----------------------------------------------------

ASKS = mpl.__version_info__ >= (3, 11)  # how high a font is, of the renderer


def fails(*args, **kwargs):
    raise AttributeError("it is no longer there")


def elsewhere(self, gc, x, y, *rest, **options):
    RendererAgg.draw_text(self, gc, x, y + 2, *rest, **options)


def larger(self, s, prop, ismath):
    width, height, descent = RendererAgg.get_text_width_height_descent(self, s, prop, ismath)
    return 1.2 * width, height, descent


BROKEN = {
    "the heights are not found": (QuickTextRenderer, "_get_font_height_metrics", fails),
    "a word is measured otherwise": (QuickTextRenderer, "get_text_width_height_descent", larger),
    "a word is not drawn": (QuickTextRenderer, "draw_text", fails),
    "a word is drawn elsewhere": (QuickTextRenderer, "draw_text", elsewhere),
    "the canvas does not know its size": (QuickTextCanvas, "get_width_height", fails),
}


@pytest.fixture
def tried_anew():
    quick_text.draws_the_same.cache_clear()
    sprite.cache_clear()
    yield
    quick_text.draws_the_same.cache_clear()


def live_figure():
    figure = new_figure((3.0, 2.0))
    axes = figure.subplots()
    axes.set(title="a title, and 0.25", xlabel="$x_1$", ylabel="turned")
    word = axes.text(0.5, 0.5, "")
    return LiveFigure(figure, lambda at: word.set_text("two\nlines") or "", moving=[word])


@pytest.mark.usefixtures("tried_anew")
def test_this_matplotlib_is_known():
    assert type(live_figure()._canvas) is QuickTextCanvas


@pytest.mark.usefixtures("tried_anew")
@pytest.mark.parametrize("how", BROKEN)
def test_another_matplotlib_makes_a_figure_slower_and_never_wrong(how, monkeypatch):
    with monkeypatch.context() as plain:
        plain.setattr("kernellab.live.figure.canvas_for", FigureCanvasAgg)
        expected = np.asarray(live_figure()._canvas.buffer_rgba())
    monkeypatch.setattr(*BROKEN[how])
    live = live_figure()
    live.redraw(sharp=True)
    never_asked = "heights" in how and not ASKS
    assert type(live._canvas) is (QuickTextCanvas if never_asked else FigureCanvasAgg)
    if not never_asked:
        np.testing.assert_array_equal(live._canvas.buffer_rgba(), expected)
