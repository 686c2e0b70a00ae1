"""Annotation on the real corpora: what models learn from two of the small ones holds on the third."""

import pytest
from lab.training.extraction.end_to_end import evaluate_end_to_end

import corpora
from ppi.annotation.annotator import Annotator
from ppi.evaluation import load_parsed
from ppi.extraction import Extractor

SMALL = ("HPRD50", "IEPA", "LLL")


@pytest.mark.slow
def test_models_carry_over_and_their_probabilities_with_them(corpora_folder):
    documents = {name: load_parsed(name, "shipped") for name in SMALL}
    trained = Extractor(kernel="composite", learner="ridge", min_documents=3).fit(documents)
    assert all(value > 0.78 for value in trained.facts_["leave_corpus_out_auc"].values())


@pytest.mark.slow
def test_end_to_end_on_a_corpus_left_out(corpora_folder):
    documents = {name: load_parsed(name, "shipped") for name in SMALL if name != "HPRD50"}
    model = Extractor(kernel="composite", learner="ridge", min_documents=3).fit(documents)
    found = evaluate_end_to_end(corpora.load("HPRD50"), Annotator(model=model))
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
