"""Interactions from events: each rule of the mapping by hand, equivalences, denials, and the counts of real corpora."""

import pytest

import corpora
from corpora.interactions import EventStatement, InteractionLabel, labelled_pairs
from corpora.types import Document, Entity, Event, Sentence, Trigger
from ppi.language import parse_documents

NAMES = "ABCDX"
TEXT = " ".join(NAMES)
MENTIONS = tuple(
    Entity(name, name, ((2 * place, 2 * place + 1),), "Simple_chemical" if name == "X" else "Protein")
    for place, name in enumerate(NAMES)
)


def document(*events: str, equivalences=()) -> Document:
    """Events written as ``E1 Binding Theme:A Theme2:B !Negation``."""
    made = []
    for written in events:
        id, type, *rest = written.split()
        arguments = tuple(tuple(word.split(":")) for word in rest if ":" in word)
        made.append(Event(id, type, "t", arguments, tuple(word[1:] for word in rest if word[0] == "!")))
    triggers = (Trigger("t", "B", ((2, 3),), "Any"),)
    sentences = (Sentence("s", TEXT, MENTIONS),)
    return Document("d", sentences, triggers=triggers, events=tuple(made), equivalences=tuple(equivalences))


def labels(*events: str, equivalences=()) -> dict[str, InteractionLabel]:
    """The labels that say something, by the two names."""
    ((_, found),) = labelled_pairs(document(*events, equivalences=equivalences))
    assert [label.e1 + label.e2 for label in found] == ["AB", "AC", "AD", "BC", "BD", "CD"]
    return {label.e1 + label.e2: label for label in found if label.statements}


def said(*events: str) -> dict[str, set[tuple]]:
    """(type, agent, target, sign or kind) of each pair of which something is said."""
    return {
        pair: {(each.type, each.agent, each.target, each.sign or each.kind) for each in label.statements}
        for pair, label in labels(*events).items()
    }


REGULATION, MODIFICATION = "regulation", "modification"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], {}),
        (["E1 Binding Theme:B"], {}),
        (["E1 Binding Theme:B Theme2:A"], {"AB": {("binding", None, None, None)}}),
        (["E1 Binding Theme:B Theme:A Site:D"], {"AB": {("binding", None, None, None)}}),
        (
            ["E1 Binding Theme:A Theme2:B Theme3:D"],
            {pair: {("binding", None, None, None)} for pair in ("AB", "AD", "BD")},
        ),
        (["E1 Binding Theme:A Theme2:X"], {}),
        (["E1 Dissociation Theme:A Theme2:B"], {}),
        (["E1 Pathway Participant:A Participant2:B"], {}),
        (["E1 Activation Theme:B Cause:A"], {"AB": {(REGULATION, "A", "B", "positive")}}),
        (["E1 Inactivation Theme:A Cause:B"], {"AB": {(REGULATION, "B", "A", "negative")}}),
        (["E1 Regulation Theme:B Cause:A"], {"AB": {(REGULATION, "A", "B", None)}}),
        (["E1 Gene_expression Theme:B Cause:A"], {"AB": {(REGULATION, "A", "B", None)}}),
        (["E1 Positive_regulation Theme:A Cause:A"], {}),
        # nested themes; the sign is of the event that names the cause
        (
            ["E1 Positive_regulation Theme:E2 Cause:A", "E2 Gene_expression Theme:B"],
            {"AB": {(REGULATION, "A", "B", "positive")}},
        ),
        (
            ["E1 Negative_regulation Theme:E2 Cause:A", "E2 Negative_regulation Theme:E3", "E3 Transcription Theme:B"],
            {"AB": {(REGULATION, "A", "B", "negative")}},
        ),
        (
            ["E1 Negative_regulation Theme:E2 Cause:A", "E2 Regulation Theme:B"],
            {"AB": {(REGULATION, "A", "B", "negative")}},
        ),
        (
            ["E1 Positive_regulation Theme:E2 Cause:A", "E2 Negative_regulation Theme:B Cause:C"],
            {"AB": {(REGULATION, "A", "B", "positive")}, "BC": {(REGULATION, "C", "B", "negative")}},
        ),
        # nested causes: their themes, not their causes
        (
            ["E1 Positive_regulation Theme:B Cause:E2", "E2 Negative_regulation Theme:C Cause:D"],
            {"BC": {(REGULATION, "C", "B", "positive")}, "CD": {(REGULATION, "D", "C", "negative")}},
        ),
        (
            ["E1 Activation Theme:D Cause:E2", "E2 Binding Theme:A Theme2:B"],
            {
                "AB": {("binding", None, None, None)},
                "AD": {(REGULATION, "A", "D", "positive")},
                "BD": {(REGULATION, "B", "D", "positive")},
            },
        ),
        # modifications
        (["E1 Phosphorylation Theme:B"], {}),
        (["E1 Phosphorylation Theme:B Cause:A"], {"AB": {(MODIFICATION, "A", "B", "phosphorylation")}}),
        (
            ["E1 Catalysis Theme:E2 Cause:A", "E2 Deubiquitination Theme:B"],
            {"AB": {(MODIFICATION, "A", "B", "deubiquitination")}},
        ),
        (["E1 Catalysis Theme:B Cause:A"], {"AB": {(MODIFICATION, "A", "B", None)}}),
        (["E1 Protein_modification Theme:B Cause:A"], {"AB": {(MODIFICATION, "A", "B", None)}}),
        (
            ["E1 Positive_regulation Theme:E2 Cause:A", "E2 Acetylation Theme:B"],
            {"AB": {(MODIFICATION, "A", "B", "acetylation")}},
        ),
        (
            ["E1 Regulation Theme:E2 Cause:A", "E2 Methylation Theme:B"],
            {"AB": {(MODIFICATION, "A", "B", "methylation")}},
        ),
        (
            ["E1 Negative_regulation Theme:E2 Cause:A", "E2 Phosphorylation Theme:B"],
            {"AB": {(REGULATION, "A", "B", "negative")}},
        ),
        (
            ["E1 Positive_regulation Theme:E2 Cause:A", "E2 Phosphorylation Theme:B Cause:C"],
            {
                "AB": {(REGULATION, "A", "B", "positive")},
                "BC": {(MODIFICATION, "C", "B", "phosphorylation")},
            },
        ),
        (["E1 Catalysis Theme:E2 Cause:A", "E2 DNA_methylation Theme:B"], {"AB": {(REGULATION, "A", "B", None)}}),
    ],
)
def test_what_events_say_of_two_mentions(events, expected):
    assert said(*events) == expected


