"""Grounding: small lexicons written by hand, damaged files, and the real ones."""

import gzip
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
from corpora import CorpusError
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.lexicon_table import MAX_ENTRIES_PER_NAME
from ppi.grounding.matching import GroundingCandidate, normalize_name

NEW_HEADER = (
    "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdbXrefs\tchromosome\tmap_location\tdescription\ttype_of_gene\t"
    "Symbol_from_nomenclature_authority\tFull_name_from_nomenclature_authority\tNomenclature_status\t"
    "Other_designations\tModification_date\tFeature_type"
)
OLD_HEADER = (
    "#Format: "
    + NEW_HEADER[1:].replace("\t", " ").replace(" Feature_type", "")
    + (" (tab is used as a separator, pound sign - start of a comment)")
)


def gene(
    id: int, symbol: str, synonyms: str = "-", name: str = "-", *, taxid: int = 9606, type: str = "protein-coding"
):
    return f"{taxid}\t{id}\t{symbol}\t-\t{synonyms}\t-\t1\t1p\t{name}\t{type}\t{symbol}\t{name}\tO\t-\t20150504"


GENES = (
    gene(5216, "PFN1", "ALS18", "profilin 1"),
    gene(7124, "TNF", "TNF-alpha|DIF", "tumor necrosis factor"),
    gene(5594, "MAPK1", "ERK|p38", "mitogen-activated protein kinase 1"),
    gene(2048, "EPHB2", "ERK|DRT", "EPH receptor B2"),
    gene(1432, "MAPK14", "p38|CSBP", "mitogen-activated protein kinase 14"),
    gene(1026, "CDKN1A", "P21|CIP1", "cyclin-dependent kinase inhibitor 1A"),
    gene(9338, "TCEAL1", "p21", "transcription elongation factor A-like 1"),
    gene(1000, "DIF", "-", "a gene whose symbol is another's synonym"),
    gene(852457, "CDC28", "-", "a kinase", taxid=4932),
    gene(7275, "TUB", "-", "tubby protein"),
    gene(9000, "HSP", "-", "heat shock protein"),
    gene(9001, "P3", "-", "a short one"),
    gene(2000, "GHOST1", "PFN1P", "a pseudogene", type="pseudo"),
)
FAMILIES = """\
ERK,FPLX,ERK,,,,
"AMPK (alpha 1, beta 1)",FPLX,AMPK_A1B1,,,,
NF-kappaB,FPLX,NFkappaB,,,,
ORC,FPLX,ORC,,,,
origin recognition complex,FPLX,ORC,,,,
Mg,CHEBI,CHEBI:1,,,,
"""


@pytest.fixture
def files(tmp_path):
    genes, families = tmp_path / "gene_info", tmp_path / "map.csv"
    genes.write_text("\n".join([OLD_HEADER, *GENES]) + "\n")
    families.write_text(FAMILIES)
    return genes, families


@pytest.fixture
def lexicon(files):
    return Lexicon.read(*files)


def found(lexicon, name):
    return [(each.match_type, each.identifier) for each in lexicon.candidates(name)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PFN1", [("exact symbol", "ncbigene:5216")]),
        ("DIF", [("exact symbol", "ncbigene:1000"), ("exact synonym", "ncbigene:7124")]),
        ("TNF-alpha", [("exact synonym", "ncbigene:7124")]),
        ("profilin 1", [("exact name", "ncbigene:5216")]),
        ("p38", [("exact synonym", "ncbigene:5594"), ("exact synonym", "ncbigene:1432")]),
        ("ERK", [("exact symbol", "fplx:ERK"), ("exact synonym", "ncbigene:5594"), ("exact synonym", "ncbigene:2048")]),
        ("AMPK (alpha 1, beta 1)", [("exact synonym", "fplx:AMPK_A1B1")]),
        ("TNF-α", [("normalized synonym", "ncbigene:7124")]),
        ("pfn-1", [("normalized symbol", "ncbigene:5216")]),
        ("Profilin-I", [("normalized name", "ncbigene:5216")]),
        ("NF-κB", [("normalized symbol", "fplx:NFkappaB")]),
        ("p21", [("exact synonym", "ncbigene:9338"), ("normalized synonym", "ncbigene:1026")]),
        ("DIFs", []),  # too short for a plural
        ("PFN1s", [("plural symbol", "ncbigene:5216")]),
        ("EPH receptors B2", []),
        ("PFN1 protein", [("stripped symbol", "ncbigene:5216")]),
        ("profilin-1 genes", [("stripped name", "ncbigene:5216")]),
        ("TNFA", [("letters synonym", "ncbigene:7124")]),
        ("ERK family", [("stripped symbol", "fplx:ERK")]),  # no gene
        ("Cdc28p", [("stripped symbol", "ncbigene:852457")]),  # of yeast
        ("cdc28p", []),
        ("P-3", []),
        ("tubby", [("stripped name", "ncbigene:7275")]),
        ("heat shock", []),
    ],
)
def test_all_candidates_with_how_they_match_best_first(lexicon, name, expected):
    assert found(lexicon, name) == expected


