"""What a parser could not be told beforehand, put right afterwards: sentences kept together, tokens cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, count, pairwise

from corpora.types import Dependency, Span, Token
from ppi.errors import ParseError
from ppi.parsing.intervals import SpanCover, offsets_inside
from ppi.parsing.parser import ParsedSentence

#: The arc from the last piece of a cut token to the others.
PIECE_LABEL = "dep"


def merge_sentences(sentences: Sequence[ParsedSentence], unbroken_spans: Collection[Span]) -> list[ParsedSentence]:
    """Join neighbouring sentences wherever a span of ``together`` covers the boundary between them.

    The joined sentence has the roots of both; no arc is invented.  The tokens of joined sentences are numbered anew.
    """
    cover = SpanCover(unbroken_spans)
    groups: list[list[ParsedSentence]] = []
    last = 0
    for sentence in sentences:
        if sentence.span is None:
            continue
        start, end = sentence.span
        if groups and cover.reaches_over(last, start):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
        last = end
    return [_join_sentences(group) for group in groups]


def _join_sentences(group: Sequence[ParsedSentence]) -> ParsedSentence:
    if len(group) == 1:
        return group[0]
    if any(sentence.unparsed_span for sentence in group):
        raise ParseError("expected the parser to keep together what it does not parse, got two sentences; report this")
    firsts = accumulate((len(sentence.tokens) for sentence in group), initial=1)
    group = [_number_tokens(sentence, first) for sentence, first in zip(group, firsts)]
    return ParsedSentence(
        tuple(chain.from_iterable(sentence.tokens for sentence in group)),
        tuple(chain.from_iterable(sentence.dependencies for sentence in group)),
        tuple(chain.from_iterable(sentence.roots for sentence in group)),
        tuple(chain.from_iterable(sentence.mentions for sentence in group)),
    )


def cut_tokens(sentence: ParsedSentence, text: str, cuts: Sequence[int]) -> ParsedSentence:
    """Cut tokens that one of the (sorted) cuts falls into.

    The last piece keeps the token's id and arcs, and the other pieces, with its tag, become its dependents.
    """
    if not any(offsets_inside(cuts, token.start, token.end) for token in sentence.tokens):
        return sentence
    tokens: list[Token] = []
    arcs = list(sentence.dependencies)
    used_ids = {token.id for token in sentence.tokens}
    for token in sentence.tokens:
        *leading_spans, last_span = _pieces(token, offsets_inside(cuts, token.start, token.end))
        for number, (start, end) in enumerate(leading_spans, start=1):
            id = _make_unique_id(f"{token.id}_{number}", used_ids)
            tokens.append(replace(token, id=id, start=start, end=end, text=text[start:end], lemma=None))
            arcs.append(Dependency(token.id, id, PIECE_LABEL))
        if leading_spans:
            token = replace(token, start=last_span[0], text=text[last_span[0] : last_span[1]], lemma=None)
        tokens.append(token)
    return replace(sentence, tokens=tuple(tokens), dependencies=tuple(arcs))


def _pieces(token: Token, cuts: Sequence[int]) -> list[Span]:
    bounds = [token.start, *cuts, token.end]
    return list(pairwise(bounds))


def _make_unique_id(id: str, used_ids: set[str]) -> str:
    while id in used_ids:
        id += "_"
    used_ids.add(id)
    return id


def renumber_tokens(sentences: Sequence[ParsedSentence]) -> Iterator[ParsedSentence]:
    """The sentences with token ids 1, 2, ... in each."""
    return (_number_tokens(sentence, 1) for sentence in sentences)


def _number_tokens(sentence: ParsedSentence, first: int) -> ParsedSentence:
    """With token ids from ``first`` on; the sentence itself if it has them."""
    new_ids = {token.id: str(number) for token, number in zip(sentence.tokens, count(first))}
    if all(old == number for old, number in new_ids.items()):
        return sentence
    return replace(
        sentence,
        tokens=tuple(move_token(token, new_ids[token.id], token.start, token.end) for token in sentence.tokens),
        dependencies=tuple(
            Dependency(new_ids[arc.governor], new_ids[arc.dependent], arc.type) for arc in sentence.dependencies
        ),
        roots=tuple(new_ids[id] for id in sentence.roots),
    )


def move_token(token: Token, id: str, start: int, end: int) -> Token:
    """The token under another id and at other offsets; several times as fast as ``dataclasses.replace``."""
    return Token(id, start, end, token.text, token.pos, token.lemma, token.upos, token.feats, token.misc)
