"""The page in a real browser: paste, look, slide, ask why, download, upload."""

import json
import re
from urllib.parse import unquote

import pytest
from drawn_network import drawn, heads
from web_browser import open_page, until
from web_server import serving

from ppi.annotation import Annotator
from ppi.export import FORMATS
from ppi.server.web.limits import Limits

TEXT = "RAD51 binds BRCA2 and TP53. Nothing here.\n\nMDM2 inhibits TP53."


def annotate(page, text=TEXT):
    page.fill("#text", text)
    page.click("#annotate")
    page.wait_for_selector("#results:not([hidden])")


def pairs(page):
    return page.locator("#table button.pair").all_inner_texts()


def slide(page, value):
    page.locator("#threshold").fill(str(value))


def active(page):
    return page.locator("#documents mark.active").all_inner_texts()


def test_pasted_text_comes_back_with_its_names_marked(page):
    annotate(page)
    assert page.locator("#documents p").all_inner_texts() == TEXT.split("\n\n")
    assert page.locator("#documents mark").all_inner_texts() == ["RAD51", "BRCA2", "TP53", "MDM2", "TP53"]
    assert active(page) == ["RAD51", "BRCA2", "MDM2", "TP53"]
    assert pairs(page) == ["RAD51 – BRCA2", "MDM2 – TP53"]
    assert page.inner_text("#summary") == "2 of 4 pairs, 5 protein names, 1 document"


def test_the_slider_filters_table_marks_and_network_at_once(page):
    annotate(page)
    assert len(drawn(page, "nodes")) == 4
    slide(page, 0.3)
    assert pairs(page) == ["RAD51 – BRCA2", "MDM2 – TP53", "RAD51 – TP53", "BRCA2 – TP53"]
    assert active(page) == ["RAD51", "BRCA2", "TP53", "MDM2", "TP53"]
    assert len(drawn(page, "edges")) == 4
    assert page.inner_text("#threshold-value") == "0.30"
    assert page.get_attribute("#threshold", "aria-valuetext") == "at least 0.30"
    slide(page, 1)
    assert pairs(page) == active(page) == []
    assert drawn(page, "nodes") == []
    assert "No pair is that probable" in page.inner_text("#empty")


def test_a_click_shows_the_evidence(page):
    annotate(page)
    page.click("#table tbody tr:first-child")
    page.wait_for_selector("#evidence img")
    assert page.inner_text("#evidence-heading") == "RAD51 – BRCA2: 0.95"
    assert page.locator("#evidence-sentence mark").all_inner_texts() == ["RAD51", "BRCA2"]
    assert page.locator("#evidence .reasons li").all_inner_texts() == [
        "“binds” stands on the path between them",
        "they are joined by: binds -nsubj-> RAD51, binds -dobj-> BRCA2",
    ]
    assert not page.is_visible("#evidence .up")
    page.click("#evidence details summary")
    assert page.locator("#evidence .path li").all_inner_texts() == ["binds -nsubj-> RAD51", "binds -dobj-> BRCA2"]
    assert page.locator("#evidence .up li .value").all_inner_texts() == ["+1.100 (42.3 %)", "+1.000 (38.5 %)"]
    assert page.locator("#evidence .down li .value").all_inner_texts() == ["−0.500 (19.2 %)"]
    # the drawing is really drawn
    until(page, "document.querySelector('#evidence img').naturalWidth === 900")
    page.click("#next")
    until(page, "document.querySelector('#evidence img')?.alt.includes('MDM2')")
    assert page.inner_text("#evidence-place") == "2 of 2"
    page.click("#close")
    assert not page.is_visible("#evidence")


LONG = (
    "We found that, unlike what was reported for other cells in the presence of serum, RAD51, together with many "
    "other proteins that were found in one screen, directly binds BRCA2 in dividing cells and so helps to mend them."
)


@pytest.mark.parametrize("width", [1280, 390])
def test_evidence_of_a_long_sentence_opens_at_the_pair(browser, real_address, width):
    with open_page(browser, real_address, viewport={"width": width, "height": 844}) as page:
        annotate(page, LONG)
        slide(page, 0)
        page.click("#table button.pair >> nth=0")
        until(page, "document.querySelector('#evidence img')?.style.width")
        scrolled, wide, shown, whole = page.evaluate(
            "(() => { const box = document.querySelector('.drawing'); const img = box.querySelector('img');"
            " return [box.scrollLeft, box.clientWidth, img.width, img.naturalWidth]; })()"
        )
        svg = unquote(page.get_attribute("#evidence img", "src"))
        left, right = (shown / whole * int(place) for place in re.search(r"data-pair='(\d+) (\d+)'", svg).groups())
        assert scrolled <= left < scrolled + wide
        assert right <= scrolled + wide or right - left > wide - 20
        assert "…" in svg
        assert "serum" not in re.sub("<title>.*?</title>", "", svg, flags=re.DOTALL)
        page.get_by_role("button", name="Draw the whole sentence").click()
        until(page, "document.querySelector('#evidence img').naturalWidth > 2000")
        assert "serum" in unquote(page.get_attribute("#evidence img", "src"))
        assert page.evaluate("document.documentElement.scrollWidth") == width


