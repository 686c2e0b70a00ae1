"""Parses with spaCy: the shipped pipeline, component by component, or any installed one as a whole.

Texts are tokenized here and handed over as words, so that given entities fall on token boundaries, white space makes no
tokens, and sentence boundaries can be forbidden before parsing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import Dependency, Span, Token
from ppi.core import MissingModelError, ParseError, UnknownParserError
from ppi.language.parsers.beam_reranker import Reranker
from ppi.language.parsers.interface import (
    PairFilter,
    ParsedSentence,
    Request,
    SpanCover,
    batch_by_length,
    offsets_inside,
)
from ppi.language.parsers.windows import (
    LEXEME_COMPONENTS,
    NO_ATTRIBUTES,
    LexemeAttributeCache,
    LexemeAttributes,
    ParseColumns,
    TextWords,
    WindowRunner,
    find_segments_to_parse,
    set_sentence_starts,
)
from ppi.language.shipped_pipeline import DEFAULT_GUIDELINE, NAME_FINDER_FACTORY, load_shipped_pipeline
from ppi.language.tokenization import (
    TOKENIZED_KEY,
    CachedTokenizer,
    TokenizedText,
    find_token_spans,
    is_empty_line,
    read_tokens,
)

#: Of the texts parsed at a time, except a single longer one: enough for some windows.
MAX_REQUEST_BATCH_CHARACTERS = 100_000

#: Halves of surrogate pairs are not text and cannot be encoded; the parser sees a replacement of the same length.
_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
#: No sentence begins with one of these.
_CLOSING = frozenset([".", ",", ";", ":", "?", "!", ")", "]", "}", "%", "''", "\u201d", "\u2019"])
#: Components of other pipelines that only find names.
_NAME_COMPONENTS = ("ner", "ner_tok2vec")


class TokenMention(NamedTuple):
    """A name from the token ``start`` to before ``end``."""

    start: int
    end: int
    label: str


#: What was found in a text: columns, and for each token its attributes; the names.
ParsedText = tuple[ParseColumns, Sequence[LexemeAttributes], Sequence[TokenMention]]


def build_sentences(text: str, spans: Sequence[Span], parsed: ParsedText, strings: Any) -> list[ParsedSentence]:
    """The sentences of a text whose tokens are at ``spans``; token ids are 1, 2, ... in each.  O(tokens + mentions).

    ``strings`` are those that numbers in the columns stand for.  A name that goes on in the next sentence is in none.
    """
    if not spans:
        return []
    columns, attributes, mentions = parsed
    tags, labels = _decode_strings(columns.tags, strings), _decode_strings(columns.labels, strings)
    heads = columns.heads.tolist()
    bounds = [*np.flatnonzero(columns.begins).tolist(), len(spans)]
    ids = [str(number) for number in range(1, 1 + max(end - start for start, end in pairwise(bounds)))]
    mentions_by_sentence: list[list[tuple[int, int, str]]] = [[] for _ in bounds[1:]]
    for first, end, label in mentions:
        sentence_index = bisect_right(bounds, first) - 1
        if end <= bounds[sentence_index + 1]:
            mentions_by_sentence[sentence_index].append((spans[first][0], spans[end - 1][1], label))
    sentences = []
    for (start, end), names in zip(pairwise(bounds), map(tuple, mentions_by_sentence)):
        if not columns.parsed[start]:
            sentences.append(ParsedSentence((), mentions=names, unparsed_span=(spans[start][0], spans[end - 1][1])))
            continue
        tokens, arcs, roots = [], [], []
        for index in range(start, end):
            id, (first, last), (upos, lemma, feats) = ids[index - start], spans[index], attributes[index]
            tokens.append(Token(id, first, last, text[first:last], tags[index] or None, lemma, upos, feats))
            if (head := heads[index]) == index:
                roots.append(id)
            else:
                arcs.append(Dependency(ids[head - start], id, labels[index] or "dep"))
        sentences.append(ParsedSentence(tuple(tokens), tuple(arcs), tuple(roots), names))
    return sentences


class TextToParse(NamedTuple):
    """A Doc without tokens of white space, where its tokens are in the text, and which sentences need a parse."""

    doc: Any
    spans: Sequence[Span]
    pair_filter: PairFilter | None


class GenericPipeline:
    """A pipeline of which nothing is known."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp
        #: Start and end of each token of a text, without those of white space.
        self.spans: Callable[[str], Iterator[Span]] = partial(find_token_spans, nlp.tokenizer)

    def parse(self, texts: Sequence[TextToParse], *, names: bool) -> Iterator[ParsedText]:
        """Each text with everything that the pipeline finds; without ``names`` its name finder is not run."""
        disabled = [] if names else [name for name in _NAME_COMPONENTS if name in self._nlp.pipe_names]
        for doc in self._nlp.pipe([text.doc for text in texts], disable=disabled):
            yield ParseColumns.from_doc(doc), list(map(LexemeAttributes.from_token, doc)), read_mentions(doc)


