"""Which interactions are reported, and the words and signs for how they interact."""

from dataclasses import replace

import annotated
import pytest

import corpora
from ppi.annotation.annotator import Annotator
from ppi.annotation.relationship import Relationship
from ppi.annotation.settings import Selection
from ppi.annotation.text_output import HEADING, TYPED_HEADING, table_lines
from ppi.core import UsageError
from ppi.extraction import Extractor

INTERACTIONS = annotated.typed().interactions


def kept(selection):
    return [number for number, interaction in enumerate(INTERACTIONS) if selection.keeps(interaction)]


def test_doubtful_interactions_are_left_out_unless_asked_for():
    assert kept(Selection()) == [0, 1, 2, 3, 4]
    assert kept(Selection.from_types(None, include_negated=True)) == [0, 1, 2, 3, 4, 5]
    assert kept(Selection.from_types((), include_hedged=True)) == [0, 1, 2, 3, 4, 6]


def test_types_are_chosen():
    assert kept(Selection.from_types(["binding"])) == [0]
    assert kept(Selection.from_types({"regulation", "modification"}, include_hedged=True)) == [1, 2, 3, 4, 6]
    assert Selection.from_types(["regulation", "binding", "binding"]).types == ("binding", "regulation")


def test_interactions_without_types_are_kept_unless_a_type_is_asked_for():
    (untyped, *_) = annotated.profilin().interactions
    assert Selection().keeps(untyped)
    assert not Selection(include_negated=True).keeps(replace(untyped, hedged=True))
    assert not Selection.from_types(["binding"]).keeps(untyped)


@pytest.mark.parametrize("types", [["friendship"], "binding"])
def test_unknown_types_are_named(types):
    with pytest.raises(UsageError, match=r"expected types of interaction among .*'binding'"):
        Annotator(types=types)


def test_the_annotator_leaves_out_what_is_not_selected(monkeypatch):
    from ppi.annotation import annotator as module

    made = module.pair_interaction

    def denied(graph, *facts, **options):
        return replace(made(graph, *facts, **options), negated="not" in graph.sentence.text)

    monkeypatch.setattr(module, "pair_interaction", denied)
    text = "Profilin binds actin. Cofilin does not bind gelsolin."
    usual, everything = Annotator(min_probability=0.0), Annotator(min_probability=0.0, include_negated=True)
    assert [one.names for one in usual.annotate(text)] == [("Profilin", "actin")]
    assert [one.negated for one in everything.annotate(text)] == [False, True]
    (document,) = usual.annotate_documents(
        [usual.annotate_document(annotated.profilin().document).document],
        selection=Selection(include_negated=True),
    )
    assert document.interactions


def test_a_type_of_a_model_without_types_is_refused():
    untyped = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
    with pytest.raises(UsageError, match=r"expected a model that knows types, for \('binding',\), got one without"):
        Annotator(model=untyped, types=["binding"], min_probability=0.0).annotate("Profilin binds actin.")


@pytest.mark.parametrize(
    ("relationship", "arrow", "label", "verb"),
    [
        (Relationship(), "", "", ""),
        (Relationship("binding"), "--", "binding", "binds"),
        (Relationship("modification"), "->", "modification", "modifies"),
        (Relationship("modification", kind="deubiquitination"), "->", "deubiquitination", "deubiquitinates"),
        (Relationship("modification", kind="cleavage"), "->", "cleavage", "modifies"),
        (Relationship("regulation"), "->", "regulation", "regulates"),
        (Relationship("regulation", "positive"), "->", "positive regulation", "activates"),
        (Relationship("regulation", "negative"), "-|", "negative regulation", "inhibits"),
    ],
)
def test_words_and_signs(relationship, arrow, label, verb):
    assert (relationship.arrow(True), relationship.label, relationship.verb) == (arrow, label, verb)


def test_the_table_has_arrows_types_and_doubts():
    heading, *lines = table_lines([annotated.without_interactions(), annotated.typed()])
    assert heading == TYPED_HEADING
    who, where = lines[::2], lines[1::2]
    assert who[0].split() == ["0.960", "Profilin", "--", "actin", "binding"]
    assert who[1].split() == ["0.900", "LIMK1", "->", "Cofilin", "phosphorylation"]
    assert who[3].split() == ["0.800", "Gelsolin", "-|", "actin", "negative", "regulation"]
    assert where[0].strip() == "4711: Profilin binds actin."
    assert where[5].strip() == "4711: [negated] MDM2 does not bind actin."
    assert where[6].strip() == "4711: [hedged] LIMK1 may modify actin."
    assert max(map(len, [heading, *lines])) <= 80


def test_two_names_of_one_protein_are_told_to_the_reader():
    each = annotated.typed()
    same = replace(each.interactions[0], same=True)
    assert repr(same).endswith(", same protein>")
    lines = list(table_lines([replace(each, interactions=(same,))]))
    assert lines[-1].strip() == "4711: [same protein] Profilin binds actin."


def test_the_table_without_types_is_as_it_was():
    heading, *lines = table_lines([annotated.profilin()])
    assert heading == HEADING.rstrip()
    assert lines[0].split() == ["0.930", "Profilin", "(PFN1)", "actin", "(2", "candidates)"]
    assert lines[1].strip().startswith("10022882: ")
    assert list(table_lines([])) == [HEADING.rstrip()]


def test_the_table_explains_in_words():
    (interaction,) = annotated.typed(explained=True).interactions[5:6]
    lines = list(table_lines([replace(annotated.typed(), interactions=(interaction,))], explain=True))
    assert [line.strip() for line in lines[3:6]] == [
        "“binds” stands on the path between them",
        "they are joined by: binds -nsubj-> Profilin, binds -dobj-> actin",
        "the sentence denies it: “not”",
    ]
    assert lines[6].strip().startswith("up: feature 0 +0.500")


def test_reasons_name_all_words_and_cues():
    why = replace(annotated.evidence(""), joining=(), hedge_cues=("may",))
    assert why.reasons() == ["no path in the parse joins them", "the sentence only supposes it: “may”"]
    several = replace(annotated.evidence(), joining=("shown", "interact", "complex"))
    assert several.reasons()[0] == "“shown”, “interact” and “complex” stand on the path between them"


def test_evidence_of_real_sentences_names_what_joins_and_what_denies():
    annotator = Annotator(min_probability=0.0, include_negated=True)
    (interaction,) = annotator.annotate("Profilin does not bind actin.")
    assert interaction.evidence.joining == ("bind",)
    assert interaction.evidence.negation_cues == ("not",)
