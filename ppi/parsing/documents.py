"""Documents in, documents with parses out; and the shorter way for plain texts.

A sentence that is a whole passage is split; entities, pairs and offsets move along exactly.  Nothing given is
ever lost or cut: no sentence begins inside an entity or between the two entities of a pair.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal

from corpora.errors import shown
from corpora.types import DependencyGraph, Document, Entity, Pair, Sentence, Span
from ppi.errors import ParseError, UsageError
from ppi.parsing.adjust import cut_tokens, merge_sentences, renumbered, with_place
from ppi.parsing.batches import batches
from ppi.parsing.collapse import collapse
from ppi.parsing.given import given_graph, given_name
from ppi.parsing.options import reranked
from ppi.parsing.parser import PairsWanted, ParsedSentence, Parser, Request
from ppi.parsing.registry import get_parser

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
    texts = _checked_texts(texts)
    if rerank:
        parser = _reranked(parser)
    documents = [Document(f"t{number}", (Sentence(f"t{number}", text),)) for number, text in enumerate(texts)]
    parsed = parse_documents(documents, parser, entities=entities, dependencies=dependencies, split=True)
    return [
        replace(sentence, id=f"{document.id}.s{number}", entities=_renamed(sentence, f"{document.id}.s{number}"))
        for document in parsed
        for number, sentence in enumerate(s for s in document.sentences if s.text.strip())
    ]


def _reranked(parser: str | Parser) -> str:
    if not isinstance(parser, str):
        raise UsageError(f"expected the name of the shipped parser with rerank=True, got {shown(parser)}")
    return reranked(parser)


def _checked_texts(texts: str | Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        return [texts]
    if isinstance(texts, bytes | bytearray) or not isinstance(texts, Iterable):
        raise UsageError(f"expected a text or several, got {shown(texts)}; decode bytes first, read files first")
    listed = list(texts)
    for number, text in enumerate(listed):
        if not isinstance(text, str):
            raise UsageError(
                f"expected texts, got {shown(text)} as number {number} of them; parse documents with "
                "ppi.parsing.parse_documents"
            )
    return listed


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
        If given, sentences with less than two entities for which this holds (it may ask for their type alone) need no
        parse.  They get none where the parser knows them beforehand.

    Raises
    ------
    ParseError
        If the parser is unknown, cannot be loaded, or has no parse for a sentence.
    """
    if dependencies not in ("collapsed", "basic", "both"):
        raise ParseError(f"expected dependencies 'collapsed', 'basic' or 'both', got {dependencies!r}")
    if isinstance(parser, str):
        if (given := given_name(parser)) is not None:
            yield from _with_given(documents, given or None, dependencies, pairs_of)
            return
        parser = get_parser(parser, entities=entities)
    for batch in batches(documents):
        wanting = [entities and not any(each.entities for each in document.sentences) for document in batch]
        requests = [
            _request(each, split, cut_at_entities, _pairs_wanted(each, pairs_of, wanted))
            for document, wanted in zip(batch, wanting)
            for each in document.sentences
        ]
        answers = zip(requests, parser.parse(requests))
        for document, wanted in zip(batch, wanting):
            parts: list[Sentence] = []
            for sentence in document.sentences:
                found = _adjusted(*next(answers))
                parts.extend(_parts(sentence, found, parser, wanted, dependencies, keep_parses))
            yield replace(document, sentences=tuple(parts))


def _request(sentence: Sentence, split: bool | None, cut: bool, pairs: PairsWanted | None) -> Request:
    bounds = (bound for entity in sentence.entities for span in entity.spans for bound in span)
    return Request(
        sentence.text, frozenset(bounds) if cut else frozenset(), tuple(_together(sentence, split)), sentence.id, pairs
    )


def _pairs_wanted(
    sentence: Sentence, pairs_of: Callable[[Entity], bool] | None, names_are_sought: bool
) -> PairsWanted | None:
    if pairs_of is None:
        return None
    given = None if names_are_sought else tuple(entity.start for entity in sentence.entities if pairs_of(entity))
    return PairsWanted(lambda type: pairs_of(Entity("", "-", ((0, 1),), type)), given)


def _together(sentence: Sentence, split: bool | None) -> Iterator[Span]:
    """Spans that stay in one sentence: everything, or each entity and each pair."""
    if split is False or (split is None and sentence.parses):
        yield 0, len(sentence.text)
        return
    spans = {entity.id: (entity.start, entity.end) for entity in sentence.entities}
    yield from spans.values()
    for pair in sentence.pairs:
        (start1, end1), (start2, end2) = spans[pair.e1], spans[pair.e2]
        yield min(start1, start2), max(end1, end2)


def _adjusted(request: Request, found: list[ParsedSentence]) -> list[ParsedSentence]:
    merged, cuts = merge_sentences(found, request.together), sorted(request.cuts)
    return list(renumbered([cut_tokens(each, request.text, cuts) for each in merged]))


