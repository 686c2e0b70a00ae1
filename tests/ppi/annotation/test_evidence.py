import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import corpora
from corpora.types import Document, Entity, Pair, Sentence
from kernels import Contribution, candidate_graph
from ppi import Annotator
from ppi.annotation.drawing import evidence_svg
from ppi.annotation.pushes import strongest_pushes
from ppi.extraction.explanation import explain_graph


@pytest.fixture(scope="module")
def found():
    annotator = Annotator(min_probability=0.0)
    return [one for document in corpora.load("abstracts")[:4] for one in annotator.annotate(document)]


def test_contributions_sum_to_the_score_on_real_sentences(found):
    assert len(found) > 20
    for one in found:
        why = one.evidence.explanation
        assert why.intercept + sum(each.value for each in why.features) == pytest.approx(one.score, abs=1e-6)
        parts = [*why.words, *why.dependencies]
        assert why.intercept + why.unplaced + sum(each.value for each in parts) == pytest.approx(one.score, abs=1e-6)


def test_pushes_are_the_strongest_features_and_shares_are_of_everything(found):
    for one in found[:10]:
        up, down = one.evidence.pushes(most=10**9)
        assert sum(push.share for push in (*up, *down)) == pytest.approx(1.0)
        total = sum(push.value for push in (*up, *down))
        assert total == pytest.approx(one.score - one.evidence.explanation.intercept, abs=1e-6)
        assert all(push.value > 0 for push in up)
        assert all(push.value < 0 for push in down)
        assert [push.share for push in up] == sorted((push.share for push in up), reverse=True)
        assert one.evidence.pushes(most=3) == (up[:3], down[:3])


def test_a_feature_at_several_places_counts_once():
    sentence = Sentence("s", "A B", (Entity("a", "A", ((0, 1),)), Entity("b", "B", ((2, 3),))), (Pair("p", "a", "b"),))
    graph = candidate_graph(sentence, sentence.pairs[0])
    features = [Contribution(0.5, "x", 0, ()), Contribution(0.25, "x", 0, ()), Contribution(-0.25, "y", 1, ())]
    explanation = explain_graph(graph, features, intercept=0.0, threshold=0.0)
    assert strongest_pushes(explanation) == ([("x", 0.75, 0.75)], [("y", -0.25, 0.25)])


def test_the_drawing_is_xml_with_every_word_and_dependency(found):
    for one in found[:10]:
        root = ET.fromstring(one.evidence.svg)
        shown = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {part.name for part in one.evidence.explanation.words} <= shown
        assert {part.name for part in one.evidence.explanation.dependencies} <= shown
        assert any("score" in (text or "") for text in shown)


def test_colours_tell_up_from_down():
    sentence = Sentence("s", "A B", (Entity("a", "A", ((0, 1),)), Entity("b", "B", ((2, 3),))), (Pair("p", "a", "b"),))
    graph = candidate_graph(sentence, sentence.pairs[0])
    from kernels import Vertex

    features = [
        Contribution(1.0, "good", 0, (Vertex("linear", "token", 0),)),
        Contribution(-0.5, "bad", 1, (Vertex("linear", "token", 1),)),
    ]
    svg = evidence_svg(graph, explain_graph(graph, features, intercept=0.25, threshold=0.0))
    root = ET.fromstring(svg)
    boxes = {
        rect[0].text: (rect.get("fill"), float(rect.get("fill-opacity")))
        for rect in root.iter("{http://www.w3.org/2000/svg}rect")
        if len(rect)
    }
    assert boxes == {"A +1.000": ("#0f766e", 0.75), "B -0.500": ("#c2410c", 0.38)}


@pytest.mark.parametrize("nasty", ["<script>alert(1)</script>", "a&b'\"", "x\x00y\x1b[31m", "\ud800z", "\ufffe"])
def test_markup_in_the_text_stays_text(nasty):
    text = f"RAD51 {nasty} BRCA2"
    entities = (Entity("a", "RAD51", ((0, 5),)), Entity("<b>", "BRCA2", ((len(text) - 5, len(text)),)))
    annotated = Annotator(min_probability=0.0).annotate_document(
        Document("d", (Sentence("s", text, entities, (Pair("<p>", "a", "<b>"),)),)), explain=True
    )
    (one,) = annotated.interactions
    root = ET.fromstring(one.evidence.svg)
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {"svg", "title", "rect", "path", "text"}


def test_the_same_evidence_gives_the_same_drawing():
    annotator = Annotator(min_probability=0.0)
    first, again = (annotator.annotate("RAD51 binds BRCA2.", entities=[(0, 5), (12, 17)])[0] for _ in range(2))
    assert first.evidence.svg == again.evidence.svg
    assert replace(first, evidence=None) == replace(again, evidence=None)
