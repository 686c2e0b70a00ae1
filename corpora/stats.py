"""Counts of a corpus, one row a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from corpora.types import Document, Sentence


@dataclass
class CorpusStats:
    """How much of everything a corpus holds; pairs of a mention with itself are counted as pairs."""

    corpus: str
    documents: int = 0
    sentences: int = 0
    entities: int = 0
    pairs: int = 0
    positive: int = 0
    negative: int = 0
    unannotated: int = 0
    sentences_with_pairs: int = 0
    parsers: list[str] = field(default_factory=list)
    triggers: int = 0
    events: int = 0
    concept_relations: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; triggers and events, and relations between identifiers, only where there are any."""
        values = asdict(self)
        if not self.triggers and not self.events:
            del values["triggers"], values["events"]
        if not self.concept_relations:
            del values["concept_relations"]
        return values

    def add(self, sentence: Sentence) -> None:
        """Count one sentence."""
        labels = [pair.label for pair in sentence.pairs]
        self.sentences += 1
        self.entities += len(sentence.entities)
        self.pairs += len(labels)
        self.positive += labels.count(True)
        self.negative += labels.count(False)
        self.unannotated += labels.count(None)
        self.sentences_with_pairs += bool(labels)
        self.parsers.extend(name for name in sentence.parsers if name not in self.parsers)


def corpus_stats(corpus: str, documents: Iterable[Document]) -> CorpusStats:
    """Count documents as they stream by.

    >>> from corpora import load
    >>> stats = corpus_stats("sample", load("sample"))
    >>> stats.documents, stats.sentences, stats.positive
    (20, 31, 30)
    """
    stats = CorpusStats(corpus)
    for document in documents:
        stats.documents += 1
        stats.triggers += len(document.triggers)
        stats.events += len(document.events)
        stats.concept_relations += len(document.concept_relations)
        for sentence in document.sentences:
            stats.add(sentence)
    return stats
