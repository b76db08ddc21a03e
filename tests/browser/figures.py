"""A live figure on a page, moved and read as a person does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# The picture of the newest answer is there, sharp and decoded, and nothing is still to be answered.
AT_REST = """([root, before]) => {
  const img = root.querySelector(".kl-img");
  return Number(root.dataset.frame ?? -1) > before && !root.underWay()
    && img.dataset.sharp === "true" && img.complete && img.naturalWidth > 0
    && root.querySelector(".kl-moving").hidden;
}"""

HEARD = "root => !root.underWay()"

# The picture by its fingerprint, the numbers, and the alternative text.
SEEN = """async root => {
  const img = root.querySelector(".kl-img");
  const bytes = await (await fetch(img.src)).arrayBuffer();
  const pixels = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join();
  return [pixels, root.querySelector(".kl-readout").innerText, img.alt];
}"""

PLACES = """root => [...root.querySelectorAll(".kl-grip")]
  .map(grip => grip.getAttribute("aria-valuetext"))"""


class Figure:
    """One live figure: its controls, its picture, the points in it and the words under it.

    Parameters
    ----------
    page
        Playwright's page.
    within
        CSS selector of what the figure lies in.
    number
        0 for the first figure there.
    figure
        CSS selector of the figure itself; one without ``:has`` is found much faster among many.
    """

    def __init__(
        self,
        page: Any,
        within: str = "body",
        number: int = 0,
        figure: str = ".widget-vbox:has(.kl-live)",
    ) -> None:
        self.page = page
        self.all = page.locator(f"{within} {figure}").nth(number)
        self.root = self.all.locator(".kl-live")
        self.picture = self.root.locator(".kl-img")
        self.grips = self.root.locator(".kl-grip")
        self.readout = self.root.locator(".kl-readout")
        self.spoken = self.root.locator(".kl-spoken")

    # --- reading ---------------------------------------------------------------------------------

    def ready(self) -> Figure:
        """Bring the figure into view and wait for a picture of its size."""
        self.root.wait_for(timeout=60_000)
        self.root.scroll_into_view_if_needed()
        return self.at_rest()

    def at_rest(self, *, beyond: int = -1) -> Figure:
        """Wait until the picture of the newest answer, after the given one, is there and sharp."""
        self.page.wait_for_function(AT_REST, arg=[self.root.element_handle(), beyond])
        return self

    def answers(self) -> int:
        """How often Python has answered."""
        return int(self.root.get_attribute("data-frame") or -1)

    @contextmanager
    def redrawn(self) -> Iterator[None]:
        """Do something, then wait until its picture is there and at rest."""
        # What was done before is answered first, or its answer would be taken for this one.
        self.page.wait_for_function(HEARD, arg=self.root.element_handle())
        before = self.answers()
        yield
        self.at_rest(beyond=before)

    def seen(self) -> tuple[str, str, str]:
        """What is to be seen now: the picture (its fingerprint), the numbers, the alt text."""
        return tuple(self.root.evaluate(SEEN))

    # --- moving ----------------------------------------------------------------------------------

    def slider(self, label: str) -> Any:
        """Return the handle of a slider."""
        return self.all.locator(".widget-slider").filter(has_text=label).locator(".noUi-handle")

    def drag_point(self, number: int, right: float, down: float) -> None:
        """Drag a point of the picture with the mouse, by CSS pixels."""
        self.drag(self.grips.nth(number), right, down)

    def touch(self, x: float, y: float, right: float, down: float) -> None:
        """Put a finger somewhere on the page and draw it away, by CSS pixels."""
        finger = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *at: dict[str, float]) -> None:
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(at)})

        touch("touchStart", {"x": x, "y": y})
        for k in range(1, 6):
            touch("touchMove", {"x": x + right * k / 5, "y": y + down * k / 5})
        touch("touchEnd")
        finger.detach()

    def points(self) -> list[list[float]]:
        """Return where the points are, in data units, as a screen reader says it."""
        said = self.root.evaluate(PLACES)
        return [[float(part.split()[-1]) for part in place.split(",")] for place in said]

    def point(self, number: int) -> list[float]:
        """Return where a point is."""
        return self.points()[number]

    def centre(self, locator: Any) -> tuple[float, float]:
        """Bring an element into view; return its middle, in pixels of the page."""
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, what: Any, right: float, down: float) -> None:
        """Drag an element with the mouse, by CSS pixels."""
        x, y = self.centre(what)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + right, y + down, steps=5)
        mouse.up()
