"""The lists that the lexicon is made from: a few lines of each by hand, damaged ones, and the whole build."""

import gzip

import pytest
from lab.training.lexicon import genes, groups
from lab.training.lexicon.__main__ import main
from lab.training.lexicon.placeholders import is_placeholder, without_placeholders
from lab.training.lexicon.sources import SOURCES

from corpora import CorpusError
from ppi.grounding import Lexicon, LexiconEntry, read_table

GENE_INFO = (
    "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms\tdbXrefs\tchromosome\tmap_location\tdescription\ttype_of_gene\t"
    "Symbol_from_nomenclature_authority\tFull_name_from_nomenclature_authority\tNomenclature_status\t"
    "Other_designations\tModification_date\n"
    "{taxid}\t1\tABC1\t-\tMGC:1234|Abc\t-\t1\t1p\ta gene\tprotein-coding\tABC1\ta gene\tO\t-\t20150504\n"
    "{taxid}\t2\tABC1P\t-\t-\t-\t1\t1p\tits pseudogene\tpseudo\tABC1P\t-\tO\t-\t20150504\n"
)
OBO = "identifier\tname\tdefinition\tsynonyms\talts\tparents\tspecies\n"
CONTENTS = {
    **{
        f"entrez-{name}-gene_info.gz": GENE_INFO.format(taxid=taxid)
        for name, taxid in {"human": 9606, "mouse": 10090, "zebrafish": 7955, "fly": 7227}.items()
    },
    "rgd-rat-entries.tsv.gz": (
        "ID\tsymbol\tsynonyms\tensembl\n2003\tAsip\tA;ASP;LOC12;agouti signal\tENSRNOG1\n"
        "7\tLOC108348291\t\t\n8\tRpl4-ps6\tLOC1\t\n9\tMir21\t\t\n"
    ),
    "obo-sgd-synonyms.tsv.gz": (
        "text\tcurie\tname\tpredicate\tsource\n"
        "CDC28\tsgd:S000000364\tYBR160W\toboInOwl:hasRelatedSynonym\tsgd\n"
        "cyclin-dependent kinase\tsgd:S000000364\tYBR160W\toboInOwl:hasRelatedSynonym\tsgd\n"
        "YBR160W\tsgd:S000000364\tYBR160W\trdfs:label\tsgd\n"
        "hypothetical thing\tsgd:S2\tYXX1C\toboInOwl:hasRelatedSynonym\tsgd\nYXX1C\tsgd:S2\tYXX1C\trdfs:label\tsgd\n"
    ),
    "obo-pombase.tsv.gz": OBO
    + "SPAC1002.02\tpom34\tnucleoporin Pom34\tmug31\t\tso:0001217\tncbitaxon:4896\n"
    + "SPCC576.19c\t\tdubious\t\t\tso:0001217\tncbitaxon:4896\n"
    + "SPNCRNA.1\tprl1\tnon-coding RNA\t\t\tso:0002127\tncbitaxon:4896\n",
    "ecoli-k12-gene_info.csv.gz": (
        "locus_tag,gene_name,synonyms,gene_product,COG,regulator,uniprot,pseudogene\n"
        'b0002,thrA,thrA;thrA1,"kinase, fused",COG,"A,B",P00561,False\n'
        "b0056,yabP,,protein YabP,COG,,UPI000013A00F,False\nb0240,crl,,pseudo,COG,,P1,True\n"
    ),
    "famplex-grounding_map.csv.gz": "ERK,FPLX,ERK,,,,\n",
    "obo-complexportal.tsv.gz": OBO
    + "CPX-1\tSMAD2-SMAD3 complex\tA complex.\tSMAD2/SMAD3\t\tgo:1\tncbitaxon:9606\n"
    + "CPX-2\tAPC\t\t\t\tgo:1\tncbitaxon:559292\n",
    "obo-hgnc.genegroup.tsv.gz": OBO
    + "10\tVanin family\t\tVNN|Vanins\t\tso:0005855\tncbitaxon:9606\n"
    + "11\tMicroRNA MIR9 family\t\t\t\tso:1\tncbitaxon:9606\n12\tTHO complex subunits\t\t\t\tso:1\tncbitaxon:9606\n",
    "obo-pfam.tsv.gz": OBO
    + "PF00001\t7tm_1\t7 transmembrane receptor\t\t\t\t\n"
    + "PF2\tDUF12\tProtein of unknown function (DUF12)\t\t\t\t\n",
}


@pytest.fixture
def folder(tmp_path):
    lists = tmp_path / "lexicon"
    lists.mkdir()
    for name, content in CONTENTS.items():
        (lists / name).write_bytes(gzip.compress(content.encode()))
    return lists


def test_rat_without_rna_pseudogenes_and_numbers(folder):
    assert list(genes.read_rat(folder / "rgd-rat-entries.tsv.gz")) == [
        LexiconEntry("rgd:2003", "Asip", ("A", "ASP", "LOC12"), ("agouti signal",), "10116")
    ]


def test_the_standard_name_of_yeast_is_the_symbol_where_there_is_one(folder):
    assert list(genes.read_budding_yeast(folder / "obo-sgd-synonyms.tsv.gz")) == [
        LexiconEntry("sgd:S000000364", "CDC28", ("YBR160W",), ("cyclin-dependent kinase",), "4932"),
        LexiconEntry("sgd:S2", "YXX1C", (), ("hypothetical thing",), "4932"),
    ]


