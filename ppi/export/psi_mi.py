"""The PSI-MI vocabulary's terms for what an interaction is, and for what its two proteins do in it.

A binding is a *physical association* (MI:0915), not a *direct interaction* (MI:0407): a sentence says that two proteins
are found together in a complex, and seldom that nothing stands between them.  A regulation is a *functional
association* (MI:2286), because it says nothing of contact.  Kinds of modification that the vocabulary has no
reaction for are an *enzymatic reaction* (MI:0414).

What the lexicon knows as a family is a *molecule set* (MI:1304), members of which one cannot tell apart by the text;
what it knows as a complex is a *protein complex* (MI:0315).  A name of the type FAMILY that it does not know is one of
the two, and which is not said: a molecule set is what either of them is.
"""

from __future__ import annotations

from typing import NamedTuple

from ppi.annotation.relationship import BINDING, MODIFICATION, REGULATION, Relationship


class Term(NamedTuple):
    """An entry of the vocabulary."""

    id: str
    name: str


TEXT_MINING = Term("MI:0110", "text mining")
PROTEIN = Term("MI:0326", "protein")
ASSOCIATION = Term("MI:0914", "association")
ENZYMATIC_REACTION = Term("MI:0414", "enzymatic reaction")
UNSPECIFIED_ROLE = Term("MI:0499", "unspecified role")
#: Of mentions, by their types in small letters; all others are proteins.
_INTERACTOR_TERMS = {
    "family": Term("MI:1304", "molecule set"),
    "familyname": Term("MI:1304", "molecule set"),
    "genefamily": Term("MI:1304", "molecule set"),
    "complex": Term("MI:0315", "protein complex"),
    "dna": Term("MI:0319", "deoxyribonucleic acid"),
    "rna": Term("MI:0320", "ribonucleic acid"),
    "dna_rna": Term("MI:0318", "nucleic acid"),
}

_INTERACTION_TERMS = {
    BINDING: Term("MI:0915", "physical association"),
    MODIFICATION: ENZYMATIC_REACTION,
    REGULATION: Term("MI:2286", "functional association"),
}
_REACTION_IDS = {
    "phosphorylation": "MI:0217",
    "dephosphorylation": "MI:0203",
    "ubiquitination": "MI:0220",
    "deubiquitination": "MI:0204",
    "acetylation": "MI:0192",
    "deacetylation": "MI:0197",
    "methylation": "MI:0213",
    "demethylation": "MI:0871",
    "glycosylation": "MI:0559",
    "hydroxylation": "MI:0210",
    "sumoylation": "MI:0566",
}
#: Of the agent and of the target.
_ROLE_TERMS = {
    MODIFICATION: (Term("MI:0501", "enzyme"), Term("MI:0502", "enzyme target")),
    REGULATION: (Term("MI:2274", "regulator"), Term("MI:2275", "regulator target")),
}


def interaction_type(relationship: Relationship) -> Term:
    """The term of an interaction's type; *association* where it is not known.

    >>> interaction_type(Relationship("modification", kind="ubiquitination"))
    Term(id='MI:0220', name='ubiquitination reaction')
    """
    if relationship.type == MODIFICATION and relationship.kind in _REACTION_IDS:
        return Term(_REACTION_IDS[relationship.kind], f"{relationship.kind} reaction")
    return ASSOCIATION if relationship.type is None else _INTERACTION_TERMS[relationship.type]


def interactor_type(type: str | None, kind: str | None = None) -> Term:
    """The term for a mention of a type; a protein unless the type, or what the lexicon knows it to be, says otherwise.

    >>> interactor_type("FAMILY").id, interactor_type("Gene").id, interactor_type(None).id
    ('MI:1304', 'MI:0326', 'MI:0326')
    >>> interactor_type("FAMILY", "complex").id, interactor_type("PROTEIN", "family").id
    ('MI:0315', 'MI:1304')
    """
    kind_term = _INTERACTOR_TERMS.get((kind or "").lower())
    return kind_term or _INTERACTOR_TERMS.get((type or "").lower(), PROTEIN)


def biological_roles(relationship: Relationship) -> tuple[Term, Term]:
    """The roles of agent and target, where the type has a direction."""
    return _ROLE_TERMS.get(relationship.type or "", (UNSPECIFIED_ROLE, UNSPECIFIED_ROLE))
