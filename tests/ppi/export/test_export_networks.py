"""Networks as files, read back by networkx, csv and json; and their drawing."""

import csv
import io
import json
from xml.etree import ElementTree

import annotated
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppi.annotation import to_json
from ppi.cli import main
from ppi.core import UsageError
from ppi.export import network_files
from ppi.export.formats import NETWORK_FORMATS, dumps, write, write_network
from ppi.network import build_network, combine_papers, draw

SVG = "{http://www.w3.org/2000/svg}"


def written(network, format: str) -> bytes:
    output = io.BytesIO()
    getattr(network_files, f"write_network_{format}")(network, output)
    return output.getvalue()


def test_graphml_reads_back_in_networkx_with_types():
    network = build_network([annotated.profilin()])
    graph = nx.parse_graphml(written(network, "graphml").decode())
    assert set(graph) == {"ncbigene:5216", "name:actin", "name:cofilin", "name:cfl1"}
    edge = graph.edges["ncbigene:5216", "name:actin"]
    assert edge["probability"] == 0.93
    assert edge["papers"] == 1
    assert edge["sentence"] == "Profilin binds actin and inhibits its polymerization."
    assert graph.nodes["ncbigene:5216"]["label"] == "PFN1"


def test_graphml_says_who_is_who():
    graph = nx.parse_graphml(written(build_network([annotated.families()]), "graphml").decode())
    group, gene = (graph.nodes[key] for key in ("fplx:AMPK", "kegg.genes:eco:b0002"))
    assert (group["label"], group["entity_kind"], group["species"]) == ("AMPK", "complex", "")
    assert (gene["label"], gene["taxid"], gene["species"]) == ("thrA", "562", "Escherichia coli")
    assert (gene["identifier"], gene["uniprot"], gene["names"]) == ("kegg.genes:eco:b0002", "P00561", "ThrA")


def test_graphml_declares_before_it_uses():
    """The schema wants keys before the graph; Cytoscape's reader relies on it."""
    root = ElementTree.fromstring(written(build_network([annotated.profilin()]), "graphml"))
    tags = [child.tag.rpartition("}")[2] for child in root]
    assert tags == sorted(tags, key=lambda tag: tag == "graph")
    kinds = {key.get("attr.name"): key.get("attr.type") for key in root if key.tag.endswith("key")}
    assert kinds["probability"] == "double"
    assert kinds["papers"] in ("int", "long")
    assert kinds["label"] == "string"


def test_graphml_of_types_is_a_directed_multigraph_for_networkx():
    typed = build_network([annotated.typed()], include_hedged=True)
    graph = nx.parse_graphml(written(typed, "graphml").decode(), force_multigraph=True)
    assert graph.is_directed()
    found = {(source, edge["interaction"], target) for source, target, edge in graph.edges(data=True)}
    assert ("name:limk1", "phosphorylates", "name:cofilin") in found
    assert ("name:gelsolin", "inhibits", "name:actin") in found
    (inhibits,) = graph.get_edge_data("name:gelsolin", "name:actin").values()
    assert inhibits["type"] == "regulation"
    assert (inhibits["sign"], inhibits["kind"], inhibits["directed"]) == ("negative", "", True)
    (binds,) = graph.get_edge_data("name:actin", "name:profilin").values()
    assert binds["directed"] is False
    root = ElementTree.fromstring(written(typed, "graphml"))
    ids = [element.get("id") for element in root.iter() if element.tag.endswith("}edge")]
    assert len(set(ids)) == len(typed.edges)


def test_sif_names_the_relations():
    lines = dumps([annotated.typed()], "sif").decode().splitlines()
    assert set(lines) == {
        "actin\tbinds\tProfilin",
        "LIMK1\tphosphorylates\tCofilin",
        "RhoA\tactivates\tmDia1",
        "Gelsolin\tinhibits\tactin",
        "RhoA\tregulates\tCofilin",
        "LIMK1\tmodifies\tactin",
    }


def test_csv_and_json_say_how_only_where_it_is_known():
    typed = build_network([annotated.typed()])
    rows = {row["relation"]: row for row in csv.DictReader(io.StringIO(written(typed, "csv").decode(), newline=""))}
    how = ("protein_1", "protein_2", "type", "sign", "kind", "directed")
    assert [rows["inhibits"][name] for name in how] == [
        *("name:gelsolin", "name:actin", "regulation", "negative", "", "true")
    ]
    edges = {edge["target"]: edge for edge in json.loads(written(typed, "json"))["edges"]}
    assert edges["name:profilin"]["type"] == "binding"
    assert "directed" not in edges["name:profilin"]
    assert edges["name:mdia1"]["directed"] is True
    (row, *_) = csv.DictReader(io.StringIO(written(build_network([annotated.profilin()]), "csv").decode(), newline=""))
    assert (row["relation"], row["type"], row["directed"]) == ("pp", "", "false")


@given(st.lists(annotated.annotated(typed=True), max_size=3))
@settings(max_examples=50)
def test_any_typed_network_can_be_written_and_drawn(many):
    network = build_network(many, min_probability=0.0, include_hedged=True)
    graph = nx.parse_graphml(dumps(many, "graphml").decode(), force_multigraph=True)
    assert graph.number_of_edges() == len(network.edges)
    root = ElementTree.fromstring(draw(network))
    assert len([element for element in root.iter() if element.get("class") == "edge"]) == len(network.edges)
    assert len([element for element in root.iter() if element.get("class") == "node"]) == len(network.proteins)


