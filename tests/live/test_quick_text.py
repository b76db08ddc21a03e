"""Words that are drawn once look as Matplotlib draws them anew."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.font_manager import FontProperties

from kernellab.draw.style import new_figure
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


@pytest.mark.parametrize("angle", [0.0, 90.0, 30.0])
@pytest.mark.parametrize("colour", ["#7b3294", "black", "#e07b00"])
def test_on_whole_pixels_they_are_the_same(angle, colour):
    ours = words(QuickTextRenderer, angle=angle, colour=colour)
    agg = words(RendererAgg, angle=angle, colour=colour)
    assert (agg[..., 3] > 0).sum() > 300
    assert np.abs(ours - agg)[..., 3].max() <= 2  # rounding of two blendings
    inked = agg[..., 3] > 64
    assert np.abs(ours - agg)[inked].max() <= 4


def test_between_pixels_they_are_less_than_one_away():
    ours, agg = (words(kind, x=120.4, y=90.4)[..., 3] for kind in (QuickTextRenderer, RendererAgg))
    for axis in (0, 1):
        places = np.arange(ours.shape[1 - axis])
        centres = [(ink.sum(axis=axis) * places).sum() / ink.sum() for ink in (ours, agg)]
        assert abs(centres[0] - centres[1]) < 1


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


@pytest.mark.parametrize("said", ["gap 0.0312, and 12", "0.5", "j1.5g", "−1e−05"])
@pytest.mark.parametrize("size", [7, 11, 16])
def test_put_together_it_looks_as_drawn_whole(said, size):
    ours, agg = (words(kind, said=said, x=20) for kind in (QuickTextRenderer, RendererAgg))
    assert np.abs(ours - agg)[..., 3].max() <= 2


def test_nothing_to_draw_is_drawn():
    assert words(QuickTextRenderer, said=" ").max() == words(RendererAgg, said=" ").max()


@pytest.mark.rounding
def test_a_figure_looks_the_same_but_for_rounding():
    figures = []
    for canvas in (QuickTextCanvas, FigureCanvasAgg):
        figure = new_figure((4.0, 3.0))
        axes = figure.subplots()
        axes.set(title="a title", xlabel="$x_1$", ylabel="turned")
        axes.text(0.5, 0.5, "half seen", alpha=0.5)
        axes.text(0.9, 0.5, "clipped at the edge", clip_on=True)
        drawn = canvas(figure)
        drawn.draw()
        figures.append(np.asarray(drawn.buffer_rgba())[..., :3].astype(float))
    ours, agg = figures
    assert np.abs(ours.mean() - agg.mean()) < 0.3
    assert (np.abs(ours - agg).max(axis=2) > 150).mean() < 0.01  # words moved by half a pixel


def test_the_same_word_is_drawn_once():
    sprite.cache_clear()
    renderer = QuickTextRenderer(*SIZE, 100.0)
    gc = renderer.new_gc()
    for x in range(5):
        renderer.draw_text(gc, x, 50, "word", FontProperties(size=11), 0.0)
    assert (sprite.cache_info().misses, sprite.cache_info().hits) == (1, 4)


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
    assert heights.cache_info().misses == 1  # it was asked
