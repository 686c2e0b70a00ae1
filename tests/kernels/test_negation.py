"""Denied statements: by hand, in both schemes of dependencies, and against the definition with networkx."""

from multiprocessing.reduction import ForkingPickler  # what processes send each other, in memory

import networkx as nx
import numpy as np
import pytest
from feature_maps import make_map
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import make_sentence, naive_candidate

import corpora
from corpora import Document
from kernels import candidates, negation
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.negation import denials


def denied(text, arcs, first="A", second="B"):
    """The denials of a sentence of words, as (kind, word); ``arcs`` as "governor type dependent, ..."."""
    words = text.split()
    numbered = [
        (words.index(governor), words.index(dependent), kind)
        for governor, kind, dependent in (arc.split() for arc in arcs.split(", "))
    ]
    sentence = make_sentence(words, numbered, [[words.index(first)], [words.index(second)]])
    return [(one.kind, words[one.token]) for one in denials(candidate_graph(sentence, sentence.pairs[0]))]


BINDS = "binds nsubj A, binds dobj B"


@pytest.mark.parametrize(
    ("text", "arcs"),
    [
        ("A binds B", BINDS),
        ("not only A binds B", f"{BINDS}, A preconj not, not advmod only"),
        ("A binds B but not C", f"{BINDS}, B neg not, B conj_negcc C, binds dobj C"),
        ("A binds B but not C", f"{BINDS}, binds neg not, binds conj C"),
        ("A but not C binds B", f"{BINDS}, A cc but, but neg not, binds nsubj C"),
        ("A binds B whose role is not known", f"{BINDS}, B rcmod known, known neg not"),
        ("C does not bind A but binds B", "bind neg not, bind conj_but binds, binds dobj B, binds nsubj A"),
        ("A binds B without C", f"{BINDS}, binds prep_without C"),
        ("A binds C in absence of B", "binds nsubj A, binds dobj C, binds prep_in absence, absence prep_of B"),
        ("C does not need binding of A to B", "need neg not, need dobj binding, binding prep_of A, binding prep_to B"),
        ("A lacks tails and binds B", f"{BINDS}, lacks nsubj A, lacks conj_and binds, lacks dobj tails"),
    ],
)
def test_affirmed(text, arcs):
    assert denied(text, arcs) == []


@pytest.mark.parametrize(
    ("text", "arcs", "kind", "word"),
    [
        ("A does not bind B", "bind nsubj A, bind dobj B, bind neg not", "negation", "not"),
        ("A does not bind B", "bind nsubj A, bind obj B, bind advmod not", "negation", "not"),
        ("A doesn't bind B", "bind nsubj A, bind obj B, bind aux doesn't", "negation", "doesn't"),
        ("A never binds B", f"{BINDS}, binds advmod never", "negation", "never"),
        ("A cannot bind B", "bind nsubj A, bind dobj B, bind aux cannot", "negation", "cannot"),
        ("A is not bound to B", "is nsubj A, is neg not, is acomp bound, bound prep_to B", "negation", "not"),
        ("no binding of A to B", "binding det no, binding prep_of A, binding prep_to B", "negation", "no"),
        (
            "no interaction between A and B",
            "interaction det no, interaction prep_between A, interaction prep_between B, A conj_and B",
            "negation",
            "no",
        ),
        ("none of three A forms binds B", "binds nsubj none, none prep_of A, binds dobj B", "negation", "none"),
        (
            "binding of A to B was not seen",
            "seen nsubjpass binding, binding prep_of A, binding prep_to B, seen neg not",
            "negation",
            "not",
        ),
        ("A was not found to bind B", "found xcomp bind, bind xsubj A, bind dobj B, found neg not", "negation", "not"),
        ("A failed to bind B", "failed nsubj A, bind xsubj A, failed xcomp bind, bind dobj B", "verb", "failed"),
        ("A failed to bind B", "failed nsubj A, failed xcomp bind, bind obj B", "verb", "failed"),
        ("A was unable to bind B", "was nsubj A, was acomp unable, unable xcomp bind, bind dobj B", "verb", "unable"),
        ("A lacks binding to B", "lacks nsubj A, lacks dobj binding, binding prep_to B", "verb", "lacks"),
        (
            "absence of binding between A and B",
            "absence nmod:of binding, binding nmod:between A, binding nmod:between B, A conj:and B",
            "verb",
            "absence",
        ),
        ("C but not A binds B", f"{BINDS}, C cc but, but neg not, binds nsubj C", "contrast", "not"),
        ("A binds C but not the B", "binds nsubj A, binds dobj C, binds dobj B", "contrast", "not"),
        ("A binds C rather than B", "binds nsubj A, binds dobj B, C conj_negcc B", "contrast", "B"),
        ("A binds C nor a strange B", "binds nsubj A, binds dobj B, C conj:nor B", "contrast", "B"),
    ],
)
def test_denied(text, arcs, kind, word):
    assert denied(text, arcs) == [(kind, word)]


