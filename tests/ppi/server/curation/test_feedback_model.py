"""Judged rows: made into candidates again, learned from, and others scored anew; everything kept is what is made."""

import numpy as np
import pytest

from ppi.annotation import Annotator
from ppi.core import UsageError
from ppi.extraction import PairJudgement
from ppi.server.curation import feedback_model
from ppi.server.curation.feedback_model import FeedbackModel, PairInSentence, rebuild_candidates

TEXTS = (
    "Profilin binds actin and inhibits its polymerization.",
    "RAD51 interacts with BRCA2 but not with PALB2.",
    "MDM2 ubiquitinates p53, and AKT1 phosphorylates MDM2.",
    "JAK2 activates STAT3 whereas SOCS3 inhibits JAK2.",
)


def judgement_of(interaction, verdict):
    """What a verdict on an interaction says, as it was shown: its type, and who acts."""
    first_acts = None if interaction.agent is None else interaction.agent == interaction.proteins[0].id
    return PairJudgement(verdict, interaction.type, first_acts)


@pytest.fixture(scope="module")
def found():
    annotator = Annotator(min_probability=0.0, grounding=False)
    return [interaction for text in TEXTS for interaction in annotator.annotate(text, explain=False)]


@pytest.fixture(scope="module")
def rows(found):
    return [
        PairInSentence.of(interaction)._replace(document=f"d{TEXTS.index(interaction.sentence)}")
        for interaction in found
    ]


@pytest.fixture
def relearner():
    return FeedbackModel()


def test_a_row_is_made_again_as_the_run_had_it(found, relearner):
    rows = [PairInSentence.of(interaction) for interaction in found]
    before = relearner.learn([], rows).before
    assert len(before) == len(found) >= 8
    for interaction, reading in zip(found, before):
        assert reading.probability == pytest.approx(interaction.probability, abs=1e-3)
        assert (reading.type, reading.agent, reading.target) == (
            interaction.type,
            interaction.agent,
            interaction.target,
        )


def test_without_judgements_nothing_changes(rows, relearner):
    relearned = relearner.learn([], rows)
    assert relearned.extractor is relearner.model
    assert relearned.predictions == relearned.before
    assert relearned.feedback is None


def test_learning_from_rows_is_updating_the_extractor(found, rows, relearner):
    verdicts = ["wrong" if at % 3 else "right" for at in range(len(rows))]
    judged = [(row, judgement_of(each, verdict)) for row, each, verdict in zip(rows, found, verdicts)]
    relearned = relearner.learn(judged, rows, regparam=0.5)
    direct = relearner.model.update(rebuild_candidates(rows), [judgement for _, judgement in judged], regparam=0.5)
    np.testing.assert_allclose(relearned.extractor.weights_, direct.weights_, atol=1e-6)
    np.testing.assert_allclose(relearned.extractor.intercepts_, direct.intercepts_, atol=1e-8)
    for one, other in zip(relearned.feedback.estimates, direct.feedback_.estimates):
        assert one.error_leave_group_out == pytest.approx(other.error_leave_group_out)
    scores = direct.score_outputs(rebuild_candidates(rows))
    kinds = [direct.outputs_.index(prediction.type) for prediction in relearned.predictions]
    expected = pytest.approx(scores[range(len(rows)), kinds], abs=1e-5)
    assert [prediction.score for prediction in relearned.predictions] == expected


def test_it_starts_from_the_same_model_every_time(found, rows, relearner):
    judged = [(row, judgement_of(each, "wrong")) for row, each in zip(rows, found)]
    once = relearner.learn(judged[:3], rows)
    relearner.learn(judged, rows)  # and takes them back
    again = relearner.learn(judged[:3], rows)
    assert np.array_equal(once.extractor.weights_, again.extractor.weights_)
    assert once.predictions == again.predictions


def test_rows_that_are_kept_are_not_made_again(found, rows, relearner, monkeypatch):
    judged = [(row, judgement_of(each, "wrong")) for row, each in zip(rows, found)][:2]
    first = relearner.learn(judged, rows)
    monkeypatch.setattr(feedback_model, "rebuild_candidates", lambda rows, **options: pytest.fail("made again"))
    assert relearner.learn(judged, rows).predictions == first.predictions


def test_no_more_rows_are_kept_than_allowed(found, rows):
    small = FeedbackModel(max_rows=3)
    judged = [(row, judgement_of(each, "wrong")) for row, each in zip(rows, found)]
    usual = FeedbackModel().learn(judged[:2], rows)
    assert small.learn(judged[:2], rows).predictions == usual.predictions
    small.learn(judged[:1])
    assert len(small._cache) <= 3
    assert small.learn(judged[:2], rows).predictions == usual.predictions


def test_a_row_without_a_candidate_teaches_nothing_and_has_no_score(rows, relearner, monkeypatch):
    alone = rows[0]._replace(pair="self", second=rows[0].first)
    relearned = relearner.learn([(alone, PairJudgement("wrong"))], [alone, rows[0]])
    assert relearned.left_out == 1
    assert relearned.feedback is None
    assert relearned.predictions[0] is None
    assert relearned.predictions[1] is not None
    monkeypatch.setattr(feedback_model, "MAX_SENTENCE_TOKENS", 3)
    assert rebuild_candidates(rows[:1]) == [None]


def test_what_to_judge_next_is_not_judged_yet(found, rows, relearner):
    judged = [(row, judgement_of(each, "wrong")) for row, each in zip(rows, found)][:3]
    for way in ("top", "uncertain", "change"):
        chosen = relearner.next_to_judge(way, judged, rows, 4)
        assert len(chosen) == len(set(chosen)) == 4
        assert not set(chosen) & {row for row, _ in judged}
    everything = [(row, PairJudgement("right")) for row in rows]
    assert relearner.next_to_judge("top", everything, rows, 4) == []
    best = relearner.next_to_judge("top", [], rows, 1)[0]
    probabilities = [reading.probability for reading in relearner.learn([], rows).predictions]
    assert rows.index(best) == int(np.argmax(probabilities))


def test_mentions_outside_the_sentence_are_refused(rows):
    with pytest.raises(UsageError, match="expected mentions within the"):
        rebuild_candidates([rows[0]._replace(first=((0, 10_000),))])