TYPED = (
    "This is typed. CFL1 binds ACT1. LIMK1 phosphorylates CFL1. RHOA1 activates ROCK1. MDM2 inhibits TP53. "
    "RAD51 does not bind BRCA2. ROCK1 may phosphorylate LIMK1. LIMK1 binds CFL1."
)


def test_types_have_arrows_and_words_and_can_be_filtered(page):
    annotate(page, TYPED)
    assert sorted(pairs(page)) == [
        *("CFL1 — ACT1", "LIMK1 — CFL1", "LIMK1 → CFL1", "MDM2 ⊣ TP53", "RHOA1 → ROCK1"),
    ]
    assert set(page.locator("#table .badge").all_inner_texts()) == {
        *("binding", "phosphorylation", "positive regulation", "negative regulation"),
    }
    assert len(drawn(page, "edges")) == 5
    assert heads(page) == [
        ["binding", "none"],
        ["binding", "none"],
        ["modification", "triangle"],
        ["regulation", "tee"],
        ["regulation", "triangle"],
    ]
    page.uncheck("#types input[value=binding]")
    assert sorted(pairs(page)) == ["LIMK1 → CFL1", "MDM2 ⊣ TP53", "RHOA1 → ROCK1"]
    with page.expect_download() as waiting:
        page.click("button[data-format=sif]")
    assert waiting.value.path().read_text().splitlines() == [
        "LIMK1\tphosphorylates\tCFL1",
        "MDM2\tinhibits\tTP53",
        "RHOA1\tactivates\tROCK1",
    ]


def test_what_is_denied_or_supposed_is_shown_only_if_asked_for_and_marked(page):
    annotate(page, TYPED)
    page.check("#negated")
    page.check("#hedged")
    row = page.locator("#table tbody tr", has_text="BRCA2")
    assert row.locator(".badge").all_inner_texts() == ["binding", "negated"]
    assert page.locator("#table tbody tr", has_text="may").locator(".badge.doubt").all_inner_texts() == ["hedged"]
    assert "name:brca2" not in drawn(page, "nodes")
    row.click()
    page.wait_for_selector("#evidence img")
    assert page.inner_text("#evidence-heading") == "RAD51 — BRCA2: 0.95"
    assert page.locator("#evidence-type .badge").all_inner_texts() == ["binding", "negated"]
    assert "binding 0.95 · modification 0.10" in page.inner_text("#evidence-type")


def test_without_types_there_is_nothing_to_choose(page):
    annotate(page)
    assert not page.is_visible("#choices")
    assert page.locator("#table .badge").count() == 0


def test_the_row_pointed_at_stands_out_in_the_text(page):
    annotate(page)
    page.hover("#table tbody tr:nth-child(2)")
    assert page.locator("#documents mark.first").all_inner_texts() == ["MDM2"]
    assert page.locator("#documents mark.second").all_inner_texts() == ["TP53"]
    page.hover("h1")
    assert page.locator("#documents mark.first, #documents mark.second").count() == 0
    page.focus("#table tbody tr:nth-child(1) button")
    assert page.locator("#documents mark.first").all_inner_texts() == ["RAD51"]


def test_column_heads_sort(page):
    annotate(page)
    slide(page, 0)
    page.click("th[data-key=names] button")
    assert pairs(page) == ["BRCA2 – TP53", "MDM2 – TP53", "RAD51 – BRCA2", "RAD51 – TP53"]
    assert page.get_attribute("th[data-key=names]", "aria-sort") == "ascending"
    assert page.get_attribute("th[data-key=probability]", "aria-sort") is None
    page.click("th[data-key=names] button")
    assert pairs(page)[0] == "RAD51 – TP53"


@pytest.mark.parametrize("format", FORMATS)
def test_downloads(page, client, format):
    annotate(page)
    slide(page, 0.4)
    with page.expect_download() as waiting:
        page.click(f"button[data-format={format}]")
    assert waiting.value.suggested_filename == f"interactions{FORMATS[format].download_suffix}"
    content = waiting.value.path().read_bytes()
    documents = client.post("/api/annotate", json={"text": TEXT}).json()["documents"]
    request = {"documents": [one["source"] for one in documents], "min_probability": 0.4}
    assert content == client.post(f"/api/export?format={format}", json=request).content


