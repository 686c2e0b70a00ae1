"""Two mentions of one protein are no pair, and one statement under several names is one row."""

import pytest

from corpora import Entity, Pair, Sentence
from ppi.annotation.annotator import Annotator
from ppi.annotation.interactions import merge_aliases
from ppi.annotation.pairs import candidate_pairs
from ppi.annotation.results import Interaction

TEXT = "UL37 protein and UL20 bind UL37 in cells."


def sentence_of(text, *names, **remarks):
    found, start = [], 0
    for number, name in enumerate(names):
        start = text.index(name, start)
        infons = ((("long_form", remarks[name]),)) if name in remarks else ()
        found.append(Entity(f"e{number}", name, ((start, start + len(name)),), infons=infons))
        start += len(name)
    return Sentence("s", text, tuple(found))


def test_ids_are_the_same_whether_pairs_of_one_protein_are_kept():
    sentence = sentence_of(TEXT, "UL37 protein", "UL20", "UL37")
    kept = candidate_pairs(sentence, sentence.entities, keep_same=True)
    assert kept == [Pair("s.i0", "e0", "e1"), Pair("s.i1", "e0", "e2"), Pair("s.i2", "e1", "e2")]
    assert candidate_pairs(sentence, sentence.entities) == [kept[0], kept[2]]


def test_an_abbreviation_and_what_it_stands_for_are_no_pair():
    text = "amyloid precursor protein (APP) binds ATPase VPS4"
    names = ("amyloid precursor protein", "APP", "ATPase", "VPS4")
    sentence = sentence_of(text, *names, APP="amyloid precursor protein")
    pairs = [(pair.e1, pair.e2) for pair in candidate_pairs(sentence, sentence.entities)]
    assert ("e0", "e1") not in pairs
    assert ("e2", "e3") not in pairs
    assert len(pairs) == 4


def interaction(sentence, first, second, probability, **how):
    proteins = (sentence.entities[first], sentence.entities[second])
    return Interaction("d", sentence.id, sentence.text, 0, f"s.{first}{second}", proteins, 0.0, probability, **how)


def test_the_most_probable_pair_stands_for_the_statement_and_the_others_are_its_aliases():
    text = "aldehyde dehydrogenase (FALDH) binds PEX19, and PEX19 is bound by FALDH"
    names = ("aldehyde dehydrogenase", "FALDH", "PEX19", "PEX19", "FALDH")
    sentence = sentence_of(text, *names, FALDH="aldehyde dehydrogenase")
    found = [
        interaction(sentence, 0, 2, 0.6, type="binding"),
        interaction(sentence, 1, 2, 0.9, type="binding"),
        interaction(sentence, 3, 4, 0.9, type="regulation"),
        interaction(sentence, 2, 3, 0.5, same=True),
        interaction(sentence, 0, 2, 0.7, negated=True),
    ]
    best, same, denied = merge_aliases(found)
    assert (best.pair, best.type) == ("s.12", "binding")
    assert [(alias.pair, alias.probability, alias.type) for alias in best.aliases] == [
        ("s.02", 0.6, "binding"),
        ("s.34", 0.9, "regulation"),
    ]
    # as the statement's own: the aldehyde dehydrogenase first
    assert [alias.proteins[0].text for alias in best.aliases] == ["aldehyde dehydrogenase", "FALDH"]
    assert best.other_names(0) == ("aldehyde dehydrogenase",)
    assert best.other_names(1) == ()
    assert (same.pair, same.aliases) == ("s.23", ())
    assert (denied.negated, denied.aliases) == (True, ())


def test_other_proteins_and_other_sentences_are_statements_of_their_own():
    sentence = sentence_of("A1 binds B1 and C1", "A1", "B1", "C1")
    other = Sentence("t", sentence.text, sentence.entities)
    found = [interaction(sentence, 0, 1, 0.6), interaction(sentence, 0, 2, 0.7), interaction(other, 0, 1, 0.8)]
    assert merge_aliases(found) == found


@pytest.fixture(scope="module")
def given():
    return [(start := TEXT.index(name), start + len(name)) for name in ("UL37 protein", "UL20")] + [(27, 31)]


def test_the_annotator_keeps_pairs_of_one_protein_if_asked(given):
    pairs = [one.names for one in Annotator(min_probability=0.0).annotate(TEXT, entities=given)]
    assert pairs == [("UL37 protein", "UL20")] or pairs == [("UL20", "UL37")]
    kept = Annotator(min_probability=0.0, keep_same=True).annotate(TEXT, entities=given)
    assert [one.names for one in kept if one.same] == [("UL37 protein", "UL37")]
    assert len(kept) == 2


def test_without_grounding_names_have_no_identifiers():
    text = "Human ALDH3A2 binds PEX19."
    grounded = Annotator(min_probability=0.0).annotate(text)
    assert [entity.identifiers for entity in grounded[0].proteins] == [("ncbigene:224",), ("ncbigene:5824",)]
    plain = Annotator(min_probability=0.0, grounding=False).annotate(text)
    assert [entity.identifiers for entity in plain[0].proteins] == [(), ()]