def _parts(
    sentence: Sentence,
    found: list[ParsedSentence],
    parser: Parser,
    entities: bool,
    dependencies: Dependencies,
    keep_parses: bool,
) -> Iterator[Sentence]:
    """The sentence with its parse, or the sentences it turned out to be."""
    if len(found) <= 1:
        parsed = found[0] if found else ParsedSentence(())
        kept = sentence.parses if keep_parses else ()
        graphs = _graphs(parsed, parser, dependencies, 0)
        new = {graph.parser for graph in graphs}
        mentions = _found_entities(sentence, parsed, sentence.id, 0) if entities else sentence.entities
        yield replace(
            sentence,
            entities=mentions,
            parses=(*(graph for graph in kept if graph.parser not in new), *graphs),
        )
        return
    owned, pairs = _by_home(sentence, found)
    for number, parsed in enumerate(found):
        id, own = f"{sentence.id}.{number}", owned[number]
        start, end = _extent(parsed, own)
        part = Sentence(
            id=id,
            text=sentence.text[start:end],
            entities=tuple(_shifted(entity, start) for entity in own),
            pairs=tuple(pairs[number]),
            parses=_graphs(parsed, parser, dependencies, start),
            offset=sentence.offset + start,
            orig_id=sentence.orig_id,
            infons=sentence.infons,
        )
        if entities:
            part = replace(part, entities=_found_entities(part, parsed, id, start))
        yield part


def _by_home(sentence: Sentence, found: list[ParsedSentence]) -> tuple[list[list[Entity]], list[list[Pair]]]:
    """The entities and the pairs of each part; boundaries never fall inside an entity, so its start decides."""
    ends = [_span(parsed)[1] for parsed in found]
    entities: list[list[Entity]] = [[] for _ in found]
    pairs: list[list[Pair]] = [[] for _ in found]
    homes = {}
    for entity in sentence.entities:
        homes[entity.id] = home = min(bisect_right(ends, entity.start), len(found) - 1)
        entities[home].append(entity)
    for pair in sentence.pairs:
        pairs[homes[pair.e1]].append(pair)
    return entities, pairs


def _extent(parsed: ParsedSentence, own: list[Entity]) -> Span:
    """From the first to the last token, widened where an entity includes white space beside them."""
    start, end = _span(parsed)
    return min([start, *(entity.start for entity in own)]), max([end, *(entity.end for entity in own)])


def _span(parsed: ParsedSentence) -> Span:
    """Where a sentence is; one of several has a place."""
    if parsed.span is None:
        raise ParseError("expected sentences with tokens, got one without; try another parser")
    return parsed.span


def _shifted(entity: Entity, start: int) -> Entity:
    return replace(entity, spans=tuple((first - start, last - start) for first, last in entity.spans))


def _graphs(
    parsed: ParsedSentence, parser: Parser, dependencies: Dependencies, start: int
) -> tuple[DependencyGraph, ...]:
    if parsed.unparsed is not None:
        return ()
    tokens = parsed.tokens
    if start:
        tokens = tuple(with_place(token, token.id, token.start - start, token.end - start) for token in tokens)
    basic = DependencyGraph(parser.name, parser.tokenizer, tokens, parsed.dependencies, parsed.roots)
    return chosen_graphs(basic, dependencies)


def chosen_graphs(basic: DependencyGraph, dependencies: Dependencies) -> tuple[DependencyGraph, ...]:
    """The basic graph, the collapsed one, or both (one, if it came collapsed already)."""
    if dependencies == "basic":
        return (basic,)
    collapsed = collapse(basic)
    return (collapsed,) if dependencies == "collapsed" or collapsed is basic else (basic, collapsed)


def _found_entities(sentence: Sentence, parsed: ParsedSentence, prefix: str, start: int) -> tuple[Entity, ...]:
    return tuple(
        Entity(
            id=f"{prefix}.e{number}",
            text=sentence.text[first - start : last - start],
            spans=((first - start, last - start),),
            type=type,
        )
        for number, (first, last, type) in enumerate(parsed.mentions)
    )


def _renamed(sentence: Sentence, id: str) -> tuple[Entity, ...]:
    return tuple(replace(entity, id=f"{id}.e{number}") for number, entity in enumerate(sentence.entities))


def _with_given(
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
                graphs = chosen_graphs(given_graph(sentence, parser), dependencies)
                sentence = replace(sentence, parses=graphs)
            elif pairs_of is None or sum(map(pairs_of, sentence.entities)) >= 2:
                missing += 1
            sentences.append(sentence)
        yield replace(document, sentences=tuple(sentences))
    if missing:
        warnings.warn(f"{missing} sentences came without a parse and have none now", stacklevel=2)
