"""The lexicon that ships: what it holds, and what comes of a file that is damaged or of another version."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from lab.training.lexicon.packing import table_arrays

import ppi.grounding
from ppi.core import ModelFileError, UsageError, read_archive, write_archive
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.lexicon_table import (
    LEXICON_FILE,
    LEXICON_FORMAT,
    LEXICON_VERSION,
    load_shipped_table,
    make_table,
    read_table,
)
from ppi.grounding.matching import LexiconEntry

SHIPPED_FILE = Path(ppi.grounding.__file__).parent / LEXICON_FILE
ENTRIES = [
    LexiconEntry("ncbigene:5216", "PFN1", ("ALS18",), ("profilin 1",), "9606"),
    LexiconEntry("kegg.genes:eco:b0001", "thrL", (), ("thr operon leader peptide",), "562", uniprot="P0AD86"),
    LexiconEntry("fplx:TNF", "TNF", ("TNF-α",), kind="family"),
]


def write(path, table=None, *, header=None, version=LEXICON_VERSION, **arrays):
    table = make_table(ENTRIES) if table is None else table
    header = {"groups": [list(group) for group in table.groups], **(header or {})}
    write_archive(path, header, {**table_arrays(table), **arrays}, format=LEXICON_FORMAT, version_number=version)
    return path


def test_a_table_reads_back_as_it_was(tmp_path):
    table = make_table(ENTRIES)
    found = read_table(write(tmp_path / "x.zip", table))
    assert found.groups == table.groups
    for name in ("group_of", "first_names", "fields", "hashes", "name_of"):
        assert np.array_equal(getattr(found, name), getattr(table, name))
    for name in ("ids", "uniprots", "names"):
        ours, theirs = getattr(found, name), getattr(table, name)
        assert [ours[n] for n in range(len(ours))] == [theirs[n] for n in range(len(theirs))]


def test_a_built_lexicon_is_read_by_path(tmp_path):
    path = write(tmp_path / "x.zip")
    assert Lexicon.read(path).candidates("PFN1") == Lexicon(ENTRIES).candidates("PFN1") != ()
    with pytest.raises(UsageError, match="expected a gene_info file beside families, got a lexicon that is built"):
        Lexicon.read(path, tmp_path / "families.csv")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ModelFileError, match="expected a model file"):
        Lexicon.read(path)
    write_archive(path, {}, {}, format="something else", version_number=1)
    with pytest.raises(ModelFileError, match="expected a ppi-miner lexicon model"):
        Lexicon.read(path)


def test_an_empty_table_reads_back(tmp_path):
    assert len(read_table(write(tmp_path / "x.zip", make_table([]))).ids) == 0


def test_the_shipped_file_is_small_and_says_what_it_is():
    assert SHIPPED_FILE.stat().st_size <= 12_000_000
    header, _ = read_archive(SHIPPED_FILE, format=LEXICON_FORMAT, versions=(LEXICON_VERSION,))
    sources = {source["name"]: source for source in header["sources"]}
    assert sum(source["entries"] for source in sources.values()) == len(Lexicon.shipped())
    assert sources["rat"]["licence"] == sources["budding yeast"]["licence"] == "CC BY 4.0"
    assert all(source["maker"] and source["file"] and source["names"] for source in sources.values())
    assert {"date", "written_by"} <= set(header)


def test_the_shipped_file_is_read_once():
    assert load_shipped_table() is load_shipped_table()


@pytest.mark.parametrize(
    ("name", "identifier", "taxid", "kind"),
    [
        ("TP53", "ncbigene:7157", "9606", "gene"),
        ("Trp53", "ncbigene:22059", "10090", "gene"),
        ("Zfp292", "rgd:61931", "10116", "gene"),
        ("tp53", "ncbigene:30590", "7955", "gene"),
        ("dpp", "ncbigene:33432", "7227", "gene"),
        ("CDC28", "sgd:S000000364", "4932", "gene"),
        ("Cdc28p", "sgd:S000000364", "4932", "gene"),
        ("pom34", "pombase:SPAC1002.02", "4896", "gene"),
        ("thrA", "kegg.genes:eco:b0002", "562", "gene"),
        ("AMPK", "fplx:AMPK", None, "family"),
        ("SMAD2-SMAD3-SMAD4 complex", "complexportal:CPX-1", "9606", "complex"),
        ("Vanins", "hgnc.genegroup:10", "9606", "family"),
        ("7tm_1", "pfam:PF00001", None, "family"),
    ],
)
def test_every_source_is_there(name, identifier, taxid, kind):
    found = {each.identifier: each for each in Lexicon.shipped().candidates(name)}
    assert (found[identifier].taxid, found[identifier].kind) == (taxid, kind)


def test_uniprot_where_the_source_has_it():
    (found,) = (each for each in Lexicon.shipped().candidates("thrA") if each.taxid == "562")
    assert found.uniprot == "P00561"


def test_pseudogenes_and_rna_are_out():
    for name in ("A2MP1", "MIR21", "Gapdh-ps2"):
        assert not any(each.match_type == "exact symbol" for each in Lexicon.shipped().candidates(name))


def test_another_version_is_named(tmp_path):
    path = write(tmp_path / "x.zip", version=LEXICON_VERSION + 1)
    with pytest.raises(ModelFileError, match=f"expected model version {LEXICON_VERSION}, got {LEXICON_VERSION + 1}"):
        read_table(path)


def test_another_kind_of_file_is_named(tmp_path):
    path = tmp_path / "x.zip"
    write_archive(path, {}, {}, format="something else", version_number=1)
    with pytest.raises(ModelFileError, match="expected a ppi-miner lexicon model, got"):
        read_table(path)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"names": np.zeros(3, np.uint8)}, "expected texts of the lengths given in 'names'"),
        ({"name_of": np.full(8, 99, np.uint32)}, "expected a name for each hash|numbers of names"),
        ({"group_of": np.full(3, 9, np.uint16)}, "expected numbers of names and groups that are there"),
        ({"fields": np.full(7, 9, np.uint8)}, "expected fields that are known"),
        ({"name_counts": np.array([7, 0, 0], np.uint16)}, "one of each at least"),
        ({"group_of": np.zeros(2, np.uint16)}, "expected as many groups"),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(tmp_path, arrays, message):
    with pytest.raises(ModelFileError, match=message):
        read_table(write(tmp_path / "x.zip", **arrays))


@pytest.mark.parametrize("groups", [None, [["ncbigene"]], [["ncbigene", 9606, "gene"]] * 3, [["x", None, "thing"]] * 3])
def test_damaged_groups_are_refused(tmp_path, groups):
    with pytest.raises(ModelFileError, match="expected the contents of a model"):
        read_table(write(tmp_path / "x.zip", header={"groups": groups}))


def test_a_cut_file_is_refused(tmp_path):
    path = write(tmp_path / "x.zip")
    data = path.read_bytes()
    for end in (0, 10, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:end])
        with pytest.raises(ModelFileError, match="expected"):
            read_table(path)


def test_a_missing_array_is_named(tmp_path):
    path = write(tmp_path / "x.zip")
    kept = tmp_path / "y.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(kept, "w") as new:
        for name in old.namelist():
            if name != "fields.npy":
                new.writestr(name, old.read(name))
        assert json.loads(old.read("model.json"))["version"] == LEXICON_VERSION
    with pytest.raises(ModelFileError, match="got none called 'fields'"):
        read_table(kept)