def test_a_pair_can_have_several_types_and_both_directions():
    label = labels(
        "E1 Binding Theme:A Theme2:B", "E2 Phosphorylation Theme:B Cause:A", "E3 Negative_regulation Theme:A Cause:B"
    )["AB"]
    assert label.types == {"binding", MODIFICATION, REGULATION}
    assert (label.agent, label.target) == (None, None)
    assert (label.with_types(MODIFICATION).agent, label.with_types(MODIFICATION).target, label.kinds) == (
        "A",
        "B",
        {"phosphorylation"},
    )
    assert (label.with_types(REGULATION).agent, label.sign) == ("B", "negative")
    assert label.with_types("binding").agent is None


def test_signs_that_disagree_are_none():
    label = labels("E1 Activation Theme:B Cause:A", "E2 Inactivation Theme:B Cause:A", "E3 Regulation Theme:B Cause:A")
    assert label["AB"].sign is None
    assert label["AB"].agent == "A"
    label = labels("E1 Activation Theme:B Cause:A", "E2 Regulation Theme:B Cause:A")
    assert label["AB"].sign == "positive"


def test_what_only_a_negated_event_says_is_negated():
    label = labels("E1 Binding Theme:A Theme2:B !Negation")["AB"]
    assert (label.types, label.negated, label.speculated) == (frozenset(), True, False)
    label = labels("E1 Binding Theme:A Theme2:B !Negation", "E2 Binding Theme:A Theme2:B")["AB"]
    assert (label.types, label.negated) == ({"binding"}, False)
    label = labels("E1 Binding Theme:A Theme2:B !Negation", "E2 Activation Theme:B Cause:A")["AB"]
    assert (label.types, label.negated, label.with_types("binding").negated) == ({REGULATION}, False, True)


def test_what_is_only_speculated_is_said_and_marked():
    label = labels("E1 Binding Theme:A Theme2:B !Speculation")["AB"]
    assert (label.types, label.speculated, label.negated) == ({"binding"}, True, False)
    label = labels("E1 Binding Theme:A Theme2:B !Speculation", "E2 Binding Theme:A Theme2:B !Negation")["AB"]
    assert (label.types, label.speculated) == ({"binding"}, True)
    assert not labels("E1 Binding Theme:A Theme2:B !Speculation", "E2 Binding Theme:A Theme2:B")["AB"].speculated


