"""Aliases, pairs of one protein and what a protein does to itself, in every format, by independent readers."""

import csv
import io
import json
from xml.etree import ElementTree

import annotated
import bioc
import networkx as nx
import pytest

import corpora
from ppi.export.formats import dumps, write
from ppi.export.jsonl import read_jsonl as read_lines
from ppi.export.parquet import read_parquet
from ppi.network import build_network


@pytest.fixture(scope="module")
def found():
    return annotated.one_protein()


@pytest.mark.parametrize(("ending", "read"), [("jsonl", read_lines), ("parquet", read_parquet)])
def test_what_is_read_back_is_what_was_written(found, tmp_path, ending, read):
    path = tmp_path / f"found.{ending}"
    write([found], path)
    assert [interaction for interaction, _ in read(path)] == list(found.interactions)


def test_json_lines_have_the_fields_where_they_say_something(found):
    lines = [json.loads(line) for line in dumps([found], "jsonl").splitlines()]
    assert [[name for name in ("aliases", "same", "homo") if name in line] for line in lines] == [
        ["aliases"],
        ["same"],
        ["homo"],
        ["homo"],
    ]
    assert lines[0]["aliases"][0]["proteins"][0]["text"] == "FALDH"
    assert lines[3]["agent"] == lines[3]["target"] == lines[3]["proteins"][0]["id"]


def test_csv_names_them(found):
    rows = list(csv.DictReader(io.StringIO(dumps([found], "csv").decode(), newline="")))
    assert [(row["aliases_1"], row["aliases_2"], row["same"], row["homo"]) for row in rows] == [
        ("FALDH", "", "false", "false"),
        ("", "", "true", "false"),
        ("", "", "false", "true"),
        ("", "", "false", "true"),
    ]
    assert [(row["agent"], row["target"]) for row in rows[2:]] == [("", ""), ("1", "2")]


def test_mitab_lists_the_other_names_and_says_what_is_special(found):
    rows = [line.split("\t") for line in dumps([found], "mitab").decode().splitlines()[1:]]
    assert "ppi-miner:FALDH(author assigned name)" in rows[0][4].split("|")
    assert rows[2][0] == rows[2][1]
    assert "homo: the text says that it interacts with itself" in rows[2][27]
    assert "same: both names are those of one protein" in rows[1][27]
    assert [row[16] for row in (rows[2], rows[3])] == ['psi-mi:"MI:0499"(unspecified role)', 'psi-mi:"MI:0501"(enzyme)']
    assert rows[3][17] == 'psi-mi:"MI:0502"(enzyme target)'


def test_indra_has_a_statement_for_autophosphorylation(found):
    statements = json.loads(dumps([found], "indra"))
    assert [each["type"] for each in statements] == ["Complex", "Complex", "Complex", "Autophosphorylation"]
    assert statements[3]["enz"]["name"] == "LIMK1"
    assert [member["name"] for member in statements[2]["members"]] == ["FALDH", "FALDH"]


def test_bioc_marks_relations(found):
    collection = bioc.biocxml.loads(dumps([found], "bioc-xml").decode())
    (document,) = collection.documents
    relations = [relation for passage in document.passages for relation in passage.relations]
    infons = [relation.infons for relation in relations]
    assert infons[0]["aliases_1"] == "FALDH"
    assert [(each.get("same"), each.get("homo")) for each in infons] == [
        (None, None),
        ("true", None),
        (None, "true"),
        (None, "true"),
    ]
    assert len({node.refid for node in relations[2].nodes}) == 1


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml", "pubtator"])
def test_documents_are_read_back(found, tmp_path, format):
    path = tmp_path / "out"
    path.write_bytes(dumps([found], format))
    (document,) = corpora.read(path, format)
    assert [entity.text for sentence in document.sentences for entity in sentence.entities] == [
        *("Aldehyde dehydrogenase", "FALDH", "PEX19", "FALDH", "LIMK1"),
    ]


def test_brat_folders_are_read_back(found, tmp_path):
    write([found], tmp_path / "brat", "brat")
    (document,) = corpora.read(tmp_path / "brat", "brat")
    assert sum(len(sentence.pairs) for sentence in document.sentences) == 4
    assert "homo\tArg:<RELATION>" in (tmp_path / "brat" / "annotation.conf").read_text()


def test_networks_have_loops_only_where_they_are_stated(found):
    network = build_network([found])
    loops = [edge for edge in network.edges if edge.source == edge.target]
    assert {(edge.source, edge.type) for edge in loops} == {("name:faldh", "binding"), ("name:limk1", "modification")}
    graph = nx.parse_graphml(dumps([found], "graphml").decode())
    assert nx.number_of_selfloops(graph) == 2
    assert b"FALDH\tbinds\tFALDH" in dumps([found], "sif")


def test_the_page_is_well_formed(found):
    page = dumps([found], "html").decode()
    assert page.count("FALDH") > 3
    start = page.index("<svg")
    ElementTree.fromstring(page[start : page.index("</svg>", start) + 6])
