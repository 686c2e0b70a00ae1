"""The report in a real browser: its script runs under its own policy, the slider filters, headings sort."""

import shutil

import annotated
import pytest

from ppi.export import write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser, tmp_path):
    path = tmp_path / "report.html"
    write([annotated.profilin(explained=True), annotated.without_interactions()], path, explain=True)
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    opened.complaints, opened.requested = [], []
    opened.on("console", lambda message: opened.complaints.append(message.text))
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.on("request", lambda request: opened.requested.append(request.url))
    opened.goto(path.as_uri())
    yield opened
    assert opened.complaints == []
    assert all(url.startswith(("file:", "data:")) for url in opened.requested)
    opened.close()


def names(page) -> list[str]:
    return page.locator("tbody.pair:visible th").all_inner_texts()


def test_the_slider_filters_pairs_chips_and_edges(page):
    assert len(names(page)) == 3
    page.locator("#threshold").focus()
    page.keyboard.press("End")
    assert names(page) == []
    assert page.locator("#count").inner_text() == "0 of 3 pairs"
    page.locator("#threshold").fill("0.7")
    assert names(page) == ["PFN1 – actin", "actin – Cofilin"]
    assert page.locator("#value").inner_text() == "0.70"
    assert page.locator(".chips li:visible").count() == 2
    assert page.locator(".edge:not(.gone)").count() == 2
    assert page.locator(".node:visible").count() == 3  # what nothing joins is gone


def test_headings_sort_by_keyboard_and_say_so(page):
    page.get_by_role("button", name="Pair").press("Enter")
    assert [each.lower() for each in names(page)] == sorted(each.lower() for each in names(page))
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    page.get_by_role("button", name="Probability").click()
    assert names(page)[0] == "PFN1 – actin"
    page.get_by_role("button", name="Probability").click()
    assert names(page)[-1] == "PFN1 – actin"


def test_evidence_opens_and_nothing_sticks_out_on_a_phone(page):
    page.locator(".pair summary").first.click()
    assert page.locator("blockquote:visible").inner_text().startswith("Profilin binds actin")
    assert page.locator(".drawing img:visible").evaluate("image => image.naturalWidth") == 40
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_boxes_filter_types(browser, tmp_path):
    path = tmp_path / "typed.html"
    write([annotated.typed(explained=True)], path, explain=True)
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    opened.goto(path.as_uri())
    assert len(names(opened)) == 6
    opened.locator(".type-box[value=regulation]").uncheck()
    assert {name.split("\n")[0].strip() for name in names(opened)} == {
        "actin — Profilin",
        "LIMK1 → Cofilin",
        "LIMK1 → actin",
    }
    assert opened.locator(".edge:not(.gone)").count() == 3
    assert opened.locator(".chips li:visible").count() == 4
    assert opened.locator("#count").inner_text() == "3 of 6 pairs"
    wide = opened.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    opened.close()