def test_an_upload_of_several_documents(page, tmp_path):
    file = tmp_path / "set.pubtator"
    file.write_bytes(b"".join(b"%d|t|RAD51 binds TP%d.\n%d|a|Well.\n\n" % (n, n, n) for n in range(1, 36)))
    page.set_input_files("#file", file)
    page.wait_for_selector("#results:not([hidden])")
    assert page.locator("#table tbody tr").count() == 35
    assert page.locator("th.document-column").is_visible()
    assert page.locator("#documents article").count() == 30
    page.click("#documents > button")
    assert page.locator("#documents article").count() == 35
    assert page.locator("#documents article:last-child mark.active").all_inner_texts() == ["RAD51", "TP35"]


def test_other_things_than_proteins_are_not_marked(page):
    content = b"17|t|RAD51 binds aspirin.\n17|a|Well.\n17\t0\t5\tRAD51\tGene\t5888\n17\t12\t19\taspirin\tChemical\tD1\n"
    page.set_input_files("#file", {"name": "a.pubtator", "mimeType": "text/plain", "buffer": content})
    page.wait_for_selector("#results:not([hidden])")
    assert page.locator("#documents mark").all_inner_texts() == ["RAD51"]
    assert page.get_attribute("#documents mark", "title") == "5888"
    assert "1 protein name," in page.inner_text("#summary")


def test_long_tables_grow_on_demand(page, tmp_path):
    annotate(page, "RAD51 binds TP53. " * 150)
    assert page.locator("#table tbody tr").count() == 100
    page.click("#more")
    assert page.locator("#table tbody tr").count() == 150
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 101
    assert not page.is_visible("#more")


def test_errors_are_shown_where_they_are_read_out(page, tmp_path):
    page.click("#annotate")
    assert "Paste some text first" in page.inner_text("[role=alert]")
    file = tmp_path / "broken.xml"
    file.write_bytes(b"<collection><document>")
    page.set_input_files("#file", file)
    until(page, "document.querySelector('#error').textContent.includes('well-formed XML')")


def test_after_an_error_the_old_results_are_gone_and_the_name_of_the_file_stays(page, tmp_path):
    good, broken = tmp_path / "good.txt", tmp_path / "broken.xml"
    good.write_text(TEXT)
    broken.write_bytes(b"<collection><document>")
    page.set_input_files("#file", good)
    page.wait_for_selector("#results:not([hidden])")
    chosen = "document.querySelector('#file').files[0].name"
    assert page.evaluate(chosen) == "good.txt"
    page.set_input_files("#file", broken)
    until(page, "document.querySelector('#error').textContent.includes('well-formed XML')")
    assert not page.is_visible("#results")
    assert page.evaluate(chosen) == "broken.xml"
    annotate(page)
    assert not page.is_visible("#error")


def test_another_format_reads_the_chosen_file_again(page):
    content = b'{"id": "d", "sentences": [{"id": "s", "text": "RAD51 binds BRCA2."}]}'
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": content})
    page.wait_for_selector("#results:not([hidden])")
    page.select_option("#format", "jsonl")
    until(page, "document.querySelector('#documents p')?.textContent === 'RAD51 binds BRCA2.'")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Nothing here.", "No protein names were found in this text."),
        ("Only RAD51 is here.", "No sentence names two different proteins."),
    ],
)
def test_where_there_is_nothing_the_page_says_why_and_what_to_do(page, text, what):
    annotate(page, text)
    assert page.inner_text("#empty strong") == what
    assert len(page.inner_text("#empty")) > len(what) + 20
    for selector in ("#table", "#network-card", "#download-card"):
        assert not page.is_visible(selector)


def test_what_probabilities_mean_is_said_beside_them(page):
    annotate(page)
    page.click("#meaning summary")
    assert page.locator("#meaning li").all_inner_texts() == [
        "A probability of 0.80 means that eight of ten are so.",
        "Measured <b>nowhere</b>.",
    ]


def test_who_is_who_is_told_with_links(page):
    entities = [
        {
            "id": "e1",
            "text": "profilin",
            "spans": [[0, 8]],
            "identifiers": ["NCBIGene:5216"],
            "infons": [["symbol", "PFN1"], ["species", "Homo sapiens"]],
        },
        {"id": "e2", "text": "actin", "spans": [[15, 20]], "identifiers": ["javascript:alert(1)"]},
    ]
    document = {"id": "d", "sentences": [{"id": "s", "text": "profilin binds actin", "entities": entities}]}
    buffer = json.dumps(document).encode()
    page.set_input_files("#file", {"name": "a.jsonl", "mimeType": "text/plain", "buffer": buffer})
    page.wait_for_selector("#table tbody tr")
    page.click("#table button.pair")
    page.wait_for_selector("#evidence img")
    assert page.locator("#evidence-who dt").all_inner_texts() == ["PFN1", "actin"]
    link = page.locator("#evidence-who a")
    assert link.get_attribute("href") == "https://bioregistry.io/ncbigene:5216"
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert "Homo sapiens" in page.inner_text("#evidence-who")
    assert "javascript:alert(1)" in page.inner_text("#evidence-who")
    page.click("#close")
    page.fill("#explorer-search", "NCBIGene:5216")
    page.press("#explorer-search", "Enter")
    assert page.inner_text(".explorer-details h3") == "PFN1"
    assert "also written profilin" in page.inner_text(".explorer-details .identity")


