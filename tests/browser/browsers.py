"""The browsers: Chromium and Firefox, which Playwright drives, and WebKit, which WebDriver does."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import lab
import webdriver

MINIBROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"


class MissingError(Exception):
    """A browser, or what drives it, is not installed."""


@contextmanager
def running(name: str) -> Iterator[Any]:
    """Run "chromium", "firefox" or "webkit"; raises MissingError where that is not installed."""
    if name == "webkit":
        driver, virtual_screen = map(shutil.which, ("WebKitWebDriver", "Xvfb"))
        found = glob.glob(MINIBROWSER)
        if not (driver and virtual_screen and found):
            raise MissingError("there is no WebKit; install webkit2gtk-driver and xvfb")
        with webdriver.running(driver, virtual_screen, found[0]) as browser:
            yield browser
        return
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise MissingError("playwright is not installed") from None
    if name == "firefox":
        path = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
        options: dict[str, Any] = {"channel": "moz-firefox"}
    else:
        path, options = lab.find_chromium(), {"args": lab.CHROMIUM_FLAGS}
    if path is None:
        raise MissingError(f"there is no {name}; install one, or name it in {name.upper()}")
    with sync_playwright() as playwright:
        browser = getattr(playwright, name).launch(executable_path=path, **options)
        yield browser
        browser.close()
