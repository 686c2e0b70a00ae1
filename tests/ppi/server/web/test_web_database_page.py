"""The pages of a run's database in a real browser: search, a protein, a pair, evidence, downloads, addresses."""

import json

import pytest
from axe import violations
from drawn_network import drawn
from small_database import TYPED, annotated
from web_annotator import WebAnnotator
from web_browser import open_page, until, until_still
from web_server import serving

import ppi

MANY = [
    (f"2000{n:04}", "2010", f"GENE{n} activates TP53 here.", f"GENE{n}", "TP53", 0.5 + n / 500, {"type": "regulation"})
    for n in range(120)
]
MARKUP = "<img/src=x/onerror=window.broken=1>"
HOSTILE = [(MARKUP, "1999", f"{MARKUP} binds <b>B2</b>.", MARKUP, "<b>B2</b>", 0.97, {"type": "binding"})]


@pytest.fixture(scope="module")
def database_address(tmp_path_factory):
    path = tmp_path_factory.mktemp("database") / "found.parquet"
    ppi.write(annotated([*TYPED, *MANY, *HOSTILE]), path)
    with ppi.open_run(path) as run, serving(WebAnnotator, database=run) as address:
        yield address


@pytest.fixture(params=[1280, 390])
def width(request):
    return request.param


@pytest.fixture
def page(browser, database_address, width):
    with open_page(browser, database_address, path="/database", viewport={"width": width, "height": 844}) as page:
        yield page


def go(page, path):
    page.goto(page.url.split("/database")[0] + path)
    page.wait_for_selector("#heading", state="attached")
    until(page, "document.querySelector('#run').textContent")  # what comes last of all
    page.wait_for_load_state("networkidle")  # what comes late would move what is clicked


def pairs(page):
    return page.locator(".pairs tbody td:first-child .pair").all_inner_texts()


def test_search_suggests_and_finds_and_the_address_says_it_all(page, width):
    page.locator("#protein").press_sequentially("rad")
    until(page, "document.querySelector('#protein-names option')?.value === 'RAD51'")
    page.fill("#protein", "rad-51")
    page.press("#protein", "Enter")
    page.wait_for_url("**/database?protein=rad-51")
    page.wait_for_selector(".pairs")
    assert pairs(page) == ["RAD51 — BRCA2"]
    assert page.inner_text(".pairs .counts") == "2 papers · 3 sentences · 1999–2004"
    assert page.inner_text(".called a") == "RAD51 (Homo sapiens)"
    page.reload()
    page.wait_for_selector(".pairs")
    assert page.input_value("#protein") == "rad-51"
    assert page.title() == "rad-51 – ppi-miner"
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.go_back()
    page.wait_for_selector(".pairs")
    assert page.input_value("#protein") == ""


def test_limits_of_a_search(page):
    page.click("#more-fields summary")
    page.check("[name=type][value=regulation]")
    page.fill("#min_probability", "0.7")
    page.check("[name=include_hedged]")
    page.select_option("#show", "sentences")
    page.fill("#words", "inhibit")
    page.click("#form button")
    page.wait_for_selector(".found")
    assert page.locator(".found > li").count() == 2
    assert page.locator(".found > li.hedged .badge.doubt").all_inner_texts() == ["hedged"]
    assert "4 set" in page.inner_text("#more-fields summary")


def test_long_lists_have_pages(page):
    go(page, "/database?protein=TP53")
    page.wait_for_selector(".pager")
    assert "Page 1 of 3" in page.inner_text(".pager")
    first = pairs(page)
    page.click("text=Next page")
    page.wait_for_url("**page=2**")
    page.wait_for_selector(".pairs")
    assert len(first) == 50
    assert not set(first) & set(pairs(page))


