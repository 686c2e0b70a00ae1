"""What is said about probabilities comes from the model's header, whatever that holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.annotation.annotator import Annotator
from ppi.annotation.text_output import PROBABILITY_STEPS, describe_calibration

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def test_the_shipped_model_says_how_it_was_measured_with_given_and_with_found_names():
    annotator = Annotator()
    held_out = annotator.extractor.facts_["held_out"]
    told = " ".join(annotator.meaning)
    assert f"off by {held_out['calibration_error']['interaction']['pooled']:.2f} on average" in told
    for corpus, steps in held_out["found_names"].items():
        for step in PROBABILITY_STEPS:
            assert f"{100 * steps[step]['precision']:.0f} % in {corpus}" in told
    assert "14 % of the pairs interact" in told
    assert "moved to texts in which 4 %" in " ".join(Annotator(prevalence=0.04).meaning)


def test_nothing_is_claimed_that_was_not_measured():
    told = describe_calibration({})
    assert len(told) == 3
    assert sum("not measured for this model" in sentence for sentence in told) == 2
    assert not any(character.isdigit() for sentence in told[1:] for character in sentence)


def test_judgements_that_changed_the_model_are_told():
    told = describe_calibration({"feedback": [{"judgements": 12}, {"judgements": 1200}]})
    assert told[-1] == "Since then 1,212 judgements changed the model; all this was measured without them."
    assert len(describe_calibration({"feedback": [{"judgements": "many"}, 3]})) == 3


@given(facts=st.dictionaries(st.sampled_from(["held_out", "share", "feedback", "other"]), JSON))
def test_any_header_is_read(facts):
    assert all(isinstance(sentence, str) and sentence for sentence in describe_calibration(facts))


@pytest.mark.parametrize("wrong", [{"calibration_error": {"interaction": {"pooled": 7, "A": "x"}}}, [], "text", 1])
def test_figures_that_cannot_be_are_not_told(wrong):
    assert "not measured" in describe_calibration({"held_out": wrong})[1]


def test_prevalence_was_called_share():
    with pytest.warns(DeprecationWarning, match="prevalence") as warned:
        annotator = Annotator(share=0.04)
    assert warned[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="prevalence"):
        assert annotator.share == annotator.prevalence == 0.04
