"""What outputs say of a pair: probabilities, type, direction, sign and kind, from scores that are set by hand."""

from dataclasses import replace

import numpy as np
import pytest
from event_documents import sentence
from scipy.special import expit, logit

from corpora import Pair
from kernels import candidate_graph
from ppi.core import TrainingError, UsageError
from ppi.extraction.calibration import Calibration
from ppi.extraction.extractor import Extractor
from ppi.extraction.outputs import OUTPUTS
from ppi.extraction.pair_predictions import MODIFICATION_STEMS, PairPredictions, Prediction, modification_kind

PLATT = Calibration("platt", (), (1.0, 0.0))


def graph_of(text, first="A", second="B", **options):
    made = sentence("s", text, names=[first, second], **options)
    return candidate_graph(made, Pair("p", f"s.{first}", f"s.{second}"), parser="hand")


GRAPH = graph_of("A phosphorylates B")


class FixedScores(Extractor):
    """An extractor whose scores are given."""

    def __init__(self, *scores, outputs=OUTPUTS, calibrations=None, share=0.2, taught=OUTPUTS):
        super().__init__()
        self._scores = np.array(scores, dtype=float)
        self.intercepts_ = np.array([float(output in taught) for output in outputs])
        self.outputs_, self.weights_ = outputs, np.zeros((1, len(outputs)))
        self.facts_ = {} if share is None else {"share": share}
        self.calibrations_ = dict.fromkeys(outputs[:4], PLATT) if calibrations is None else calibrations

    def score_outputs(self, graphs):
        return self._scores.reshape(len(graphs), len(self.outputs_))


def reading(*scores, graph=GRAPH, **options):
    return PairPredictions(FixedScores(*scores, **options), [graph])[0]


def test_the_probability_is_at_least_that_of_each_type():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(30, 6))
    readings = PairPredictions(FixedScores(*scores), [GRAPH] * 30)
    np.testing.assert_allclose(readings.probabilities, expit(scores[:, :4].max(axis=1)))
    for place in range(30):
        found = readings[place]
        assert found.probability == readings.probabilities[place] == max(expit(scores[place, 0]), *found.types.values())
        assert found.score == scores[place, OUTPUTS.index(found.type)]
        assert list(found.types.values()) == pytest.approx(expit(scores[place, 1:4]).tolist())


def test_the_type_is_the_most_probable_one_by_its_own_calibration():
    assert reading(0, 1, 0, 0, 0, 0).type == "binding"
    assert reading(0, 0, 1, 0, 0, 0).type == "modification"
    assert reading(0, 0, 0, 1, 0, 0).type == "regulation"
    unequal = {"interaction": PLATT, "binding": Calibration("platt", (), (1.0, -5.0)), "regulation": PLATT}
    assert reading(0, 1, 9, 0.5, 0, 0, calibrations=unequal).type == "regulation"


def test_a_complex_has_no_direction_sign_or_kind():
    found = reading(0, 1, 0, 0, 1, 1)
    assert (found.agent, found.target, found.sign, found.kind) == (None,) * 4


@pytest.mark.parametrize(("direction", "ends"), [(0.3, ("s.A", "s.B")), (-0.3, ("s.B", "s.A"))])
def test_direction_goes_by_the_order_in_the_text(direction, ends):
    for scores in ((0, 0, 1, 0), (0, 0, 0, 1)):
        found = reading(*scores, direction, 0)
        assert (found.agent, found.target) == ends
        # which of the two a pair names first is no matter
        turned = candidate_graph(GRAPH.sentence, Pair("p", "s.B", "s.A"), parser="hand")
        again = reading(*scores, direction, 0, graph=turned)
        assert (again.agent, again.target) == ends


def test_only_regulation_has_a_sign_and_only_modification_a_kind():
    assert [reading(0, 0, 0, 1, 0, sign).sign for sign in (0.5, -0.5)] == ["positive", "negative"]
    assert reading(0, 0, 0, 1, 0, 1).kind is None
    modification = reading(0, 0, 1, 0, 0, 1)
    assert (modification.sign, modification.kind) == (None, "phosphorylation")


@pytest.mark.parametrize("score", [0.0, 0.3, -0.3])
def test_a_direction_or_sign_that_nobody_taught_is_not_known(score):
    untaught = reading(0, 0, 0, 1, score, score, taught=OUTPUTS[:4])
    assert (untaught.type, untaught.agent, untaught.target, untaught.sign) == ("regulation", None, None, None)
    directed = reading(0, 0, 0, 1, score, score, taught=OUTPUTS[:5])
    assert {directed.agent, directed.target} == {"s.A", "s.B"}
    assert directed.sign is None


