"""Corpora and files: readers and writers that turn every format into the same immutable documents."""

from corpora.concepts import with_concept_pairs
from corpora.errors import CorpusError, FormatError, LossError, LossWarning, ValidationError
from corpora.events import Event, Trigger
from corpora.interactions import InteractionLabel, labelled_pairs
from corpora.registry import FORMATS, find, load, read, write
from corpora.types import (
    ConceptRelation,
    Dependency,
    DependencyGraph,
    Document,
    Entity,
    MultiwordToken,
    Pair,
    Relation,
    Sentence,
    Token,
)

__all__ = [
    "FORMATS",
    "ConceptRelation",
    "CorpusError",
    "Dependency",
    "DependencyGraph",
    "Document",
    "Entity",
    "Event",
    "FormatError",
    "InteractionLabel",
    "LossError",
    "LossWarning",
    "MultiwordToken",
    "Pair",
    "Relation",
    "Sentence",
    "Token",
    "Trigger",
    "ValidationError",
    "find",
    "labelled_pairs",
    "load",
    "read",
    "with_concept_pairs",
    "write",
]
