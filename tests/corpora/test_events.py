"""Events in documents: what construction refuses, and how they are kept as JSON."""

import pytest

from corpora.errors import ValidationError
from corpora.events import equivalence_classes, sort_topologically
from corpora.types import Document, Entity, Event, Sentence, Trigger

SENTENCES = (
    Sentence("s0", "A binds B.", (Entity("T1", "A", ((0, 1),)), Entity("T2", "B", ((8, 9),)))),
    Sentence("s1", "C too.", (Entity("T3", "C", ((0, 1),)),), offset=11),
)
BINDS = Trigger("T4", "binds", ((2, 7),), "Binding")


def made(*events, triggers=(BINDS,), equivalences=()) -> Document:
    return Document("d", SENTENCES, triggers=triggers, events=events, equivalences=equivalences)


def event(id: str, *arguments: str, trigger: str = "T4") -> Event:
    return Event(id, "Binding", trigger, tuple(("Theme", each) for each in arguments))


def test_events_may_cross_sentences_and_stand_before_what_they_refer_to():
    document = made(event("E2", "E1", "T3"), event("E1", "T1", "T2"))
    assert [each.id for each in sort_topologically(document.events)] == ["E1", "E2"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"events": (event("E1", "E1"),)}, r"E1: expected an event of other things, .* refers to itself: E1 -> E1;"),
        (
            {"events": (event("E1", "E2"), event("E2", "E3"), event("E3", "T1", "E1"))},
            r"expected an event of other things, .* refers to itself: (E. -> ){3}E.; correct its arguments",
        ),
        ({"events": (event("E1", "T9"),)}, r"E1: expected the id of an entity or event as Theme, got 'T9', which is"),
        ({"events": (event("E1", "T4"),)}, r"E1: expected the id of an entity or event as Theme, got 'T4'"),
        ({"events": (event("E1", "T1", trigger="T2"),)}, r"E1: expected the id of a trigger, got 'T2'"),
        ({"events": (event("E1", "T1"), event("E1", "T2"))}, r"E1: expected unique ids of .*, got this one 2 times"),
        ({"events": (event("T1", "T2"),)}, r"T1: expected unique ids of entities, triggers and events"),
        ({"triggers": (BINDS, BINDS)}, r"T4: expected unique ids of entities, triggers and events"),
        ({"triggers": (Trigger("T4", "bonds", ((2, 7),), "X"),)}, r"T4: expected the text 'bonds' at .*, got 'binds'"),
        ({"triggers": (Trigger("T4", "x", ((7, 2),), "X"),)}, r"T4: expected spans with 0 <= start < end"),
        ({"triggers": (Trigger("T4", "x", (), "X"),)}, r"T4: expected spans with 0 <= start < end"),
        ({"equivalences": (("T1",),)}, r"\*1: expected two or more different mentions"),
        ({"equivalences": (("T1", "T2"), ("T3", "T3"))}, r"\*2: expected two or more different mentions"),
        ({"equivalences": (("T1", "T9"),)}, r"\*1: expected ids of entities in an equivalence, got 'T9'"),
        (
            {"equivalences": (("T1", "T2"), ("T2", "T3"), ("T3", "T1"))},
            r"\*3: expected mentions that are not equivalent already, .* close a circle",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(parts, message):
    with pytest.raises(ValidationError, match=message):
        Document("d", SENTENCES, **({"triggers": (BINDS,)} | parts))


def test_a_trigger_that_no_sentence_holds_is_not_compared():
    crossing = Trigger("T5", "B. C", ((8, 12),), "Binding")
    assert made(triggers=(BINDS, crossing)).triggers[1] == crossing


def test_chains_of_any_depth_are_checked():
    chain = [event("E0", "T1"), *(event(f"E{number}", f"E{number - 1}") for number in range(1, 5000))]
    assert len(made(*chain).events) == 5000


def test_equivalences_join_through_others():
    classes = equivalence_classes([("a", "b"), ("c", "d"), ("d", "a"), ("x", "y")])
    assert set(classes["b"]) == {"a", "b", "c", "d"}
    assert classes["x"] == ("x", "y")


def test_documents_without_events_are_the_same_json_as_ever():
    assert Document("d", SENTENCES).to_json().keys() == {"id", "sentences"}
    value = made(event("E1", "T1"), equivalences=(("T1", "T2"),)).to_json()
    assert value["triggers"] == [{"id": "T4", "text": "binds", "spans": [[2, 7]], "type": "Binding"}]
    assert value["events"] == [{"id": "E1", "type": "Binding", "trigger": "T4", "arguments": [["Theme", "T1"]]}]
    assert value["equivalences"] == [["T1", "T2"]]
    assert Document.from_json(value).to_json() == value
