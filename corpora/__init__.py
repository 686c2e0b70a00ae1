"""Corpora and files: readers and writers that turn every format into the same immutable documents."""

from corpora.errors import CorpusError, FormatError, LossError, LossWarning, ValidationError
from corpora.registry import FORMATS, find, load, read, write
from corpora.types import (
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
    "CorpusError",
    "Dependency",
    "DependencyGraph",
    "Document",
    "Entity",
    "FormatError",
    "LossError",
    "LossWarning",
    "MultiwordToken",
    "Pair",
    "Relation",
    "Sentence",
    "Token",
    "ValidationError",
    "find",
    "load",
    "read",
    "write",
]
