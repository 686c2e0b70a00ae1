"""What notebooks show: everything that is there, nothing that runs, whatever the texts hold."""

import re

import annotated
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from corpora import Document, Entity, Sentence
from ppi.annotation.markup import MAX_INTERACTIONS, MAX_SENTENCES
from ppi.annotation.results import AnnotatedDocument
from ppi.network import Network, build_network

HOSTILE = (
    "<script>alert(1)</script> \"'&<img src=x onerror=alert(1)><style>*{}</style> </mark></td></div><a href='js:x'>"
)
#: Elements that our own markup is made of, and attributes that it sets.
_TEXTS = {"div", "style", "p", "b", "span", "blockquote", "mark", "ul", "li", "img"}
ELEMENTS = _TEXTS | {"table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"class", "title", "src", "alt", "tabindex", "role", "aria-label", "data-left", "data-right"}


def shown(thing):
    """The page of what is shown, after a check that nothing in it is not ours."""
    source = thing._repr_html_()
    page = html.fromstring(source)
    for element in page.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
        assert element.get("src", "data:image/svg+xml;base64,").startswith("data:image/svg+xml;base64,")
    assert page.get("class") == "ppi-output"
    assert len(page.findall(".//style")) == 1
    return page


def hostile():
    text = f"{HOSTILE} binds {HOSTILE}"
    length = len(HOSTILE)
    entities = (
        Entity("a", HOSTILE, ((0, length),), HOSTILE, (HOSTILE,)),
        Entity("b", HOSTILE, ((length + 7, 2 * length + 7),)),
    )
    sentence = Sentence("s", text, entities)
    why = annotated.evidence(path=HOSTILE)
    found = annotated.interaction(HOSTILE, sentence, "a", "b", 0.9, evidence=why, type="binding", kind=HOSTILE)
    return AnnotatedDocument(Document(HOSTILE, (sentence,)), (found,))


def test_hostile_text_is_text():
    found = hostile()
    (interaction,) = found.interactions
    network = build_network([found])
    for thing in (found, interaction, interaction.evidence, network):
        page = shown(thing)
        assert "<script>alert(1)</script>" in page.text_content() or thing is interaction.evidence


@given(annotated.annotated(typed=True))
def test_any_document_can_be_shown(found):
    page = shown(found)
    assert len(page.findall(".//tbody/tr")) == len(found.interactions)
    for interaction in found.interactions:
        shown(interaction)
    shown(build_network([found], min_probability=0.0, include_hedged=True))


def test_an_interaction_says_who_acts_how_and_why():
    phosphorylation = annotated.typed(explained=True).interactions[1]
    page = shown(phosphorylation)
    said = " ".join(page.text_content().split())
    assert "LIMK1 → Cofilin phosphorylation · probability 0.90" in said
    assert [mark.text for mark in page.iter("mark")] == ["Cofilin", "LIMK1"]
    assert all(mark.get("class") == "strong" for mark in page.iter("mark"))
    assert "“binds” stands on the path between them" in said
    (image,) = page.iter("img")
    assert image.get("alt").startswith("Dependency path: ")


def test_doubts_are_said():
    denied = annotated.typed().interactions[5]
    assert "binding, negated" in shown(denied).text_content()


def test_a_document_shows_its_text_and_its_interactions_best_first():
    page = shown(annotated.profilin())
    probabilities = [row[0].text for row in page.findall(".//tbody/tr")]
    assert probabilities == ["0.93", "0.80", "0.55"]
    marks = page.findall("p")[1].iter("mark")
    assert [(mark.text, mark.get("class")) for mark in marks][:4] == [
        ("Profilin", None),
        ("actin", None),
        ("Profilin", "strong"),
        ("actin", "strong"),
    ]


def test_nothing_found_is_said():
    assert "No interaction was found." in shown(annotated.without_interactions()).text_content()


def test_what_is_left_out_is_said():
    sentences = tuple(
        Sentence(f"s{n}", "A binds B.", (Entity(f"a{n}", "A", ((0, 1),)), Entity(f"b{n}", "B", ((8, 9),))))
        for n in range(MAX_SENTENCES + 1)
    )
    found = tuple(annotated.interaction("d", each, each.entities[0].id, each.entities[1].id, 0.9) for each in sentences)
    page = shown(AnnotatedDocument(Document("d", sentences), found, skipped=("s0",)))
    said = page.text_content()
    assert f"The first {MAX_SENTENCES} of {MAX_SENTENCES + 1} sentences are shown." in said
    assert f"The first {MAX_INTERACTIONS} of {MAX_SENTENCES + 1} interactions are shown." in said
    assert "Too long to be searched: 1 sentence." in said
    assert len(page.findall(".//tbody/tr")) == MAX_INTERACTIONS


def test_a_network_shows_its_drawing_and_its_edges():
    network = build_network([annotated.typed()])
    page = shown(network)
    assert f"{len(network.proteins)} proteins, {len(network.edges)} edges" in page.text_content()
    assert len(page.findall(".//tbody/tr")) == len(network.edges)
    assert len(page.findall(".//img")) == 1


def test_an_empty_network_can_be_shown():
    assert "0 proteins, 0 edges" in shown(Network({}, ())).text_content()


@given(st.text(min_size=1))
def test_reprs_of_any_text_are_short_and_on_one_line(text):
    sentence = Sentence(text, text, (Entity("a", text, ((0, len(text)),)), Entity("b", text[:1], ((0, 1),))))
    found = annotated.interaction(text, sentence, "a", "b", 0.5, evidence=annotated.evidence(path=text), type="binding")
    document = AnnotatedDocument(Document(text, (sentence,)), (found,), skipped=(text,))
    network = build_network([document])
    for thing in (sentence, document.document, found, document, found.evidence, network, *network.edges):
        assert len(repr(thing)) <= 130
        assert repr(thing).isprintable()
        assert re.match(r"<\w+", repr(thing))
