"""Relations between identifiers: BioC in the words of several producers, old JSON lines, and pairs of mentions."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
from corpora.distant_supervision import with_concept_pairs
from corpora.types import ConceptRelation, Document, Entity, Pair, Sentence


def sentence(id: str, *groundings: str, offset: int = 0, pairs=()) -> Sentence:
    """Mentions called A, B, ... in this order, each with the identifiers in its string."""
    names = "ABCDEFGH"[: len(groundings)]
    entities = tuple(
        Entity(f"{id}{name}", name, ((2 * place, 2 * place + 1),), "Gene", tuple(grounding.split()))
        for place, (name, grounding) in enumerate(zip(names, groundings, strict=True))
    )
    return Sentence(id, " ".join(names), entities, pairs, offset=offset)


def document(*sentences: Sentence, relations: str) -> Document:
    """Relations written as ``Bind 1 2``, separated by commas."""
    made = (ConceptRelation(f"R{n}", *each.split()) for n, each in enumerate(relations.split(","), start=1))
    return Document("d", sentences, concept_relations=tuple(made))


def pairs(document: Document) -> list[tuple[str | None, str, str]]:
    projected = with_concept_pairs(document)
    return [(pair.type, pair.e1, pair.e2) for each in projected.sentences for pair in each.pairs]


@pytest.mark.parametrize(
    ("sentences", "relations", "expected"),
    [
        ([("1", "2")], "Bind 1 2", [("Bind", "aA", "aB")]),
        # the order of the relation, not of the text
        ([("1", "2")], "Bind 2 1", [("Bind", "aB", "aA")]),
        ([("1", "3")], "Bind 1 2", []),
        # every two mentions that carry them, in every sentence
        ([("1", "2", "1"), ("2", "1")], "Bind 1 2", [("Bind", "aA", "aB"), ("Bind", "aC", "aB"), ("Bind", "bB", "bA")]),
        # not across sentences
        ([("1",), ("2",)], "Bind 1 2", []),
        # several identifiers of a mention; several that say the same
        ([("1 7", "2")], "Bind 7 2", [("Bind", "aA", "aB")]),
        ([("1 7", "2")], "Bind 7 2,Bind 1 2,Bind 2 1", [("Bind", "aA", "aB")]),
        ([("1", "2")], "Bind 1 2,Inhibit 1 2", [("Bind", "aA", "aB"), ("Inhibit", "aA", "aB")]),
        # both carry both: the one that comes first
        ([("1 2", "1 2")], "Bind 2 1", [("Bind", "aA", "aB")]),
        # one mention alone, one identifier twice
        ([("1 2", "3")], "Bind 1 2", []),
        ([("1", "1")], "Bind 1 1", []),
    ],
)
def test_pairs_of_mentions_by_hand(sentences, relations, expected):
    made = [sentence("ab"[n], *groundings, offset=50 * n) for n, groundings in enumerate(sentences)]
    assert pairs(document(*made, relations=relations)) == expected


def test_pairs_keep_type_remarks_and_what_is_there():
    given_pair = Pair("R1.1", "aB", "aA", False, "Bind")
    relation = ConceptRelation("R1", "Bind", "1", "2", (("novelty", "Novel"),))
    made = Document("d", (sentence("a", "1", "2", "2", pairs=(given_pair,)),), concept_relations=(relation,))
    projected = with_concept_pairs(made)
    assert projected.sentences[0].pairs == (given_pair, Pair("R1.2", "aA", "aC", True, "Bind", relation.infons))
    assert projected.concept_relations == (relation,)
    bare = Document("d", made.sentences)
    assert with_concept_pairs(bare) is bare


def naive_pairs(sentence: Sentence, relation: ConceptRelation) -> set[frozenset[str]]:
    """Straight from the words: all ordered pairs of mentions, asked one by one."""
    return {
        frozenset((one.id, other.id))
        for one, other in permutations(sentence.entities, 2)
        if relation.first != relation.second
        and relation.first in one.identifiers
        and relation.second in other.identifiers
    }


IDS = st.sampled_from("1234")


@given(st.lists(st.lists(IDS, max_size=3).map(" ".join), max_size=5), st.lists(st.tuples(IDS, IDS), max_size=3))
def test_projection_is_that_of_asking_every_two_mentions(groundings, ends):
    relations = tuple(ConceptRelation(f"R{n}", f"t{n}", *each) for n, each in enumerate(ends))
    made = Document("d", (sentence("a", *groundings),), concept_relations=relations)
    (projected,) = with_concept_pairs(made).sentences
    for relation in relations:
        found = [frozenset((pair.e1, pair.e2)) for pair in projected.pairs if pair.type == relation.type]
        assert len(found) == len(set(found))
        assert set(found) == naive_pairs(projected, relation)


def bioc(tmp_path: Path, relations: list[dict]) -> Path:
    passage = {
        "offset": 0,
        "text": "A binds B",
        "annotations": [
            {"id": "1", "infons": {"NCBI GENE": "7"}, "text": "A", "locations": [{"offset": 0, "length": 1}]},
            {"id": "2", "infons": {"NCBI GENE": "1"}, "text": "B", "locations": [{"offset": 8, "length": 1}]},
        ],
    }
    path = tmp_path / "x.bioc.json"
    path.write_text(json.dumps({"documents": [{"id": "d", "passages": [passage], "relations": relations}]}))
    return path


@pytest.mark.parametrize(
    ("infons", "expected"),
    [
        ({"Gene1": "7", "Gene2": "1", "relation": "PPIm"}, ConceptRelation("R0", "PPIm", "7", "1")),
        (
            {"entity1": "7", "entity2": "1", "type": "Bind", "novel": "No"},
            ConceptRelation("R0", "Bind", "7", "1", (("novel", "No"),)),
        ),
        (
            {"relation": "CID", "Chemical": "D1", "Disease": "D2"},
            ConceptRelation("R0", "CID", "D1", "D2"),
        ),
        ({"corpora:concepts": '["a;b", "Gene|1"]', "type": ""}, ConceptRelation("R0", "", "a;b", "Gene|1")),
    ],
)
@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml", "jsonl"])
def test_remarks_that_name_identifiers_are_read_and_written(tmp_path, infons, expected, format):
    (read,) = corpora.read(bioc(tmp_path, [{"id": "R0", "infons": infons, "nodes": []}]))
    assert (read.relations, read.concept_relations) == ((), (expected,))
    corpora.write([read], tmp_path / "again", format)
    assert list(corpora.read(tmp_path / "again", format)) == [read]


def test_nodes_that_name_identifiers_are_told_from_those_that_name_mentions(tmp_path):
    nodes = [[{"refid": "7", "role": "Agent"}, {"refid": "7", "role": "Arg2"}], [{"refid": "1"}, {"refid": "2"}]]
    path = bioc(tmp_path, [{"id": f"R{n}", "infons": {"type": "t"}, "nodes": each} for n, each in enumerate(nodes)])
    (read,) = corpora.read(path)
    assert read.concept_relations == (ConceptRelation("R0", "t", "7", "7", (("e1_role", "Agent"),)),)
    assert [(pair.e1, pair.e2) for pair in read.sentences[0].pairs] == [("1", "2")]


@pytest.mark.parametrize("infons", [{"Gene1": "7"}, {"Gene1": "7", "Gene2": "-"}, {"corpora:concepts": "[1]"}])
def test_remarks_that_name_no_two_identifiers_stay_remarks(tmp_path, infons):
    (read,) = corpora.read(bioc(tmp_path, [{"id": "R0", "infons": infons, "nodes": []}]))
    assert read.concept_relations == ()
    assert dict(read.relations[0].infons) == infons


def test_too_many_identifiers_in_a_relation_are_refused(tmp_path):
    many = ";".join("a" * 400)
    path = bioc(tmp_path, [{"id": "R0", "infons": {"Gene1": many, "Gene2": many}, "nodes": []}])
    with pytest.raises(corpora.FormatError, match="d: expected at most 100,000 annotations"):
        list(corpora.read(path))


def test_old_json_lines_are_read_as_if_written_now(tmp_path):
    old = sentence("a", "1", "2")
    value = Document("d", (old,)).to_json()
    value["relations"] = [
        {"id": "R1", "type": "Bind", "arguments": [["Arg1", "1"], ["Agent", "2"]]},
        {"id": "R2", "type": "Bind", "arguments": [["Arg1", "1"], ["Arg2", "aB"]]},
    ]
    (tmp_path / "x.jsonl").write_text(json.dumps(value))
    (read,) = corpora.read(tmp_path / "x.jsonl")
    assert read.concept_relations == (ConceptRelation("R1", "Bind", "1", "2", (("e2_role", "Agent"),)),)
    assert [relation.id for relation in read.relations] == ["R2"]


@pytest.mark.parametrize("bad", [{"id": "R", "type": "t", "first": "1"}, {"id": "R", "type": "t", "first": 1}])
def test_bad_json_names_the_field(tmp_path, bad):
    (tmp_path / "x.jsonl").write_text(json.dumps({"id": "d", "concept_relations": [bad]}))
    with pytest.raises(corpora.FormatError, match=r"second|ConceptRelation\.first"):
        list(corpora.read(tmp_path / "x.jsonl", "jsonl"))


@pytest.mark.parametrize(
    ("format", "what"),
    [
        ("turku", "1 document-level relations"),
        ("conllu", "1 document-level relations"),
        ("brat", "1 relations of concepts"),
        ("bionlp", "1 relations of concepts"),
    ],
)
def test_other_formats_count_them_as_lost(tmp_path, format, what):
    made = document(sentence("a", "1", "2"), relations="Bind 1 2")
    with pytest.raises(corpora.LossError, match=what):
        corpora.write([made], tmp_path / "out", format, strict=True)


def test_the_relations_of_a_real_corpus_are_read(corpora_folder):
    problems: list = []
    path = corpora_folder / "events" / "bc6pm-relations-train.bioc.json.gz"
    documents = list(corpora.read(path, problems=problems))
    assert sum(len(each.concept_relations) for each in documents) >= 700
    assert {each.type for document in documents for each in document.concept_relations} == {"PPI", "PPIm"}
