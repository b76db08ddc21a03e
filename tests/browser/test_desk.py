"""Every live figure in JupyterLab on a laptop and on a phone: it is seen whole, and can be moved.

The figures are shown one after the other in one cell, at each size of the window, with the side bar
of JupyterLab and without.
"""

from __future__ import annotations

import lab
from figures import Figure
from live_figures import LIVE_FIGURES, code
from playwright.sync_api import expect

# Width and height of the window, and the most that a figure may take of its height.
LAPTOP, LARGER, PHONE = (1366, 768, 520), (1440, 900, 600), (390, 844, 844)
SIZES = ((LAPTOP, True), (LAPTOP, False), (LARGER, True), (LARGER, False), (PHONE, False))
# All of them in one cell, with empty pictures: no layout waits for what is drawn in them.
ALL = """
import ipywidgets
from importlib import import_module
from kernellab.live import figure
figure.freeze_layout = lambda drawn: None
figure.LiveFigure._paint = lambda self, *, sharp: self._canvas.get_renderer()
ipywidgets.VBox([getattr(import_module(module), name)() for module, name in {figures}])
"""
COLLAPSED = "() => window.jupyterapp.shell.leftCollapsed"
LAID_OUT = """() => new Promise(done =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))"""
# How high it is, and what of it cannot be used: beyond the edge, cut off, or without a track.
MEASURE = """roots => roots.map(root => {
  const seen = part => part.checkVisibility() && part.getClientRects().length > 0;
  const parts = selector => [...root.querySelectorAll(selector)].filter(seen);
  const room = root.closest(".jp-OutputArea-output").getBoundingClientRect();
  const said = part =>
    part.getAttribute("aria-label") ?? (part.textContent.trim() || part.className);
  const faults = [];
  for (const part of parts("button, select, input, label, .noUi-target, .kl-readout, .kl-scroll")) {
    const { left, right } = part.getBoundingClientRect();
    if (left < room.left - 1 || right > room.right + 1)
      faults.push(`beyond the edge: ${said(part)}`);
  }
  for (const label of parts(".widget-label, .widget-readout, .kl-readout")) {
    if (label.scrollWidth > label.clientWidth + 1) faults.push(`cut off: ${said(label)}`);
  }
  for (const track of parts(".noUi-target")) {
    if (track.clientWidth < 80) faults.push(`a track of ${track.clientWidth} px`);
  }
  const width = root.querySelector(".kl-stage").clientWidth;
  if (width < Math.min(300, 0.9 * room.width)) {
    faults.push(`a picture of ${width} px, where there are ${Math.round(room.width)}`);
  }
  return [root.getBoundingClientRect().height, faults];
})"""


def test_every_figure_is_seen_whole(notebook, write):
    figures = [(kind.__module__, name) for name, kind in LIVE_FIGURES.items()]
    page, before = notebook.page, notebook.page.viewport_size
    notebook.open(write(ALL.format(figures=figures)))
    notebook.run_all()
    assert notebook.errors() == []
    shown = page.locator(f"{lab.PANEL} .kl-figure")
    expect(shown.locator(".kl-img[src]")).to_have_count(len(figures), timeout=60_000)
    complaints = []
    try:
        for (width, height, most), side_bar in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            set_side_bar(notebook, side_bar)
            page.evaluate(LAID_OUT)
            for (_, name), (high, found) in zip(figures, shown.evaluate_all(MEASURE), strict=True):
                found += [f"{high:.0f} px high, of {most}"] if high > most else []
                complaints += [f"{name}, {width} × {height}: {said}" for said in found]
    finally:
        page.set_viewport_size(before)
        set_side_bar(notebook, True)
    assert not complaints, "\n".join(complaints)


def set_side_bar(notebook: lab.Notebook, there: bool) -> None:
    if notebook.page.evaluate(COLLAPSED) == there:
        notebook.command("application:toggle-left-area")


def test_on_a_phone_the_side_bar_makes_room(browser, jupyter, write):
    name = write(code("SoftMargin"))
    page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True)
    try:
        phone = lab.Notebook(page, jupyter.address, jupyter.token)
        phone.open(name)
        assert not page.evaluate(COLLAPSED)
        phone.run_all()
        figure = Figure(page, lab.PANEL).ready()
        assert page.evaluate(COLLAPSED)
        ((_, found),) = page.locator(f"{lab.PANEL} .kl-figure").evaluate_all(MEASURE)
        assert found == []
        slider, before = figure.slider("cost"), figure.seen()
        with figure.redrawn():
            figure.touch(*figure.centre(slider), 60, 0)
        assert figure.seen() != before
        phone.command("application:toggle-left-area")  # whoever wants it has it again
        with figure.redrawn():
            phone.python("figure.C = 100")
        assert not page.evaluate(COLLAPSED)
    finally:
        jupyter.page.bring_to_front()
        page.evaluate(f"() => {lab.WIDGET}?.sessionContext.shutdown()")
        page.close()
