"""WebKit as the tests of the other browsers have theirs: what they use of Playwright's page.

Playwright drives a WebKit of its own only. The one that a distribution installs (WebKitGTK) speaks
W3C WebDriver: one JSON request a step, https://www.w3.org/TR/webdriver2/.
"""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 30.0  # seconds
KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008",
    "Control": "\ue009", "Escape": "\ue00c", "PageUp": "\ue00e", "PageDown": "\ue00f",
    "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}  # fmt: skip
# The elements of a locator, which is a list of steps: [what to do, with what].
FIND = """steps => steps.reduce((found, [step, what]) => ({
  css: () => [...new Set(found.flatMap(one => [...one.querySelectorAll(what)]))],
  has: () => found.filter(one => one.textContent.includes(what)),
  named: () => found.filter(one => (one.ariaLabel ?? one.textContent).trim() === what),
  says: () => found.filter(one => new RegExp(what).test(one.textContent)),
  nth: () => found.slice(what, what + 1 || undefined),
})[step](), [document])"""
# Playwright takes functions and expressions; {"first": steps} stands for an element.
RUN = f"""const real = value => Array.isArray(value) ? value.map(real)
  : value?.first ? ({FIND})(value.first)[0] : value;
const code = (CODE);
const value = typeof code === "function" ? code(...[...arguments].map(real)) : code;
return value;"""
HOLDS = RUN.replace("return value", "return Promise.resolve(value).then(Boolean)")


@contextmanager
def running(driver: str, virtual_screen: str, browser: str) -> Iterator[Browser]:
    """Run the browser on a screen that nobody sees."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    number, told = os.pipe()
    screen = [virtual_screen, "-displayfd", str(told), "-screen", "0", "2000x1400x24"]
    processes = [subprocess.Popen(screen, pass_fds=[told], stderr=subprocess.DEVNULL)]
    try:
        environment = {**os.environ, "DISPLAY": f":{os.read(number, 9).decode().strip()}"}
        processes.append(subprocess.Popen([driver, f"--port={port}"], env=environment))
        yield Browser(f"http://127.0.0.1:{port}/session", browser)
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()
        os.close(number)
        os.close(told)


def until(ready: Callable[[], Any], seconds: float, what: str) -> Any:
    """Ask until the answer is true; return it."""
    deadline = time.monotonic() + seconds
    while not (answer := ready()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:g} s for {what}")
        time.sleep(0.05)
    return answer


class Browser:
    """A browser that makes pages, each with a window of its own."""

    def __init__(self, address: str, program: str) -> None:
        self.address = address
        self.asked = {"webkitgtk:browserOptions": {"binary": program, "args": ["--automation"]}}

    def new_page(self, viewport: dict[str, int] | None = None) -> Page:
        """Open a window whose page has a size in CSS pixels."""
        width, height = (viewport or {"width": 1280, "height": 900}).values()
        until(self._listens, PATIENCE, "the driver")
        session = request("POST", self.address, {"capabilities": {"alwaysMatch": self.asked}})
        page = Page(f"{self.address}/{session['sessionId']}")
        page.send("POST", "timeouts", {"script": 60_000})
        page.send("POST", "window/rect", {"width": width, "height": height})
        frame = height - page.evaluate("innerHeight")
        page.send("POST", "window/rect", {"width": width, "height": height + frame})
        return page

    def _listens(self) -> bool:
        try:
            return bool(request("GET", self.address.replace("session", "status")))
        except OSError as error:
            return not isinstance(error, urllib.request.URLError)


def request(method: str, address: str, body: Any = None) -> Any:
    """Send one step, and return what came of it; raises RuntimeError with the driver's words."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, method=method)) as answer:
            return json.load(answer)["value"]
    except urllib.request.HTTPError as error:
        raise RuntimeError(json.load(error)["value"]["message"]) from None


