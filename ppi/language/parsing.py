"""Parses documents, and plain texts.

A sentence that is a whole passage is split; entities, pairs and offsets move along exactly.  Nothing given is ever lost
or cut: no sentence begins inside an entity or between the two entities of a pair.  What a parser could not know
beforehand is put right afterwards: sentences are kept together, tokens are cut.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, count, pairwise
from typing import Literal

from corpora import Dependency, DependencyGraph, Document, Entity, Pair, Sentence, Span, Token, truncate_repr
from ppi.core import ParseError, UsageError
from ppi.language.dependencies import collapse
from ppi.language.parsers.interface import (
    PairFilter,
    ParsedSentence,
    Parser,
    Request,
    SpanCover,
    batch_documents,
    offsets_inside,
)
from ppi.language.parsers.lookup import get_given_graph, get_given_name, get_parser
from ppi.language.shipped_pipeline import add_rerank_option

#: The arc from the last piece of a cut token to the others.
PIECE_LABEL = "dep"

Dependencies = Literal["collapsed", "basic", "both"]


def parse(
    texts: str | Iterable[str],
    parser: str | Parser = "shipped",
    *,
    entities: bool = True,
    dependencies: Dependencies = "collapsed",
    rerank: bool = False,
) -> list[Sentence]:
    """Sentences of plain texts, parsed, with the names found in them.

    Parameters
    ----------
    texts
        One text or several; each is split into sentences.
    parser
        "shipped", an installed spaCy pipeline, "stanza", or an object with the :class:`Parser` interface.
    entities
        Whether to look for protein names, if the parser can.
    dependencies
        "collapsed", "basic" or "both".
    rerank
        Whether the shipped parser keeps a beam of trees, of which a trained ranker chooses; short for the parser
        "shipped:rerank".

    Returns
    -------
    list of Sentence
        In text order; ``t0.s1`` is the second sentence of the first text, and ``offset`` its place there.

    Raises
    ------
    UsageError
        If something else than texts came.
    ParseError
        If the parser is unknown, or cannot be loaded.
    """
    texts = _check_texts(texts)
    if rerank:
        if not isinstance(parser, str):
            raise UsageError(f"expected the name of the shipped parser with rerank=True, got {truncate_repr(parser)}")
        parser = add_rerank_option(parser)
    documents = [Document(f"t{number}", (Sentence(f"t{number}", text),)) for number, text in enumerate(texts)]
    parsed_documents = parse_documents(documents, parser, entities=entities, dependencies=dependencies, split=True)
    sentences = []
    for document in parsed_documents:
        for number, sentence in enumerate(s for s in document.sentences if s.text.strip()):
            id = f"{document.id}.s{number}"
            mentions = tuple(replace(entity, id=f"{id}.e{index}") for index, entity in enumerate(sentence.entities))
            sentences.append(replace(sentence, id=id, entities=mentions))
    return sentences


def _check_texts(texts: str | Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        return [texts]
    if isinstance(texts, bytes | bytearray) or not isinstance(texts, Iterable):
        raise UsageError(
            f"expected a text or several, got {truncate_repr(texts)}; decode bytes first, read files first"
        )
    text_list = list(texts)
    for number, text in enumerate(text_list):
        if not isinstance(text, str):
            raise UsageError(
                f"expected texts, got {truncate_repr(text)} as number {number} of them; parse documents with "
                "ppi.language.parse_documents"
            )
    return text_list


def parse_documents(
    documents: Iterable[Document],
    parser: str | Parser = "shipped",
    *,
    split: bool | None = None,
    cut_at_entities: bool = True,
    entities: bool = False,
    dependencies: Dependencies = "collapsed",
    keep_parses: bool = True,
    pairs_of: Callable[[Entity], bool] | None = None,
) -> Iterator[Document]:
    """The documents with a parse added to every sentence.

    Parameters
    ----------
    documents
        Any stream; only a few hundred are held at a time.
    parser
        As for :func:`parse`; "given" takes the parse that the file brought ("given:NAME" the one of that name, if
        there are several), "conllu:PATH" that of another tool.
    split
        Whether sentences are split.  None: those that have no parse yet, since a parsed one is a sentence already.
    cut_at_entities
        Whether tokens are cut at the boundaries of given entities.
    entities
        Whether names found by the parser are added to documents that have no entity.
    dependencies
        "collapsed", "basic" or "both"; collapsed graphs are named after the parser, with ``-enhanced``.
    keep_parses
        Whether parses of other parsers stay.  Those of a sentence that gets split are always dropped, with it.
    pairs_of
        If given, sentences with less than two entities for which this holds (it may ask for their type only) need no
        parse.  They get none where the parser knows them beforehand.

    Raises
    ------
    ParseError
        If the parser is unknown, cannot be loaded, or has no parse for a sentence.
    """
    if dependencies not in ("collapsed", "basic", "both"):
        raise ParseError(f"expected dependencies 'collapsed', 'basic' or 'both', got {dependencies!r}")
    if isinstance(parser, str):
        if (given_parse := get_given_name(parser)) is not None:
            yield from _use_given_parses(documents, given_parse or None, dependencies, pairs_of)
            return
        parser = get_parser(parser, entities=entities)
    for batch in batch_documents(documents):
        name_searches = [
            entities and not any(sentence.entities for sentence in document.sentences) for document in batch
        ]
        requests = [
            _make_request(sentence, split, cut_at_entities, pairs_of, search_names)
            for document, search_names in zip(batch, name_searches)
            for sentence in document.sentences
        ]
        results = zip(requests, parser.parse(requests))
        for document, search_names in zip(batch, name_searches):
            parts: list[Sentence] = []
            for sentence in document.sentences:
                request, request_sentences = next(results)
                cuts = sorted(request.token_boundaries)
                parsed_sentences = [
                    number_tokens(split_tokens(parsed, request.text, cuts))
                    for parsed in merge_sentences(request_sentences, request.unbroken_spans)
                ]
                parts.extend(
                    _split_sentence(sentence, parsed_sentences, parser, search_names, dependencies, keep_parses)
                )
            yield replace(document, sentences=tuple(parts))


def _make_request(
    sentence: Sentence, split: bool | None, cut: bool, pairs_of: Callable[[Entity], bool] | None, search_names: bool
) -> Request:
    bounds = [bound for entity in sentence.entities for span in entity.spans for bound in span] if cut else []
    pair_filter = None
    if pairs_of is not None:
        name_starts = None if search_names else tuple(entity.start for entity in sentence.entities if pairs_of(entity))
        pair_filter = PairFilter(lambda type: pairs_of(Entity("", "-", ((0, 1),), type)), name_starts)
    unbroken_spans = tuple(_find_unbroken_spans(sentence, split))
    return Request(sentence.text, frozenset(bounds), unbroken_spans, sentence.id, pair_filter)


def _find_unbroken_spans(sentence: Sentence, split: bool | None) -> Iterator[Span]:
    """Spans that stay in one sentence: everything, or each entity and each pair."""
    if split is False or (split is None and sentence.parses):
        yield 0, len(sentence.text)
        return
    spans = {entity.id: (entity.start, entity.end) for entity in sentence.entities}
    yield from spans.values()
    for pair in sentence.pairs:
        (start1, end1), (start2, end2) = spans[pair.e1], spans[pair.e2]
        yield min(start1, start2), max(end1, end2)


def _split_sentence(
    sentence: Sentence,
    parsed_sentences: list[ParsedSentence],
    parser: Parser,
    entities: bool,
    dependencies: Dependencies,
    keep_parses: bool,
) -> Iterator[Sentence]:
    """The sentence with its parse, or the sentences it turned out to be."""
    if len(parsed_sentences) <= 1:
        parsed = parsed_sentences[0] if parsed_sentences else ParsedSentence(())
        earlier_parses = sentence.parses if keep_parses else ()
        graphs = _make_graphs(parsed, parser, dependencies, 0)
        new_parsers = {graph.parser for graph in graphs}
        mentions = _make_entities(sentence, parsed, sentence.id, 0) if entities else sentence.entities
        yield replace(
            sentence,
            entities=mentions,
            parses=(*(graph for graph in earlier_parses if graph.parser not in new_parsers), *graphs),
        )
        return
    entities_by_part, pairs_by_part = _assign_to_parts(sentence, parsed_sentences)
    for number, parsed in enumerate(parsed_sentences):
        id, own_entities = f"{sentence.id}.{number}", entities_by_part[number]
        start, end = _span(parsed)  # widened where an entity includes white space beside the tokens
        start = min([start, *(entity.start for entity in own_entities)])
        end = max([end, *(entity.end for entity in own_entities)])
        part = Sentence(
            id=id,
            text=sentence.text[start:end],
            entities=tuple(
                replace(entity, spans=tuple((first - start, last - start) for first, last in entity.spans))
                for entity in own_entities
            ),
            pairs=tuple(pairs_by_part[number]),
            parses=_make_graphs(parsed, parser, dependencies, start),
            offset=sentence.offset + start,
            orig_id=sentence.orig_id,
            infons=sentence.infons,
        )
        if entities:
            part = replace(part, entities=_make_entities(part, parsed, id, start))
        yield part


def _assign_to_parts(
    sentence: Sentence, parsed_sentences: list[ParsedSentence]
) -> tuple[list[list[Entity]], list[list[Pair]]]:
    """The entities and the pairs of each part; boundaries never fall inside an entity, so its start decides."""
    ends = [_span(parsed)[1] for parsed in parsed_sentences]
    entities: list[list[Entity]] = [[] for _ in parsed_sentences]
    pairs: list[list[Pair]] = [[] for _ in parsed_sentences]
    part_of_entity = {}
    for entity in sentence.entities:
        part_of_entity[entity.id] = part_index = min(bisect_right(ends, entity.start), len(parsed_sentences) - 1)
        entities[part_index].append(entity)
    for pair in sentence.pairs:
        pairs[part_of_entity[pair.e1]].append(pair)
    return entities, pairs


def _span(parsed: ParsedSentence) -> Span:
    """Where a sentence is; one of several has a place."""
    if parsed.span is None:
        raise ParseError("expected sentences with tokens, got one without; try another parser")
    return parsed.span


def _make_graphs(
    parsed: ParsedSentence, parser: Parser, dependencies: Dependencies, start: int
) -> tuple[DependencyGraph, ...]:
    if parsed.unparsed_span is not None:
        return ()
    tokens = parsed.tokens
    if start:
        tokens = tuple(move_token(token, token.id, token.start - start, token.end - start) for token in tokens)
    basic = DependencyGraph(parser.name, parser.tokenizer, tokens, parsed.dependencies, parsed.roots)
    return select_graphs(basic, dependencies)


def select_graphs(basic: DependencyGraph, dependencies: Dependencies) -> tuple[DependencyGraph, ...]:
    """The basic graph, the collapsed one, or both (one, if it came collapsed already)."""
    if dependencies == "basic":
        return (basic,)
    collapsed = collapse(basic)
    return (collapsed,) if dependencies == "collapsed" or collapsed is basic else (basic, collapsed)


def _make_entities(sentence: Sentence, parsed: ParsedSentence, prefix: str, start: int) -> tuple[Entity, ...]:
    names = [(first - start, last - start, type) for first, last, type in parsed.mentions]
    return tuple(
        Entity(f"{prefix}.e{number}", sentence.text[first:last], ((first, last),), type)
        for number, (first, last, type) in enumerate(names)
    )


def _use_given_parses(
    documents: Iterable[Document],
    parser: str | None,
    dependencies: Dependencies,
    pairs_of: Callable[[Entity], bool] | None,
) -> Iterator[Document]:
    """The parse each sentence came with; one that came without stays so, and a warning counts those that need one."""
    missing = 0
    for document in documents:
        sentences = []
        for sentence in document.sentences:
            if sentence.parsers:
                graph = get_given_graph(sentence, parser)
                sentence = replace(sentence, parses=select_graphs(graph, dependencies))
            elif pairs_of is None or sum(map(pairs_of, sentence.entities)) >= 2:
                missing += 1
            sentences.append(sentence)
        yield replace(document, sentences=tuple(sentences))
    if missing:
        warnings.warn(f"{missing} sentences came without a parse and have none now", stacklevel=2)


def merge_sentences(sentences: Sequence[ParsedSentence], unbroken_spans: Collection[Span]) -> list[ParsedSentence]:
    """Join neighbouring sentences wherever a span of ``unbroken_spans`` covers the boundary between them.

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
    group = [number_tokens(sentence, first) for sentence, first in zip(group, firsts)]
    return ParsedSentence(
        tuple(chain.from_iterable(sentence.tokens for sentence in group)),
        tuple(chain.from_iterable(sentence.dependencies for sentence in group)),
        tuple(chain.from_iterable(sentence.roots for sentence in group)),
        tuple(chain.from_iterable(sentence.mentions for sentence in group)),
    )


