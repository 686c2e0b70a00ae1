r"""PSI-MITAB 2.7: one interaction per line, 42 columns, as the databases of molecular interactions exchange them.

The specification is https://psicquic.github.io/MITAB27Format.html.  What stands in the columns (the others are ``-``):

=======  ==========================================================================================================
1, 2     identifier, ``entrez gene/locuslink:5216``; of a mention that is not grounded to exactly one,
         ``ppi-miner:`` and its normalized name, because the columns must not be empty
3, 4     ``uniprotkb:`` and the accession, where the lexicon has it
5, 6     the mention as written, and other names under which the sentence says the same (``author assigned name``), the
         official symbol (``gene name``), ``display_short``
7        ``psi-mi:"MI:0110"(text mining)``
9        ``pubmed:`` and the id, where the document is known to be in PubMed; else ``ppi-miner:`` and the document's id
10, 11   species where the lexicon or the text says, with its short and its Latin name, else ``taxid:-3(unknown)``
12       the type by :func:`interaction_type`; ``psi-mi:"MI:0914"(association)`` where the model does not say how
         they interact
13       ``unknown:ppi-miner(ppi-miner)``: the vocabulary has no term for this program
14       ``ppi-miner:`` and document and pair
15       ``ppi-miner:`` and the probability, ``ppi-miner-score:`` and the score
17, 18   biological roles: enzyme and enzyme target, regulator and regulator target; else, as in
19, 20   ``psi-mi:"MI:0499"(unspecified role)``, since a sentence seldom says what was bait and what was prey
21, 22   ``psi-mi:"MI:0326"(protein)``, ``psi-mi:"MI:1304"(molecule set)`` of a family, ``psi-mi:"MI:0315"(protein
         complex)`` of a complex, by :func:`interactor_type`
23, 24   all candidates of an ambiguous mention, as the specification says for ambiguous accessions
28       ``comment:`` the sentence; the sign of a regulation; that the text says it of one protein and itself
         (``homo``), that both names are of one protein (``same``), that the sentence only supposes it (``hedged``);
         and, where the evidence was asked for, the dependency path
36       ``true`` if the sentence denies the interaction, else ``false``
=======  ==========================================================================================================

Parts with a reserved character (``| ( ) :`` or a quote) are quoted, quotes inside escaped by a backslash.  Tabs and
line breaks become spaces, and a backslash, which the specification gives no way to write, a slash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import IO, NamedTuple

from corpora import BINDING, MODIFICATION, REGULATION, Entity
from ppi.annotation import AnnotatedDocument, Interaction, Relationship, one_line, protein_info, pubmed_id
from ppi.grounding import GROUP_KINDS, SPECIES_NAMES, canonicalize_identifier, name_key

COLUMNS = tuple(
    name.format(letter)
    for name in (
        *("ID(s) interactor {}", "Alt. ID(s) interactor {}", "Alias(es) interactor {}"),
        *("Interaction detection method(s)", "Publication 1st author(s)", "Publication Identifier(s)"),
        *("Taxid interactor {}", "Interaction type(s)", "Source database(s)", "Interaction identifier(s)"),
        *("Confidence value(s)", "Expansion method(s)", "Biological role(s) interactor {}"),
        *("Experimental role(s) interactor {}", "Type(s) interactor {}", "Xref(s) interactor {}"),
        *("Interaction Xref(s)", "Annotation(s) interactor {}", "Interaction annotation(s)", "Host organism(s)"),
        *("Interaction parameter(s)", "Creation date", "Update date", "Checksum(s) interactor {}"),
        *("Interaction Checksum(s)", "Negative", "Feature(s) interactor {}", "Stoichiometry(s) interactor {}"),
        "Identification method participant {}",
    )
    for letter in ("AB" if "{}" in name else "-")
)
EMPTY = "-"
#: Where identifiers are our own.
OWN_DATABASE = "ppi-miner"

SOURCE = f"unknown:{OWN_DATABASE}({OWN_DATABASE})"
UNKNOWN_SPECIES = "taxid:-3(unknown)"

#: PSI-MI's names of databases, by the prefix of a CURIE in small letters.
DATABASES = {
    "ncbigene": "entrez gene/locuslink",
    "uniprot": "uniprotkb",
    "uniprotkb": "uniprotkb",
    "up": "uniprotkb",
    "ip": "interpro",
    "refseq": "refseq",
    "ensembl": "ensembl",
    "hgnc": "hgnc",
    "interpro": "interpro",
    "chebi": "chebi",
    "go": "go",
    "rgd": "rgd",
    "sgd": "sgd",
    "pombase": "pombase",
    "kegg.genes": "kegg",
    "complexportal": "complex portal",
    "pfam": "pfam",
}
_RESERVED = re.compile(r'[|():"]')


# PSI-MI's terms for what an interaction is, and for what its two proteins do in it.
#
# A binding is a *physical association* (MI:0915), not a *direct interaction* (MI:0407): a sentence states that two
# proteins are found together in a complex, and seldom that nothing stands between them.  A regulation is a *functional
# association* (MI:2286), because it says nothing of contact.  Kinds of modification that the vocabulary has no
# reaction for are an *enzymatic reaction* (MI:0414).
#
# What the lexicon knows as a family is a *molecule set* (MI:1304), members of which one cannot tell apart by the text;
# what it knows as a complex is a *protein complex* (MI:0315).  A name of the type FAMILY that it does not know is one
# of the two, and which is not said: a molecule set is what either of them is.


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
    **dict.fromkeys(("family", "familyname", "genefamily"), Term("MI:1304", "molecule set")),
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


def write_mitab(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one line per interaction."""
    output.write(("#" + "\t".join(COLUMNS) + "\n").encode())
    for annotated_document in annotated:
        pubmed = pubmed_id(annotated_document.document)
        for interaction in annotated_document.interactions:
            output.write((_line(interaction, pubmed, explain) + "\n").encode())


