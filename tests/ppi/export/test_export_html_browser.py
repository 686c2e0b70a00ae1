"""The report in a real browser: its script runs under its own policy, the slider filters, headings sort.

Large networks are explored as on the server's page (tests/ppi/server/web/test_web_network.py).
"""

import contextlib

import annotated
import pytest
from axe import violations
from drawn_network import drawn
from waiting import WAIT_SECONDS
from web_browser import chromium, until

from corpora import Document, Sentence
from ppi.annotation import AnnotatedDocument, Annotator
from ppi.export.formats import PageFacts, write


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@contextlib.contextmanager
def opened(browser, path, width=390, **options):
    """A file in a window; afterwards nothing may have been complained about or asked for."""
    page = browser.new_page(viewport={"width": width, "height": 844}, **options)
    page.set_default_timeout(1000 * WAIT_SECONDS)
    complaints, requested = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requested.append(request.url))
    page.goto(path.as_uri())
    yield page
    assert complaints == []
    assert all(url.startswith(("file:", "data:")) for url in requested)
    page.close()


@pytest.fixture
def page(browser, tmp_path):
    path = tmp_path / "report.html"
    write([annotated.profilin(explained=True), annotated.without_interactions()], path, explain=True)
    with opened(browser, path) as page:
        yield page


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
    with opened(browser, path) as page:
        assert len(names(page)) == 6
        page.locator(".type-box[value=regulation]").uncheck()
        assert {name.split("\n")[0].strip() for name in names(page)} == {
            "actin — Profilin",
            "LIMK1 → Cofilin",
            "LIMK1 → actin",
        }
        assert page.locator(".edge:not(.gone)").count() == 3
        assert page.locator(".chips li:visible").count() == 4
        assert page.locator("#count").inner_text() == "3 of 6 pairs"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_search_finds_names_and_words(page):
    page.fill("#search", "cofilin")  # in a name, or in a sentence of the evidence
    assert names(page) == ["actin – Cofilin", "actin – CFL1"]
    assert page.locator("article:visible").count() == 1
    page.fill("#search", "polymerization")
    assert names(page) == ["PFN1 – actin"]
    page.fill("#search", "nowhere")
    assert names(page) == []
    assert "search for something else" in page.inner_text("#none")
    assert not page.is_visible(".network svg")


def test_the_slider_begins_at_what_was_asked_for(browser, tmp_path):
    path = tmp_path / "report.html"
    write([annotated.profilin()], path, facts=PageFacts(0.7))
    with opened(browser, path) as page:
        assert page.inner_text("#value") == "0.70"
        assert names(page) == ["PFN1 – actin", "actin – Cofilin"]
        assert page.inner_text("#count") == "2 of 3 pairs"


def test_the_drawing_shrinks_with_what_is_left(page):
    width = "document.querySelector('.network svg').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.locator("#threshold").fill("0.9")
    assert page.locator(".node:visible").count() == 2
    assert page.evaluate(width) < before


LONG = (
    "We found that, unlike what had been reported for other cells in the presence of serum, "
    "RAD51, together with many other proteins that were found in the same screen of the nucleus, "
    "directly binds BRCA2 in dividing cells and so helps to mend what is broken in their chromosomes."
)


@pytest.fixture(scope="module")
def explained(tmp_path_factory):
    """A report of a long sentence, with its real evidence."""
    path = tmp_path_factory.mktemp("explained") / "report.html"
    names = [("RAD51", "e1"), ("BRCA2", "e2")]
    entities = tuple(annotated.entity(LONG, name, id) for name, id in names)
    document = Document("d", (Sentence("s", LONG, entities),))
    annotator = Annotator(min_probability=0.0)
    write(annotator.annotate_documents([document], explain=True), path, explain=True)
    return path


@pytest.mark.parametrize("width", [1280, 390])
def test_evidence_of_a_long_sentence_opens_at_the_pair(browser, explained, width):
    with opened(browser, explained, width) as page:
        page.locator(".pair summary").first.click()
        box = page.locator(".drawing").first
        until(page, "document.querySelector('.drawing img').style.width !== ''")
        seen = box.evaluate(
            """(box) => {
                const scale = box.querySelector('img').width / box.querySelector('img').naturalWidth;
                const { left, right } = box.dataset;
                return [box.scrollLeft, scale * Number(left), scale * Number(right), box.clientWidth];
            }"""
        )
        scrolled, left, right, wide = seen
        assert scrolled <= left < scrolled + wide
        if right - left < wide - 20:
            assert right <= scrolled + wide
        assert box.locator("img").evaluate("img => img.naturalWidth") < 1000  # the words that join the two, not all
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.locator(".more summary").first.click()
        assert page.locator(".more img").first.evaluate("img => img.naturalWidth") > 2000


def many(count):
    """A document in which one protein activates so many others, and a second one binds them."""
    texts, mentioned = [], []
    for number in range(count):
        texts += [f"HUB activates P{number}.", f"CORE binds P{number}."]
        mentioned += [["HUB", f"P{number}"], ["CORE", f"P{number}"]]
    sentences = annotated.split("m.s0", texts, mentioned)
    found = []
    for n, sentence in enumerate(sentences):
        first, second = (mention.id for mention in sentence.entities)
        ends = (first, second) if n % 2 == 0 else None
        how = annotated._how("regulation", ends, sign="positive") if ends else annotated._how("binding")
        how["types"] = {**how["types"], how["type"]: 0.99 - n / 400}
        found.append(annotated.interaction("m", sentence, first, second, 0.99 - n / 400, **how))
    return AnnotatedDocument(Document("m", tuple(sentences)), tuple(found))


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    path = tmp_path_factory.mktemp("explored") / "report.html"
    write([many(60)], path)
    return path


def test_a_large_network_is_explored_from_the_same_controls(browser, explored):
    with opened(browser, explored, 1280) as page:
        assert page.inner_text(".explorer-note").startswith("The 80 best supported of 120 pairs")
        assert len(drawn(page, "edges")) == 80
        page.locator(".type-box[value=binding]").uncheck()
        assert {edge[2] for edge in drawn(page, "edges")} == {"regulation"}
        assert page.inner_text(".explorer-note").startswith("61 proteins and 60 pairs")
        page.fill("#search", "p59")
        assert drawn(page, "nodes") == ["name:hub", "name:p59"]
        page.fill("#search", "")
        page.locator("#threshold").fill("0.98")
        assert drawn(page, "nodes") == ["name:hub", "name:p0", "name:p1", "name:p2"]
        page.fill("#explorer-search", "hub")
        page.press("#explorer-search", "Enter")
        page.locator(".explorer-details .pair").first.click()
        assert page.locator("#pair-1 details").evaluate("details => details.open")
        assert page.evaluate("document.activeElement.closest('tbody').id") == "pair-1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_rule_of_accessibility_is_broken(browser, explored, explained, tmp_path, width, scheme):
    typed, empty = tmp_path / "typed.html", tmp_path / "empty.html"
    write([annotated.typed(explained=True)], typed, explain=True, facts=PageFacts(0.1, ("Eight of ten.",)))
    write([], empty)
    for path in (explored, explained, typed, empty):
        with opened(browser, path, width, color_scheme=scheme) as page:
            assert violations(page) == []
            for summary in page.locator("summary:visible").all()[:3]:
                summary.click()
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") == width
