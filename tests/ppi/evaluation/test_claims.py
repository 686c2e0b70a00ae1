"""What each format claims of two proteins."""

from dataclasses import replace

import annotated
import pytest

from corpora import ConceptRelation, Document, Entity, Event, Pair, Relation, Sentence, Trigger
from ppi.annotation import Alias
from ppi.evaluation.scoring.claims import Participant, claims_of_document, claims_of_interaction, project_claims

ENTITIES = (
    Entity("T1", "A", ((0, 1),), "Protein", ("5216", "NCBIGene:60")),
    Entity("T2", "B", ((8, 9),), "Protein", ("uniprot:P1",)),
)
FIRST = Participant(((10, 11),), ("ncbigene:5216", "ncbigene:60"), "A")
SECOND = Participant(((18, 19),), ("uniprot:P1",), "B")


def document(*pairs: Pair, **others) -> Document:
    return Document("d", (Sentence("s", "A binds B", ENTITIES, pairs, offset=10),), **others)


def only(document: Document):
    (claim,) = claims_of_document(document)
    return claim


def test_a_pair_by_hand():
    claim = only(document(Pair("p", "T1", "T2", True, "Bind", (("probability", "0.75"), ("score", "3")))))
    assert claim.participants == (FIRST, SECOND)
    assert (claim.label, claim.type, claim.directed, claim.probability) == (True, "Bind", False, 0.75)
    assert (claim.document, claim.sentence, claim.offset) == ("d", "s", 10)


@pytest.mark.parametrize("label", [True, False, None])
def test_labels_stay_what_they_are(label):
    assert only(document(Pair("p", "T1", "T2", label))).label is label


@pytest.mark.parametrize(
    ("roles", "type", "ends", "directed"),
    [
        ((), "Activation", (FIRST, SECOND), True),
        ((("e1_role", "Agent"), ("e2_role", "Target")), "Activation", (FIRST, SECOND), True),
        ((("e1_role", "Target"), ("e2_role", "Agent")), "Activation", (SECOND, FIRST), True),
        ((("e2_role", "Cause"),), None, (SECOND, FIRST), True),
        ((("e1_role", "Theme"),), "Binding", (SECOND, FIRST), False),
    ],
)
def test_roles_say_who_acts(roles, type, ends, directed):
    claim = only(document(Pair("p", "T1", "T2", True, type, roles)))
    assert (claim.participants, claim.directed) == (ends, directed)


def test_what_is_denied_is_not_claimed():
    denied = (("negated", "true"),)
    relations = (ConceptRelation("R", "Bind", "1", "2", denied),)
    assert (
        list(claims_of_document(document(Pair("p", "T1", "T2", True, infons=denied), concept_relations=relations)))
        == []
    )


@pytest.mark.parametrize(
    ("infons", "probability"),
    [
        ((), None),
        ((("novelty", "Novel"),), None),
        ((("novelty", "0.9300"),), 0.93),
        ((("novelty", "7"),), None),
        ((("score", "7"),), 7.0),
        ((("score", "nan"), ("confidence", "high")), None),
    ],
)
def test_identifiers_that_are_related(infons, probability):
    claim = only(Document("d", concept_relations=(ConceptRelation("R", "Positive_Correlation", "2", "1", infons),)))
    assert claim.participants == (Participant(identifiers=("ncbigene:2",)), Participant(identifiers=("ncbigene:1",)))
    assert (claim.type, claim.directed, claim.probability) == ("Positive_Correlation", True, probability)


def test_relations_across_sentences_count_and_equivalences_do_not():
    other = Sentence("t", "C too", (Entity("T3", "C", ((0, 1),)),), offset=30)
    relations = (
        Relation("R1", "Binding", (("Arg1", "T1"), ("Arg2", "T3"))),
        Relation("*1", "Equiv", (("Arg", "T1"), ("Arg", "T3"))),
        Relation("E1", "Binding", (("Trigger", "T1"), ("Theme", "T3"))),
        Relation("R2", "Three", (("a", "T1"), ("b", "T2"), ("c", "T3"))),
    )
    claim = only(replace(document(), sentences=(*document().sentences, other), relations=relations))
    assert [end.spans for end in claim.participants] == [((10, 11),), ((30, 31),)]


def test_events_claim_what_they_say_and_do_not_deny():
    triggers = (Trigger("T9", "binds", ((12, 17),), "Any"),)
    events = (
        Event("E1", "Binding", "T9", (("Theme", "T1"), ("Theme2", "T2"))),
        Event("E2", "Phosphorylation", "T9", (("Theme", "T1"), ("Cause", "T2"))),
        Event("E3", "Negative_regulation", "T9", (("Theme", "T2"), ("Cause", "T1")), ("Negation",)),
    )
    found = list(claims_of_document(document(triggers=triggers, events=events)))
    assert [(claim.type, claim.directed, claim.participants) for claim in found] == [
        ("binding", False, (FIRST, SECOND)),
        ("phosphorylation", True, (SECOND, FIRST)),
    ]


def test_interactions_of_ours_claim_under_every_name():
    (sentence,) = annotated.split("d.s0", ["A (alpha) binds B."], [["A", "alpha", "B"]], offset=5)
    found = annotated.interaction("d", sentence, "d.s0.e0", "d.s0.e2", 0.9)
    alias = Alias("p", (sentence.entities[1], sentence.entities[2]), 0.6)
    whole = replace(found, aliases=(alias,), type="regulation", sign="negative", agent="d.s0.e2", target="d.s0.e0")
    first, second = claims_of_interaction(whole)
    assert [end.text for end in first.participants] == ["B", "A"]
    assert [end.text for end in second.participants] == ["B", "alpha"]
    assert first.participants[0].spans == ((21, 22),)
    assert (first.type, first.directed, first.probability, second.probability) == (
        "negative regulation",
        True,
        0.9,
        0.6,
    )
    assert list(claims_of_interaction(replace(found, negated=True))) == []
    assert list(claims_of_interaction(replace(found, same=True))) == []


def test_projected_claims_are_of_mentions_alone():
    related = document(
        Pair("p", "T1", "T2", False), concept_relations=(ConceptRelation("R", "Bind", "uniprot:P1", "5216"),)
    )
    (claim,) = project_claims(related)
    assert [(end.spans, end.identifiers) for end in claim.participants] == [(((18, 19),), ()), (((10, 11),), ())]
    assert claim.projected
