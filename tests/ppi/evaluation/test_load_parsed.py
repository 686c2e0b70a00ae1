"""Corpora as people have them, split, parsed and labelled: counts by hand in ``relation_files``."""

import pytest
import relation_files

import corpora
from corpora import CorpusError, Document, Entity, Pair, Sentence
from ppi.core import TrainingError, UsageError
from ppi.evaluation.corpus_evaluation import load_gold, load_parsed
from ppi.extraction import collect_examples


def counts(found):
    return found.counts.get("positive"), found.counts.get("negative")


def test_pubtator_with_relations_between_genes(tmp_path):
    found = load_gold(relation_files.pubtator(tmp_path))
    assert counts(found) == (5, 2)
    assert found.counts["relations of identifiers"] == 3
    assert found.counts["relations of identifiers in a sentence"] == 2
    assert found.counts["other relations"] == 1
    assert found.notes[0] == "the file has no parses: parsed by 'shipped'"
    assert len(collect_examples(found.documents)) == 7


def test_bioc_with_genes_in_remarks(tmp_path):
    found = load_gold(relation_files.bioc(tmp_path))
    assert counts(found) == (1, 2)
    assert found.concepts == {"9": frozenset([frozenset({"3717", "6776"})])}


def test_brat_with_positives_only_does_not_join_sentences_that_a_relation_crosses(tmp_path):
    found = load_gold(relation_files.brat(tmp_path))
    (document,) = found.documents
    assert [sentence.text for sentence in document.sentences] == [
        "RAD51 binds BRCA2 and p53, with ATP.",
        "MDM2 degrades p53.",
    ]
    assert counts(found) == (1, 3)
    assert found.counts["across sentences"] == 1
    assert "left out: 1 relation between mentions of different sentences" in found.notes


def test_events_are_split_and_have_their_own_negatives(tmp_path):
    path = relation_files.events(tmp_path)
    examples = collect_examples(load_gold(path).documents)
    assert sorted(examples.types) == [(), (), ("binding",), ("regulation",)]
    with pytest.raises(TrainingError, match="expected negative pairs that events lists, got events"):
        load_gold(path, negatives="none")
    with pytest.raises(UsageError, match="expected no types of relations for events"):
        load_gold(path, relations=["Binding"])


def test_sentences_of_a_file_stay_whole_even_if_a_splitter_would_cut_them(tmp_path):
    text = "Here. A binds B"
    entities = (Entity("a", "A", ((6, 7),)), Entity("b", "B", ((14, 15),)))
    sentence = Sentence("d.s0", text, entities, (Pair("p", "a", "b", True),))
    corpora.write([Document("d", (sentence,))], tmp_path / "made.xml", "turku")
    assert [each.text for each in load_parsed(str(tmp_path / "made.xml"), "shipped")[0].sentences] == [text]


def test_a_record_with_contradictions_is_an_error_or_is_left_out_and_said(tmp_path):
    path = relation_files.pubtator(tmp_path, text=relation_files.PUBTATOR.replace("\t0\t5\tTitin", "\t0\t5\tTiten"))
    with pytest.raises(CorpusError, match="expected the text 'Titen' at 0-5, got 'Titin'"):
        load_gold(path)
    problems = []
    found = load_gold(path, problems=problems)
    assert len(problems) == 1
    assert found.notes[0].startswith("left out: 1 record with contradictions; the first: ")
    assert counts(found) == (5, 2)
    assert found.counts["relations of identifiers"] == 2  # nobody carries Titin's


def test_a_file_with_nothing_but_contradictions_is_an_error(tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"id": 7}\n')
    with pytest.raises(CorpusError, match=r"bad\.jsonl"):
        load_gold(str(tmp_path / "bad.jsonl"), problems=[])
