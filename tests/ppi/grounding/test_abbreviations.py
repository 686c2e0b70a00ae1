"""Abbreviations of whole documents: long forms and kinds of their mentions, wherever the definition stands."""

from dataclasses import replace

import pytest

from corpora import DependencyGraph, Document, Entity, Sentence, Token
from ppi.annotation import Annotator
from ppi.grounding.abbreviations import expand_abbreviations
from ppi.language import CELL, CHEMICAL, FAMILY, KINDS, ORGANISM, OTHER, PROTEIN


def document(*sentences):
    """Sentences as (text, {name: kind}); each first occurrence of a name is a mention."""
    made = []
    for number, (text, names) in enumerate(sentences):
        entities = tuple(
            Entity(f"s{number}.e{index}", name, ((at, at + len(name)),), kind)
            for index, (name, kind) in enumerate(names.items())
            for at in [text.index(name)]
        )
        parse = DependencyGraph("p", "t", (Token("1", 0, 1, text[0]),))
        made.append(Sentence(f"s{number}", text, entities, parses=(parse,)))
    return Document("d", tuple(made))


def described(answer):
    return [(entity.text, entity.type, dict(entity.infons)) for each in answer.sentences for entity in each.entities]


def test_a_definition_counts_in_all_other_sentences_before_and_behind_it():
    found = expand_abbreviations(
        document(
            ("EPC bind VEGF.", {"EPC": PROTEIN, "VEGF": PROTEIN}),
            ("Endothelial progenitor cells (EPCs) grow.", {"EPCs": PROTEIN}),
            ("So do EPCs.", {"EPCs": FAMILY}),
        )
    )
    long = {"long_form": "Endothelial progenitor cells"}
    assert described(found) == [("EPC", CELL, long), ("VEGF", PROTEIN, {}), ("EPCs", CELL, long), ("EPCs", CELL, long)]


@pytest.mark.parametrize(
    ("text", "names", "kind"),
    [
        ("benzo[a]pyrene (BaP)", {"benzo[a]pyrene": CHEMICAL, "BaP": PROTEIN}, CHEMICAL),
        ("lipoteichoic acid (LTA)", {"LTA": PROTEIN}, CHEMICAL),
        ("hyaluronan (HA)", {"HA": PROTEIN}, CHEMICAL),
        ("Microtubules (MTs)", {"MTs": PROTEIN}, OTHER),
        ("neurofilament (NF)", {"NF": PROTEIN}, PROTEIN),
        ("epithelial-mesenchymal transition (EMT)", {"EMT": PROTEIN}, OTHER),
        ("amyloid precursor protein (APP)", {"amyloid precursor protein": PROTEIN, "APP": PROTEIN}, PROTEIN),
        ("amyloid precursor protein (APP)", {"amyloid precursor protein": PROTEIN, "APP": CHEMICAL}, PROTEIN),
        ("amyloid precursor protein (APP)", {"amyloid precursor protein": PROTEIN, "APP": OTHER}, OTHER),
        ("casein kinase 2 (CK2)", {"casein kinase": FAMILY, "CK2": PROTEIN}, PROTEIN),
    ],
)
def test_an_abbreviation_is_of_its_long_forms_kind(text, names, kind):
    assert described(expand_abbreviations(document((text, names))))[-1][1] == kind


def test_a_sentence_without_a_parse_gets_no_more_proteins():
    whole = document(("heat shock protein (HSP)", {"heat shock protein": PROTEIN, "HSP": ORGANISM}))
    assert described(expand_abbreviations(whole))[1][1] == PROTEIN
    unparsed = replace(whole, sentences=tuple(replace(each, parses=()) for each in whole.sentences))
    assert described(expand_abbreviations(unparsed))[1][1] == ORGANISM


def test_given_mentions_keep_their_types_and_get_long_forms():
    given = document(("retinal ganglion cells (RGCs) and RGC", {"RGCs": "Gene", "RGC": None}))
    given = replace(given, sentences=tuple(replace(each, entities=each.entities[:1]) for each in given.sentences))
    assert described(expand_abbreviations(given, from_pipeline=False)) == [
        ("RGCs", "Gene", {"long_form": "retinal ganglion cells"})
    ]


def test_other_infons_stay_and_work_twice_is_work_once():
    whole = document(("retinal ganglion cells (RGCs)", {"RGCs": PROTEIN}))
    entity = replace(whole.sentences[0].entities[0], infons=(("a", "b"), ("long_form", "x")))
    whole = replace(whole, sentences=(replace(whole.sentences[0], entities=(entity,)),))
    once = expand_abbreviations(whole)
    assert once.sentences[0].entities[0].infons == (("a", "b"), ("long_form", "retinal ganglion cells"))
    assert expand_abbreviations(once) == once


def test_documents_without_a_definition_are_the_same_object():
    plain = document(("Ras binds Raf.", {"Ras": PROTEIN, "Raf": PROTEIN}))
    assert expand_abbreviations(plain) is plain


def test_kinds_are_the_pipelines():
    found = expand_abbreviations(document(("benzo[a]pyrene (BaP) acts", {"BaP": PROTEIN})))
    assert {entity.type for each in found.sentences for entity in each.entities} <= set(KINDS)


def test_a_chemical_defined_in_one_passage_is_paired_in_none():
    passages = (
        Sentence("p0", "We studied lipoteichoic acid (LTA) of bacteria."),
        Sentence("p1", "LTA binds TLR2 and activates NF-kappaB.", offset=60),
    )
    found = Annotator(grounding=False).annotate_document(Document("d", passages))
    kinds = {entity.text: entity.type for each in found.document.sentences for entity in each.entities}
    assert kinds["LTA"] == CHEMICAL
    assert kinds["TLR2"] == PROTEIN
    assert not any("LTA" in interaction.names for interaction in found.interactions)
