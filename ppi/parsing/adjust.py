"""What a parser could not be told beforehand, put right afterwards: sentences kept together, tokens cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, count, pairwise

from corpora.types import Dependency, Span, Token
from ppi.errors import ParseError
from ppi.parsing.intervals import Cover, between
from ppi.parsing.parser import ParsedSentence

#: The arc from the last piece of a cut token to the others.
PIECE = "dep"


def merge_sentences(sentences: Sequence[ParsedSentence], together: Collection[Span]) -> list[ParsedSentence]:
    """Join neighbouring sentences wherever a span of ``together`` covers the boundary between them.

    The joined sentence has the roots of both; no arc is invented.  The tokens of joined sentences are numbered anew.
    """
    cover = Cover(together)
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
    return [_joined(group) for group in groups]


def _joined(group: Sequence[ParsedSentence]) -> ParsedSentence:
    if len(group) == 1:
        return group[0]
    if any(each.unparsed for each in group):
        raise ParseError("expected the parser to keep together what it does not parse, got two sentences; report this")
    firsts = accumulate((len(each.tokens) for each in group), initial=1)
    group = [_numbered(each, first) for each, first in zip(group, firsts)]
    return ParsedSentence(
        tuple(chain.from_iterable(each.tokens for each in group)),
        tuple(chain.from_iterable(each.dependencies for each in group)),
        tuple(chain.from_iterable(each.roots for each in group)),
        tuple(chain.from_iterable(each.mentions for each in group)),
    )


def cut_tokens(sentence: ParsedSentence, text: str, cuts: Sequence[int]) -> ParsedSentence:
    """Cut tokens that one of the (sorted) cuts falls into.

    The last piece keeps the token's id and arcs, and the other pieces, with its tag, become its dependents.
    """
    if not any(between(cuts, token.start, token.end) for token in sentence.tokens):
        return sentence
    tokens: list[Token] = []
    arcs = list(sentence.dependencies)
    taken = {token.id for token in sentence.tokens}
    for token in sentence.tokens:
        *heads, last = _pieces(token, between(cuts, token.start, token.end))
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
    return (_numbered(sentence, 1) for sentence in sentences)


def _numbered(sentence: ParsedSentence, first: int) -> ParsedSentence:
    """With token ids from ``first`` on; the sentence itself if it has them."""
    new = {token.id: str(number) for token, number in zip(sentence.tokens, count(first))}
    if all(old == number for old, number in new.items()):
        return sentence
    return replace(
        sentence,
        tokens=tuple(with_place(token, new[token.id], token.start, token.end) for token in sentence.tokens),
        dependencies=tuple(
            Dependency(new[arc.governor], new[arc.dependent], arc.type) for arc in sentence.dependencies
        ),
        roots=tuple(new[id] for id in sentence.roots),
    )


def with_place(token: Token, id: str, start: int, end: int) -> Token:
    """The token under another id and at other offsets; several times as fast as ``dataclasses.replace``."""
    return Token(id, start, end, token.text, token.pos, token.lemma, token.upos, token.feats, token.misc)
