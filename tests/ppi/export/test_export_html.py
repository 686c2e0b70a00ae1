"""The report: parsed as HTML, nothing from elsewhere, nothing unescaped, nothing left out in silence."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import annotated
import pytest
from hypothesis import given, settings

from corpora import Document, Entity, Sentence
from ppi.annotation import AnnotatedDocument, highlight_mentions
from ppi.export.formats import PageFacts, dumps
from ppi.export.html_page import MAX_STATIC_PAIRS, identifier_url, network_page
from ppi.network import build_network

KNOWN = {
    *("html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "p", "div", "label", "input"),
    *("output", "span", "main", "section", "table", "thead", "tbody", "tr", "th", "td", "button", "details", "summary"),
    *("blockquote", "footer", "img", "article", "mark", "ul", "li", "b", "script"),
    *("h4", "fieldset", "legend"),
    *("svg", "g", "circle", "line", "path", "rect", "text"),
}
VOID = {"meta", "input", "img"}


class Page(HTMLParser):
    """The elements and text of a page; AssertionError where it is not well formed."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.code: dict[str, str] = {}
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert tag in KNOWN, tag
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in KNOWN, tag
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.code[self.open[-1]] = self.code.get(self.open[-1], "") + data
        else:
            self.words.append(data)

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [
            found
            for name, found in self.elements
            if name == tag and all(found.get(key.rstrip("_")) == value for key, value in attributes.items())
        ]

    @property
    def text(self) -> str:
        return "".join(self.words)


def page_of(*many: AnnotatedDocument, explain: bool = False) -> Page:
    return Page(dumps(many, "html", explain=explain).decode())


def test_it_shows_figures_table_network_texts_and_evidence():
    page = page_of(annotated.profilin(explained=True), annotated.without_interactions(), explain=True)
    assert "2 documents · 3 interactions · 4 proteins · 3 pairs" in page.text
    assert [pair["data-probability"] for pair in page.all("tbody", class_="pair")] == ["0.9300", "0.8000", "0.5500"]
    assert len(page.all("line", class_="edge")) == 3
    assert "Profilin binds actin and inhibits its polymerization." in page.text
    assert "No interaction found." in page.text
    (drawing,) = page.all("img")
    assert drawing["alt"] == "Dependency path: binds -nsubj-> Profilin, binds -dobj-> actin"
    assert base64.b64decode(drawing["src"].removeprefix("data:image/svg+xml;base64,")).decode() == annotated.SVG


def test_evidence_begins_with_what_joins_the_two_and_has_features_behind_details():
    page = page_of(annotated.profilin(explained=True), explain=True)
    reasons = ["“binds” stands on the path between them", "they are joined by: binds -nsubj-> Profilin"]
    assert [page.text.count(reason) for reason in reasons] == [1, 1]
    assert page.text.index(reasons[0]) < page.text.index(reasons[1]) < page.text.index("Speaks for it")
    assert page.all("details", class_="more")
    assert "+0.500 (54.5 %) feature 0" in page.text
    assert "joined by" not in page_of(annotated.profilin(explained=True)).text


def test_types_have_arrows_words_and_a_box_each():
    page = page_of(annotated.typed(explained=True), explain=True)
    assert sorted(pair["data-type"] for pair in page.all("tbody", class_="pair")) == [
        *("binding", "modification", "modification", "regulation", "regulation", "regulation")
    ]
    assert [box["value"] for box in page.all("input", class_="type-box")] == ["binding", "modification", "regulation"]
    for words in ("LIMK1 → Cofilin", "Gelsolin ⊣ actin", "Profilin — actin", "phosphorylation", "negative regulation"):
        assert words in page.text
    dashes = {group["data-type"] for group in page.all("g", class_="edge")}
    assert dashes == {"binding", "modification", "regulation"}
    assert {path.get("stroke-dasharray") for path in page.all("path")} >= {"7 3", "2 3"}


