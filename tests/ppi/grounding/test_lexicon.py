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
from corpora.errors import CorpusError
from corpora.types import Entity
from ppi.grounding import Lexicon, normalized

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
    gene(2000, "GHOST1", "PFN1P", "a pseudogene", type="pseudo"),
)
FAMILIES = """\
ERK,FPLX,ERK,,,,
"AMPK (alpha 1, beta 1)",FPLX,AMPK_A1B1,,,,
NF-kappaB,FPLX,NFkappaB,,,,
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


@pytest.mark.parametrize(
    ("name", "how", "identifiers"),
    [
        ("PFN1", "exact symbol", ["NCBIGene:5216"]),
        ("DIF", "exact symbol", ["NCBIGene:1000"]),  # before TNF, of which it is a synonym
        ("TNF-alpha", "exact synonym", ["NCBIGene:7124"]),
        ("profilin 1", "exact name", ["NCBIGene:5216"]),
        ("p38", "exact synonym", ["NCBIGene:5594", "NCBIGene:1432"]),
        ("ERK", "exact synonym", ["NCBIGene:5594", "NCBIGene:2048", "FPLX:ERK"]),
        ("AMPK (alpha 1, beta 1)", "exact family", ["FPLX:AMPK_A1B1"]),
        ("TNF-α", "normalized", ["NCBIGene:7124"]),
        ("pfn-1", "normalized", ["NCBIGene:5216"]),
        ("Profilin-I", "normalized", ["NCBIGene:5216"]),
        ("NF-κB", "normalized", ["FPLX:NFkappaB"]),
        ("erk", "normalized", ["NCBIGene:5594", "NCBIGene:2048", "FPLX:ERK"]),
    ],
)
def test_the_first_step_that_matches_gives_all_its_candidates(lexicon, name, how, identifiers):
    found = lexicon.find(name)
    assert (found.how, list(found.identifiers)) == (how, identifiers)
    assert found.is_ambiguous == (len(identifiers) > 1)


@pytest.mark.parametrize("name", ["nowhere", "", "-", "Mg", "PFN1P", "GHOST1", " ", "\ud800"])
def test_names_found_nowhere_stay_ungrounded(lexicon, name):
    assert lexicon.find(name) is None
    if name:
        entity = Entity("e", name, ((0, len(name)),))
        assert lexicon.ground(entity) is entity


def test_remarks_say_how(lexicon):
    found = lexicon.ground(Entity("e", "PFN1", ((0, 4),), "protein", infons=(("given", "1"),)))
    assert found.identifiers == ("NCBIGene:5216",)
    assert found.infons == (("given", "1"), ("grounding", "exact symbol"), ("symbol", "PFN1"), ("taxid", "9606"))
    assert (found.id, found.text, found.spans, found.type) == ("e", "PFN1", ((0, 4),), "protein")
    ambiguous = lexicon.ground(Entity("e", "p38", ((0, 3),)))
    assert ambiguous.infons == (("grounding", "exact synonym"), ("ambiguous", "2"))
    family = lexicon.ground(Entity("e", "NF-kappaB", ((0, 9),)))
    assert family.infons == (("grounding", "exact family"),)


def test_what_differs_in_spelling_alone_is_named_beside_an_exact_match(lexicon):
    found = lexicon.ground(Entity("e", "p21", ((0, 3),)))
    assert found.identifiers == ("NCBIGene:9338",)
    assert ("alternatives", "NCBIGene:1026") in found.infons


def test_given_identifiers_are_kept(lexicon):
    given_one = Entity("e", "PFN1", ((0, 4),), identifiers=("X:1",))
    assert lexicon.ground(given_one) is given_one


def test_other_kinds_and_species_on_request(files):
    genes, _ = files
    assert Lexicon.read(genes, types=None).find("PFN1P").identifiers == ("NCBIGene:2000",)
    assert len(Lexicon.read(genes, taxids=["10090"])) == 0


def test_both_headers_none_and_packed_files_read_alike(tmp_path, files):
    expected = Lexicon.read(files[0]).find("p38")
    for number, lines in enumerate(([NEW_HEADER, *GENES], list(GENES))):
        path = tmp_path / f"{number}.gz"
        path.write_bytes(gzip.compress("\n".join(lines).encode()))
        assert Lexicon.read(path).find("p38") == expected


def test_columns_in_another_order_are_found_by_their_names(tmp_path):
    names = NEW_HEADER[1:].split("\t")[:15]
    order = [0, 1, *reversed(range(2, 15))]
    lines = ["#" + "\t".join(names[index] for index in order)]
    for line in GENES:
        cells = line.split("\t")
        lines.append("\t".join(cells[index] for index in order))
    path = tmp_path / "x"
    path.write_text("\n".join(lines))
    assert Lexicon.read(path).find("TNF-alpha").identifiers == ("NCBIGene:7124",)


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
    once = normalized(name)
    assert not re.search(r"[\W_]", once)
    assert normalized(once) == once


@given(st.sampled_from(["TNF alpha", "IL-1 beta", "NF-kappa B", "protein kinase C zeta"]), st.data())
def test_case_and_separators_do_not_count(name, data):
    spelled = "".join(
        data.draw(st.sampled_from([" ", "-", "", "/"])) if c in " -" else data.draw(st.sampled_from([c.lower(), c]))
        for c in name
    )
    assert normalized(spelled) == normalized(name)


@pytest.mark.slow
def test_most_human_mentions_of_the_corpora_are_found():
    """What the lexicon finds on HPRD50, a corpus of human proteins; the shares are those of these files."""
    folder = os.environ.get("PPI_CORPORA")
    if not folder:
        pytest.skip("PPI_CORPORA does not name the folder of the corpora")
    lexicon = Lexicon.read(
        next(Path(folder).rglob("entrez-human-gene_info.gz")), next(Path(folder).rglob("famplex-grounding_map.csv.gz"))
    )
    assert len(lexicon) == 20971
    kinds: Counter[str] = Counter()
    for document in corpora.load("HPRD50", parsers=["split_parse"]):
        for sentence in document.sentences:
            for entity in sentence.entities:
                found = lexicon.find(entity.text)
                kinds["none" if found is None else "several" if found.is_ambiguous else "one"] += 1
    assert kinds == {"one": 331, "several": 43, "none": 31}
