"""The same figures in Voilà, where a class sees the figures and not the code."""

from __future__ import annotations

import lab
import nbformat
import pytest
from figures import Figure
from nbformat import v4
from test_live_figures import LOSSES, all_differ


def test_voila_drives_a_live_figure(browser, tmp_path):
    pytest.importorskip("voila")
    root = tmp_path / "root"
    root.mkdir()
    lesson = v4.new_notebook(cells=[v4.new_code_cell(LOSSES)])
    nbformat.write(lesson, root / "lesson.ipynb")
    with lab.voila(tmp_path, root) as (address, token):
        page = browser.new_page()
        page.goto(f"{address}/voila/render/lesson.ipynb?token={token}")
        figure = Figure(page).ready()
        for still in (".jp-RenderedImage", ".kl-words"):
            assert page.locator(still).count() == 0  # an application is not saved, nor printed
        before = figure.seen()
        with figure.redrawn():
            figure.slider("margin").press("ArrowRight")
        after = figure.seen()
        assert all_differ(after, before)
        with figure.redrawn():
            figure.drag_point(0, 30, 10)
        assert all_differ(figure.seen(), after)
        page.close()
