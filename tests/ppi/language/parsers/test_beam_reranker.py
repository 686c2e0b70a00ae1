"""The shipped parser with reranking: its file, its choice among trees, and what becomes of the sentences."""

import numpy as np
import pytest
from lab.training.parse_rankers.beam_lists import unparsed
from lab.training.pipeline.treebank import Tree

import ppi
from ppi.annotation import AnnotatorSettings
from ppi.core import ModelFileError, UnknownParserError, UsageError
from ppi.language.parsers.beam_reranker import (
    N_PARSER_FEATURES,
    BeamFeatures,
    BeamTrees,
    Reranker,
    _deprojectivize,
    beam_trees,
    parser_features,
)
from ppi.language.parsers.interface import Request
from ppi.language.parsers.spacy_parser import ProjectPipeline, SpacyParser, load_shipped_parser
from ppi.language.parsers.windows import WindowRunner, _extract_sentence
from ppi.language.shipped_pipeline import add_rerank_option, load_shipped_pipeline, parse_shipped_options

TEXT = "The antibody binds the receptor of the cells with the mutation in the kinase domain. It is not known why."
SMALL = BeamFeatures(n_features=2**10)


def sentence_of(words):
    n = len(words)
    return Tree(tuple(words), (True,) * n, ("",) * n, (None,) * n, (-1,) * n, ("",) * n)


@pytest.fixture(scope="module")
def trees():
    nlp = load_shipped_pipeline()
    doc = unparsed(nlp, sentence_of(TEXT.split(".")[0].split()))
    (found,) = beam_trees(nlp.get_pipe("parser"), [doc], width=12, max_trees=10)
    return found


def opinionated(column, weight):
    """A reranker that only looks at one column of the parser's opinion."""
    weights = np.zeros(SMALL.width, np.float32)
    weights[SMALL.n_features + column] = weight
    return Reranker(SMALL, weights)


def test_the_parsers_own_order_by_cost_alone(trees):
    assert opinionated(1, -1.0).find_best_tree(trees) == np.argmin(trees.costs)
    assert opinionated(0, 1.0).find_best_tree(trees) == 0
    roots = (trees.heads < 0).sum(axis=1)
    assert opinionated(1, 1.0).find_best_tree(trees) == max(
        np.flatnonzero(roots == roots.min()), key=lambda t: trees.costs[t]
    )


def test_scores_are_rows_times_weights_but_for_a_constant(trees):
    weights = np.random.default_rng(0).normal(size=SMALL.width).astype(np.float32)
    scores = SMALL.scores(trees, weights)
    np.testing.assert_allclose(SMALL.rows([trees]) @ weights, scores - scores[0], atol=1e-2)


def test_opinions_by_hand():
    heads = np.array([[1, -1, 1], [1, -1, 0], [1, -1, 1]], np.int16)
    labels = np.array([[1, 0, 2], [1, 0, 2], [1, 0, 3]], np.int16)
    costs = -np.log(np.array([0.5, 0.3, 0.2]))
    trees = BeamTrees(("a", "b", "c"), ("NN", "VB", "NN"), heads, labels, costs, ("ROOT", "nsubj", "dobj", "attr"))
    found = parser_features(trees)
    assert found.shape == (3, N_PARSER_FEATURES)
    np.testing.assert_allclose(found[0], 0)
    np.testing.assert_allclose(found[1, :3], [-1, np.log(5 / 3), np.log1p(np.log(5 / 3))])
    # shared attachments: the first 0.5*3 + 0.3*2 + 0.2*3 = 2.7, the second 0.5*2 + 0.3*3 + 0.2*2 = 2.3
    np.testing.assert_allclose(found[1:, 3], [2.3 - 2.7, 0.0])
    # shared arcs: the first 0.5*3 + 0.3*2 + 0.2*2 = 2.5, the second 2.3, the third 0.5*2 + 0.3*2 + 0.2*3 = 2.2
    np.testing.assert_allclose(found[1:, 4], [2.3 - 2.5, 2.2 - 2.5])


def test_a_sentence_with_fewer_roots_wins_over_a_better_score():
    heads = np.array([[-1, -1, 1], [1, -1, 1]], np.int16)
    labels = np.zeros_like(heads)
    trees = BeamTrees(("a", "b", "c"), ("NN", "VB", "NN"), heads, labels, np.array([0.1, 2.0]), ("ROOT",))
    assert opinionated(1, -1.0).find_best_tree(trees) == 1


def test_words_alone_and_words_without_arcs_have_a_tree():
    nlp = load_shipped_pipeline()
    docs = [unparsed(nlp, sentence_of(words)) for words in (["Ras"], ["Ras", "binds", "Raf"], ["!"])]
    found = list(beam_trees(nlp.get_pipe("parser"), docs, width=4, max_trees=4))
    assert [each.heads.shape[1] for each in found] == [1, 3, 1]
    assert all(len(each.costs) >= 1 for each in found)


