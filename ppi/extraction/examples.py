"""From documents to labelled candidate graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpora.types import Document
from kernels import CandidateGraph, candidate_graphs
from ppi.errors import TrainingError, UsageError

#: The parse that is taken where a corpus has several and none is named.
PREFERRED_PARSER = "split_parse"


@dataclass(frozen=True)
class Examples:
    """Candidate graphs with their labels (+1, -1) and the documents they come from."""

    graphs: list[CandidateGraph]
    labels: np.ndarray
    documents: np.ndarray

    def __len__(self) -> int:
        return len(self.graphs)

    @property
    def positive(self) -> int:
        """How many examples interact."""
        return int(np.sum(self.labels > 0))


def candidates(documents: Sequence[Document], *, parser: str | None = None) -> list[CandidateGraph]:
    """The candidate graph of every pair of two different mentions, in document order."""
    chosen = parser or choose_parser(documents)
    return [graph for graph in candidate_graphs(documents, parser=chosen) if not graph.pair.is_self]


def labelled_examples(
    documents: Sequence[Document], *, parser: str | None = None, name: str = "the documents"
) -> Examples:
    """The annotated pairs of two different mentions.

    Raises
    ------
    TrainingError
        If there is no positive, or no negative, pair.
    """
    graphs = [graph for graph in candidates(documents, parser=parser) if graph.label is not None]
    labels = np.array([1.0 if graph.label else -1.0 for graph in graphs])
    for sign, kind in ((1.0, "positive"), (-1.0, "negative")):
        if not np.any(labels == sign):
            raise TrainingError(
                f"expected {kind} pairs in {name}, got none among {len(graphs)} annotated pairs; "
                "learning needs both kinds"
            )
    return Examples(graphs, labels, np.array([graph.document_id for graph in graphs]))


def choose_parser(documents: Sequence[Document]) -> str | None:
    """The only parser's name, or the preferred one; None where nothing is parsed.

    Raises
    ------
    UsageError
        If there are several and the preferred one is not among them.
    """
    counts = Counter(parser for document in documents for sentence in document.sentences for parser in sentence.parsers)
    if PREFERRED_PARSER in counts:
        return PREFERRED_PARSER
    if len(counts) > 1:
        raise UsageError(f"expected one parse a sentence, got {sorted(counts)}; name one as the parser")
    return next(iter(counts), None)