def test_a_protein_with_itself_and_other_names_of_a_statement_are_told(page):
    def with_more(route):
        answer = route.fetch()
        content = answer.json()
        alone, named = content["documents"][0]["interactions"][:2]
        alone.update(homo=True, proteins=alone["proteins"][:1] * 2, keys=alone["keys"][:1] * 2)
        alone["proteins"][0].update(identifiers=["ncbigene:5888"], type="FAMILY")
        alone["proteins"][0]["infons"] = [["taxid", "9606"], ["uniprot", "Q06609"], ["symbol", "RAD51"]]
        named["aliases"] = [{"pair": "x", "proteins": named["proteins"], "probability": 0.5, "type": None}]
        route.fulfill(response=answer, json=content)

    page.route("**/api/annotate", with_more)
    annotate(page, "RAD51 binds BRCA2. MDM2 inhibits TP53.")
    assert pairs(page) == ["RAD51 – itself", "MDM2 – TP53"]
    keys = drawn(page, "edges")
    assert [edge[0] == edge[1] for edge in keys].count(True) == 1
    page.click("#table button.pair >> nth=0")
    page.wait_for_selector("#evidence img")
    assert page.locator("#evidence-who dt").all_inner_texts() == ["RAD51"]
    assert page.inner_text("#evidence-who dd") == "ncbigene:5888 · uniprot:Q06609 · Homo sapiens · family"
    page.click("#next")
    until(page, "document.querySelector('#evidence-heading').textContent.startsWith('MDM2')")
    assert "Also as" in page.inner_text("#evidence-who")
    assert "MDM2 and TP53 (0.50)" in page.inner_text("#evidence-who")


def test_offsets_count_characters_as_the_server_does(page):
    text = "😀𝛼 RAD51 binds 𝛽 BRCA2."
    annotate(page, text)
    assert page.locator("#documents mark").all_inner_texts() == ["RAD51", "BRCA2"]
    page.click("#table button.pair")
    assert page.locator("#evidence-sentence mark").all_inner_texts() == ["RAD51", "BRCA2"]
    assert page.inner_text("#evidence-sentence") == text


def test_names_that_overlap_and_have_gaps_are_all_marked(page, tmp_path):
    entities = [
        {"id": "e1", "text": "alpha actin", "spans": [[0, 5], [15, 20]]},
        {"id": "e2", "text": "beta actin", "spans": [[10, 20]]},
    ]
    document = {"id": "d", "sentences": [{"id": "s", "text": "alpha and beta actin", "entities": entities}]}
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(document))
    page.set_input_files("#file", file)
    page.wait_for_selector("#results:not([hidden])")
    assert page.locator("#documents mark").all_inner_texts() == ["alpha", "beta ", "actin"]
    assert page.inner_text("#documents p") == "alpha and beta actin"


def test_a_busy_server_is_asked_again(page):
    answers = []

    def busy_at_first(route):
        answers.append(route)
        if len(answers) < 3:
            route.fulfill(status=503, headers={"Retry-After": "0"}, json={"code": "busy", "detail": "busy"})
        else:
            route.fallback()

    page.route("**/api/annotate", busy_at_first)
    annotate(page)
    assert len(answers) == 3
    assert pairs(page) == ["RAD51 – BRCA2", "MDM2 – TP53"]


@pytest.fixture(scope="module")
def real_address():
    with serving(Annotator, limits=Limits(workers=1)) as address:
        yield address


def test_the_example_with_the_real_annotator(browser, real_address):
    with open_page(browser, real_address) as page:
        page.click("#example")
        page.wait_for_selector("#table tbody tr")
        assert "Profilin — actin" in pairs(page)
        page.click("#table tbody tr:first-child")
        until(page, "document.querySelector('#evidence img')?.naturalWidth > 200")
        shown = float(page.inner_text("#evidence-heading").rpartition(": ")[2])
        assert shown >= 0.5
        page.click("#evidence details summary")
        assert page.locator("#evidence .up li").count() == 10
        score = page.inner_text("#evidence-body p.hint >> nth=0")
        assert re.match(r"Score [+−]\d", score)
        page.click("#close")
        page.check("#explain")
        with page.expect_download() as waiting:
            page.click("button[data-format=html]")
        assert b"Profilin" in waiting.value.path().read_bytes()
