"""No rule of axe-core is broken, in any state of the page, on a desk or on a phone, in light or dark."""

import pytest
from axe import violations
from web_browser import open_page

TYPED = (
    "This is typed. CFL1 binds ACT1. LIMK1 phosphorylates CFL1. RHOA1 activates ROCK1. MDM2 inhibits TP53. "
    "RAD51 does not bind BRCA2. ROCK1 may phosphorylate LIMK1. LIMK1 binds CFL1."
)


@pytest.fixture(params=[1280, 390])
def width(request):
    return request.param


@pytest.fixture(params=["light", "dark"])
def page(request, browser, address, width):
    viewport = {"width": width, "height": 844}
    with open_page(browser, address, viewport=viewport, color_scheme=request.param, reduced_motion="reduce") as page:
        yield page


def annotate(page, text):
    page.fill("#text", text)
    page.click("#annotate")
    page.wait_for_selector("#results:not([hidden])")


def test_start_page_and_errors(page):
    assert violations(page) == []
    page.click("#annotate")
    page.wait_for_selector("#error:not([hidden])")
    assert violations(page) == []


def test_results_network_and_evidence(page):
    annotate(page, TYPED)
    page.click("#meaning summary")
    assert violations(page) == []
    page.fill("#explorer-search", "CFL1")
    page.press("#explorer-search", "Enter")
    page.wait_for_selector(".explorer-details:not([hidden])")
    assert violations(page) == []
    page.click("#table button.pair >> nth=0")
    page.wait_for_selector("#evidence img")
    page.click("#evidence details summary")
    assert violations(page) == []


def test_results_without_pairs(page):
    annotate(page, "Nothing here.")
    assert violations(page) == []


def test_the_description_of_the_api(page, address):
    page.goto(f"{address}/docs")
    assert violations(page) == []