def test_fission_yeast_has_genes_that_code_for_proteins(folder):
    assert list(genes.read_fission_yeast(folder / "obo-pombase.tsv.gz")) == [
        LexiconEntry("pombase:SPAC1002.02", "pom34", ("mug31", "SPAC1002.02"), ("nucleoporin Pom34",), "4896"),
        LexiconEntry("pombase:SPCC576.19c", "SPCC576.19c", (), (), "4896"),
    ]


def test_coli_has_uniprot_and_no_pseudogenes(folder):
    assert list(genes.read_coli(folder / "ecoli-k12-gene_info.csv.gz")) == [
        LexiconEntry("kegg.genes:eco:b0002", "thrA", ("thrA1", "b0002"), ("kinase, fused",), "562", uniprot="P00561"),
        LexiconEntry("kegg.genes:eco:b0056", "yabP", ("b0056",), ("protein YabP",), "562"),
    ]


def test_complexes_and_families_are_also_listed_without_that_word(folder):
    first, second = groups.read_complexes(folder / "obo-complexportal.tsv.gz")
    assert first == LexiconEntry(
        "complexportal:CPX-1", "SMAD2-SMAD3 complex", ("SMAD2/SMAD3", "SMAD2-SMAD3"), (), "9606", "complex"
    )
    assert second.taxid == "4932"  # of the strain's species
    vanin, tho = groups.read_gene_groups(folder / "obo-hgnc.genegroup.tsv.gz")
    assert vanin == LexiconEntry("hgnc.genegroup:10", "Vanin family", ("VNN", "Vanins", "Vanin"), (), "9606", "family")
    assert tho.kind == "complex"
    (pfam,) = groups.read_pfam(folder / "obo-pfam.tsv.gz")
    assert pfam == LexiconEntry("pfam:PF00001", "7tm_1", (), ("7 transmembrane receptor",), None, "family")


def test_building_makes_one_file_of_all_sources(folder, tmp_path, capsys):
    output = tmp_path / "made" / "lexicon.zip"
    assert main(["--corpora", str(tmp_path), "--output", str(output)]) == 0
    said = capsys.readouterr().out
    assert "      1 entries        3 names  human (public domain)" in said  # without the clone's number
    table = read_table(output)
    identifiers = [f"{table.groups[table.group_of[n]].prefix}:{table.ids[n]}" for n in range(len(table.ids))]
    assert identifiers[:2] == ["ncbigene:1", "ncbigene:1"]
    assert len(identifiers) == sum(len(list(source.read(folder / source.file))) for source in SOURCES) == 17
    again = tmp_path / "again.zip"
    main(["--corpora", str(tmp_path), "--output", str(again)])
    assert again.read_bytes() == output.read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rgd-rat-entries.tsv.gz", "ID\tname\n1\tx\n", r":1: expected the column 'symbol', got \['ID', 'name'\]"),
        ("rgd-rat-entries.tsv.gz", "ID\tsymbol\tsynonyms\n1\tAsip\n", ":2: expected 3 columns, got 2"),
        ("rgd-rat-entries.tsv.gz", "ID\tsymbol\tsynonyms\n", "expected rows below the names"),
        ("rgd-rat-entries.tsv.gz", "", "expected the column 'ID'"),
        ("obo-pfam.tsv.gz", "identifier\tname\nPF1\tx\n", "expected the column 'definition'"),
        ("ecoli-k12-gene_info.csv.gz", 'locus_tag,"gene_name\n', "expected CSV, got"),
    ],
)
def test_other_columns_and_short_rows_are_named(folder, tmp_path, capsys, name, content, message):
    (folder / name).write_bytes(gzip.compress(content.encode()))
    (source,) = (source for source in SOURCES if source.file == name)
    with pytest.raises(CorpusError, match=message):
        list(source.read(folder / name))
    assert main(["--corpora", str(tmp_path), "--output", str(tmp_path / "x.zip")]) == 1
    assert name in capsys.readouterr().err
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.parametrize(
    "name",
    [
        *("LOC123", "MGC:123", "AI893533", "2610529C04Rik", "zgc:56388", "si:dkey-211e8.3", "fk81c02", "wu:fb11a09"),
        *("Dmel\\CG2168", "Q9VHT6_DROME", "uncharacterized protein LOC798560", "RIKEN cDNA 1", "dJ543J19.5"),
    ],
)
def test_numbers_of_databases_are_placeholders(name):
    assert is_placeholder(name)


@pytest.mark.parametrize(
    "name",
    ["TP53", "IL-2", "p38", "KIAA1524", "CG4625", "Zn-15", "SPAC1002.02", "YBR160W", "DNA-PK", "C1q", "AT1", "id2"],
)
def test_names_are_no_placeholders(name):
    assert not is_placeholder(name)


def test_numbers_of_transcripts_of_fly_are_left_out():
    entry = LexiconEntry("ncbigene:1", "zld", ("zld-PA", "CG4625-PB", "DNA-PK", "CG4625"), ("zld-P",), "7227")
    kept = without_placeholders(entry)
    assert (kept.synonyms, kept.names) == (("DNA-PK", "CG4625"), ("zld-P",))


def test_the_shipped_lexicon_is_of_the_sources():
    assert len(SOURCES) == 12
    assert len(Lexicon.shipped()) > 150_000