def split_tokens(sentence: ParsedSentence, text: str, cuts: Sequence[int]) -> ParsedSentence:
    """Cut tokens that one of the (sorted) cuts falls into.

    The last piece keeps the token's id and arcs, and the other pieces, with its tag, become its dependents.
    """
    if not any(offsets_inside(cuts, token.start, token.end) for token in sentence.tokens):
        return sentence
    tokens: list[Token] = []
    arcs = list(sentence.dependencies)
    used_ids = {token.id for token in sentence.tokens}
    for token in sentence.tokens:
        inner_cuts = offsets_inside(cuts, token.start, token.end)
        *leading_spans, last_span = pairwise([token.start, *inner_cuts, token.end])
        for number, (start, end) in enumerate(leading_spans, start=1):
            id = f"{token.id}_{number}"
            while id in used_ids:
                id += "_"
            used_ids.add(id)
            tokens.append(replace(token, id=id, start=start, end=end, text=text[start:end], lemma=None))
            arcs.append(Dependency(token.id, id, PIECE_LABEL))
        if leading_spans:
            token = replace(token, start=last_span[0], text=text[last_span[0] : last_span[1]], lemma=None)
        tokens.append(token)
    return replace(sentence, tokens=tuple(tokens), dependencies=tuple(arcs))


def number_tokens(sentence: ParsedSentence, first: int = 1) -> ParsedSentence:
    """The sentence with token ids from ``first`` on; the sentence itself if it has them."""
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