def test_a_protein_and_the_network_around_it(page, width):
    go(page, "/database/protein?key=ncbigene:4193")
    page.wait_for_selector(".explorer-canvas")
    assert page.inner_text("#heading") == "MDM2"
    assert "ncbigene:4193" in page.inner_text(".head")
    assert pairs(page) == ["MDM2 ⊣ TP53"]
    assert sorted(drawn(page, "nodes")) == ["ncbigene:4193", "ncbigene:7157"]
    page.click("text=two steps")
    page.wait_for_url("**steps=2")
    page.wait_for_selector(".explorer-canvas")
    until(page, "document.querySelector('.explorer-note').textContent.includes('pairs')")
    assert len(drawn(page, "nodes")) > 50
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_pair_with_every_sentence_and_its_evidence(page, width):
    go(page, "/database?protein=MDM2")
    page.wait_for_selector(".pairs a")
    page.click(".pairs a >> nth=0")
    page.wait_for_url("**/database/pair?**")
    page.wait_for_selector(".found")
    rows = page.locator(".found > li")
    assert rows.count() == 2
    assert [rows.nth(n).get_attribute("data-document") for n in range(2)] == ["10000002", "10000003"]
    assert [rows.nth(n).get_attribute("data-pair") for n in range(2)] == ["10000002.s1.p0", "10000003.s1.p0"]
    assert rows.locator("div.judge").count() == 2
    assert rows.nth(0).locator("mark").all_inner_texts() == ["MDM2", "TP53"]
    assert rows.nth(0).locator("a").get_attribute("href") == "https://pubmed.ncbi.nlm.nih.gov/10000002/"
    assert "hedged" in rows.nth(1).inner_text()
    rows.nth(0).locator(".why").click()
    until(page, "document.querySelector('#evidence img')?.naturalWidth === 900")
    assert page.inner_text("#evidence-heading") == "MDM2 ⊣ TP53: 0.95"
    page.click("#next")
    until(page, "document.querySelector('#evidence-place').textContent === '2 of 2'")
    page.click("#close")
    assert page.evaluate("document.activeElement.className") == "why"
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("format", ["jsonl", "brat", "html", "graphml"])
def test_downloads_of_what_is_shown(page, format):
    go(page, "/database/pair?first=ncbigene:4193&second=ncbigene:7157")
    with page.expect_download() as waiting:
        page.click(f"button[data-format={format}]")
    content = waiting.value.path().read_bytes()
    assert len(content) > 100
    if format == "jsonl":
        assert [json.loads(line)["pair"] for line in content.splitlines()] == ["10000002.s1.p0", "10000003.s1.p0"]


def test_who_is_not_there_is_said(page):
    go(page, "/database?protein=RDA51")
    until(page, "!document.querySelector('#error').hidden")
    assert "similar: RAD51" in page.inner_text("[role=alert]")
    assert not page.is_visible("#download-card")


def test_nothing_found_says_what_to_do(page):
    go(page, "/database?text=absent")
    page.wait_for_selector(".empty")
    assert "Nothing was found." in page.inner_text(".empty")


def test_markup_in_names_texts_and_addresses_stays_text(page):
    for path in (
        f"/database?protein={MARKUP}",
        f"/database?show=sentences&text={MARKUP}",
        f"/database/protein?key={MARKUP}",
        f"/database/pair?first={MARKUP}&second={MARKUP}",
        "/database?text=binds",
        "/database?text=binds&show=sentences",
    ):
        go(page, path)
        until_still(page)
        assert page.evaluate("window.broken") is None
        assert page.locator("main img, main b, main iframe").count() == 0, path
    assert MARKUP in page.inner_text(".found")
    page.locator(".found > li", has_text=MARKUP).locator(".why").click()
    page.wait_for_selector("#evidence-heading")
    assert page.evaluate("window.broken") is None


def test_the_start_page_leads_here(page):
    page.click("nav >> text=Annotate")
    page.wait_for_selector("#text")
    page.click("nav >> text=Search")
    page.wait_for_url("**/database")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_axe_is_broken(browser, database_address, width, scheme):
    viewport = {"width": width, "height": 844}
    options = {"path": "/database", "viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    with open_page(browser, database_address, **options) as page:
        for path in (
            "/database",
            "/database?protein=TP53&type=regulation&include_hedged=true",
            "/database?text=bind&show=sentences&include_negated=true",
            "/database?protein=nobody",
            "/database?text=absent",
            "/database/protein?key=ncbigene:7157&steps=2",
            "/database/pair?first=ncbigene:4193&second=ncbigene:7157",
        ):
            go(page, path)
            until_still(page)
            assert violations(page) == [], path
        page.click(".why >> nth=0")
        page.wait_for_selector("#evidence img")
        assert violations(page) == []
