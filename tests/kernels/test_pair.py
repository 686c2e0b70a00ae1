import numpy as np
import pytest
from kernel_twins import make_sentence
from sklearn.base import clone

from corpora import Entity, Pair, Sentence
from kernels.attribution import Vertex
from kernels.candidates import CandidateGraph, candidate_graph
from kernels.pair_features import PairFeatures


def names(text: str, *spans: tuple[int, int]) -> set[str]:
    entities = tuple(Entity(f"e{n}", text[a:b], ((a, b),)) for n, (a, b) in enumerate(spans))
    sentence = Sentence("s", text, entities, (Pair("p", "e0", "e1"),))
    return set(PairFeatures().names(graph_of(sentence)))


def graph_of(sentence: Sentence) -> CandidateGraph:
    return candidate_graph(sentence, sentence.pairs[0])


def test_two_different_names_with_words_between():
    assert names("Abc binds and inhibits Xyz", (0, 3), (23, 26)) == {
        "tokens between:4",
        "entities:2",
        "entities between:0",
        "path length:-1",
    }


def test_one_name_twice():
    found = names("Abc binds abc", (0, 3), (10, 13))
    assert {"same name", "name in name"} <= found


def test_nested_names_overlap():
    found = names("Abc kinase", (0, 3), (0, 10))
    assert {"overlap", "name in name", "tokens between:0"} <= found
    assert "same name" not in found


@pytest.mark.parametrize(("text", "gap"), [("Abc/Xyz", "/"), ("Abc (Xyz", " ("), ("Abc-Xyz", "-")])
def test_what_joins_two_names_directly(text, gap):
    assert f"gap:{gap}" in names(text, (0, 3), (len(text) - 3, len(text)))


def test_entities_between_count_those_that_start_between():
    assert "entities between:1" in names("Abc Def Xyz", (0, 3), (8, 11), (4, 7))


def test_a_pair_of_an_entity_with_itself():
    sentence = Sentence("s", "Abc", (Entity("e0", "Abc", ((0, 3),)),), (Pair("p", "e0", "e0"),))
    found = set(PairFeatures().names(graph_of(sentence)))
    assert "entities between:-1" in found


def test_a_denial_belongs_to_the_word_that_denies():
    words = ["Abc", "does", "not", "bind", "Xyz"]
    arcs = [(3, 0, "nsubj"), (3, 4, "dobj"), (3, 1, "aux"), (3, 2, "neg")]
    sentence = make_sentence(words, arcs, [[0], [4]])
    found = {each.name: each.vertices for each in PairFeatures().occurrences(graph_of(sentence))}
    assert list(found) == list(PairFeatures().names(graph_of(sentence)))
    assert found.pop("denied by negation") == (Vertex("dependency", "token", 2),)
    assert set(found.values()) == {()}


def test_contributions_sum_to_the_score_and_clone_works():
    sentence = Sentence(
        "s", "Abc/Xyz", (Entity("a", "Abc", ((0, 3),)), Entity("b", "Xyz", ((4, 7),))), (Pair("p", "a", "b"),)
    )
    graph = graph_of(sentence)
    features = clone(PairFeatures())
    row = features.fit_transform([graph])
    weights = np.arange(1.0, row.shape[1] + 1)
    assert sum(part.value for part in features.attribute(graph, weights)) == pytest.approx((row @ weights)[0])
