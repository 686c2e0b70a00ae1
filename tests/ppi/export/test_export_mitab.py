"""PSI-MITAB 2.7, read back by a strict reader of its own."""

import annotated
import mitab_reader
import pytest
from hypothesis import given
from mitab_reader import Field

from corpora import Document, Entity, Sentence
from ppi.annotation import AnnotatedDocument, Relationship
from ppi.export.formats import dumps
from ppi.export.mitab import field, interaction_type


@pytest.fixture(scope="module")
def rows():
    return mitab_reader.read(dumps([annotated.profilin(explained=True)], "mitab", explain=True))


def test_header_names_the_42_columns_of_the_specification():
    header = dumps([], "mitab").decode().splitlines()
    assert len(header) == 1
    names = header[0].split("\t")
    assert names[0] == "#ID(s) interactor A"
    assert names[14] == "Confidence value(s)"
    assert names[35] == "Negative"
    assert names[41] == "Identification method participant B"


def test_grounded_mention_has_its_database_symbol_and_species(rows):
    assert rows[0][1] == [Field("entrez gene/locuslink", "5216")]
    assert Field("entrez gene/locuslink", "PFN1", "gene name") in rows[0][5]
    assert Field("ppi-miner", "Profilin", "author assigned name") in rows[0][5]
    assert rows[0][10] == [Field("taxid", "9606", "human"), Field("taxid", "9606", "Homo sapiens")]


def test_ambiguous_mention_is_identified_by_name_and_lists_its_candidates_as_references(rows):
    assert rows[0][2] == [Field("ppi-miner", "actin")]
    assert rows[0][24] == [Field("entrez gene/locuslink", "60"), Field("entrez gene/locuslink", "71")]
    assert rows[0][11] == [Field("taxid", "-3", "unknown")]


def test_terms_publication_confidence_and_sentence(rows):
    assert rows[0][7] == [Field("psi-mi", "MI:0110", "text mining")]
    assert rows[0][12] == [Field("psi-mi", "MI:0914", "association")]
    assert rows[0][9] == [Field("pubmed", "10022882")]
    assert rows[0][15] == [Field("ppi-miner", "0.9300"), Field("ppi-miner-score", "0.8600")]
    assert rows[0][28][0] == Field("comment", "Profilin binds actin and inhibits its polymerization.")
    assert rows[0][28][1].value.startswith("dependency path: binds -nsubj-> Profilin")
    assert rows[0][36] == "false"


@pytest.fixture(scope="module")
def typed():
    return mitab_reader.read(dumps([annotated.typed()], "mitab"))


def test_types_are_terms_of_the_vocabulary(typed):
    assert [row[12] for row in typed] == [
        [Field("psi-mi", *term)]
        for term in (
            ("MI:0915", "physical association"),
            ("MI:0217", "phosphorylation reaction"),
            ("MI:2286", "functional association"),
            ("MI:2286", "functional association"),
            ("MI:2286", "functional association"),
            ("MI:0915", "physical association"),
            ("MI:0414", "enzymatic reaction"),
        )
    ]


def test_roles_follow_the_direction_and_not_the_order_of_the_text(typed):
    roles = [[row[column][0].description for column in (17, 18)] for row in typed]
    assert roles[:3] == [
        ["unspecified role", "unspecified role"],
        ["enzyme target", "enzyme"],
        ["regulator", "regulator target"],
    ]
    assert typed[1][17] == [Field("psi-mi", "MI:0502", "enzyme target")]
    assert typed[2][18] == [Field("psi-mi", "MI:2275", "regulator target")]
    assert {row[column][0].value for row in typed for column in (19, 20)} == {"MI:0499"}


def test_denied_interactions_are_negative_and_supposed_ones_say_so(typed):
    assert [row[36] for row in typed] == ["false"] * 5 + ["true", "false"]
    assert Field("comment", "hedged: the sentence only supposes it") in typed[6][28]
    assert Field("comment", "sign: negative") in typed[3][28]


@pytest.mark.parametrize("kind", ["neddylation", None])
def test_kinds_without_a_reaction_of_their_own_are_enzymatic(kind):
    assert interaction_type(Relationship("modification", kind=kind)) == ("MI:0414", "enzymatic reaction")


def test_interaction_identifiers_are_unique(rows):
    identifiers = [row[14][0].value for row in rows]
    assert len(set(identifiers)) == len(rows) == 3


def test_document_outside_pubmed_is_its_own_publication():
    (row, _) = mitab_reader.read(dumps([annotated.discontinuous()], "mitab"))
    assert row[9] == [Field("ppi-miner", "d")]
    assert Field("ppi-miner", "alpha actinin", "author assigned name") in row[5]


