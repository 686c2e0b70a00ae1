"""What a model has seen of a corpus that is to judge it, as far as its file tells.

The file names the corpora of the training.  Those that are found are looked through for the documents of the corpus
(:func:`~ppi.extraction.examples.find_shared_documents`); of the others nothing can be known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import corpora
from corpora import CorpusError, Document, Sentence
from ppi.extraction import find_shared_documents


@dataclass(frozen=True)
class TrainingOverlap:
    """Documents of a corpus that a model was trained on.

    Parameters
    ----------
    documents
        Ids of those that are known to be.
    shared
        How many of them each training corpus has.
    unknown
        Training corpora that are not there to be looked through.
    whole
        Whether the corpus itself, by its name, is one of them.
    """

    documents: frozenset[str] = frozenset()
    shared: Mapping[str, int] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    whole: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "documents": len(self.documents),
            "shared": dict(self.shared),
            "unknown": list(self.unknown),
            "whole": self.whole,
        }

    def warnings(self, total: int) -> list[str]:
        """What a reader of the figures has to know, of a corpus of ``total`` documents."""
        if self.whole:
            return ["the model was trained on a corpus of this name: figures say what it remembers, not what it can do"]
        messages = []
        if self.documents:
            corpus_counts = ", ".join(f"{name} ({count})" for name, count in self.shared.items())
            messages.append(
                f"{len(self.documents)} of {total} documents are in corpora that the model was trained on: {corpus_counts}; "
                "the figures without them are the ones to be trusted"
            )
        if self.unknown:
            messages.append(
                f"the model was trained on {', '.join(self.unknown)}, not found here: whether documents are shared "
                "with them is not known; set PPI_CORPORA to a folder that holds them"
            )
        return messages


def find_training_overlap(facts: Mapping[str, Any], corpus: str, documents: Sequence[Document]) -> TrainingOverlap:
    """What a model of these training facts has seen of the documents."""
    names = training_corpora(facts)
    if corpus in names:
        return TrainingOverlap(frozenset(document.id for document in documents), {corpus: len(documents)}, whole=True)
    shared_ids: set[str] = set()
    shared, unknown = {}, []
    for name in names:
        try:
            ids = find_shared_documents(documents, _load_texts(name))
        except CorpusError:
            unknown.append(name)
            continue
        if ids:
            shared[name] = len(ids)
            shared_ids |= ids
    return TrainingOverlap(frozenset(shared_ids), shared, tuple(unknown))


def training_corpora(facts: Mapping[str, Any]) -> list[str]:
    """The names of the corpora that a model was trained on, or started from."""
    corpus_records = [facts.get(key) for key in ("corpora", "extra")]
    return list(dict.fromkeys(str(name) for part in corpus_records if isinstance(part, Mapping) for name in part))


def _load_texts(name: str) -> tuple[Document, ...]:
    path = corpora.find(name)
    return _load_texts_cached(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _load_texts_cached(path: Path, version: int) -> tuple[Document, ...]:
    """The documents of a file with their ids and sentences alone: several corpora are judged by one model."""
    return tuple(
        Document(
            document.id,
            tuple(Sentence(sentence.id, sentence.text) for sentence in document.sentences),
            orig_id=document.orig_id,
            infons=document.infons,
        )
        for document in corpora.read(path)
    )
