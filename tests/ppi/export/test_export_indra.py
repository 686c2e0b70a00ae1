"""INDRA JSON: by hand, and read by the package indra where it is installed."""

import json
import warnings
from dataclasses import replace

import annotated
import pytest
from hypothesis import given

from corpora import LossWarning
from ppi.export.formats import dumps, write

DROPPED = "1 modifications of a kind that it does not know, 1 regulations without a sign"


@pytest.fixture
def statements():
    with pytest.warns(LossWarning, match=f"INDRA JSON cannot hold: {DROPPED}"):
        return json.loads(dumps([annotated.typed()], "indra"))


def test_statements_by_hand(statements):
    binding, phosphorylation, activation, inhibition, denied = statements
    assert binding == {
        "type": "Complex",
        "members": [
            {"name": "Profilin", "db_refs": {"TEXT": "Profilin"}},
            {"name": "actin", "db_refs": {"TEXT": "actin"}},
        ],
        "belief": 0.6,
        "evidence": [
            {
                "source_api": "ppi-miner",
                "source_id": "4711/4711.s0.0.e0-4711.s0.0.e1",
                "text": "Profilin binds actin.",
                "annotations": {
                    "agents": {"raw_text": ["Profilin", "actin"], "coords": [[0, 8], [15, 20]]},
                    "probability": 0.96,
                },
                "pmid": "4711",
            }
        ],
        "id": binding["id"],
    }
    assert phosphorylation["type"] == "Phosphorylation"
    assert (phosphorylation["enz"]["name"], phosphorylation["sub"]["name"]) == ("LIMK1", "Cofilin")
    assert (activation["type"], activation["subj"]["name"], activation["obj"]["name"]) == (
        "Activation",
        "RhoA",
        "mDia1",
    )
    assert (inhibition["type"], inhibition["obj_activity"]) == ("Inhibition", "activity")
    assert denied["evidence"][0]["epistemics"] == {"negated": True}
    assert len({statement["id"] for statement in statements}) == len(statements)


def test_supposed_interactions_are_hypotheses():
    interaction = replace(annotated.typed().interactions[1], hedged=True)
    (statement,) = json.loads(dumps([replace(annotated.typed(), interactions=(interaction,))], "indra"))
    assert statement["evidence"][0]["epistemics"] == {"hypothesis": True}


@pytest.mark.parametrize(
    ("identifiers", "expected"),
    [
        (("ncbigene:5216",), {"EGID": "5216"}),
        (("NCBI GENE:5216",), {"EGID": "5216"}),
        (("5216",), {"EGID": "5216"}),  # PubTator's
        (("UniProt:P07737",), {"UP": "P07737"}),
        (("HGNC:8881",), {"HGNC": "8881"}),
        (("HGNC:HGNC:8881",), {"HGNC": "8881"}),
        (("fplx:ERK",), {"FPLX": "ERK"}),
        (("FPLX:ERK",), {"FPLX": "ERK"}),
        (("rgd:2003",), {"RGD": "2003"}),
        (("sgd:S000000364",), {"SGD": "S000000364"}),
        (("complexportal:CPX-1",), {"COMPLEXPORTAL": "CPX-1"}),
        (("hgnc.genegroup:10",), {"HGNC_GROUP": "10"}),
        (("pfam:PF00001",), {"PF": "PF00001"}),
        (("kegg.genes:eco:b0002",), {"KEGG.GENES": "eco:b0002"}),
        (("ncbigene:1", "ncbigene:2"), {}),
        (("unheard:of",), {}),
    ],
)
def test_agents_have_the_identifier_if_there_is_one(identifiers, expected):
    interaction = annotated.typed().interactions[0]
    first, second = interaction.proteins
    grounded = replace(first, identifiers=identifiers, infons=(("symbol", "PFN1"),))
    found = replace(interaction, proteins=(grounded, second))
    (statement,) = json.loads(dumps([replace(annotated.typed(), interactions=(found,))], "indra"))
    assert statement["members"][0] == {"name": "PFN1", "db_refs": {"TEXT": "Profilin", **expected}}


@pytest.mark.parametrize(
    ("taxids", "context", "listed"),
    [
        (("9606", "9606"), {"name": "Homo sapiens", "db_refs": {"TAXONOMY": "9606"}}, ["9606", "9606"]),
        (("9606", "10090"), None, ["9606", "10090"]),
        (("9606", None), None, ["9606", None]),
        ((None, None), None, None),
    ],
)
def test_the_evidence_has_the_species(taxids, context, listed):
    interaction = annotated.typed().interactions[0]
    told = tuple(
        replace(entity, infons=(("taxid", taxid),)) if taxid else entity
        for entity, taxid in zip(interaction.proteins, taxids)
    )
    found = replace(annotated.typed(), interactions=(replace(interaction, proteins=told),))
    (statement,) = json.loads(dumps([found], "indra"))
    (evidence,) = statement["evidence"]
    assert evidence.get("context") == (context and {"type": "bio", "species": context})
    assert evidence["annotations"]["agents"].get("species") == listed


def test_agents_have_uniprot_where_the_lexicon_has_it():
    interaction = annotated.typed().interactions[0]
    first, second = interaction.proteins
    known = replace(first, identifiers=("kegg.genes:eco:b0002",), infons=(("symbol", "thrA"), ("uniprot", "P00561")))
    found = replace(interaction, proteins=(known, second))
    (statement,) = json.loads(dumps([replace(annotated.typed(), interactions=(found,))], "indra"))
    references = {"TEXT": "Profilin", "KEGG.GENES": "eco:b0002", "UP": "P00561"}
    assert statement["members"][0] == {"name": "thrA", "db_refs": references}


def test_interactions_without_types_have_no_statement():
    with pytest.warns(LossWarning, match="3 interactions without a type"):
        assert json.loads(dumps([annotated.profilin()], "indra")) == []


def test_the_ending_tells_the_format(tmp_path):
    binding = replace(annotated.typed(), interactions=annotated.typed().interactions[:1])
    write([binding], tmp_path / "x.indra.json")
    assert json.loads((tmp_path / "x.indra.json").read_text())[0]["type"] == "Complex"


@given(annotated.annotated(typed=True))
def test_any_text_makes_json(each):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        statements = json.loads(dumps([each], "indra").decode())
    assert len(statements) <= len(each.interactions)


def test_the_package_indra_reads_every_statement(statements):
    indra = pytest.importorskip("indra.statements", reason="the package indra is not installed")
    read = indra.stmts_from_json(statements)
    assert [type(statement).__name__ for statement in read] == [statement["type"] for statement in statements]
    assert [agent.name for agent in read[1].agent_list()] == ["LIMK1", "Cofilin"]
    assert read[0].evidence[0].pmid == "4711"
    assert read[4].evidence[0].epistemics == {"negated": True}
    again = indra.stmts_to_json(read)
    assert [statement["type"] for statement in again] == [statement["type"] for statement in statements]


def test_statements_are_as_the_published_schema_says(statements):
    """The schema comes with the package indra."""
    jsonschema = pytest.importorskip("jsonschema")
    resources = pytest.importorskip("importlib.resources")
    pytest.importorskip("indra.statements", reason="the package indra is not installed")
    schema = json.loads(resources.files("indra").joinpath("resources/statements_schema.json").read_text())
    jsonschema.validate(statements, schema)
