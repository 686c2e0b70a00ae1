"""BioC as PubTator 3 exports it, and the identifiers in it."""

import json
from pathlib import Path

import pytest

from corpora.formats import bioc_json, bioc_xml
from corpora.formats.identifiers import join_identifiers, split_identifiers
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import ConceptRelation, Document


def note(id: str, text: str, offset: int, identifier: str | None, **infons) -> dict:
    return {
        "id": id,
        "infons": {"identifier": identifier, "type": "Gene", "valid": True, "normalized": [1], **infons},
        "text": text,
        "locations": [{"offset": offset, "length": len(text)}],
    }


ROLES = {
    "role1": {"identifier": "5216", "type": "Gene", "valid": True, "accession": "@GENE_PFN1"},
    "role2": {"identifier": "60;71", "type": "Gene", "valid": True, "accession": "@GENE_ACTB"},
}
ARTICLE = {
    "_id": "1|None",
    "id": "1",
    "infons": {},
    "passages": [
        {
            "infons": {"type": "title", "authors": ["A B"], "year": 2001},
            "offset": 0,
            "text": "Profilin binds actin",
            "sentences": [],
            "annotations": [note("2", "Profilin", 0, "5216"), note("3", "actin", 15, "60;71", name="ACTB")],
            "relations": [],
        },
        {
            "infons": {"type": "abstract"},
            "offset": 21,
            "text": "Actin again",
            "sentences": [],
            "annotations": [note("2", "Actin", 21, None)],
            "relations": [],
        },
    ],
    "relations": [
        {
            "id": "R1",
            "infons": {"score": 0.9, **ROLES, "type": "Bind"},
            "nodes": [{"refid": "2", "role": "0,1"}],
        }
    ],
    "pmid": 1,
    "pmcid": None,
    "relations_display": [{"name": "bind|@GENE_PFN1|@GENE_ACTB"}],
}
LAYOUTS = {
    "collection": json.dumps({"source": "", "infons": {}, "documents": [ARTICLE]}),
    "PubTator3": json.dumps({"PubTator3": [ARTICLE]}, indent=1),
    "lines": json.dumps(ARTICLE) + "\n",
    "list": json.dumps([ARTICLE], indent=2),
    "list of collections": json.dumps([{"source": "", "documents": [ARTICLE]}]),
}


def read(path: Path, text: str) -> list[Document]:
    path.write_text(text)
    return list(bioc_json.read(Source(path), ConversionLosses("BioC JSON", strict=True)))


def test_all_layouts_give_the_same(tmp_path):
    found = [read(tmp_path / "x.json", text) for text in LAYOUTS.values()]
    assert len(found[0]) == 1
    assert all(each == found[0] for each in found)


def test_several_documents_a_file_in_every_layout(tmp_path):
    other = {**ARTICLE, "id": "2"}
    texts = [f"{json.dumps(ARTICLE)}\n\n{json.dumps(other)}\n", json.dumps({"PubTator3": [ARTICLE, other]})]
    for text in texts:
        assert [document.id for document in read(tmp_path / "x.json", text)] == ["1", "2"]


def test_an_article_keeps_everything(tmp_path):
    (document,) = read(tmp_path / "x.json", LAYOUTS["PubTator3"])
    title, abstract = document.sentences
    assert dict(title.infons) == {"type": "title", "authors": '["A B"]', "year": "2001"}
    profilin, actin = title.entities
    assert (profilin.id, profilin.type, profilin.identifiers) == ("2", "Gene", ("5216",))
    assert (actin.identifiers, actin.infons) == (
        ("60", "71"),
        (("valid", "true"), ("normalized", "[1]"), ("name", "ACTB")),
    )
    (again,) = abstract.entities
    assert (again.id, again.orig_id, again.identifiers, again.spans) == ("2-2", "2", (), ((0, 5),))
    remarks = (
        ("score", "0.9"),
        ("role1", json.dumps(ROLES["role1"])),
        ("role2", json.dumps(ROLES["role2"])),
        ("nodes", '[["2", "0,1"]]'),
    )
    assert document.concept_relations == (
        ConceptRelation("R1", "Bind", "5216", "60", remarks),
        ConceptRelation("R1-2", "Bind", "5216", "71", (*remarks, ("orig_id", "R1"))),
    )
    assert dict(document.infons)["relations_display"] == '[{"name": "bind|@GENE_PFN1|@GENE_ACTB"}]'


@pytest.mark.parametrize("module", [bioc_json, bioc_xml], ids=["json", "xml"])
def test_an_article_survives_writing(tmp_path, module):
    wanted = read(tmp_path / "x.json", LAYOUTS["PubTator3"])
    with open(tmp_path / "y", "wb") as output:
        module.write(wanted, output, ConversionLosses("BioC"))
    assert list(module.read(Source(tmp_path / "y"), ConversionLosses("BioC"))) == wanted


def test_roles_as_words_are_understood(tmp_path):
    roles = {"role1": "Gene|5216", "role2": "60", "type": "Bind"}
    article = {**ARTICLE, "relations": [{"id": "R1", "infons": roles, "nodes": []}]}
    (document,) = read(tmp_path / "x.json", json.dumps(article))
    assert document.concept_relations == (ConceptRelation("R1", "Bind", "5216", "60", (("role1", "Gene|5216"),)),)


def test_relations_of_concepts_without_a_mention_are_kept(tmp_path):
    roles = {"role1": "Gene|5216", "role2": {"identifier": "999"}, "type": "Bind"}
    article = {**ARTICLE, "relations": [{"id": "R1", "infons": roles, "nodes": []}]}
    (document,) = read(tmp_path / "x.json", json.dumps(article))
    assert [(each.first, each.second) for each in document.concept_relations] == [("5216", "999")]


@pytest.mark.parametrize(
    ("written", "identifiers"),
    [
        ("", ()),
        ("-1", ()),
        ("MESH:D1|MESH:D2", ("MESH:D1", "MESH:D2")),
        ("D1,D2", ("D1", "D2")),
        (
            "tmVar:c|SUB|C|1|T;HGVS:c.1C>T;CorrespondingGene:5",
            ("tmVar:c|SUB|C|1|T;HGVS:c.1C>T;CorrespondingGene:5",),
        ),
    ],
)
def test_identifiers_are_split_where_they_end(written, identifiers):
    assert split_identifiers(written) == identifiers
    assert split_identifiers(join_identifiers(identifiers)) == identifiers


@pytest.mark.parametrize("identifiers", [("a;b",), ("",), ("a", "-", "b|c"), (" a",), ("-",)])
def test_identifiers_that_cannot_be_joined_are_told(identifiers):
    assert join_identifiers(identifiers) is None