def test_denied_interactions_are_marked_in_the_text_and_are_no_pair():
    page = page_of(annotated.typed())
    assert "MDM2 — actin 0.70 binding, negated" in page.text
    assert "hedged" in page.text
    assert all("mdm2" not in pair["data-name"] for pair in page.all("tbody", class_="pair"))
    links = [link["href"] for link in page.all("a") if link["href"].startswith("#pair-")]
    assert len(links) == len(annotated.typed().interactions) - 1


def test_without_types_there_are_no_boxes():
    assert page_of(annotated.profilin()).all("fieldset") == []


def test_evidence_drawings_only_where_asked():
    assert page_of(annotated.profilin(explained=True)).all("img") == []


def test_links_from_the_texts_lead_to_the_pairs():
    page = page_of(annotated.profilin())
    targets = [link["href"].removeprefix("#") for link in page.all("a") if link["href"].startswith("#pair-")]
    assert targets == ["pair-1", "pair-2", "pair-3"]
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert set(targets) <= set(ids)
    assert len(ids) == len(set(ids))


def test_controls_can_be_used_by_keyboard_and_are_named():
    page = page_of(annotated.profilin())
    slider, search = page.all("input")
    assert (slider["type"], slider["min"], slider["max"]) == ("range", "0", "1")
    assert search["type"] == "search"
    assert page.all("label", for_="threshold")
    assert page.all("label", for_="search")
    assert [button["data-sort"] for button in page.all("button")] == ["name", "probability", "papers", "sentences"]
    assert page.all("span", role="status")
    assert page.all("html")[0]["lang"] == "en"


