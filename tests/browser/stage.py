"""A live figure on the whole screen, as a lecturer has it, with nothing but the keyboard."""

from __future__ import annotations

import re
from typing import Any

from figures import Figure

STAGE = ".kl-on-stage"
SETTLED_MS = 900
SHARP = """() => {
  const img = document.querySelector(".kl-on-stage .kl-img");
  const box = document.querySelector(".kl-on-stage .kl-stage");
  return img?.dataset.sharp === "true" && img.complete && box.clientWidth > 250
    && box.querySelector(".kl-moving").hidden
    && Math.abs(img.naturalWidth - box.clientWidth * devicePixelRatio) <= 2
    && Math.abs(img.naturalHeight - box.clientHeight * devicePixelRatio) <= 2;
}"""
# How many figures are there whole: the picture, and what puts it on the stage, in either order.
THERE = """count => count === [...document.querySelectorAll(".kl-figure")]
  .filter(one => one.querySelector(".kl-img[src]") && one.querySelector(".kl-head")?.demo).length"""
ANSWERED = f"() => document.querySelector('{STAGE} .kl-head').answered()"
# Every text that can be seen on the stage outside the picture, with the size of its type in pixels.
TYPE = """stage => {
  const sizes = {}, walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  const size = element => parseFloat(getComputedStyle(element).fontSize);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), of = walker.currentNode.parentElement;
    const seen = of.checkVisibility() && !of.closest(".kl-spoken, style");
    if (text && seen) sizes[text.slice(0, 40)] = size(of);
  }
  for (const field of stage.querySelectorAll("input[type=text], select")) {
    sizes[field.value] = size(field);
  }
  return sizes;
}"""
BEYOND = """stage => [...stage.querySelectorAll(
  "button, select, input, label, h2, .widget-readout, .kl-readout, .kl-img"
)].filter(part => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  const inside = left > -1 && right < innerWidth + 1 && top > -1 && bottom < innerHeight + 1;
  return part.checkVisibility() && !inside;
}).map(part => part.className || part.textContent)"""
# Of its words, because it keeps the height it once had.
LONG = """stage => {
  const words = document.createRange(), readout = stage.querySelector(".kl-readout");
  words.selectNodeContents(readout);
  const line = parseFloat(getComputedStyle(readout).lineHeight);
  return words.getBoundingClientRect().height > 2.3 * line ? readout.innerText : "";
}"""
# Signs of a button with less room than they take: some browsers show dots instead.
CUT_OFF = """stage => [...stage.querySelectorAll("button > i")].filter(sign => {
  const { paddingLeft, paddingRight } = getComputedStyle(sign.parentElement);
  const room = sign.parentElement.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return sign.getBoundingClientRect().width > room;
}).map(sign => sign.className)"""

# All that can be operated there, to be reached by Tab. The page keeps what had the frame.
STOPS = ".noUi-handle, select, button, input, .kl-grip"
WATCH = """stage => {
  window.reached = new Set([document.activeElement]);
  addEventListener("focusin", event => window.reached.add(event.target));
  const all = [...stage.querySelectorAll("*")].filter(one => one.checkVisibility());
  return all.filter(one => one.tabIndex >= 0).length;
}"""
UNREACHED = """(stage, stops) => [...stage.querySelectorAll(stops)]
  .filter(stop => stop.checkVisibility() && !stop.disabled && !window.reached.has(stop))
  .map(stop => stop.getAttribute("aria-label") ?? stop.textContent)"""
STRAYED = """stage => [...window.reached]
  .filter(one => !stage.contains(one)).map(one => one.outerHTML.slice(0, 80))"""
# Places spread over the page where something else than the stage is to be seen.
FOREIGN = """stage => Array.from({ length: 400 }, (_, k) => [(k % 20 + 0.5) / 20, (k + 0.5) / 400])
  .map(([x, y]) => document.elementFromPoint(x * innerWidth, y * innerHeight))
  .filter(seen => !stage.contains(seen)).map(seen => seen?.outerHTML.slice(0, 80))"""
SHARE = "stage => stage.querySelector('.kl-img').clientHeight / innerHeight"
# All of that at once, when it is laid out: asked one by one they would take most of a tour.
LOOK = f"""async stage => {{
  for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
  return [{TYPE}, {BEYOND}, {CUT_OFF}, {FOREIGN}, {LONG}, {SHARE}].map(look => look(stage));
}}"""


class Stage:
    """What is on the stage of a page."""

    def __init__(self, page: Any) -> None:
        self.page = page

    @property
    def figure(self) -> Figure:
        """The live figure there."""
        return Figure(self.page, figure=STAGE)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        for key in keys:
            self.page.keyboard.press(key)

    def ready(self) -> Stage:
        """Wait until the picture is there, sharp and as large as the stage lets it."""
        self.page.wait_for_function(SHARP, timeout=60_000)
        return self

    def reveal(self) -> Stage:
        """Show the answer, if it is hidden."""
        if self.page.locator(f"{STAGE} .kl-reveal").is_visible():
            with self.figure.redrawn():
                self.press("a")
        return self

    def settle(self) -> Stage:
        """Wait until nothing plays or is answered any more: keys come faster than pictures."""
        answers = -1
        self.page.wait_for_function(ANSWERED, timeout=60_000)
        while answers != (answers := self.figure.answers()) or self.holds(".fa-pause"):
            self.page.wait_for_timeout(SETTLED_MS)
        self.figure.at_rest()
        return self

    def says(self, words: str | re.Pattern[str]) -> None:
        """Wait until the line under the picture holds these words."""
        self.figure.root.get_by_text(words).first.wait_for()

    def place(self) -> str:
        """Say which of the demos this is, as the stage does: "3 of 19"."""
        return str(self.page.locator(f"{STAGE} .kl-head").get_attribute("data-place"))

    def readouts(self) -> list[str]:
        """Return where the sliders stand, as the page says it."""
        return list(self.page.locator(f"{STAGE} .widget-readout").all_inner_texts())

    def is_empty(self) -> bool:
        """Whether nothing is on the stage."""
        return bool(self.page.locator(STAGE).count() == 0)

    def focused(self) -> str:
        """Return the classes of what has the focus."""
        return str(self.page.evaluate("() => document.activeElement.getAttribute('class') ?? ''"))

    def look(self) -> list[Any]:
        """Return how all is laid out: what is named above, from type to the picture's share."""
        return list(self.page.locator(STAGE).evaluate(LOOK))

    def not_reached(self, *, back: bool = False) -> list[str]:
        """Tab once round the stage; return what never had the frame, or had it and is not there."""
        stage = self.page.locator(STAGE)
        for _ in range(stage.evaluate(WATCH) + 1):
            self.press("Shift+Tab" if back else "Tab")
        return [*stage.evaluate(UNREACHED, STOPS), *stage.evaluate(STRAYED)]

    def holds(self, kind: str) -> bool:
        """Whether there is a control of a kind."""
        return bool(self.page.locator(f"{STAGE} {kind}").count())

    def arrow(self, kind: str) -> str:
        """Give the frame to the first control of a kind; return the arrow that has room."""
        first = self.page.locator(f"{STAGE} {kind}").first
        first.focus()
        now, most = (float(first.get_attribute(f"aria-value{s}")) for s in ("now", "max"))
        return "ArrowLeft" if now >= most else "ArrowRight"