def test_a_model_without_types_says_only_whether():
    found = reading(0.5, outputs=("interaction",), share=None)
    assert found == Prediction(0.5, pytest.approx(expit(0.5)), {})
    assert PairPredictions(FixedScores(outputs=("interaction",)), []).probabilities.shape == (0,)
    assert PairPredictions(FixedScores(), []).probabilities.shape == (0,)


def test_types_without_a_calibration_are_not_predicted():
    found = reading(0, 5, 1, 1, 0, 0, calibrations={"interaction": PLATT, "modification": PLATT})
    assert set(found.types) == {"modification"}
    assert found.type == "modification"


def test_a_model_that_only_scores_has_no_readings():
    with pytest.raises(TrainingError, match="expected a calibrated extractor"):
        reading(0, 0, 0, 0, 0, 0, calibrations={})


def test_a_share_moves_the_odds_of_every_probability_by_the_same_factor():
    scores = (0.4, -1, 0.2, -2, 0, 0)
    before = reading(*scores)
    after = PairPredictions(FixedScores(*scores, share=0.2), [GRAPH], prevalence=0.05)[0]
    factor = (0.05 / 0.95) / (0.2 / 0.8)
    for one, two in [(before.probability, after.probability), *zip(before.types.values(), after.types.values())]:
        assert two / (1 - two) == pytest.approx(factor * one / (1 - one))
    assert after.score == before.score
    assert after.type == before.type


def test_the_share_that_was_trained_on_changes_nothing_and_certainty_stays_finite():
    scores = (0.4, -1, 0.2, -2, 0, 0)
    assert PairPredictions(FixedScores(*scores), [GRAPH], prevalence=0.2)[0] == reading(*scores)
    sure = PairPredictions(FixedScores(2000, 0, 0, 0, 0, 0), [GRAPH], prevalence=0.01)
    assert 0.9 < sure.probabilities[0] < 1.0
    assert logit(sure.probabilities[0]) == pytest.approx(logit(1 - 1e-9) + logit(0.01) - logit(0.2), rel=1e-3)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 2.0, float("nan")])
def test_a_share_is_between_0_and_1(share):
    with pytest.raises(UsageError, match="expected a share of interacting pairs between 0 and 1"):
        PairPredictions(FixedScores(*[0] * 6), [GRAPH], prevalence=share)


@pytest.mark.parametrize("known", [None, 0.0, 1.0, "0.2"])
def test_a_share_needs_the_one_that_was_calibrated_on(known):
    with pytest.raises(UsageError, match="expected a model that records the share it was calibrated on"):
        PairPredictions(FixedScores(*[0] * 6, share=known), [GRAPH], prevalence=0.1)
    assert PairPredictions(FixedScores(*[0] * 6, share=known), [GRAPH])[0].probability == 0.5


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("phosphorylates", "phosphorylation"),
        ("Phosphorylation", "phosphorylation"),
        ("phosphotransfer", "phosphorylation"),
        ("dephosphorylates", "dephosphorylation"),
        ("de-phosphorylated", "dephosphorylation"),
        ("autophosphorylation", "phosphorylation"),
        ("trans-phosphorylates", "phosphorylation"),
        ("hyperacetylated", "acetylation"),
        ("Deacetylates", "deacetylation"),
        ("ubiquitinates", "ubiquitination"),
        ("ubiquitylated", "ubiquitination"),
        ("polyubiquitinated", "ubiquitination"),
        ("deubiquitinates", "deubiquitination"),
        ("methylates", "methylation"),
        ("demethylates", "demethylation"),
        ("glycosylates", "glycosylation"),
        ("hydroxylates", "hydroxylation"),
        ("sumoylates", "sumoylation"),
        ("modifies", None),
        ("unphosphorylated", None),
        ("demands", None),
    ],
)
def test_the_kind_is_in_the_word_on_the_path(word, kind):
    assert modification_kind(graph_of(f"A {word} B")) == kind


def test_every_stem_is_found_as_its_own_kind():
    for stem, kind in MODIFICATION_STEMS.items():
        assert modification_kind(graph_of(f"A {stem}xyz B")) == kind


def test_words_on_the_path_go_before_words_beside_it():
    assert modification_kind(graph_of("acetylated A phosphorylates B", head="phosphorylates")) == "phosphorylation"
    assert modification_kind(graph_of("acetylated A modifies B", head="modifies")) == "acetylation"
    assert modification_kind(graph_of("A modifies B by its own methylation", head="modifies")) is None
    assert modification_kind(graph_of("A modifies B by its methylation", head="modifies")) == "methylation"


def test_without_a_path_no_word_is_on_it_or_beside_it():
    made = sentence("s", "A phosphorylates B", names="AB")
    graph = candidate_graph(replace(made, parses=()), Pair("p", "s.A", "s.B"))
    assert graph.path_length == -1
    assert modification_kind(graph) is None
