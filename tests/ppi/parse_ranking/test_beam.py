"""Candidates from the shipped parser's beam."""

import copy
import math
from statistics import fmean

import pytest
from lab.training.parse_rankers.data import Selection

from corpora import DependencyGraph, Entity, Sentence
from ppi.core import UsageError
from ppi.language import Request, load_shipped_parser, load_shipped_pipeline
from ppi.parse_ranking.beam_generator import Beam
from ppi.parse_ranking.candidate_parses import get_generator, goodness

TEXT = "The antibody binds the receptor of the cells with the mutation in the kinase domain."


@pytest.fixture(scope="module")
def found():
    return next(iter(Beam().candidates([TEXT], max_candidates=12)))


def test_different_trees_the_greedy_one_first_then_by_cost(found):
    assert len(found.candidates) == 12
    assert len({each.graph for each in found.candidates}) == 12
    assert [each.place for each in found.candidates] == list(range(12))
    greedy, *costs = [each.cost for each in found.candidates]
    assert costs == sorted(costs)
    assert min(greedy, *costs) >= 0


def test_each_candidate_is_a_tree_over_the_sentence(found):
    for each in found.candidates:
        graph = each.graph
        assert [token.text for token in graph.tokens] == [*TEXT.removesuffix(".").split(), "."]
        assert all(TEXT[token.start : token.end] == token.text for token in graph.tokens)
        dependents = [arc.dependent for arc in graph.dependencies]
        assert sorted([*dependents, *graph.roots], key=int) == [token.id for token in graph.tokens]
        assert all(token.pos and token.upos and token.lemma for token in graph.tokens)
        head = {arc.dependent: arc.governor for arc in graph.dependencies}
        for token in graph.tokens:
            steps, at = 0, token.id
            while at in head:
                at, steps = head[at], steps + 1
                assert steps <= len(graph.tokens)
        assert not any("||" in arc.type for arc in graph.dependencies)


def greedy_graph(text):
    """The shipped parser's own parse."""
    (sentence,) = next(load_shipped_parser(entities=False).parse([Request(text, unbroken_spans=((0, len(text)),))]))
    return DependencyGraph("beam", "beam", sentence.tokens, sentence.dependencies, sentence.roots)


def test_the_greedy_parse_is_among_the_candidates(found):
    assert greedy_graph(TEXT) in [each.graph for each in found.candidates]


@pytest.mark.slow
def test_the_first_of_the_beam_is_as_good_as_the_greedy_parse(corpora_folder):
    sentences = Selection("test").sentences(corpora_folder / "treebanks")[:80]
    sets = list(Beam().candidates(sentences, max_candidates=20))
    greedy = [greedy_graph(sentence.text) for sentence in sentences]
    gold = [sentence.parse("gold") for sentence in sentences]
    present = [one in [each.graph for each in found.candidates] for one, found in zip(greedy, sets, strict=True)]
    assert fmean(present) > 0.95
    first = fmean(goodness(each.candidates[0].graph, right, labelled=True) for each, right in zip(sets, gold))
    best = fmean(
        max(goodness(one.graph, right, labelled=True) for one in each.candidates) for each, right in zip(sets, gold)
    )
    own = fmean(goodness(one, right, labelled=True) for one, right in zip(greedy, gold))
    assert first > own - 0.01
    assert best > own + 0.04


def test_the_shared_pipeline_is_left_as_it_was():
    nlp = load_shipped_pipeline()
    before = (copy.deepcopy(nlp.get_pipe("parser").cfg), list(nlp.pipe_names), nlp(TEXT).to_json())
    list(Beam(width=5).candidates([TEXT], max_candidates=5))
    assert (nlp.get_pipe("parser").cfg, list(nlp.pipe_names), nlp(TEXT).to_json()) == before
    assert nlp.get_pipe("parser").cfg["beam_width"] == 1


def test_candidates_do_not_depend_on_the_other_sentences(found):
    others = ["Cells die.", "", TEXT, "Actin binds profilin in yeast, and so does cofilin.", *["Cells grow."] * 40]
    among = list(Beam().candidates(others, max_candidates=12))[2]
    assert [each.graph for each in among.candidates] == [each.graph for each in found.candidates]
    for one, two in zip(among.candidates, found.candidates, strict=True):
        assert one.cost == pytest.approx(two.cost, abs=1e-3)


def test_a_given_sentence_stays_one():
    text = "Actin binds. Profilin binds too! Does cofilin bind?"
    (found,) = Beam().candidates([text], max_candidates=5)
    assert all(len(each.graph.tokens) == 11 for each in found.candidates)


@pytest.mark.parametrize(("text", "number"), [("", 0), (" \n ", 0), ("Actin", 1)])
def test_sentences_without_anything_to_choose(text, number):
    (found,) = Beam().candidates([text], max_candidates=5)
    assert [(each.place, each.cost) for each in found.candidates] == [(0, 0.0)] * number


def test_odd_characters_keep_their_offsets():
    text = "\ud800 Actin\x00binds\n[profilin] ( 🧬 ) ."
    (found,) = Beam().candidates([text], max_candidates=2)
    for each in found.candidates:
        assert all(text[token.start : token.end] == token.text for token in each.graph.tokens)


def test_two_hundred_words():
    (found,) = Beam().candidates(
        [" ".join(["The protein binds the receptor and"] * 33 + ["dies", "."])], max_candidates=3
    )
    assert len(found.candidates) == 3


def test_tokens_are_cut_at_entities():
    sentence = Sentence("s", "xyzActin binds profilin.", (Entity("e", "Actin", ((3, 8),)),))
    (found,) = Beam().candidates([sentence], max_candidates=1)
    assert found.id == "s"
    assert (3, 8) in [(token.start, token.end) for token in found.candidates[0].graph.tokens]


def test_a_wider_beam_holds_no_worse_a_best_sequence():
    narrow, wide = (next(iter(Beam(width=width).candidates([TEXT], max_candidates=200))) for width in (2, 60))
    assert len(narrow.candidates) <= 2 < len(wide.candidates)
    assert all(math.isfinite(each.cost) for each in wide.candidates)


def test_wrong_width():
    with pytest.raises(UsageError, match="expected a beam of width 2 or more, got 1"):
        get_generator("beam", width=1)
