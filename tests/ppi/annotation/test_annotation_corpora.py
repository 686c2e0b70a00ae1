"""Annotation on the real corpora: what models learn from two of the small ones holds on the third."""

import pytest
from lab.training.extraction.end_to_end import evaluate_end_to_end
from lab.training.extraction.left_out import LeftOut

import corpora
from ppi import Annotator
from ppi.evaluation.parsed import load_parsed
from ppi.evaluation.reliability import judge_calibrations

SMALL = ("HPRD50", "IEPA", "LLL")


@pytest.fixture(scope="module")
def models(corpora_folder):
    return LeftOut.train({name: load_parsed(name, "shipped") for name in SMALL})


@pytest.mark.slow
def test_models_carry_over_and_pruning_costs_little(models):
    whole, pruned = models.aucs(min_documents=1), models.aucs()
    for name in SMALL:
        assert pruned[name] > 0.78
        assert pruned[name] > whole[name] - 0.01


@pytest.mark.slow
def test_probabilities_are_better_than_the_share_of_positives(models):
    method, measured = judge_calibrations(models)
    pooled = measured[method]["pooled"]
    share = pooled.positive / pooled.pairs
    assert pooled.brier < 0.8 * share * (1 - share)
    assert pooled.ece < 0.1


@pytest.mark.slow
def test_end_to_end_on_a_corpus_left_out(models):
    found = evaluate_end_to_end(corpora.load("HPRD50"), Annotator(model=models.extractor(without="HPRD50")))
    assert found.annotated_pairs == 163
    assert found.mentions == 405
    assert 0 < found.right <= found.recall_of_all * found.annotated_pairs
    assert found.precision > 0.3


@pytest.mark.slow
def test_contributions_sum_to_the_score_on_corpus_sentences(corpora_folder):
    annotator = Annotator(min_probability=0.0)
    found = [one for document in corpora.load("LLL")[:8] for one in annotator.annotate(document)]
    assert len(found) > 20
    for one in found:
        why = one.evidence.explanation
        assert why.intercept + sum(each.value for each in why.features) == pytest.approx(one.score, abs=1e-6)
