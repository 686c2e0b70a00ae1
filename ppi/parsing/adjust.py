"""What a parser could not be told beforehand, put right afterwards: sentences kept together, tokens cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from corpora.types import Dependency, Span, Token
from ppi.parsing.parser import ParsedSentence

#: The arc from the last piece of a cut token to the others.
PIECE = "dep"


def merge_sentences(sentences: Sequence[ParsedSentence], together: Collection[Span]) -> list[ParsedSentence]:
    """Join neighbouring sentences wherever a span of ``together`` covers the boundary between them.

    The joined sentence has the roots of both; no arc is invented.  Token ids must be unique over the sentences.
    """
    merged: list[ParsedSentence] = []
    for sentence in sentences:
        if not sentence.tokens:
            continue
        if merged and any(
            start < merged[-1].tokens[-1].end and end > sentence.tokens[0].start for start, end in together
        ):
            merged[-1] = _joined(merged[-1], sentence)
        else:
            merged.append(sentence)
    return merged


def _joined(first: ParsedSentence, second: ParsedSentence) -> ParsedSentence:
    return ParsedSentence(
        first.tokens + second.tokens,
        first.dependencies + second.dependencies,
        first.roots + second.roots,
        first.mentions + second.mentions,
    )


def cut_tokens(sentence: ParsedSentence, text: str, cuts: Collection[int]) -> ParsedSentence:
    """Cut tokens that a cut falls into.

    The last piece keeps the token's id and arcs, and the other pieces, with its tag, become its dependents.
    """
    if not any(token.start < cut < token.end for token in sentence.tokens for cut in cuts):
        return sentence
    tokens: list[Token] = []
    arcs = list(sentence.dependencies)
    taken = {token.id for token in sentence.tokens}
    for token in sentence.tokens:
        *heads, last = _pieces(token, sorted(cut for cut in cuts if token.start < cut < token.end))
        for number, (start, end) in enumerate(heads, start=1):
            id = _fresh(f"{token.id}_{number}", taken)
            tokens.append(replace(token, id=id, start=start, end=end, text=text[start:end], lemma=None))
            arcs.append(Dependency(token.id, id, PIECE))
        if heads:
            token = replace(token, start=last[0], text=text[last[0] : last[1]], lemma=None)
        tokens.append(token)
    return replace(sentence, tokens=tuple(tokens), dependencies=tuple(arcs))


def _pieces(token: Token, cuts: Sequence[int]) -> list[Span]:
    bounds = [token.start, *cuts, token.end]
    return list(pairwise(bounds))


def _fresh(id: str, taken: set[str]) -> str:
    while id in taken:
        id += "_"
    taken.add(id)
    return id


def renumbered(sentences: Sequence[ParsedSentence]) -> Iterator[ParsedSentence]:
    """The sentences with token ids 1, 2, ... in each."""
    for sentence in sentences:
        new = {token.id: str(number) for number, token in enumerate(sentence.tokens, start=1)}
        yield replace(
            sentence,
            tokens=tuple(replace(token, id=new[token.id]) for token in sentence.tokens),
            dependencies=tuple(
                Dependency(new[arc.governor], new[arc.dependent], arc.type) for arc in sentence.dependencies
            ),
            roots=tuple(new[id] for id in sentence.roots),
        )