@given(st.lists(annotated.annotated(), max_size=3))
@settings(max_examples=50)
def test_any_text_makes_graphml_that_networkx_reads(many):
    network = build_network(many, min_probability=0.0)
    graph = nx.parse_graphml(dumps(many, "graphml").decode())
    assert len(graph) == len(network.proteins)
    assert graph.number_of_edges() == len(network.edges)


@given(st.lists(annotated.annotated(), max_size=3))
def test_sif_has_three_columns_and_each_protein_one_name(many):
    network = build_network(many, min_probability=0.0)
    lines = dumps(many, "sif").decode().split("\n")
    assert lines.pop() == ""
    rows = [line.split("\t") for line in lines]
    assert len(rows) == len(network.edges)
    assert all(len(row) == 3 and row[1] == "pp" for row in rows)


def test_labels_that_two_proteins_share_are_told_apart_in_sif():
    first = annotated.profilin()
    names = {key: protein.label for key, protein in build_network([first]).proteins.items()}
    assert names["name:actin"] == "actin"
    sentence = first.document.sentences[2]
    grounded = tuple(
        type(entity)(entity.id, entity.text, entity.spans, entity.type, ("X:1",)) if entity.text == "actin" else entity
        for entity in sentence.entities
    )
    other = type(sentence)(sentence.id, sentence.text, grounded, offset=sentence.offset)
    found = annotated.interaction("x", other, grounded[0].id, grounded[2].id, 0.9)
    lines = written(build_network([first, found]), "sif").decode().splitlines()
    assert "PFN1\tpp\tactin (name:actin)" in lines
    assert "actin (x:1)\tpp\tCofilin" in lines


def test_csv_and_json_hold_the_ranked_edges():
    network = build_network([annotated.profilin(explained=True)])
    rows = list(csv.DictReader(io.StringIO(written(network, "csv").decode(), newline="")))
    assert (rows[0]["label_1"], rows[0]["label_2"], rows[0]["papers"]) == ("PFN1", "actin", "1")
    assert [float(row["probability"]) for row in rows] == [edge.probability for edge in network.edges]
    value = json.loads(written(network, "json"))
    assert value["schema"] == "ppi-network/1"
    assert [edge["sentences"] for edge in value["edges"]] == [1, 1, 1]
    assert value["edges"][0]["evidence"][0]["evidence"]["svg"] == annotated.SVG
    assert value["proteins"][0]["key"] == "ncbigene:5216"


@given(st.lists(annotated.annotated(), max_size=3))
@settings(max_examples=50)
def test_drawings_are_well_formed_the_same_every_time_and_hold_every_edge(many):
    network = build_network(many, min_probability=0.0)
    drawing = draw(network)
    assert draw(network) == drawing
    root = ElementTree.fromstring(drawing)
    edges = [element for element in root.iter() if element.get("class") == "edge"]
    assert len(edges) == len(network.edges)
    assert len(root.findall(f"{SVG}g")) == len(network.proteins)
    width, height = (float(root.get(name)) for name in ("width", "height"))
    for circle in root.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx")) <= width
        assert 0 <= float(circle.get("cy")) <= height


def test_drawings_say_what_they_leave_out():
    network = build_network([annotated.profilin()])
    assert "The 2 best supported of 3 pairs are drawn." in draw(network, most_edges=2)
    assert "most probable" not in draw(network)
    assert "No pair to draw." in draw(build_network([]))


def test_unknown_format_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"expected a format of networks, one of .* got 'xls'"):
        write_network(build_network([]), tmp_path / "x", "xls")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "found.jsonl"
    write([annotated.profilin(explained=True), annotated.discontinuous()], path, explain=True)
    return path


@pytest.mark.parametrize("format", list(NETWORK_FORMATS))
def test_ppi_network_writes_every_format(lines, tmp_path, format):
    target = tmp_path / f"net.{format}"
    assert main(["network", str(lines), "-o", str(target)]) == 0
    expected = build_network([annotated.profilin(explained=True), annotated.discontinuous()])
    if format in ("graphml", "sif", "csv"):
        assert target.read_bytes() == written(expected, format)
    else:
        assert b"10022882" in target.read_bytes()


def test_ppi_network_filters_and_counts_papers_of_several_files(lines, tmp_path, capfd):
    other = annotated.profilin()
    moved = [type(each)(**{**vars(each), "document": "other"}) for each in other.interactions]
    again = tmp_path / "again.jsonl"
    again.write_text("".join(json.dumps(to_json(each)) + "\n" for each in moved))
    arguments = ["network", str(lines), str(again), "--min-probability", "0.7", "--min-papers", "2"]
    assert main(arguments) == 0
    rows = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    assert [(row["protein_1"], row["protein_2"], row["papers"]) for row in rows] == [
        ("ncbigene:5216", "name:actin", "2"),
        ("name:actin", "name:cofilin", "2"),
    ]
    assert float(rows[0]["probability"]) == pytest.approx(combine_papers([0.93, 0.93]))


def test_ppi_network_names_what_is_wrong_in_one_line(tmp_path, capfd):
    path = tmp_path / "docs.jsonl"
    path.write_text('{"id": "d1"}\n')
    assert main(["network", str(path)]) == 1
    error = capfd.readouterr().err.strip()
    assert error.startswith(f"ppi: error: {path}: expected interactions as JSON")
    assert "\n" not in error
    assert main(["network", str(path), "--min-probability", "2"]) == 2
    assert main(["network", str(path), "-o", str(tmp_path / "out.doc")]) == 2
    assert "expected an ending that tells the format" in capfd.readouterr().err
