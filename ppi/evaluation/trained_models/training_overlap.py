"""Find the documents of a corpus that a model was trained on, as far as the model's file records it.

The file names the corpora of the training.  Those that are found are searched for the documents of the corpus
(:func:`~ppi.extraction.find_shared_documents`); of the others nothing can be known.
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
        Training corpora that were not found.
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
                f"{len(self.documents)} of {total} documents are in corpora that the model was trained on: "
                f"{corpus_counts}; the figures without them are the ones to be trusted"
            )
        if self.unknown:
            messages.append(
                f"the model was trained on {', '.join(self.unknown)}, not found here: whether documents are shared "
                "with them is not known; set PPI_CORPORA to a folder that holds them"
            )
        return messages


def find_training_overlap(facts: Mapping[str, Any], corpus: str, documents: Sequence[Document]) -> TrainingOverlap:
    """The documents that a model of these training facts has seen."""
    names = training_corpora(facts)
    if corpus in names:
        return TrainingOverlap(frozenset(document.id for document in documents), {corpus: len(documents)}, whole=True)
    shared_ids: set[str] = set()
    shared, unknown = {}, []
    for name in names:
        try:
            path = corpora.find(name)
            ids = find_shared_documents(documents, _load_texts(path, path.stat().st_mtime_ns))
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


@lru_cache(maxsize=32)
def _load_texts(path: Path, version: int) -> tuple[Document, ...]:  # noqa: ARG001 - part of the cache's key
    """The documents of a file with only their ids and sentences; kept, as a model is evaluated on several corpora."""
    return tuple(
        Document(
            document.id,
            tuple(Sentence(sentence.id, sentence.text) for sentence in document.sentences),
            orig_id=document.orig_id,
            infons=document.infons,
        )
        for document in corpora.read(path)
    )