def test_the_policy_allows_its_own_style_and_script_alone_and_nothing_is_loaded():
    page = page_of(annotated.profilin(explained=True), explain=True)
    (policy,) = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.code[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    for _, attributes in page.elements:
        assert not {"style", "onclick", "onload", "onerror"} & attributes.keys()
        for name in ("src", "xlink:href", "action"):
            assert attributes.get(name, "#").startswith(("#", "data:image/svg+xml;base64,"))
    # links that a reader may follow; nothing of the reader's page is told to where they lead
    led = [attributes for _, attributes in page.elements if not attributes.get("href", "#").startswith("#")]
    assert [(link["href"], link["rel"]) for link in led] == [
        ("https://bioregistry.io/ncbigene:5216", "noopener noreferrer")
    ]
    assert "@import" not in page.code["style"]
    assert "url(" not in page.code["style"]
    assert not re.search(r"fetch|XMLHttpRequest|innerHTML|eval", page.code["script"])


def test_markup_in_names_ids_and_evidence_stays_text():
    nasty = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
    text = f"{nasty} binds B"
    entities = (
        Entity("e1", nasty, ((0, len(nasty)),), "protein", (f'X:"{nasty}',)),
        Entity("e2", "B", ((len(text) - 1, len(text)),), "protein"),
    )
    sentence = Sentence("s", text, entities)
    why = annotated.evidence(path=nasty)
    found = annotated.interaction(nasty, sentence, "e1", "e2", 0.9, evidence=replace(why, drawing=nasty))
    each = AnnotatedDocument(Document(nasty, (sentence,)), (found,))
    page = page_of(each, explain=True)
    assert len(page.all("script")) == 1
    assert all("onerror" not in attributes for _, attributes in page.elements)
    assert text in page.text


@given(annotated.annotated(typed=True))
@settings(max_examples=50)
def test_any_text_makes_a_page_that_parses_and_shows_it(each):
    page = page_of(each)
    for sentence in each.document.sentences:
        clean = (
            "".join(c if ok_in_xml(c) else "\ufffd" for c in sentence.text).replace("\r\n", "\n").replace("\r", "\n")
        )
        assert clean in page.text.replace("\r\n", "\n").replace("\r", "\n")


def with_plain_breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def ok_in_xml(character: str) -> bool:
    code = ord(character)
    return code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def test_overlapping_and_discontinuous_mentions_are_marked_once():
    (sentence,) = annotated.discontinuous().document.sentences
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", highlight_mentions(sentence.text, sentence.entities))
    assert marked == ["alpha", "beta ", "actinin", "titin"]
    assert re.sub(r"<[^>]*>", "", highlight_mentions(sentence.text, sentence.entities)) == sentence.text


@pytest.mark.parametrize(
    ("limit", "note"),
    [
        ("MAX_DOCUMENTS", "The first 1 of 2 documents are shown."),
        ("MAX_PAIRS", "The 1 most probable of 5 pairs are listed."),
        ("MAX_EVIDENCE_DRAWINGS", "Evidence is drawn for the 1 most probable pairs."),
    ],
)
def test_what_is_left_out_is_said(monkeypatch, limit, note):
    monkeypatch.setattr(f"ppi.export.html_page.{limit}", 1)
    page = page_of(annotated.profilin(explained=True), annotated.discontinuous(), explain=True)
    assert note in page.text


def test_sentences_that_were_not_searched_are_named():
    each = replace(annotated.without_interactions(), skipped=("empty.s<0>",))
    assert "Sentences too long to be searched: empty.s<0>" in page_of(each).text


def test_empty_input_is_a_page_too():
    page = page_of()
    assert "0 documents · 0 interactions · 0 proteins · 0 pairs" in page.text
    assert "No interaction was found." in page.text
    assert "There is no pair to draw." in page.text


def test_the_page_of_a_network_has_no_texts():
    page = Page(network_page(build_network([annotated.profilin(explained=True)])))
    assert "4 proteins · 3 pairs" in page.text
    assert len(page.all("img")) == 1
    assert not page.all("section", id="texts")


def many(count: int) -> AnnotatedDocument:
    """A document in which one protein binds so many others."""
    texts = [f"HUB binds P{number}." for number in range(count)]
    sentences = annotated.split("m.s0", texts, [["HUB", f"P{number}"] for number in range(count)])
    found = [
        annotated.interaction("m", sentence, *(mention.id for mention in sentence.entities), 0.99 - number / 1000)
        for number, sentence in enumerate(sentences)
    ]
    return AnnotatedDocument(Document("m", tuple(sentences)), tuple(found))


def test_small_networks_are_drawn_and_large_ones_can_be_explored():
    small, large = page_of(many(MAX_STATIC_PAIRS)), page_of(many(MAX_STATIC_PAIRS + 1))
    assert not small.all("div", id="explorer")
    assert "cytoscape" not in small.code["script"].lower()
    assert large.all("div", id="explorer")
    assert large.all("style", id="__________cytoscape_stylesheet")
    assert "The Cytoscape Consortium" in large.code["script"]  # the licence travels with the copy
    assert len(large.all("svg", role="img")) == 1  # without script, the drawing stays
    assert len(large.code["script"]) < 500_000


def test_the_slider_begins_at_what_was_asked_for_and_meaning_stands_beside_it():
    facts = PageFacts(0.7, ("Eight of <ten>.",))
    page = Page(dumps([annotated.profilin()], "html", facts=facts).decode())
    slider = page.all("input", id="threshold")[0]
    assert slider["value"] == "0.70"
    assert "Eight of <ten>." in page.text
    network = build_network([annotated.profilin()], min_probability=0.5)
    assert Page(network_page(network, facts=PageFacts(0.5))).all("input", id="threshold")[0]["value"] == "0.50"
    assert not page_of(annotated.profilin()).all("details", class_="meaning")


def test_proteins_are_listed_with_identifiers_species_and_names():
    page = page_of(annotated.profilin())
    (row,) = page.all("tr", **{"data-key": "ncbigene:5216"})
    assert (row["data-label"], row["data-species"]) == ("PFN1", "Homo sapiens")
    assert "Profilin" in page.text


@pytest.mark.parametrize(
    "identifier", ["javascript:alert(1)", "data:text/html,x", 'ncbigene:1"x', "//host/x", "7157", ""]
)
def test_only_identifiers_become_links(identifier):
    assert identifier_url(identifier) is None