def test_negation_below_counts_and_above_does_not():
    below = labels("E1 Activation Theme:E2 Cause:A", "E2 Gene_expression Theme:B !Negation")["AB"]
    assert below.negated
    found = labels("E1 Regulation Theme:E2 Cause:C !Negation", "E2 Binding Theme:A Theme2:B")
    assert not found["AB"].negated
    assert found["AC"].negated
    assert found["BC"].negated


def test_equivalent_mentions_share_what_is_said():
    found = labels("E1 Activation Theme:C Cause:A", equivalences=[("A", "B")])
    assert set(found) == {"AC", "BC"}
    assert found["BC"].statements == (EventStatement(REGULATION, "B", "C", "positive"),)
    ((_, all_labels),) = labelled_pairs(document("E1 Binding Theme:A Theme2:B", equivalences=[("A", "B")]))
    assert [(label.e1, label.e2) for label in all_labels if label.equivalent] == [("A", "B")]
    assert not any(label.statements for label in all_labels)


def test_other_types_of_entities_can_be_asked_for():
    ((_, found),) = labelled_pairs(
        document("E1 Binding Theme:A Theme2:X"), protein_types={"Protein", "Simple_chemical"}
    )
    assert [label.e1 + label.e2 for label in found if label.types] == ["AX"]
    assert len(found) == 10


def test_only_pairs_of_one_sentence_are_given():
    first = Sentence("s0", "A B", (Entity("A", "A", ((0, 1),), "Protein"), Entity("B", "B", ((2, 3),), "Protein")))
    second = Sentence("s1", "C", (Entity("C", "C", ((0, 1),), "Protein"),), offset=4)
    event = Event("E1", "Binding", "t", (("Theme", "A"), ("Theme2", "B"), ("Theme3", "C")))
    made = Document("d", (first, second), triggers=(Trigger("t", "B", ((2, 3),), "Binding"),), events=(event,))
    assert [(sentence.id, [label.e1 + label.e2 for label in found]) for sentence, found in labelled_pairs(made)] == [
        ("s0", ["AB"]),
        ("s1", []),
    ]


def test_nesting_that_doubles_at_every_step_stays_small():
    events = ["E0 Gene_expression Theme:A Theme2:B"]
    events += [f"E{step} Regulation Theme:E{step - 1} Theme2:E{step - 1}" for step in range(1, 200)]
    events += ["E999 Activation Theme:E199 Cause:C"]
    assert set(labels(*events)) == {"AC", "BC"}


def test_splitting_into_sentences_keeps_events():
    text = "Cells were lysed. A-Raf phosphorylates MEK1. The assay was repeated."
    mentions = tuple(
        Entity(name, name, ((text.index(name), text.index(name) + len(name)),), "Protein") for name in ("A-Raf", "MEK1")
    )
    word = "phosphorylates"
    trigger = Trigger("t", word, ((text.index(word), text.index(word) + len(word)),), "Phosphorylation")
    event = Event("E1", "Phosphorylation", "t", (("Theme", "MEK1"), ("Cause", "A-Raf")))
    (parsed,) = parse_documents([Document("d", (Sentence("s", text, mentions),), triggers=(trigger,), events=(event,))])
    assert (len(parsed.sentences), parsed.events, parsed.triggers) == (3, (event,), (trigger,))
    (label,) = [label for _, found in labelled_pairs(parsed) for label in found]
    assert (label.types, label.agent, label.target, label.kinds) == (
        {MODIFICATION},
        "A-Raf",
        "MEK1",
        {"phosphorylation"},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pairs", "binding", "cause_to_theme"),
    [
        ("bionlp-st-2013-pc", 9298, 506, 1423),
        ("bionlp-st-2013-cg", 5982, 143, 449),
        ("bionlp-st-2011-ge", 18145, 412, 1530),
        ("bionlp-st-2011-epi", 9637, 0, 228),
    ],
)
def test_counts_of_the_shared_tasks(corpora_folder, name, pairs, binding, cause_to_theme):
    found = [
        label
        for document in parse_documents(corpora.read(corpora.find(name)), dependencies="basic")
        for _, labels in labelled_pairs(document)
        for label in labels
    ]

    def stated(*types: str) -> int:
        chosen = [label.with_types(*types) for label in found]
        return sum(bool(label.types) and not label.speculated for label in chosen)

    # the counts are of sentences that another version of the pipeline made
    assert len(found) == pytest.approx(pairs, rel=0.03)
    assert stated("binding") == pytest.approx(binding, rel=0.05)
    assert stated("modification", "regulation") == pytest.approx(cause_to_theme, rel=0.06)
