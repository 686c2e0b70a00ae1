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
12       the type of :mod:`ppi.export.psi_mi`; ``psi-mi:"MI:0914"(association)`` where the model does not say how
         they interact
13       ``unknown:ppi-miner(ppi-miner)``: the vocabulary has no term for this program
14       ``ppi-miner:`` and document and pair
15       ``ppi-miner:`` and the probability, ``ppi-miner-score:`` and the score
17, 18   biological roles: enzyme and enzyme target, regulator and regulator target; else, as in
19, 20   ``psi-mi:"MI:0499"(unspecified role)``, since a sentence seldom says what was bait and what was prey
21, 22   ``psi-mi:"MI:0326"(protein)``, ``psi-mi:"MI:1304"(molecule set)`` of a family, ``psi-mi:"MI:0315"(protein
         complex)`` of a complex, by :func:`ppi.export.psi_mi.interactor_type`
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
from typing import IO

from corpora.types import Entity
from ppi.annotation.characters import one_line
from ppi.annotation.pubmed import pubmed_id
from ppi.annotation.rows import protein_info
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.export.psi_mi import TEXT_MINING, UNSPECIFIED_ROLE, Term, biological_roles, interaction_type, interactor_type
from ppi.grounding.candidate import GROUP_KINDS
from ppi.grounding.identity import canonicalize_identifier
from ppi.grounding.names import name_key
from ppi.grounding.species_names import SPECIES_NAMES

COLUMNS = (
    "ID(s) interactor A",
    "ID(s) interactor B",
    "Alt. ID(s) interactor A",
    "Alt. ID(s) interactor B",
    "Alias(es) interactor A",
    "Alias(es) interactor B",
    "Interaction detection method(s)",
    "Publication 1st author(s)",
    "Publication Identifier(s)",
    "Taxid interactor A",
    "Taxid interactor B",
    "Interaction type(s)",
    "Source database(s)",
    "Interaction identifier(s)",
    "Confidence value(s)",
    "Expansion method(s)",
    "Biological role(s) interactor A",
    "Biological role(s) interactor B",
    "Experimental role(s) interactor A",
    "Experimental role(s) interactor B",
    "Type(s) interactor A",
    "Type(s) interactor B",
    "Xref(s) interactor A",
    "Xref(s) interactor B",
    "Interaction Xref(s)",
    "Annotation(s) interactor A",
    "Annotation(s) interactor B",
    "Interaction annotation(s)",
    "Host organism(s)",
    "Interaction parameter(s)",
    "Creation date",
    "Update date",
    "Checksum(s) interactor A",
    "Checksum(s) interactor B",
    "Interaction Checksum(s)",
    "Negative",
    "Feature(s) interactor A",
    "Feature(s) interactor B",
    "Stoichiometry(s) interactor A",
    "Stoichiometry(s) interactor B",
    "Identification method participant A",
    "Identification method participant B",
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
    references = [_reference(identifier, entity) for identifier in entity.identifiers]
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


def _reference(identifier: str, entity: Entity) -> str:
    return field(*_database(identifier, entity))


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
