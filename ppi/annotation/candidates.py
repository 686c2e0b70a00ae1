"""The candidate graphs of parsed documents with names: every pair of proteins of every sentence that is searched."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from corpora.types import Document, Entity, Sentence
from kernels import CandidateGraph, sentence_candidates, sentence_graph
from ppi.annotation.pairs import DEFAULT_KINDS, candidate_pairs, is_protein

#: Longer sentences are not searched: their features take memory and time with the square of the length.
MAX_SENTENCE_TOKENS = 500
#: Nor are lists of more than a hundred proteins.
MAX_SENTENCE_PAIRS = 5000


class CandidateGraphs(NamedTuple):
    """Of several documents: those of document ``n`` are ``graphs[bounds[n]:bounds[n + 1]]``.

    ``skipped`` holds, for each document, the ids of its sentences that are too long to be searched.
    """

    graphs: list[CandidateGraph]
    bounds: list[int]
    skipped: list[tuple[str, ...]]


def build_candidates(
    documents: Sequence[Document],
    *,
    max_tokens: int,
    max_pairs: int,
    kinds: Collection[str] = DEFAULT_KINDS,
    keep_same: bool = False,
) -> CandidateGraphs:
    """All candidates of the documents between names of ``kinds``; a warning counts the sentences not searched.

    ``keep_same`` takes pairs of one protein, too.
    """
    graphs: list[CandidateGraph] = []
    bounds, skipped = [0], []
    for document in documents:
        too_long = []
        for sentence in document.sentences:
            candidates = _build_sentence_candidates(sentence, document.id, max_tokens, max_pairs, kinds, keep_same)
            if candidates is None:
                too_long.append(sentence.id)
            else:
                graphs.extend(candidates)
        bounds.append(len(graphs))
        skipped.append(tuple(too_long))
    if any(skipped):
        warnings.warn(
            f"{sum(map(len, skipped))} sentences of more than {max_tokens} tokens or {max_pairs} pairs "
            f"were not searched for interactions (the first is {next(filter(None, skipped))[0]!r}); raise "
            "max_tokens or max_pairs, or split the text",
            stacklevel=4,
        )
    return CandidateGraphs(graphs, bounds, skipped)


def _build_sentence_candidates(
    sentence: Sentence, document_id: str, max_tokens: int, max_pairs: int, kinds: Collection[str], keep_same: bool
) -> list[CandidateGraph] | None:
    """The candidates of a sentence; None if it is too long."""
    proteins = [entity for entity in sentence.entities if is_protein(entity, kinds)]
    if len(proteins) < 2:
        return []
    base = sentence_graph(_keep_proteins(sentence, proteins))
    if base.n_tokens > max_tokens or len(proteins) * (len(proteins) - 1) // 2 > max_pairs:
        return None
    pairs = candidate_pairs(sentence, proteins, keep_same=keep_same)
    return sentence_candidates(base, pairs, document_id=document_id) if pairs else []


def _keep_proteins(sentence: Sentence, proteins: Sequence[Entity]) -> Sentence:
    """The sentence with its proteins alone: other entities are words like any."""
    if len(proteins) == len(sentence.entities):
        return sentence
    return replace(sentence, entities=tuple(proteins), pairs=())