@pytest.mark.parametrize(
    "name", ["nowhere", "", "-", "Mg", "PFN1P", "GHOST1", " ", "\ud800", "complex", "p", "protein"]
)
def test_names_found_nowhere_have_no_candidates(lexicon, name):
    assert lexicon.candidates(name) == ()


def test_a_candidate_says_symbol_species_and_kind(lexicon):
    assert lexicon.candidates("profilin 1") == (
        GroundingCandidate("ncbigene:5216", "PFN1", "9606", "gene", "exact name", None),
    )
    assert lexicon.candidates("NF-kappaB") == (
        GroundingCandidate("fplx:NFkappaB", "NFkappaB", None, "family", "exact synonym", None),
    )
    (origin,) = lexicon.candidates("ORC")
    assert (origin.kind, origin.taxid) == ("complex", None)


def test_case_tells_species_apart(tmp_path):
    path = tmp_path / "genes"
    path.write_text("\n".join([gene(3558, "IL2"), gene(16183, "Il2", taxid=10090), gene(1, "il2", taxid=7955)]))
    lexicon = Lexicon.read(path)
    assert [(each.taxid, each.match_type) for each in lexicon.candidates("Il2")] == [
        ("10090", "exact symbol"),
        ("9606", "normalized symbol"),
        ("7955", "normalized symbol"),
    ]


def test_a_gene_listed_twice_has_the_names_of_both_lines(tmp_path):
    path = tmp_path / "genes"
    path.write_text("\n".join([gene(1, "ABC1", "first"), gene(2, "XYZ"), gene(1, "ABC1", "second")]))
    lexicon = Lexicon.read(path)
    for name in ("ABC1", "first", "second"):
        assert [each.identifier for each in lexicon.candidates(name)] == ["ncbigene:1"]


def test_a_name_that_too_many_genes_share_names_none(tmp_path):
    path = tmp_path / "genes"
    lines = [
        gene(number, f"G{number}", "shared", "uncharacterized thing") for number in range(1, MAX_ENTRIES_PER_NAME + 1)
    ]
    path.write_text("\n".join(lines))
    assert len(Lexicon.read(path).candidates("uncharacterized thing")) == MAX_ENTRIES_PER_NAME
    path.write_text("\n".join([*lines, gene(1000, "G1000", "-", "Uncharacterized thing")]))
    lexicon = Lexicon.read(path)
    assert lexicon.candidates("uncharacterized thing") == ()
    assert len(lexicon.candidates("shared")) == MAX_ENTRIES_PER_NAME


def test_other_kinds_and_species_on_request(files):
    genes, _ = files
    assert found(Lexicon.read(genes, types=None), "PFN1P") == [("exact synonym", "ncbigene:2000")]
    assert len(Lexicon.read(genes, taxids=["10090"])) == 0


def test_both_headers_none_and_packed_files_read_alike(tmp_path, files):
    expected = Lexicon.read(files[0]).candidates("p38")
    for number, lines in enumerate(([NEW_HEADER, *GENES], list(GENES))):
        path = tmp_path / f"{number}.gz"
        path.write_bytes(gzip.compress("\n".join(lines).encode()))
        assert Lexicon.read(path).candidates("p38") == expected