class ProjectPipeline:
    """A pipeline made by ``scripts/train_pipeline``.

    Names do not depend on the parse, universal tags and lemmas depend on a word and its tag only, and the trained
    components see nothing far away.  What is neither of these (rules on the beginnings of sentences) runs first.  With
    ``rerank`` sentences get the best tree of a beam.
    """

    def __init__(self, nlp: Any, *, rerank: bool = False) -> None:
        from spacy.pipeline import TrainablePipe

        self._strings = nlp.vocab.strings
        self.spans: Callable[[str], Iterator[Span]] = CachedTokenizer(nlp.tokenizer).spans
        self._windows = WindowRunner(nlp, reranker=Reranker.load_shipped() if rerank else None)
        self._lexeme_attributes = LexemeAttributeCache(nlp)
        self._name_finders = [
            pipe for name, pipe in nlp.pipeline if nlp.get_pipe_meta(name).factory == NAME_FINDER_FACTORY
        ]
        self._rule_components = [
            pipe
            for name, pipe in nlp.pipeline
            if name not in LEXEME_COMPONENTS and pipe not in self._name_finders and not isinstance(pipe, TrainablePipe)
        ]

    def parse(self, texts: Sequence[TextToParse], *, names: bool) -> Iterator[ParsedText]:
        """Each text, parsed where that is wanted; without ``names`` none are looked for."""
        docs = [text.doc for text in texts]
        for component in self._rule_components:
            docs = list(component.pipe(docs)) if hasattr(component, "pipe") else [component(doc) for doc in docs]
        for finder in self._name_finders if names else ():
            finder.annotate(docs)
        mentions = [read_mentions(doc) for doc in docs]
        words = [_read_words(doc) for doc in docs]
        segments = [
            find_segments_to_parse(text_words.starts, _find_name_tokens(text, text_mentions))
            for text, text_words, text_mentions in zip(texts, words, mentions)
        ]
        for text_words, text_mentions, columns in zip(words, mentions, self._windows.parse(words, segments)):
            indices = np.flatnonzero(columns.parsed).tolist()
            tags = _decode_strings(columns.tags[columns.parsed], self._strings)
            parsed_words = [text_words.words[index] for index in indices]
            attributes = dict(zip(indices, self._lexeme_attributes.look_up(parsed_words, tags)))
            all_attributes = [attributes.get(index, NO_ATTRIBUTES) for index in range(len(text_words.words))]
            yield columns, all_attributes, text_mentions


def read_mentions(doc: Any) -> list[TokenMention]:
    """The names of a Doc, read off once: asking each sentence for its own goes through the whole Doc each time."""
    return [TokenMention(ent.start, ent.end, ent.label_) for ent in doc.ents]


def _find_name_tokens(text: TextToParse, mentions: Sequence[TokenMention]) -> list[int] | None:
    """The tokens at which names begin of which a sentence needs two to be parsed; None if it needs none."""
    if text.pair_filter is None:
        return None
    if text.pair_filter.name_starts is None:
        return [mention.start for mention in mentions if text.pair_filter.counts_type(mention.label)]
    ends = [end for _, end in text.spans]
    return [min(bisect_right(ends, offset), len(ends) - 1) for offset in text.pair_filter.name_starts]


def _read_words(doc: Any) -> TextWords:
    from spacy.attrs import SENT_START, SPACY

    spaces, starts = np.ascontiguousarray(doc.to_array([SPACY, SENT_START]).T)
    return TextWords(list(read_tokens(doc)[0].words), spaces.astype(bool).tolist(), starts.view(np.int64))


def _decode_strings(numbers: NDArray[np.uint64], strings: Any) -> list[str]:
    """The strings that numbers of the vocabulary stand for."""
    distinct, of_token = np.unique(numbers, return_inverse=True)
    texts = [strings[number] for number in distinct.tolist()]
    return [texts[index] for index in of_token.tolist()]


