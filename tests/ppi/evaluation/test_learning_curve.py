"""Learning curves against training by hand."""

from itertools import pairwise

import numpy as np
import pytest
from event_documents import pair_corpus, sentence

import corpora
from corpora import Document, make_folds
from learners import auc
from ppi.core import TrainingError
from ppi.evaluation.cross_validation.learning_curve import learning_curve
from ppi.extraction import Extractor, Settings, collect_examples

SAMPLE = corpora.load("sample")
QUICK = Settings(kernel="path", learner="rls")


def halves(documents, n, seed=0):
    folds = make_folds(documents, n, seed=seed)
    test = [document for document in documents if folds[document.id] >= (n + 1) // 2]
    return [document for document in documents if document not in test], test


def auc_of(training, test):
    scored = [
        pair for pair in Extractor(kernel="path", learner="rls").fit(training).score(test) if pair.label is not None
    ]
    return auc([pair.label for pair in scored], [pair.score for pair in scored])


def labelled(documents):
    return collect_examples(documents).graphs


@pytest.fixture(scope="module")
def points():
    return learning_curve("sample", SAMPLE, QUICK, n=4, repeats=3)


def test_sizes_double_up_to_the_whole_half(points):
    training, _ = halves(SAMPLE, 4)
    sizes = [point.documents for point in points]
    used = {graph.document_id for graph in labelled(training)}
    assert sizes[-1] == len(used)
    assert all(smaller == larger // 2 for smaller, larger in pairwise(sizes))
    assert 2 <= sizes[0] <= 4


@pytest.mark.parametrize("seed", [0, 3])
def test_the_last_point_is_training_once_on_the_whole_half(seed):
    training, test = halves(SAMPLE, 4, seed)
    last = learning_curve("sample", SAMPLE, QUICK, n=4, seed=seed, repeats=2)[-1]
    # features that only the test half has come with no weight either way
    assert last.auc == pytest.approx(auc_of(training, test), abs=1e-9)
    assert (last.std, last.repeats) == (0.0, 1)
    assert last.pairs == len(labelled(training))


def test_points_in_between_are_means_over_random_orders(points):
    training, test = halves(SAMPLE, 4)
    pool = np.unique([graph.document_id for graph in labelled(training)])
    for point in points[:-1]:
        aucs, pairs = [], []
        for repeat in range(3):
            chosen = set(np.random.default_rng([0, repeat]).permutation(pool)[: point.documents])
            some = [document for document in training if document.id in chosen]
            try:
                aucs.append(auc_of(some, test))
            except TrainingError:  # pairs of one kind
                continue
            pairs.append(len(labelled(some)))
        assert point.repeats == len(aucs)
        # features that only the test half has change how equal scores are rounded, and so a pair or two of AUC
        assert point.auc == pytest.approx(np.mean(aucs), abs=2e-3)
        assert point.std == pytest.approx(np.std(aucs), abs=2e-3)
        assert point.pairs == pytest.approx(np.mean(pairs))


def test_each_size_holds_the_documents_of_the_size_before(points):
    """One order per repeat: more documents are more pairs."""
    pairs = [point.pairs for point in points]
    assert pairs == sorted(pairs)


def test_other_seeds_give_other_curves_and_the_same_seed_the_same(points):
    assert learning_curve("sample", SAMPLE, QUICK, n=4, repeats=3) == points
    assert learning_curve("sample", SAMPLE, QUICK, n=4, repeats=3, seed=1) != points


def test_a_point_is_plain_values(points):
    found = points[0].to_dict()
    assert list(found) == ["corpus", "documents", "pairs", "auc", "std", "repeats"]
    assert found["corpus"] == "sample"


def test_a_test_half_of_one_kind_is_refused():
    named = dict.fromkeys("AB", True)
    same = [
        Document(
            f"n{number}",
            (sentence(f"n{number}.s", f"A meets B {number}", names=named, labels={("A", "B"): False}),),
        )
        for number in range(10)
    ]
    documents = [*same, *pair_corpus("p", 1)]
    for seed in range(20):
        _, test = halves(documents, 2, seed)
        if documents[-1] not in test:
            with pytest.raises(TrainingError, match=r"expected both kinds of pairs in the test half of made.*seed"):
                learning_curve("made", documents, QUICK, n=2, seed=seed)
            break
    else:
        pytest.fail("no seed leaves the one document with positives to training")
