"""A real browser for tests of the page; every message of its console is an error of the test."""

import contextlib
import re
import shutil
import time

import pytest
from waiting import WAIT_SECONDS

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: What Chromium notes about every answer of the API that is an error.
_REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (4\d\d|503)")


@contextlib.contextmanager
def chromium():
    """The browser; the test is skipped where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=1000 * WAIT_SECONDS)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def open_page(browser, address, *, path="", ready="#downloads button", **options):
    """A page in a window of its own; afterwards nothing may have been complained about or asked elsewhere.

    It is the start page, unless another ``path`` is given; ``ready`` is there when it can be used.
    """
    context = browser.new_context(viewport=options.pop("viewport", {"width": 1280, "height": 900}), **options)
    page = context.new_page()
    page.set_default_timeout(1000 * WAIT_SECONDS)
    complaints, requests = [], []
    page.on("console", lambda message: _REFUSED.match(message.text) or complaints.append(message.text))
    page.on("response", lambda one: one.ok or "/api/" in one.url or complaints.append(f"{one.status} {one.url}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: requests.append(request.url))
    try:
        page.goto(f"{address}{path}")
        page.wait_for_selector(ready, state="attached")
        yield page
        assert complaints == [], complaints
        foreign = [url for url in requests if not url.startswith((address, "data:image/svg+xml", f"blob:{address}"))]
        assert foreign == []
    finally:
        context.close()


def until(page, condition):
    """Wait for a condition in JavaScript; the page's own policy forbids Playwright's way of doing that."""
    end = time.monotonic() + WAIT_SECONDS
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"never came true: {condition}"
        page.wait_for_timeout(20)


def until_still(page):
    """Wait until nothing of the page is in motion any more."""
    until(page, "document.getAnimations().every((animation) => animation.playState !== 'running')")
