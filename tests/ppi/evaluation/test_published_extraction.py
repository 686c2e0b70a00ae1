"""Published figures on the real corpora, and that the composite kernel is better than the published one alone."""

from statistics import fmean

import pytest
from lab.papers.paper5_published import CORPORA, PUBLISHED_CROSS_CORPUS, PUBLISHED_CROSS_VALIDATION

import corpora
from corpora import make_folds
from ppi.evaluation.cross_validation.cross_corpus import cross_corpus
from ppi.evaluation.cross_validation.nested_cross_validation import evaluate_repeatedly
from ppi.extraction import Settings

SMALL = ("HPRD50", "IEPA", "LLL")


def mean_auc(name: str, kernel: str) -> float:
    documents = corpora.load(name)
    folds = [make_folds(documents, 10, seed=seed) for seed in (0, 1, 2)]
    runs = evaluate_repeatedly(name, documents, Settings(kernel=kernel), folds=folds)
    return 100 * fmean(run.summary()["mean"]["auc"] for run in runs)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_all_paths_kernel_is_near_its_published_auc(corpora_folder, name):
    published = PUBLISHED_CROSS_VALIDATION[name][4]
    # our folds are balanced in pairs, theirs are unknown: on corpora this small that moves the mean by a point or two
    assert mean_auc(name, "all-paths") == pytest.approx(published, abs=2.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_composite_kernel_is_better_than_all_paths_without_any_extra_corpus(corpora_folder, name):
    assert mean_auc(name, "composite") > mean_auc(name, "all-paths") + 2


@pytest.mark.slow
def test_cross_corpus_auc_is_near_or_above_the_published_table(corpora_folder):
    cells = cross_corpus({name: corpora.load(name) for name in SMALL}, Settings(), all_but_one=False)
    for cell in cells:
        published = PUBLISHED_CROSS_CORPUS["auc"][CORPORA.index(cell.train)][CORPORA.index(cell.test)]
        assert 100 * cell.auc >= published - 3, (cell.train, cell.test)