def test_columns_in_another_order_are_found_by_their_names(tmp_path):
    names = NEW_HEADER[1:].split("\t")[:15]
    order = [0, 1, *reversed(range(2, 15))]
    lines = ["#" + "\t".join(names[index] for index in order)]
    for line in GENES:
        cells = line.split("\t")
        lines.append("\t".join(cells[index] for index in order))
    path = tmp_path / "x"
    path.write_text("\n".join(lines))
    assert found(Lexicon.read(path), "TNF-alpha") == [("exact synonym", "ncbigene:7124")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "\n".join([OLD_HEADER, GENES[0], "9606\t1\tA1BG"]),
            r":3: expected at least 14 tab-separated .* got 3",
        ),
        (
            gene(1, "A").replace("\t1\t", "\tone\t", 1),
            r":1: expected numbers as tax_id and GeneID, got \('9606', 'one'\)",
        ),
        (OLD_HEADER, "expected genes, got none"),
        ("", "expected genes, got none"),
        ("#tax_id\tGeneID\tSymbol\n", r":1: expected the column 'Synonyms'"),
    ],
)
def test_damaged_gene_files_are_named_with_their_line(tmp_path, content, message):
    path = tmp_path / "gene_info"
    path.write_text(content)
    with pytest.raises(CorpusError, match=message):
        Lexicon.read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("ERK,FPLX\n", ":1: expected a name and pairs of database and identifier, got 2 columns"),
        ("ERK,FPLX,ERK\nX,FPLX,\n", r":2: expected a database and an identifier, got \('FPLX', ''\)"),
        ('ERK,FPLX,ERK\n"X,FPLX,Y\n', "expected CSV, got: unexpected end of data"),
        ("Mg,CHEBI,CHEBI:1\n", "expected names of the namespace FPLX, got none"),
    ],
)
def test_damaged_maps_are_named_with_their_line(tmp_path, files, content, message):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(CorpusError, match=message):
        Lexicon.read(files[0], path)


def test_cut_gzip_and_missing_files(tmp_path):
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress("\n".join(GENES).encode())[:-20])
    with pytest.raises(CorpusError, match="expected complete gzip data"):
        Lexicon.read(path)
    with pytest.raises(CorpusError, match="expected a readable file"):
        Lexicon.read(tmp_path / "missing")


@given(st.text(st.characters()))
def test_normalizing_twice_changes_nothing_and_leaves_letters_and_digits(name):
    once = normalize_name(name)
    assert not re.search(r"[\W_]", once)
    assert normalize_name(once) == once


@given(st.sampled_from(["TNF alpha", "IL-1 beta", "NF-kappa B", "protein kinase C zeta"]), st.data())
def test_case_and_separators_do_not_count(name, data):
    spelled = "".join(
        data.draw(st.sampled_from([" ", "-", "", "/"])) if c in " -" else data.draw(st.sampled_from([c.lower(), c]))
        for c in name
    )
    assert normalize_name(spelled) == normalize_name(name)


@pytest.mark.slow
def test_most_human_mentions_of_the_corpora_are_found():
    """What the lexicon finds on HPRD50, a corpus of human proteins; the shares are those of these files."""
    folder = os.environ.get("PPI_CORPORA")
    if not folder:
        pytest.skip("PPI_CORPORA does not name the folder of the corpora")
    lexicon = Lexicon.read(
        next(Path(folder).rglob("entrez-human-gene_info.gz")), next(Path(folder).rglob("famplex-grounding_map.csv.gz"))
    )
    assert len(lexicon) == 20971 + 633
    kinds: Counter[str] = Counter()
    for document in corpora.load("HPRD50", parsers=["split_parse"]):
        for sentence in document.sentences:
            for entity in sentence.entities:
                ranks = [each.rank for each in lexicon.candidates(entity.text)]
                kinds["none" if not ranks else "one" if ranks.count(ranks[0]) == 1 else "several"] += 1
    assert kinds == {"one": 344, "several": 34, "none": 27}