class TestReadInWindows:
    """What the parser gives with a reranker in it."""

    def parsed(self, reranker, text=TEXT, **options):
        nlp = load_shipped_pipeline()
        parser = SpacyParser(nlp, name="shipped", entities=False)
        parser._pipeline = ProjectPipeline(nlp)
        parser._pipeline._windows = WindowRunner(nlp, reranker=reranker, **options)
        return next(parser.parse([Request(text)]))

    def arcs(self, sentences):
        return [[(a.governor, a.dependent, a.type) for a in sentence.dependencies] for sentence in sentences]

    def test_the_same_sentences_tokens_and_tags(self):
        own = next(load_shipped_parser(entities=False).parse([Request(TEXT)]))
        other = self.parsed(opinionated(1, 1.0))
        assert [s.tokens for s in own] == [s.tokens for s in other]
        assert self.arcs(own) != self.arcs(other)

    def test_the_best_tree_of_each_sentence_takes_the_place(self):
        nlp, reranker = load_shipped_pipeline(), opinionated(1, 1.0)
        sentences = self.parsed(reranker)
        assert len(sentences) == 2
        assert all(len(sentence.roots) == 1 for sentence in sentences)
        # by the least probable tree of each beam, from vectors of the whole text
        doc = nlp.make_doc(TEXT)
        for name in ("tok2vec", "tagger"):
            nlp.get_pipe(name)(doc)
        end = len(sentences[0].tokens)
        (beam, best), *_ = reranker.rerank_docs(nlp.get_pipe("parser"), [_extract_sentence(doc, 0, end)])
        wanted = {(str(head + 1), str(child + 1), label) for head, child, label in beam.arcs(best)}
        assert set(self.arcs(sentences)[0]) == wanted

    def test_long_texts_in_windows_are_reranked_alike(self):
        text = " ".join([TEXT] * 40)
        whole = self.parsed(opinionated(1, 1.0), text, size=100_000)
        parts = self.parsed(opinionated(1, 1.0), text, size=120)
        assert self.arcs(whole) == self.arcs(parts)


def test_saved_and_loaded(tmp_path, trees):
    weights = np.random.default_rng(0).normal(size=SMALL.width).astype(np.float32)
    path = tmp_path / "ranker.zip"
    Reranker(SMALL, weights, {"regparam": 3.0}).save(path)
    loaded = Reranker.load(path)
    assert (loaded.features, loaded.facts) == (SMALL, {"regparam": 3.0})
    np.testing.assert_array_equal(loaded.scores(trees), Reranker(SMALL, weights).scores(trees))
    Reranker(SMALL, weights[:-1]).save(path)
    with pytest.raises(ModelFileError, match=rf"expected {SMALL.width} weights with fractions, got {SMALL.width - 1}"):
        Reranker.load(path)


def test_options_behind_the_name():
    assert parse_shipped_options("jnlpba+rerank") == parse_shipped_options("rerank+jnlpba") == ("jnlpba", True)
    for wrong in ("bc2gm+jnlpba", "rerank+rerank"):
        with pytest.raises(UnknownParserError, match="expected at most one guideline"):
            parse_shipped_options(wrong)
    with pytest.raises(UsageError, match=r"expected a guideline for names \(.*\) or 'rerank' .*, got 'rank'"):
        parse_shipped_options("rank")
    with pytest.raises(UsageError, match="expected the shipped parser with reranking, got 'stanza'"):
        add_rerank_option("stanza")
    with pytest.raises(UsageError, match="expected the name of the shipped parser"):
        ppi.parse("Ras binds Raf.", load_shipped_parser(), rerank=True)


def test_rerank_is_the_parser_of_that_name():
    asked = ppi.parse(TEXT, rerank=True)
    assert asked == ppi.parse(TEXT, "shipped:rerank")
    assert [sentence.text for sentence in asked] == [sentence.text for sentence in ppi.parse(TEXT)]
    assert all(graph.parser.startswith("shipped") for sentence in asked for graph in sentence.parses)


def test_a_long_run_depends_on_the_reranker_it_uses():
    assert "reranker" not in AnnotatorSettings(parser="shipped:jnlpba").files()
    assert AnnotatorSettings(parser="shipped:jnlpba+rerank").files()["reranker"].is_file()


def test_a_lifted_arc_goes_back():
    doc = load_shipped_pipeline().make_doc("a b c d")
    # d's head is the conj below c (Nivre and Nilsson's "head" scheme), not c itself
    arcs = [(2, 0, "x"), (2, 1, "conj"), (2, 3, "cc||conj")]
    assert sorted(_deprojectivize(arcs, doc), key=lambda arc: arc[1]) == [(2, 0, "x"), (2, 1, "conj"), (1, 3, "cc")]
    assert _deprojectivize(arcs[:2], doc) == arcs[:2]