def field(database: str, value: str, description: str | None = None) -> str:
    """``database:value(description)``, each part quoted where it must be.

    >>> field("psi-mi", "MI:0110", "text mining")
    'psi-mi:"MI:0110"(text mining)'
    """
    reference = f"{_format_part(database)}:{_format_part(value)}"
    return reference if description is None else f"{reference}({_format_part(description)})"


def _format_part(text: str) -> str:
    flat = _flatten(text)
    is_plain = flat and flat == flat.strip() and not _RESERVED.search(flat)
    return flat if is_plain else _quote(flat)


def _flatten(text: str) -> str:
    return one_line(text).replace("\\", "/")


def _quote(flat: str) -> str:
    return '"' + flat.replace('"', '\\"') + '"'


def _line(interaction: Interaction, pubmed: str | None, explain: bool) -> str:
    cells = dict.fromkeys(COLUMNS, EMPTY)
    roles = [UNSPECIFIED_ROLE, UNSPECIFIED_ROLE]
    if interaction.directed:
        is_reversed = interaction.participants != interaction.proteins
        roles = list(biological_roles(interaction.relationship))[:: -1 if is_reversed else 1]
    for which, (letter, entity) in enumerate(zip("AB", interaction.proteins, strict=True)):
        cells.update(_interactor_cells(entity, letter, interaction.other_names(which)))
        cells[f"Biological role(s) interactor {letter}"] = _term(roles[which])
    identifier = interaction.pair
    if interaction.document not in identifier:
        identifier = f"{interaction.document}/{identifier}"
    cells["Interaction detection method(s)"] = _term(TEXT_MINING)
    cells["Publication Identifier(s)"] = (
        field("pubmed", pubmed) if pubmed else field(OWN_DATABASE, interaction.document)
    )
    cells["Interaction type(s)"] = _term(interaction_type(interaction.relationship))
    cells["Source database(s)"] = SOURCE
    cells["Interaction identifier(s)"] = field(OWN_DATABASE, identifier)
    cells["Confidence value(s)"] = (
        f"{OWN_DATABASE}:{interaction.probability:.4f}|{OWN_DATABASE}-score:{interaction.score:.4f}"
    )
    cells["Interaction annotation(s)"] = _annotation(interaction, explain)
    cells["Negative"] = "true" if interaction.negated else "false"
    return "\t".join(cells.values())


def _interactor_cells(entity: Entity, letter: str, other_names: Iterable[str]) -> dict[str, str]:
    references = [field(*_database(identifier, entity)) for identifier in entity.identifiers]
    is_single = len(references) == 1
    identity = protein_info(entity)
    aliases = [field(OWN_DATABASE, name, "author assigned name") for name in (entity.text, *other_names)]
    if identity.symbol:
        database = _database(entity.identifiers[0], entity)[0] if is_single else OWN_DATABASE
        # what a family is called is no name of a gene
        kind = "display_long" if identity.entity_kind in GROUP_KINDS else "gene name"
        aliases.append(field(database, identity.symbol, kind))
    aliases.append(field(OWN_DATABASE, identity.symbol or entity.text, "display_short"))
    return {
        f"ID(s) interactor {letter}": references[0] if is_single else field(OWN_DATABASE, name_key(entity.text)),
        f"Alt. ID(s) interactor {letter}": field("uniprotkb", identity.uniprot) if identity.uniprot else EMPTY,
        f"Alias(es) interactor {letter}": "|".join(aliases),
        f"Taxid interactor {letter}": _species(identity.taxid),
        f"Experimental role(s) interactor {letter}": _term(UNSPECIFIED_ROLE),
        f"Type(s) interactor {letter}": _term(interactor_type(entity.type, identity.entity_kind)),
        f"Xref(s) interactor {letter}": EMPTY if is_single or not references else "|".join(references),
    }


def _term(term: Term) -> str:
    return field("psi-mi", *term)


def _database(identifier: str, entity: Entity) -> tuple[str, str]:
    """PSI-MI's name of the database, and the identifier there."""
    prefix, colon, rest = canonicalize_identifier(identifier, entity.type).partition(":")
    if not colon or not rest:
        return "unknown", identifier
    return DATABASES.get(prefix, prefix or "unknown"), rest


def _species(taxid: str | None) -> str:
    if taxid is None:
        return UNKNOWN_SPECIES
    names = SPECIES_NAMES.get(taxid, ())
    return "|".join(field("taxid", taxid, name) for name in names) or field("taxid", taxid)


def _annotation(interaction: Interaction, explain: bool) -> str:
    comments = [interaction.sentence]
    if interaction.sign is not None:
        comments.append(f"sign: {interaction.sign}")
    if interaction.homo:
        comments.append("homo: the text says that it interacts with itself")
    if interaction.same:
        comments.append("same: both names are those of one protein")
    if interaction.hedged:
        comments.append("hedged: the sentence only supposes it")
    if explain and interaction.evidence is not None and interaction.evidence.explanation.path:
        comments.append(f"dependency path: {interaction.evidence.explanation.path}")
    return "|".join(f"comment:{_quote(_flatten(comment))}" for comment in comments)


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
