"""Pairs of identifiers of documents: figures by hand, and the average precision from its definition."""

import numpy as np
import pytest
import relation_files

from ppi.evaluation.corpus_evaluation import load_gold
from ppi.evaluation.error_analysis import measure_documents
from ppi.extraction import collect_examples


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    found = load_gold(relation_files.pubtator(tmp_path_factory.mktemp("genes")))
    return found, collect_examples(found.documents)


def test_the_best_pair_of_mentions_speaks_for_its_identifiers(corpus):
    found, examples = corpus
    # in order: profilin-actin twice, cofilin-actin, emerin-lamin three times, nebulin-obscurin
    assert examples.labels.tolist() == [1, 1, -1, 1, 1, 1, -1]
    margins = np.array([-1.0, 0.5, 0.0, -0.5, -0.25, -0.75, -2.0])
    figures = measure_documents(examples, found.concepts, margins, margins)
    # called: profilin-actin (right), cofilin-actin (wrong); related: these, emerin-lamin, titin-nebulin
    assert (figures.pairs, figures.positive, figures.apart, figures.called) == (5, 3, 1, 2)
    assert (figures.precision, figures.recall, figures.f) == (1 / 2, 1 / 3, 2 / 5)
    # ranks: right, wrong, right, wrong, and titin-nebulin never: (1/1 + 2/3 + 0) / 3
    assert figures.average_precision == pytest.approx((1 + 2 / 3) / 3)


def test_a_corpus_that_relates_mentions_has_no_such_figures(corpus):
    _, examples = corpus
    assert measure_documents(examples, {}, np.zeros(7), np.zeros(7)) is None


def test_what_is_never_together_is_only_missed(corpus):
    _, examples = corpus
    apart = {"3": frozenset([frozenset({"7273", "4703"})])}
    figures = measure_documents(examples, apart, np.ones(7), np.ones(7))
    assert (figures.pairs, figures.positive, figures.apart, figures.called) == (5, 1, 1, 4)
    assert (figures.precision, figures.recall, figures.f, figures.average_precision) == (0, 0, 0, 0)