class SpacyParser:
    """A spaCy pipeline with a dependency parser.

    The trained components of a pipeline whose name finder is ours run over long texts in windows, and each word is
    tokenized and lemmatized once (:mod:`~ppi.language.parsers.windows`); of others nothing is known that would allow
    it, and they run as they are.

    Parameters
    ----------
    nlp
        The pipeline (a ``spacy.language.Language``).
    name
        The name its parses get.
    entities
        Whether mentions are wanted; without them the name finder is not run.
    batch_size
        Texts parsed at a time, fewer if they are long.
    rerank
        Whether the tree of a sentence is the best of a beam by the shipped ranker; of the shipped pipeline only.
    """

    def __init__(
        self, nlp: Any, *, name: str, entities: bool = True, batch_size: int = 64, rerank: bool = False
    ) -> None:
        if not {"parser", "experimental_biaffine_parser"} & set(nlp.pipe_names):
            raise ParseError(
                f"expected a spaCy pipeline with a parser, got {name!r} with {nlp.pipe_names}; try another"
            )
        self.name = self.tokenizer = name
        self._nlp = nlp
        finds_own_names = any(nlp.get_pipe_meta(pipe).factory == NAME_FINDER_FACTORY for pipe in nlp.pipe_names)
        self._pipeline = ProjectPipeline(nlp, rerank=rerank) if finds_own_names else GenericPipeline(nlp)
        self._entities = entities
        self._batch_size = batch_size

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        for batch in batch_by_length(
            requests, self._batch_size, lambda request: len(request.text), max_total=MAX_REQUEST_BATCH_CHARACTERS
        ):
            texts = [self._tokenize(request) for request in batch]
            for request, text, parsed_text in zip(batch, texts, self._pipeline.parse(texts, names=self._entities)):
                yield build_sentences(request.text, text.spans, parsed_text, self._nlp.vocab.strings)

    def _tokenize(self, request: Request) -> TextToParse:
        from spacy.tokens import Doc

        text = _SURROGATES.sub(_REPLACEMENT, request.text)
        spans = list(_split_at_boundaries(self._pipeline.spans(text), request.token_boundaries))
        words = [text[start:end] for start, end in spans]
        gaps = [text[end:following] for (_, end), (following, _) in pairwise(spans)] + [""] * bool(spans)
        user_data = {TOKENIZED_KEY: TokenizedText(words, gaps)}
        doc = Doc(self._nlp.vocab, words=words, spaces=[gap != "" for gap in gaps], user_data=user_data)
        set_sentence_starts(doc, _find_certain_starts(words, gaps, spans, SpanCover(request.unbroken_spans)))
        return TextToParse(doc, spans, request.pair_filter)


def _find_certain_starts(
    words: Sequence[str], gaps: Sequence[str], spans: Sequence[Span], unbroken_spans: SpanCover
) -> NDArray[np.int64]:
    """For each token whether it surely begins a sentence (1), surely does not (-1), or either (0)."""
    starts = np.zeros(len(words), dtype=np.int64)
    starts[[word in _CLOSING for word in words]] = -1
    starts[1:][[start_value == 0 and is_empty_line(gap) for start_value, gap in zip(starts[1:].tolist(), gaps)]] = 1
    if unbroken_spans:
        starts[[unbroken_spans.reaches_over(start, start) for start, _ in spans]] = -1
    starts[:1] = 0
    return starts


def load_shipped_parser(
    guideline: str = DEFAULT_GUIDELINE, *, entities: bool = True, rerank: bool = False
) -> SpacyParser:
    """The pipeline that comes with the package, finding names by a guideline of theirs."""
    return SpacyParser(load_shipped_pipeline(guideline=guideline), name="shipped", entities=entities, rerank=rerank)


def load_installed_pipeline(name: str) -> Any:
    """The pipeline of an installed package, loaded for the caller only.

    Raises
    ------
    UnknownParserError
        If no such package is installed.
    MissingModelError
        If it cannot be loaded.
    """
    import spacy
    from thinc.api import use_ops

    check_installed(name)
    try:
        with use_ops("numpy", use_blis=False):  # as the shipped one is loaded, for speed
            return spacy.load(name)
    except (OSError, ValueError, KeyError) as error:
        raise MissingModelError(f"expected to load the spaCy pipeline {name!r}, got: {error}; reinstall it") from error


def check_installed(name: str) -> None:
    """Raise an UnknownParserError, naming the installed spaCy pipelines, unless the name is that of one of them."""
    import spacy

    if not name.isidentifier() or not spacy.util.is_package(name):
        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none is installed"
        raise UnknownParserError(
            "expected a parser - shipped, shipped:GUIDELINE, given, stanza, stanza:PACKAGE, conllu:PATH - or an "
            f"installed spaCy pipeline ({installed}), "
            f"got {name!r}; install it (python -m spacy download {name}) or choose another"
        )


def _split_at_boundaries(spans: Iterable[Span], cuts: Collection[int]) -> Iterable[Span]:
    """The spans, cut where one of the cuts falls into them; O((spans + cuts) log cuts)."""
    if not cuts:
        return spans
    ordered = sorted(cuts)
    return (piece for span in spans for piece in pairwise([span[0], *offsets_inside(ordered, *span), span[1]]))