class Page:
    """One window; it is the keyboard and the mouse in it too."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.keyboard = self.mouse = self

    def send(self, method: str, step: str = "", body: Any = None) -> Any:
        """Send a step of this window."""
        return request(method, f"{self.session}/{step}".rstrip("/"), body)

    def on(self, event: str, listener: Any) -> None:
        """Listen to nothing: WebDriver does not tell of errors in the page."""

    remove_listener = on

    def add_init_script(self, script: str) -> None:
        """Do nothing: such scripts measure, and that is done in Chromium."""

    def set_default_timeout(self, milliseconds: float) -> None:
        """Keep the patience there is."""

    @property
    def url(self) -> str:
        return str(self.send("GET", "url"))

    def goto(self, address: str) -> None:
        self.send("POST", "url", {"url": address})

    def close(self) -> None:
        self.send("DELETE")

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.send("GET", "screenshot")))

    # --- what is there ---------------------------------------------------------------------------

    def evaluate(self, code: str, *arguments: Any) -> Any:
        body = {"script": RUN.replace("CODE", code), "args": list(arguments)}
        return self.send("POST", "execute/sync", body)

    def wait_for_function(
        self, code: str, arg: Any = None, timeout: float = 1000 * PATIENCE
    ) -> Any:
        body = {"script": HOLDS.replace("CODE", code), "args": [arg]}
        return until(lambda: self.send("POST", "execute/sync", body), timeout / 1000, code)

    def wait_for_selector(self, css: str, timeout: float = 1000 * PATIENCE) -> None:
        self.locator(css).first.wait_for(timeout=timeout)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def locator(self, css: str) -> Locator:
        return Locator(self, [["css", css]])

    # --- the hand --------------------------------------------------------------------------------

    def press(self, keys: str) -> None:
        pressed = [KEYS.get(key, key) for key in re.findall(r"[^+]+|^\+$", keys)]
        down = [{"type": "keyDown", "value": key} for key in pressed]
        self._act("key", [*down, *({**step, "type": "keyUp"} for step in reversed(down))])

    def move(self, x: float, y: float, steps: int = 1) -> None:
        x0, y0 = getattr(self, "at", (x, y))
        self.at = x, y
        at = [(x0 + (x - x0) * k / steps, y0 + (y - y0) * k / steps) for k in range(1, steps + 1)]
        places = [{"x": round(x), "y": round(y), "duration": 0} for x, y in at]
        self._act("pointer", [{"type": "pointerMove", **place} for place in places])

    def down(self) -> None:
        self._act("pointer", [{"type": "pointerDown", "button": 0}])

    def up(self) -> None:
        self._act("pointer", [{"type": "pointerUp", "button": 0}])

    def _act(self, device: str, steps: list[dict[str, Any]]) -> None:
        self.send(
            "POST", "actions", {"actions": [{"type": device, "id": device, "actions": steps}]}
        )


class Locator:
    """Elements of a page, looked for anew each time; an action waits until there is one."""

    def __init__(self, page: Page, steps: list[list[Any]]) -> None:
        self.page, self.steps = page, steps

    def _then(self, *steps: list[Any]) -> Locator:
        return Locator(self.page, [*self.steps, *steps])

    def locator(self, css: str) -> Locator:
        return self._then(["css", css])

    def filter(self, has_text: str) -> Locator:
        return self._then(["has", has_text])

    def get_by_role(self, role: str, name: str, exact: bool) -> Locator:
        return self._then(["css", role], ["named", name])

    def get_by_text(self, words: str | re.Pattern[str]) -> Locator:
        said = re.escape(words) if isinstance(words, str) else words.pattern
        return self._then(["css", "*"], ["says", said])

    def nth(self, number: int) -> Locator:
        return self._then(["nth", number])

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def count(self) -> int:
        return int(self.page.evaluate(f"steps => ({FIND})(steps).length", self.steps))

    def all_inner_texts(self) -> list[str]:
        code = f"steps => ({FIND})(steps).map(one => one.innerText)"
        return list(self.page.evaluate(code, self.steps))

    def wait_for(self, timeout: float = 1000 * PATIENCE) -> None:
        visible = f"steps => ({FIND})(steps).some(one => one.checkVisibility())"
        self.page.wait_for_function(visible, self.steps, timeout)

    def is_visible(self) -> bool:
        return bool(self.count() and self.evaluate("one => one.checkVisibility()"))

    def evaluate(self, code: str, *arguments: Any) -> Any:
        return self.page.evaluate(code, self.element_handle(), *arguments)

    def element_handle(self) -> Any:
        until(self.count, PATIENCE, str(self.steps))
        return {"first": self.steps}

    def get_attribute(self, name: str) -> Any:
        return self.evaluate("(one, name) => one.getAttribute(name)", name)

    def inner_text(self) -> str:
        return str(self.evaluate("one => one.innerText"))

    def text_content(self) -> str:
        return str(self.evaluate("one => one.textContent"))

    def scroll_into_view_if_needed(self) -> None:
        self.evaluate("one => one.scrollIntoViewIfNeeded()")

    def bounding_box(self) -> dict[str, float]:
        return dict(self.evaluate("one => one.getBoundingClientRect().toJSON()"))

    def focus(self) -> None:
        self.evaluate("one => one.focus()")

    def press(self, keys: str) -> None:
        self.focus()
        self.page.press(keys)

    def click(self) -> None:
        self.scroll_into_view_if_needed()
        box = self.bounding_box()
        self.page.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.down()
        self.page.up()