@pytest.mark.parametrize(
    ("identifier", "type", "expected"),
    [
        ("UP:P12345", None, Field("uniprotkb", "P12345")),
        ("5216", "Gene", Field("entrez gene/locuslink", "5216")),
        ("5216", "Chemical", Field("unknown", "5216")),
        ("NCBI GENE:5216", None, Field("entrez gene/locuslink", "5216")),
        ("EntrezGene:5216", None, Field("entrez gene/locuslink", "5216")),
        ("NCBIGene:5216", None, Field("entrez gene/locuslink", "5216")),
        ("fplx:ERK", None, Field("fplx", "ERK")),
        ("rgd:2003", None, Field("rgd", "2003")),
        ("complexportal:CPX-1", None, Field("complex portal", "CPX-1")),
        ("kegg.genes:eco:b0002", None, Field("kegg", "eco:b0002")),
        ("HGNC:HGNC:5", None, Field("hgnc", "HGNC:5")),
    ],
)
def test_databases_have_their_names_of_the_vocabulary(identifier, type, expected):
    entities = (Entity("e1", "A", ((0, 1),), type, (identifier,)), Entity("e2", "B", ((2, 3),)))
    sentence = Sentence("s", "A B", entities)
    each = AnnotatedDocument(Document("d", (sentence,)), (annotated.interaction("d", sentence, "e1", "e2", 0.5),))
    (row,) = mitab_reader.read(dumps([each], "mitab"))
    assert row[1] == [expected]


@pytest.mark.parametrize(
    ("remarks", "type", "interactor", "species", "uniprot"),
    [
        ({"taxid": "10090"}, "PROTEIN", ("MI:0326", "protein"), ("mouse", "Mus musculus"), None),
        ({"taxid": "562", "uniprot": "P00561"}, None, ("MI:0326", "protein"), ("ecoli", "Escherichia coli"), "P00561"),
        ({"species": "4932"}, None, ("MI:0326", "protein"), ("yeast", "Saccharomyces cerevisiae"), None),
        ({"entity_kind": "family"}, "PROTEIN", ("MI:1304", "molecule set"), None, None),
        ({"entity_kind": "complex"}, "FAMILY", ("MI:0315", "protein complex"), None, None),
        ({}, "FAMILY", ("MI:1304", "molecule set"), None, None),
        ({"taxid": "12345"}, "Gene", ("MI:0326", "protein"), (None,), None),
    ],
)
def test_species_accession_and_kind_of_what_the_lexicon_knows(remarks, type, interactor, species, uniprot):
    infons = (("symbol", "Sym"), *remarks.items())
    entities = (Entity("e1", "A", ((0, 1),), type, ("sgd:S1",), infons=infons), Entity("e2", "B", ((2, 3),)))
    sentence = Sentence("s", "A B", entities)
    each = AnnotatedDocument(Document("d", (sentence,)), (annotated.interaction("d", sentence, "e1", "e2", 0.5),))
    (row,) = mitab_reader.read(dumps([each], "mitab"))
    assert row[21] == [Field("psi-mi", *interactor)]
    expected = (
        [("-3", "unknown")]
        if species is None
        else [(remarks.get("taxid") or remarks["species"], name) for name in species]
    )
    assert row[10] == [Field("taxid", *pair) for pair in expected]
    assert row[3] == (None if uniprot is None else [Field("uniprotkb", uniprot)])
    grouped = "entity_kind" in remarks
    assert Field("sgd", "Sym", "display_long" if grouped else "gene name") in row[5]
    assert (row[4], row[11]) == (None, [Field("taxid", "-3", "unknown")])


def test_parts_with_reserved_characters_are_quoted_and_quotes_escaped():
    assert field("uniprotkb", "P12345", 'a "nice" protein') == 'uniprotkb:P12345("a \\"nice\\" protein")'
    assert mitab_reader.fields(field("a|b", "c:d", "e(f)")) == [Field("a|b", "c:d", "e(f)")]
    assert field("x", "back\\slash") == "x:back/slash"


def flat(text: str) -> str:
    """What the format says of a text: no tabs, line breaks, backslashes or halves of characters."""
    made = []
    for character in text:
        if character in "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029":
            character = " "
        elif character == "\\":
            character = "/"
        elif "\ud800" <= character <= "\udfff":
            character = "\ufffd"
        made.append(character)
    return "".join(made)


@given(annotated.annotated())
def test_any_text_makes_rows_that_read_back(each):
    rows = mitab_reader.read(dumps([each], "mitab"))
    assert len(rows) == len(each.interactions)
    for row, interaction in zip(rows, each.interactions, strict=True):
        assert row[28] == [Field("comment", flat(interaction.sentence))]
        names = [flat(entity.text) for entity in interaction.proteins]
        assert [row[column][0].value for column in (5, 6)] == names
        assert float(row[15][0].value) == pytest.approx(interaction.probability, abs=5e-5)
