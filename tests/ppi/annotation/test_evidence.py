import xml.etree.ElementTree as ET
from dataclasses import replace

import hypothesis
import pytest
from kernel_twins import make_sentence, sentences
from operation_count import growth

import corpora
from corpora import Document, Entity, Pair, Sentence
from kernels import Contribution, candidate_graph
from ppi.annotation.annotator import Annotator
from ppi.annotation.evidence import _stack_arcs, evidence_svg
from ppi.annotation.results import top_contributions
from ppi.annotation.settings import MODEL_FILE
from ppi.extraction import Extractor, explain_graph


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
    assert top_contributions(explanation) == ([("x", 0.75, 0.75)], [("y", -0.25, 0.25)])


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


def levels_by_definition(graph):
    """Short arcs first, each one above all that it overlaps."""
    ends = list(zip(graph.base.governors.tolist(), graph.base.dependents.tolist()))
    levels = {}
    for number in sorted(range(len(ends)), key=lambda a: (abs(ends[a][0] - ends[a][1]), a)):
        left, right = sorted(ends[number])
        overlapped = [
            level
            for other, level in levels.items()
            for low, high in [sorted(ends[other])]
            if (left < high and low < right) or (low, high) == (left, right)
        ]
        levels[number] = 1 + max(overlapped, default=0)
    return levels


@hypothesis.settings(deadline=None)
@hypothesis.given(sentence=sentences(max_words=9, max_arcs=14))
def test_arcs_are_drawn_as_low_as_what_they_overlap_allows(sentence):
    graph = candidate_graph(sentence, sentence.pairs[0]) if sentence.pairs else None
    hypothesis.assume(graph is not None)
    assert {arc.number: arc.level for arc in _stack_arcs(graph)} == levels_by_definition(graph)


@pytest.mark.parametrize("shape", [lambda i: (i, i + 1), lambda i: (0, i + 1)], ids=["chain", "fan"])
def test_the_work_of_a_drawing_grows_with_its_words(shape):
    def work(n):
        arcs = [(*shape(i), "dep") for i in range(n - 1)]
        sentence = make_sentence([f"w{i}" for i in range(n)], arcs, [[0], [n - 1]])
        graph = candidate_graph(sentence, sentence.pairs[0])
        explanation = explain_graph(graph, [], intercept=0.0, threshold=0.0)
        return lambda: evidence_svg(graph, explanation)

    assert growth(work, (60, 480)) < 1.35  # n log^2 n


class CountingExtractor(Extractor):
    explained = 0

    def explain_graph(self, graph, output="interaction"):
        type(self).explained += 1
        return super().explain_graph(graph, output)


def test_only_what_is_asked_for_is_explained_and_drawn(monkeypatch):
    drawn = []
    monkeypatch.setattr("ppi.annotation.evidence.evidence_svg", lambda graph, why: drawn.append(graph) or "<svg/>")
    model = CountingExtractor.load(MODEL_FILE)
    annotator = Annotator(model=model, min_probability=0.0)
    text = "RAD51 binds BRCA2, TP53, MDM2 and ATM."
    names = ["RAD51", "BRCA2", "TP53", "MDM2", "ATM"]
    spans = [(text.index(name), text.index(name) + len(name)) for name in names]
    every = annotator.annotate(text, entities=spans)
    assert CountingExtractor.explained == len(every) == 10
    assert not drawn
    assert every[3].evidence.svg == every[3].evidence.svg == "<svg/>"
    assert len(drawn) == 1
    document = Document("d", (Sentence("s", text, tuple(Entity(n, n, (at,)) for n, at in zip(names, spans))),))
    CountingExtractor.explained = 0
    (found,) = annotator.annotate_documents([document], explain={every[3].pair.replace("text.s0", "s")})
    assert [one.evidence is not None for one in found.interactions].count(True) == CountingExtractor.explained == 1
