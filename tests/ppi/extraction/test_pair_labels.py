"""Labelled pairs of corpora that only say what is related; every count by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import ConceptRelation, Document, Entity, Pair, Relation, Sentence
from ppi.core import TrainingError, UsageError
from ppi.extraction.examples import MAX_TRAINING_SENTENCE_TOKENS, collect_examples, relation_types
from ppi.extraction.pair_labels import label_pairs, relation_pairs


def names(words, *, types=None, ids=None, first=0):
    """One sentence of these words, each a mention."""
    text, entities, at = " ".join(words), [], 0
    for number, word in enumerate(words):
        entities.append(
            Entity(
                f"T{first + number}",
                word,
                ((at, at + len(word)),),
                (types or {}).get(word, "Protein"),
                tuple((ids or {}).get(word, "").split()),
            )
        )
        at += len(word) + 1
    return text, tuple(entities)


def document(words="A B C", pairs=(), relations=(), concepts=(), id="d", **options):
    text, entities = names(words.split(), **options)
    concepts = tuple(ConceptRelation(f"R{n}", *each) for n, each in enumerate(concepts))
    return Document(
        id, (Sentence(f"{id}.s", text, entities, tuple(pairs)),), tuple(relations), concept_relations=concepts
    )


def labels(found):
    """What is said of each two words."""
    return {
        "".join(sorted(sentence.entity(id).text for id in (pair.e1, pair.e2))): (pair.label, *relation_types(pair))
        for each in found.documents
        for sentence in each.sentences
        for pair in sentence.pairs
    }


POSITIVE = Pair("p", "T0", "T1", True, "Binds")


def test_pairs_that_no_relation_joins_are_negatives_where_only_positives_are_listed():
    found = label_pairs([document(pairs=[POSITIVE])])
    assert labels(found) == {"AB": (True, "Binds"), "AC": (False,), "BC": (False,)}
    assert (found.counts["positive"], found.counts["negative"]) == (1, 2)
    assert any(note.startswith("negatives: 2 pairs of names in a sentence") for note in found.notes)


def test_a_corpus_that_labels_negatives_is_left_as_it_is():
    given = document(pairs=[POSITIVE, Pair("n", "T1", "T2", False)])
    found = label_pairs([given])
    assert found.documents == [given]
    assert found.notes == ()
    assert labels(label_pairs([given], negatives="cooccurring")) == {
        "AB": (True, "Binds"),
        "AC": (False,),
        "BC": (False,),
    }


def test_a_pair_that_is_listed_without_a_label_never_becomes_a_negative():
    unknown = Pair("u", "T1", "T2", None)
    for negatives in ("auto", "cooccurring"):
        found = label_pairs([document(pairs=[POSITIVE, unknown])], negatives=negatives)
        assert labels(found) == {"AB": (True, "Binds"), "AC": (False,), "BC": (None,)}


def test_none_makes_no_negatives_and_the_error_says_what_to_do():
    found = label_pairs([document(pairs=[POSITIVE])], negatives="none")
    assert labels(found) == {"AB": (True, "Binds")}
    with pytest.raises(
        TrainingError, match=r"expected negative pairs in x, got none among 1 .*--negatives cooccurring"
    ):
        collect_examples(found.documents, name="x")


def test_identifiers_are_projected_to_every_two_names_of_a_sentence():
    ids = {"A": "1", "a": "1 7", "B": "2", "C": "3", "D": ""}
    found = label_pairs([document("A a B C D", concepts=[("Bind", "2", "1"), ("Also", "1", "2")], ids=ids)])
    # A and a share an identifier, and D has none: nothing is said of them
    assert labels(found) == {
        "AB": (True, "Bind", "Also"),
        "Ba": (True, "Bind", "Also"),
        "AC": (False,),
        "Ca": (False,),
        "BC": (False,),
    }
    assert found.concepts == {"d": frozenset([frozenset("12")])}
    assert found.counts["relations of identifiers in a sentence"] == 1


def test_documents_without_a_relation_follow_the_rule_of_their_corpus():
    ids = {"A": "1", "a": "1", "B": "2", "D": ""}
    plain = document("A a B D", id="e", ids=ids)
    found = label_pairs([document("A B", concepts=[("Bind", "1", "2")], ids=ids), plain])
    assert labels(replace(found, documents=found.documents[1:])) == {"AB": (False,), "Ba": (False,)}


def test_identifiers_that_are_never_together_are_counted():
    found = label_pairs([document("A B C", concepts=[("X", "1", "2"), ("X", "1", "9")], ids={"A": "1", "C": "2"})])
    assert found.counts["relations of identifiers"] == 1
    assert found.counts["other relations"] == 1  # no name carries 9
    apart = Document(
        "f",
        (
            Sentence("s", "A", names(["A"], ids={"A": "1"})[1]),
            Sentence("t", "C", names(["C"], ids={"C": "2"}, first=5)[1]),
        ),
        concept_relations=(ConceptRelation("R", "X", "1", "2"),),
    )
    assert label_pairs([apart]).counts["relations of identifiers in a sentence"] == 0


def test_what_is_no_gene_or_protein_is_no_candidate():
    given = document(pairs=[POSITIVE, Pair("q", "T0", "T2", True, "Inhibits")], types={"C": "Chemical"})
    found = label_pairs([given])
    assert labels(found) == {"AB": (True, "Binds")}
    assert found.counts["other relations"] == 1
    assert [entity.text for entity in found.documents[0].sentences[0].entities] == ["A", "B"]


def test_only_relations_of_the_asked_types_are_interactions():
    given = document(pairs=[POSITIVE, Pair("q", "T0", "T2", True, "Part_of")])
    assert labels(label_pairs([given], relations=["Binds"])) == {"AB": (True, "Binds"), "AC": (False,), "BC": (False,)}
    assert labels(label_pairs([given], relations=["Binds"], negatives="none")) == {"AB": (True, "Binds")}
    with pytest.raises(UsageError, match=r"expected types of relations of x, among \['Binds', 'Part_of'\], got 'Bind'"):
        label_pairs([given], relations=["Bind"], name="x")


def test_two_relations_of_one_pair_are_one_positive_of_both_types():
    given = document("A B", pairs=[POSITIVE, Pair("q", "T1", "T0", True, "Inhibits")])
    assert labels(label_pairs([given])) == {"AB": (True, "Binds", "Inhibits")}


def test_relations_of_several_mentions_join_those_of_different_roles():
    roles = (("Trigger", "T3"), ("Theme", "T0"), ("Theme", "T1"), ("Cause", "T2"))
    found = relation_pairs(document("A B C binds", relations=[Relation("E", "Event", roles)]))
    assert set(found.mentions) == {frozenset({"T0", "T2"}), frozenset({"T1", "T2"})}
    assert found.protein_ids == {"T0", "T1", "T2"}  # the trigger is no name
    one_role = Relation("R", "Complex", (("Member", "T0"), ("Member", "T1"), ("Member", "T2")))
    assert len(relation_pairs(document(relations=[one_role])).mentions) == 3


def test_equivalent_mentions_are_no_pair():
    same = Relation("*1", "Equiv", (("Arg", "T0"), ("Arg", "T1")))
    assert labels(label_pairs([document(pairs=[Pair("p", "T0", "T2", True)], relations=[same])])) == {
        "AC": (True,),
        "BC": (False,),
    }


def test_long_sentences_are_left_out_and_counted():
    found = label_pairs(
        [document(" ".join(f"N{n}" for n in range(MAX_TRAINING_SENTENCE_TOKENS + 1)), pairs=[POSITIVE])]
    )
    assert labels(found) == {}
    assert found.counts["long sentences"] == 1


def test_ids_of_made_pairs_are_free():
    taken = Pair("d.s.i0", "T0", "T1", True)
    found = label_pairs([document(pairs=[taken])])
    ids = [pair.id for pair in found.documents[0].sentences[0].pairs]
    assert ids == ["d.s.i0", "d.s.i1", "d.s.i2"]


def test_an_unknown_way_is_refused():
    with pytest.raises(UsageError, match=r"expected negatives, one of \['auto', 'cooccurring', 'none'\], got 'some'"):
        label_pairs([], negatives="some")


@given(st.integers(0, 6), st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6), st.booleans())
def test_every_two_names_get_one_label_and_none_that_is_joined_is_negative(n, joined, complete):
    """Of n names in a sentence, whatever relations join, in whatever order and however often."""
    joined = {(a, b) for a, b in joined if a != b and max(a, b) < n}
    pairs = [Pair(f"p{number}", f"T{a}", f"T{b}", True) for number, (a, b) in enumerate(sorted(joined))]
    found = label_pairs(
        [document(" ".join("ABCDEF"[:n]), pairs=pairs)], negatives="cooccurring" if complete else "none"
    )
    said = [(frozenset((pair.e1, pair.e2)), pair.label) for s in found.documents[0].sentences for pair in s.pairs]
    positive = {frozenset((f"T{a}", f"T{b}")) for a, b in joined}
    assert len(said) == len(dict(said)) == (n * (n - 1) // 2 if complete else len(positive))
    assert {two for two, label in said if label} == positive
