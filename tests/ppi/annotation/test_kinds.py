"""Kinds of names: what is paired, and that every output says them."""

import io
from dataclasses import replace

import mitab_reader
import pytest
from annotated import interaction, profilin

import corpora
from corpora import DependencyGraph, Document, Entity, Sentence, Token
from ppi.annotation.interactions import build_candidates
from ppi.annotation.markup import highlight_mentions
from ppi.annotation.pairs import check_kinds
from ppi.annotation.results import AnnotatedDocument
from ppi.annotation.settings import AnnotatorSettings
from ppi.annotation.text_output import table_lines
from ppi.cli import annotator_settings, build_parser
from ppi.core import UsageError
from ppi.export import dumps, write_annotated_graphml, write_csv, write_jsonl, write_mitab
from ppi.language import CELL, DNA_RNA, FAMILY, OTHER, PROTEIN
from ppi.network import build_network

WORDS = ("Raf", "MAPKs", "MEK", "promoter", "GFP", "HeLa")
TYPES = (PROTEIN, FAMILY, "Gene", DNA_RNA, OTHER, CELL)


@pytest.fixture
def document():
    """Six names of different kinds, each a token."""
    text, starts = " + ".join(WORDS), [0]
    for word in WORDS[:-1]:
        starts.append(starts[-1] + len(word) + 3)
    spans = [(start, start + len(word)) for start, word in zip(starts, WORDS)]
    tokens = tuple(Token(f"t{number}", start, end, text[start:end], "NN") for number, (start, end) in enumerate(spans))
    entities = tuple(
        Entity(f"e{number}", word, (span,), type) for number, (word, span, type) in enumerate(zip(WORDS, spans, TYPES))
    )
    return Document("d", (Sentence("s", text, entities, parses=(DependencyGraph("p", "p", tokens, ()),)),))


def paired(document, **options):
    candidates = build_candidates([document], max_tokens=100, max_pairs=100, **options)
    return [(graph.prot1, graph.prot2) for graph in candidates.graphs]


def test_proteins_and_given_names_are_paired_and_families_if_asked_for(document):
    assert paired(document) == [("e0", "e2")]
    assert paired(document, kinds=("protein", "family")) == [("e0", "e1"), ("e0", "e2"), ("e1", "e2")]
    assert paired(document, kinds=("family",)) == [("e1", "e2")]


@pytest.mark.parametrize("kinds", ["protein", (), ("protein", "cell")])
def test_what_cannot_be_paired_is_refused(kinds):
    with pytest.raises(UsageError, match=r"expected kinds of names to pair, among \('protein', 'family'\), got"):
        check_kinds(kinds)


@pytest.mark.parametrize("command", ["annotate x.txt -o y.jsonl", "serve"])
def test_the_option_reaches_the_annotator(command):
    asked = build_parser().parse_args([*command.split(), "--kinds", "family,protein"])
    assert annotator_settings(asked).build().kinds == ("protein", "family")
    assert AnnotatorSettings().build().kinds == ("protein",)


def with_family():
    """An interaction of a protein and a family."""
    text = "Raf activates MAPKs."
    sentence = Sentence(
        "1.s0", text, (Entity("a", "Raf", ((0, 3),), PROTEIN), Entity("b", "MAPKs", ((14, 19),), FAMILY))
    )
    return AnnotatedDocument(Document("1", (sentence,)), (interaction("1", sentence, "a", "b", 0.9),))


def written(writer):
    output = io.BytesIO()
    writer([with_family()], output)
    return output.getvalue()


def test_tables_and_lines_say_the_kind():
    header, row = written(write_csv).decode().splitlines()
    cells = dict(zip(header.split(","), row.split(",")))
    assert (cells["type_1"], cells["type_2"]) == (PROTEIN, FAMILY)
    assert f'"type":"{FAMILY}"' in written(write_jsonl).decode()
    assert [line.split()[1:3] for line in table_lines([with_family()])][1] == ["Raf", "MAPKs*"]


def test_mitab_says_what_interacts():
    (row,) = mitab_reader.read(written(write_mitab))
    assert [(field.value, field.description) for column in (21, 22) for field in row[column]] == [
        ("MI:0326", "protein"),
        ("MI:1304", "molecule set"),
    ]


def test_networks_and_pages_say_the_kind():
    network = build_network([with_family()])
    assert {protein.label: protein.type for protein in network.proteins.values()} == {"Raf": PROTEIN, "MAPKs": FAMILY}
    assert FAMILY.encode() in written(write_annotated_graphml)
    sentence = with_family().document.sentences[0]
    assert f'title="MAPKs ({FAMILY})"' in highlight_mentions(sentence.text, sentence.entities)


def test_the_commonest_type_of_a_protein_is_its_own():
    annotated = profilin()
    first = annotated.interactions[0]
    odd = replace(first, proteins=(replace(first.proteins[0], type="x"), first.proteins[1]), pair="odd")
    network = build_network([first, first, odd])
    assert network.proteins["ncbigene:5216"].type == "protein"


@pytest.mark.parametrize("format", ["bioc-json", "bioc-xml", "pubtator"])
def test_documents_keep_the_kind(format, tmp_path):
    path = tmp_path / "out"
    path.write_bytes(dumps([with_family()], format))
    read = next(iter(corpora.read(path, format)))
    types = [entity.type for sentence in read.sentences for entity in sentence.entities]
    assert types == [PROTEIN, FAMILY]
