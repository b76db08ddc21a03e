"""How long it takes from `make lab` to the first live figure; printed, with a generous cap only."""

from __future__ import annotations

import shutil
import time

import lab
from figures import Figure
from run_notebooks import ROOT

FIRST = "notebooks/00_start_here.ipynb"
CAP = 120.0  # seconds: the machine may be busy


def test_first_live_figure_of_the_course(browser, tmp_path, started):
    shutil.copytree(ROOT / "notebooks", tmp_path / "course/notebooks")
    start = time.monotonic()
    with lab.jupyter_lab(tmp_path, tmp_path / "course") as (address, token):
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(60_000)
        page.goto(f"{address}/lab/tree/{FIRST}?token={token}")
        notebook = lab.Notebook(page, address, token)
        page.wait_for_selector(f"{lab.PANEL} .jp-Notebook .jp-Cell")
        notebook.wait_for_kernel()
        page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
        page.wait_for_selector(f"{lab.PANEL} .kl-img[src]", state="attached")
        seconds = time.monotonic() - start
        started("make lab", seconds)
        Figure(page, lab.PANEL).ready()
        page.close()
    assert seconds < CAP
    log = (tmp_path / "server.log").read_text()
    assert "kernellab.live.server | extension was successfully loaded" in log  # it sends at once
