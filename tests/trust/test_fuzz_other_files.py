"""Results, lexicons, folds and candidate parses with bytes changed: they are read, or one of our errors comes."""

import warnings

import pytest
from byte_sources import mutated
from hypothesis import given, settings
from lab.training.parse_rankers.candidate_files import read_candidates, write_candidates
from parse_sets import made_sets

import corpora
from corpora import read_folds
from ppi.annotation import Annotator
from ppi.core import PpiError
from ppi.export import read_jsonl, write
from ppi.grounding import Lexicon, read_families
from ppi.network import build_network

PIECES = [b"-1", b"1e999", b"NaN", b"null", b"[]", b"{}", b'"', b"\t", b"\n", b"\xff", b"\x00", b"9" * 30, b"\\ud800"]
GENES = (
    b"#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdbXrefs\tchromosome\tmap_location\tdescription\ttype_of_gene\t"
    b"Symbol_from_nomenclature_authority\tFull_name_from_nomenclature_authority\tNomenclature_status\t"
    b"Other_designations\tModification_date\tFeature_type\n"
    b"9606\t7157\tTP53\t-\tP53|LFS1\tMIM:191170\t17\t17p13.1\ttumor protein p53\tprotein-coding\tTP53\t"
    b"tumor protein p53\tO\tantigen NY-CO-13\t20240101\t-\n"
)
FAMILIES = b"AMPK,FPLX,AMPK\np53,HGNC,TP53\n"
FOLDS = b"0\td1\n0\td2\n1\td3\n"


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    found = Annotator(min_probability=0.0).annotate_documents(corpora.load("abstracts")[:1], explain=True)
    path = tmp_path_factory.mktemp("seed") / "found.jsonl"
    write(found, path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def candidates(tmp_path_factory):
    path = tmp_path_factory.mktemp("seed") / "candidates.jsonl"
    write_candidates(made_sets(2, 2), path)
    return path.read_bytes()


def check(tmp_path, seed, read, *, name="mutated", examples=100):
    """The file itself is read; whatever its mutations do, they do not end in another error than ours."""
    path = tmp_path / name
    path.write_bytes(seed)
    read(path)

    @given(mutated(seed, PIECES))
    @settings(max_examples=examples)
    def run(data):
        path.write_bytes(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                read(path)
            except (PpiError, corpora.CorpusError) as error:
                assert "expected" in str(error)

    run()


def test_interactions(tmp_path, annotated):
    check(tmp_path, annotated, lambda path: build_network(read_jsonl(path)), name="found.jsonl")


def test_candidate_parses(tmp_path, candidates):
    check(tmp_path, candidates, lambda path: list(read_candidates(path)), name="candidates.jsonl")


def test_gene_info(tmp_path):
    check(tmp_path, GENES, Lexicon.read, name="gene_info")


def test_families(tmp_path):
    check(tmp_path, FAMILIES, lambda path: list(read_families(path)), name="families.csv")


def test_folds(tmp_path):
    check(tmp_path, FOLDS, read_folds, name="folds.tsv")


def test_brat(tmp_path):
    (tmp_path / "doc.txt").write_text("Profilin binds actin.")
    annotations = (
        b"T1\tProtein 0 8\tProfilin\nT2\tProtein 15 20\tactin\nR1\tInteraction Arg1:T1 Arg2:T2\n#1\tNote T1\tx\n"
    )
    check(tmp_path, annotations, lambda path: list(corpora.read(tmp_path, "brat")), name="doc.ann")
