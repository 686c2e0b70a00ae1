"""What a judgement says, and what it refuses to say."""

from dataclasses import replace

import annotated
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import TYPED, at, fitting, judgement

from ppi.core import CurationError
from ppi.server.curation.judgement import Judgement, Undo, check_curator, parse_time, row_key
from ppi.server.curation.judgement_file import encode_line


@pytest.mark.parametrize(
    ("verdict", "label", "type", "turned"),
    [
        ("right", True, "modification", False),
        ("wrong", False, None, None),
        ("wrong type", True, None, None),
        ("wrong direction", True, "modification", True),
        ("not a protein", False, None, None),
    ],
)
def test_what_each_verdict_says_of_a_phosphorylation(verdict, label, type, turned):
    said = judgement(verdict, of=1)  # LIMK1 acts on Cofilin, which stands first
    assert (said.label, said.verdict_type) == (label, type)
    if turned is None:
        assert said.verdict_participants is None
    else:
        names = [entity.text for entity in said.verdict_participants]
        assert names == (["Cofilin", "LIMK1"] if turned else ["LIMK1", "Cofilin"])


def test_the_right_type_is_named():
    assert judgement("wrong type", of=1, type="binding").verdict_type == "binding"


def test_what_a_model_learns():
    assert judgement("wrong direction", of=1).training_label.targets() == {
        "interaction": 1,
        "modification": 1,
        "direction": 1,
    }
    assert judgement("wrong type", of=2, type="binding").training_label.targets() == {
        "interaction": 1,
        "regulation": -1,
        "binding": 1,
    }
    assert judgement("not a protein").training_label.targets() == {}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"verdict": "perhaps"}, "expected a verdict, one of .*, got 'perhaps'"),
        ({"verdict": "wrong direction"}, "in which one acts on the other, got one without direction; say wrong type"),
        ({"verdict": "wrong type", "type": "binding"}, "not 'binding', got 'binding' with wrong type"),
        ({"verdict": "wrong type", "type": "love"}, "got 'love'"),
        ({"verdict": "right", "type": "binding"}, "expected a type only with wrong type"),
        ({"verdict": "wrong", "mention": 1}, "expected a mention only with not a protein"),
        ({"verdict": "not a protein", "mention": 3}, "1 or 2, got 3"),
        ({"comment": "x" * 2001}, "comment of at most 2,000 characters, got 2,001"),
        ({"curator": ""}, "expected a curator's name of 1 to 100 characters on one line, got ''"),
        ({"curator": "x" * 101}, "1 to 100 characters"),
        ({"curator": "two\nlines"}, "on one line"),
        ({"curator": "turned \u202e round"}, "on one line"),
        ({"curator": " Ada"}, "without white space around it, got ' Ada'"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, expected):
    with pytest.raises(CurationError, match=expected):
        judgement(**arguments)


def test_only_a_type_can_be_a_wrong_type():
    with pytest.raises(CurationError, match="expected wrong type of an interaction that has one, got one without"):
        Judgement("wrong type", annotated.profilin().interactions[0], "Ada", at(0))


@pytest.mark.parametrize(
    "time", ["", "yesterday", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05.000000Z", "0026-01-02T03:04:05.000000Z"]
)
def test_times_have_one_form(time):
    with pytest.raises(CurationError, match="expected a time such as '2026-01-02T"):
        parse_time(time)


def test_names_are_taken_without_white_space_around_them():
    assert check_curator(" Ada Lovelace\t") == "Ada Lovelace"


def test_a_row_is_its_words_too():
    there = TYPED[0]
    assert row_key(there) == row_key(replace(there, probability=0.1, score=0.0, evidence=annotated.evidence()))
    assert row_key(there) != row_key(replace(there, sentence=there.sentence + "!"))
    assert row_key(there)[:2] == ("4711", "4711.s0.0.e0-4711.s0.0.e1")


@given(annotated.annotated(typed=True), st.text(max_size=50), st.data())
def test_judgements_of_anything_come_back(document, comment, data):
    for interaction in document.interactions:
        said = Judgement(data.draw(st.sampled_from(fitting(interaction))), interaction, "Ada", at(0), "123", comment)
        back = Judgement.from_json(said.to_json())
        assert back == said
        assert back.row == said.row
        encode_line(said).decode("ascii")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], "expected an object, got \\[\\]"),
        ({}, "expected dict as 'interaction', got none"),
        (
            {"interaction": {"schema": "ppi-interaction/9"}},
            "expected the interaction that is judged, got another thing",
        ),
        ({**judgement().to_json(), "verdict": 1}, "expected str as 'verdict', got 1"),
        ({**judgement().to_json(), "mention": True}, "expected int as 'mention', got True"),
    ],
)
def test_other_values_are_no_judgements(value, expected):
    with pytest.raises(CurationError, match=expected):
        Judgement.from_json(value)


def test_other_values_are_no_undos():
    with pytest.raises(CurationError, match="expected str as 'judgement', got None"):
        Undo.from_json({"judgement": None, "curator": "Ada", "time": at(0)})
