"""Sentences out of what a spaCy pipeline found, in the terms of the interface; O(tokens + mentions)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.types import Dependency, Span, Token
from ppi.parsing.parser import ParsedSentence
from ppi.parsing.word_facts import LexemeAttributes


class TokenMention(NamedTuple):
    """A name from the token ``start`` to before ``end``."""

    start: int
    end: int
    label: str


class ParsedText(NamedTuple):
    """A parsed text, one entry per token; ``heads`` are positions, a root is its own.

    Of tokens that were not ``parsed`` only the sentence is known.
    """

    tags: Sequence[str]
    attributes: Sequence[LexemeAttributes]
    heads: Sequence[int]
    labels: Sequence[str]
    begins: NDArray[np.bool_]
    parsed: NDArray[np.bool_]
    mentions: Sequence[TokenMention]


def build_sentences(text: str, spans: Sequence[Span], parsed: ParsedText) -> list[ParsedSentence]:
    """The sentences of a text whose tokens are at ``spans``; token ids are 1, 2, ... in each."""
    if not spans:
        return []
    bounds = [*np.flatnonzero(parsed.begins).tolist(), len(spans)]
    ids = [str(number) for number in range(1, 1 + max(end - start for start, end in pairwise(bounds)))]
    mentions = _group_by_sentence(parsed.mentions, bounds)
    sentences = []
    for (start, end), sentence_mentions in zip(pairwise(bounds), mentions):
        mention_spans = tuple(
            (spans[mention.start][0], spans[mention.end - 1][1], mention.label) for mention in sentence_mentions
        )
        if not parsed.parsed[start]:
            sentences.append(
                ParsedSentence((), mentions=mention_spans, unparsed_span=(spans[start][0], spans[end - 1][1]))
            )
            continue
        tokens, arcs, roots = [], [], []
        for place in range(start, end):
            id, (first, last), attributes = ids[place - start], spans[place], parsed.attributes[place]
            tokens.append(
                Token(
                    id,
                    first,
                    last,
                    text[first:last],
                    parsed.tags[place] or None,
                    attributes.lemma,
                    attributes.upos,
                    attributes.feats,
                )
            )
            if (head := parsed.heads[place]) == place:
                roots.append(id)
            else:
                arcs.append(Dependency(ids[head - start], id, parsed.labels[place] or "dep"))
        sentences.append(ParsedSentence(tuple(tokens), tuple(arcs), tuple(roots), mention_spans))
    return sentences


def _group_by_sentence(mentions: Sequence[TokenMention], bounds: Sequence[int]) -> list[list[TokenMention]]:
    """The mentions inside each sentence; one that goes on in the next sentence is in none."""
    groups: list[list[TokenMention]] = [[] for _ in bounds[1:]]
    starts = np.searchsorted(bounds, [mention.start for mention in mentions], side="right") - 1
    for mention, sentence_index in zip(mentions, starts.tolist()):
        if mention.end <= bounds[sentence_index + 1]:
            groups[sentence_index].append(mention)
    return groups
