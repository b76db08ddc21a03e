"""The film of a run, in JupyterLab: it plays when it is asked to."""

from __future__ import annotations

import lab
import pytest

FILM = """
from kernellab.lessons.sdca.figures.animation_marks import Moment, film_of_run
import numpy as np
grid = np.linspace(0, 1, 21)
x, y = np.array([0.2, 0.8]), np.array([-1.0, 1.0])
moments = [Moment(grid * t / 10, np.array([t, 1.0]), 0, f"update {t}") for t in range(1, 13)]
film = film_of_run(grid, grid, x, y, moments, title="a film", alt="A line that rises in 12 steps.")
assert not film.problem, film.problem
film
"""


SIZE_OF_NOTHING = """v => {
  for (const name of ["poster", "src"]) v.removeAttribute(name);
  v.load();
  return [v.clientWidth, v.clientHeight];
}"""


@pytest.mark.firefox
@pytest.mark.webkit
def test_the_film_plays_when_it_is_asked_to(notebook, write):
    notebook.open(write(FILM), kernel="shared")
    notebook.run_all()
    assert notebook.errors() == []
    assert notebook.outputs() == ["image/png", "text/html"]
    video = notebook.page.locator(f"{lab.PANEL} video.kl-film")
    video.scroll_into_view_if_needed()
    notebook.page.wait_for_function("v => v.readyState >= 1", arg=video.element_handle())
    about = "v => [v.paused, v.controls, v.autoplay, v.loop, v.videoWidth, v.videoHeight]"
    assert video.evaluate(about) == [True, True, False, False, 760, 480]
    assert video.evaluate("v => v.duration") == pytest.approx(1.2, abs=0.05)
    assert video.get_attribute("aria-label") == "A line that rises in 12 steps."
    assert not notebook.page.locator(f"{lab.PANEL} .jp-RenderedImage").first.is_visible()
    video.evaluate("async v => { v.muted = true; await v.play() }")
    notebook.page.wait_for_function("v => v.ended", arg=video.element_handle())
    assert video.evaluate("v => v.error") is None
    assert video.evaluate(SIZE_OF_NOTHING) == [760, 480]  # nothing moves when it is read


@pytest.mark.firefox
@pytest.mark.webkit
def test_where_it_cannot_be_played_the_still_stands_there_and_a_word(notebook, write):
    no_film = "html.replace('video/mp4;base64,', 'video/mp4;base64,AAAA')"
    cell = FILM.replace(
        "\nfilm\n", f"\nhtml = film.html()\nfrom IPython.display import HTML\nHTML({no_film})"
    )
    notebook.open(write(cell), kernel="shared")
    notebook.run_all()
    still = notebook.page.locator(f"{lab.PANEL} img.kl-film")
    notebook.page.wait_for_function("img => img.naturalWidth", arg=still.element_handle())
    assert still.evaluate("img => [img.clientWidth, img.clientHeight]") == [760, 480]
    assert still.get_attribute("alt") == "A line that rises in 12 steps."
    output = notebook.page.locator(f"{lab.PANEL} .jp-OutputArea-output").last
    assert output.inner_text().startswith("This browser cannot play the film")
