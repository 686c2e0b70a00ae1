"""BioC as it stands in a file, XML or JSON: collection > document > passage (> sentence) > annotation, relation.

Comeau et al. (2013), BioC: a minimalist approach to interoperability for biomedical text processing.
:mod:`corpora.formats.bioc_reader` and :mod:`corpora.formats.bioc_writer` turn this into Documents and back.

Remarks ("infons") carry what BioC has no element for.  Our own names for them:

===========================  ===============================================================================
``identifier``, ``type``     of an annotation: what it is grounded to (separated by ``;``), and its type
``corpora:identifiers``      the identifiers as a JSON list, where ``;`` would not separate them
``type``, ``interaction``    of a relation: its type; ``False`` or ``unknown`` for a pair that is not positive
``e1_role``, ``e2_role``     of a pair, when they are not ``Arg1`` and ``Arg2``
``entity1``, ``entity2``     of a relation between two identifiers, which has no nodes: these
``corpora:concepts``         the two identifiers as a JSON list, where they cannot be written so
``corpora:level``            ``document`` for a relation that looks like a pair of one sentence and is none
``orig_id``                  of a document, sentence or annotation: the id in the corpus it came from
``corpora:corpus``           of a document whose corpus is not the collection's source
``corpora:id``               of a sentence whose id is not the document's followed by ``.s`` and its index
``corpora:offset``           of a sentence whose own offset would lie inside the sentence before it
``corpora:passage``          in memory only: the number of the passage whose ``sentence`` this is; the passage's
                             own remarks follow as ``corpora:passage:NAME``
===========================  ===============================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TYPE = "type"
IDENTIFIER = "identifier"
IDENTIFIERS = "corpora:identifiers"
INTERACTION = "interaction"
LEVEL = "corpora:level"
ORIG_ID = "orig_id"
CORPUS = "corpora:corpus"
SENTENCE_ID = "corpora:id"
OFFSET = "corpora:offset"
PASSAGE = "corpora:passage"
PASSAGE_PREFIX = "corpora:passage:"

#: How a pair's label is written; a relation without the remark is positive.
LABELS: dict[str, bool | None] = {"True": True, "False": False, "unknown": None}

#: Remarks in which other producers keep identifiers; looked at in this order if there is no ``identifier``.
EXTERNAL_IDENTIFIER_KEYS = (
    "Identifier",
    "NCBI Gene",
    "NCBI_Gene",
    "NCBI GENE",
    "MESH",
    "MeSH",
    "OMIM",
    "ChEBI",
    "CHEBI",
    "NCBI Taxonomy",
    "NCBI_Taxonomy",
    "Cellosaurus",
    "tmVar",
    "concept_id",
)

#: Remarks in which a relation names its two identifiers: BioRED's (and ours), PubTator 3's, BC6PM's, BC5CDR's.
CONCEPT_ENDS = (("entity1", "entity2"), ("role1", "role2"), ("Gene1", "Gene2"), ("Chemical", "Disease"))
CONCEPTS = "corpora:concepts"
#: Where relations between identifiers have their type, if not in ``type``.
EXTERNAL_TYPE_KEY = "relation"

#: An offset or length; longer ones than this are no place in any text.
NUMBER = re.compile(r"-?[0-9]{1,15}")

InfonList = list[tuple[str, str]]


@dataclass(slots=True)
class BioCAnnotation:
    """A mention; ``locations`` are (offset, length) in the document."""

    id: str | None
    text: str | None
    locations: list[tuple[int, int]]
    infons: InfonList = field(default_factory=list)
    line: int | None = None


@dataclass(slots=True)
class BioCRelation:
    """A relation; ``nodes`` are (refid, role)."""

    id: str | None
    nodes: list[tuple[str, str]]
    infons: InfonList = field(default_factory=list)
    line: int | None = None


@dataclass(slots=True)
class BioCSentence:
    """A sentence of a passage."""

    offset: int
    text: str | None
    annotations: list[BioCAnnotation] = field(default_factory=list)
    relations: list[BioCRelation] = field(default_factory=list)
    infons: InfonList = field(default_factory=list)
    line: int | None = None


@dataclass(slots=True)
class BioCPassage(BioCSentence):
    """A passage: a text with annotations, or sentences."""

    sentences: list[BioCSentence] = field(default_factory=list)


@dataclass(slots=True)
class BioCDocument:
    """A document; ``source`` is the collection's."""

    id: str
    passages: list[BioCPassage]
    annotations: list[BioCAnnotation] = field(default_factory=list)
    relations: list[BioCRelation] = field(default_factory=list)
    infons: InfonList = field(default_factory=list)
    source: str | None = None
    line: int | None = None