def test_a_sentence_without_a_parse_has_contrast_only():
    sentence = make_sentence(["A", "does", "not", "bind", "B", "but", "not", "C"], (), [[0], [4], [7]], parser=None)
    found = {pair.id: denials(candidate_graph(sentence, pair)) for pair in sentence.pairs}
    assert [len(found[id]) for id in ("p0", "p1", "p2")] == [0, 1, 1]


WORDS = st.sampled_from(["A", "not", "no", "only", "binds", "was", "found", "failed", "absence", "the", "of"])
KINDS = st.sampled_from(["nsubj", "dobj", "xcomp", "prep_of", "conj_and", "conj_nor", "neg", "det"])


@st.composite
def sentences(draw):
    """Any graph over words that matter here; mentions overlap, and arcs make cycles."""
    words = draw(st.lists(WORDS, min_size=2, max_size=8))
    place = st.integers(0, len(words) - 1)
    arcs = draw(st.lists(st.tuples(place, place, KINDS), max_size=12))
    mentions = draw(st.lists(st.lists(place, min_size=1, max_size=2), min_size=2, max_size=3))
    return make_sentence(words, arcs, [sorted(set(one)) for one in mentions])


def naive_statement(sentence, pair):
    """What can be reached from the path and its common governors by going up the arcs that carry on a statement."""
    parse = sentence.parses[0]
    arcs = [(int(arc.governor), int(arc.dependent), arc.type) for arc in parse.dependencies]
    words = [token.text.lower() for token in parse.tokens]
    roles, _, on_path, _ = naive_candidate(sentence, pair)
    mentions = {t for t, names in enumerate(roles) if names & {"PROT1", "PROT2"}}
    path = {vertex for vertex in on_path if isinstance(vertex, int)}
    common = {
        t
        for t in range(len(words))
        if len({d for g, d, kind in arcs if g == t and d in path and not kind.startswith("conj")}) >= 2
    }
    upwards = nx.DiGraph()
    upwards.add_nodes_from(range(len(words)))
    for g, d, kind in arcs:
        sees = words[g] in negation.EXISTENCE and kind in negation.OBJECTS | negation.SUBJECTS
        if d not in mentions and (sees or kind in negation.INFINITIVES):
            upwards.add_edge(d, g)
    start = path | common
    return start.union(*(nx.descendants(upwards, t) for t in start)), arcs, words, mentions, roles


def naive_denials(sentence, pair):
    statement, arcs, words, mentions, roles = naive_statement(sentence, pair)
    found = set()
    for t, word in enumerate(words):
        above = [(g, kind) for g, d, kind in arcs if d == t]
        below = [(d, kind) for g, d, kind in arcs if g == t]
        if word in negation.NEGATIONS and words[t + 1 : t + 2] not in [[each] for each in negation.FOCUS]:
            negated = [g for g, _ in above if g in statement and (t < g or words[g] in negation.AUXILIARIES)]
            if t in statement or negated:
                found.add(("negation", t))
            for role in ("PROT1", "PROT2"):
                first = min((at for at, names in enumerate(roles) if role in names), default=-1)
                if t < first and all(between in negation.SKIPPABLE_WORDS for between in words[t + 1 : first]):
                    found.add(("contrast", t))
        if word in negation.DENYING_WORDS:
            for d, kind in below:
                complement = t in statement or kind in negation.INFINITIVES | negation.OBJECTS
                if d in statement - mentions and complement:
                    found.add(("verb", t))
        if t in statement and any(kind == "conj_nor" for _, kind in above):
            found.add(("contrast", t))
    return found


@given(sentences())
def test_statement_and_denials_equal_their_definition(sentence):
    for graph in candidate_graphs([Document("d", (sentence,))]):
        said = negation._analyse_words(graph.base)
        if said is not None:
            assert negation._find_statement(graph, said) == naive_statement(sentence, graph.pair)[0]
        assert set(denials(graph)) == naive_denials(sentence, graph.pair)


def test_denials_are_found_once_per_candidate(monkeypatch):
    asked = []
    find = candidates.find_denials
    monkeypatch.setattr(candidates, "find_denials", lambda graph: asked.append(graph) or find(graph))
    graphs = candidate_graphs(corpora.load("sample"))
    features = make_map("composite").fit(graphs)
    features.scorer(np.ones(features.width))(graphs)
    assert [graph.pair.id for graph in asked] == [graph.pair.id for graph in graphs]
    assert any(graph.denials for graph in graphs)
    again = ForkingPickler.loads(ForkingPickler.dumps(graphs[0]))
    assert again.denials == graphs[0].denials
