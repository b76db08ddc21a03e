"""The film: frames counted by ffmpeg, words where it cannot be made, the still, the player."""

from __future__ import annotations

import base64
import re
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image

from kernellab.datasets.targets import make_quarters, quarters
from kernellab.kernels import Gaussian
from kernellab.lessons.sdca.figures import animation_marks as animation
from kernellab.lessons.sdca.figures.animation_marks import STILL, Moment, film_of_run
from kernellab.lessons.sdca.theory.recording import record

imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
pytest.importorskip("celluloid")

ROOT = Path(__file__).resolve().parents[3]
ALT = 'A film of a curve that learns <fast> & "well"'
GRID = np.linspace(0, 1, 61)


def a_film(frames: int = 6):
    data = make_quarters(20, 0)
    kernel = Gaussian(100.0)
    run = record(kernel(data.X), data.y, 100.0, updates=frames)
    f = kernel(GRID[:, None], data.X) @ (run.alphas * data.y).T
    moments = [
        Moment(f[:, t], run.alphas[t], int(run.i[t - 1]), f"update {t}")
        for t in range(1, frames + 1)
    ]
    return film_of_run(GRID, quarters(GRID), data.X[:, 0], data.y, moments, title="SDCA", alt=ALT)


@pytest.fixture(scope="module")
def film():
    return a_film()


def pictures(film, tmp_path):
    """The frames of the video, decoded, shape (k, height, width, 3)."""
    path = tmp_path / "film.mp4"
    path.write_bytes(film.mp4)
    frames = imageio_ffmpeg.read_frames(str(path))
    about = next(frames)
    width, height = about["size"]
    return np.stack([np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in frames])


def test_one_frame_a_moment_and_one_stem_an_example(film, tmp_path):
    assert (film.n_frames, film.n_stems, film.problem) == (6, 20, "")
    frames = pictures(film, tmp_path)
    assert frames.shape == (6, 480, 760, 3)
    assert b"avc1" in film.mp4  # H.264
    different = [np.abs(a.astype(int) - b).max() for a, b in pairwise(frames)]
    assert min(different) > 60  # no frame is the one before


def test_a_frame_shows_its_own_moment_only(film, tmp_path):
    """An artist of an earlier frame that stayed would add ink from frame to frame."""
    frames = pictures(film, tmp_path)
    violet = [((f[..., 0] > 90) & (f[..., 1] < 90) & (f[..., 2] > 110)).sum() for f in frames]
    assert min(violet) > 50  # the ring
    assert max(violet) < 1.6 * min(violet)


def test_the_still_is_the_first_frame(film, tmp_path):
    still = np.asarray(Image.open(BytesIO(film.still.png)).convert("RGB")).astype(int)
    early = pictures(film, tmp_path)[min(STILL, film.n_frames) - 1].astype(int)
    assert still.shape == early.shape
    assert np.abs(still - early).mean() < 4


def test_the_same_frames_give_the_same_file(film):
    assert a_film().mp4 == film.mp4


def test_the_player(film):
    html = film.html()
    tag = re.search(r"<video\b[^>]*>", html)
    assert tag is not None
    assert " controls " in tag[0]
    assert "autoplay" not in html
    assert "loop" not in tag[0]
    assert (
        'aria-label="A film of a curve that learns &lt;fast&gt; &amp; &quot;well&quot;"' in tag[0]
    )
    data = re.search(r'src="data:video/mp4;base64,([^"]+)"', tag[0])
    assert data is not None
    assert base64.b64decode(data[1]) == film.mp4
    assert "http" not in html


def test_the_film_of_the_lesson(tmp_path):
    """As it lies in the notebook: a frame an update, five in the first pass, and small."""
    notebook = nbformat.read(ROOT / "notebooks" / "05_sdca.ipynb", as_version=4)
    pages = [o.get("data", {}).get("text/html", "") for c in notebook.cells
             for o in c.get("outputs", ())]  # fmt: skip
    (page,) = (page for page in pages if "kl-film" in page)
    data = re.search(r'src="data:video/mp4;base64,([^"]+)"', page)
    assert data is not None
    path = tmp_path / "lesson.mp4"
    path.write_bytes(base64.b64decode(data[1]))
    assert path.stat().st_size < 1_500_000
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert frames == 20 * animation.SLOW + 180
    assert seconds == pytest.approx(frames / animation.FRAMES_A_SECOND, abs=0.2)


def shown(film, monkeypatch):
    """What a notebook would get: the data of each output."""
    outputs = []

    def display(data, **_):
        outputs.append(data)

    monkeypatch.setattr(animation, "display", display)
    film._ipython_display_()
    return outputs


@pytest.mark.parametrize("missing", ["celluloid", "imageio_ffmpeg"])
def test_without_its_parts_it_says_so_and_shows_a_still(missing, monkeypatch, film):
    def without(name):
        if name == missing:
            raise ImportError(f"No module named {name}")
        return import_module(name)

    monkeypatch.setattr(animation, "import_module", without)
    poor = a_film()
    monkeypatch.undo()
    assert (poor.mp4, poor.n_frames, poor.n_stems) == (b"", 0, 20)
    words, still = shown(poor, monkeypatch)
    assert "No film here" in words["text/plain"]
    assert "pip install celluloid imageio-ffmpeg" in words["text/plain"]
    a, b = (np.asarray(Image.open(BytesIO(p.still.png)).convert("RGB")) for p in (poor, film))
    assert still is poor.still
    np.testing.assert_array_equal(a, b)


def test_in_a_page_a_live_figure_plays_the_frames(monkeypatch):
    monkeypatch.setattr(animation, "IN_A_PAGE", True)
    film = a_film(8)
    assert (film.problem, shown(film, monkeypatch)) == ("", [film.live])
    assert film.live.controls["t"].max == 8
    assert film.live.numbers["words"] == f"update {STILL}"
    early, film.live.t = film.live.live.frame, 8
    assert film.live.numbers["words"] == "update 8"
    assert film.live.live.error == ""
    assert film.live.live.frame != early


def test_an_encoder_that_fails_is_no_catastrophe(monkeypatch):
    monkeypatch.setattr(imageio_ffmpeg, "write_frames", lambda *a, **k: (_ for _ in ()))
    poor = a_film(2)
    assert "could not be encoded" in poor.problem
    assert poor.mp4 == b""


def test_bad_arguments_are_named():
    x = np.zeros(1)
    with pytest.raises(ValueError, match="moments"):
        film_of_run(GRID, GRID, x, x, [], title="", alt=ALT)
    with pytest.raises(ValueError, match="alt"):
        film_of_run(GRID, GRID, x, x, [Moment(GRID, x, 0, "")], title="", alt=" ")
