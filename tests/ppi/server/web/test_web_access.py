"""Keyboard, screen reader, phone, contrast."""

import pytest
from web_browser import open_page, until

TEXT = "RAD51 binds BRCA2 and TP53. MDM2 inhibits TP53."

#: Contrast of an element's text with what is behind it, by WCAG's formula; transparent layers are looked through.
CONTRAST = """
(selector) => [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility()).map((node) => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
  let behind = node;
  while (behind && channels(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const background = behind ? getComputedStyle(behind).backgroundColor : "rgb(255, 255, 255)";
  const style = getComputedStyle(node);
  const ink = node instanceof SVGElement ? style.fill : style.color;
  const [light, dark] = [luminance(channels(ink)), luminance(channels(background))].sort((a, b) => b - a);
  return [node.tagName + "." + node.className, (light + 0.05) / (dark + 0.05)];
})
"""
TEXTS = (
    "h1, h2, h3, p, label, button:not(:disabled), select, textarea, mark, td, th, a, li, output, .snippet, .dash, "
    ".hint, .value, .name, .explorer-note, .identity, .explorer-details span, summary"
)


def annotate(page, text=TEXT):
    page.fill("#text", text)
    page.click("#annotate")
    page.wait_for_selector("#table tbody tr")


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.textContent")


def test_keyboard_alone_goes_all_the_way(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert focused(page) == "text"
    page.keyboard.type(TEXT)
    page.keyboard.press("Tab")
    assert focused(page) == "annotate"
    page.keyboard.press("Enter")
    page.wait_for_selector("#table tbody tr")
    until(page, "document.activeElement.id === 'results-heading'")
    page.keyboard.press("Tab")
    assert focused(page) == "threshold"
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    assert page.inner_text("#threshold-value") == "0.20"
    for expected in (*("What probabilities mean", "documents", None, "Proteins", "Probability", "RAD51 – BRCA2"),):
        page.keyboard.press("Tab")
        if expected:
            assert focused(page) == expected
    page.keyboard.press("Enter")
    page.wait_for_selector("#evidence img")
    assert focused(page) == "evidence-heading"
    order = []
    for _ in range(3):
        page.keyboard.press("Tab")
        order.append(focused(page))
    assert order == ["previous", "next", "close"]
    page.keyboard.press("Escape")
    assert not page.is_visible("#evidence")
    assert focused(page) == "RAD51 – BRCA2"
    page.keyboard.press("Enter")
    page.wait_for_selector("#evidence img")
    # the page gives the focus back when the dialog tells that it is closed, which is some time after it disappeared
    page.evaluate("document.getElementById('evidence').addEventListener('close', () => { window.isClosed = true; })")
    page.focus("#close")
    page.keyboard.press("Space")
    until(page, "window.isClosed")
    assert focused(page) == "RAD51 – BRCA2"
    page.focus("button[data-format=csv]")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename == "interactions.csv"


def test_control_and_enter_send_the_text(page):
    page.fill("#text", TEXT)
    page.focus("#text")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#table tbody tr")


def test_focus_can_be_seen(page):
    annotate(page)
    for selector in ("#text", "#annotate", "#threshold", "#table button.pair", "button[data-format=csv]", "header a"):
        page.focus(selector)
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert page.evaluate(f"document.activeElement.matches({selector!r})")
        style = "getComputedStyle(document.activeElement)"
        assert page.evaluate(f"{style}.outlineStyle + {style}.outlineWidth") == "solid3px", selector


def test_a_screen_reader_finds_its_way(page):
    annotate(page)
    for role, name in (
        ("banner", None),
        ("main", None),
        ("contentinfo", None),
        ("navigation", "Pages"),
        ("textbox", "Paste an abstract, or any English text"),
        ("button", "Find interactions"),
        ("combobox", "Format"),
        ("slider", "Probability at least"),
        ("region", "Results"),
        ("region", "Network"),
        ("region", "Download"),
        ("columnheader", "Probability"),
        ("heading", "Which proteins interact in this text?"),
        ("checkbox", "with evidence, where the format has room for it"),
        ("button", "RAD51 – BRCA2"),
    ):
        found = page.get_by_role(role, name=name, exact=True) if name else page.get_by_role(role)
        assert found.count() >= 1, (role, name)
    # the standards give a file input no role, so each browser chooses one
    assert page.get_by_label("Upload a file", exact=True).get_attribute("type") == "file"
    assert page.get_by_role("table").count() == 1
    assert "4 proteins and 2 pairs" in page.locator(".explorer-canvas[role=group]").get_attribute("aria-label")
    assert page.locator("#summary").get_attribute("aria-live") == "polite"
    assert page.locator("html").get_attribute("lang") == "en"
    page.click("#table button.pair")
    page.wait_for_selector("#evidence img")
    assert page.get_by_role("dialog", name="RAD51 – BRCA2: 0.95").count() == 1
    assert "binds -nsubj-> RAD51" in page.get_attribute("#evidence img", "alt")
    every = page.locator("input, select, textarea, button, img")
    unnamed = every.evaluate_all(
        "nodes => nodes.filter(n => !(n.labels?.length || n.textContent.trim() || n.alt)).map(n => n.outerHTML)"
    )
    assert unnamed == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_at_least_four_and_a_half(browser, address, scheme):
    with open_page(browser, address, color_scheme=scheme, reduced_motion="reduce") as page:
        page.click("#annotate")  # shows an error
        ratios = page.evaluate(CONTRAST, ".error")
        annotate(page)
        ratios += page.evaluate(CONTRAST, TEXTS)
        page.click("#table button.pair")
        page.wait_for_selector("#evidence img")
        ratios += page.evaluate(CONTRAST, TEXTS)
        page.goto(f"{address}/docs")
        ratios += page.evaluate(CONTRAST, TEXTS)
        assert len(ratios) > 150
        assert [(name, ratio) for name, ratio in ratios if ratio < 4.5] == []


@pytest.mark.parametrize("pixels", [320, 360, 640])  # 320 and 640: a window of 1280, enlarged four times and twice
def test_narrow_screens_need_no_sideways_scrolling(browser, address, pixels):
    with open_page(browser, address, viewport={"width": pixels, "height": 740}, has_touch=True) as page:
        width = "document.documentElement.scrollWidth"
        assert page.evaluate(width) == pixels
        long_name = "A" * 80 + "1"
        annotate(page, f"{long_name} binds BRCA2 and TP53. " + TEXT)
        assert page.evaluate(width) == pixels
        page.click("#table button.pair >> nth=0")
        page.wait_for_selector("#evidence img")
        assert page.evaluate(width) == pixels
        assert page.evaluate("document.querySelector('#evidence').scrollWidth") <= pixels
        small = page.locator("#evidence button, #annotate, #example, .downloads button, #format").evaluate_all(
            "nodes => nodes.filter(n => n.getBoundingClientRect().height < 32).map(n => n.id || n.textContent)"
        )
        assert small == []
        page.goto(f"{address}/docs")
        assert page.evaluate(width) == pixels
