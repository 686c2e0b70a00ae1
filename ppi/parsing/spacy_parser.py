"""spaCy behind the interface: the shipped pipeline, or any installed one.

Texts are tokenized here and handed over as words, so that given entities fall on token boundaries, white space
makes no tokens, and sentence boundaries can be forbidden before parsing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.types import Span
from ppi.errors import MissingModelError, ParseError, UnknownParserError
from ppi.parsing.batches import batch_by_length
from ppi.parsing.intervals import SpanCover, offsets_inside
from ppi.parsing.parser import ParsedSentence, Request
from ppi.parsing.spacy_pipelines import GenericPipeline, ProjectPipeline, TextToParse, is_project_pipeline
from ppi.parsing.spacy_sentences import build_sentences
from ppi.parsing.windows import set_sentence_starts
from ppi.pipeline import DEFAULT_GUIDELINE

#: Of the texts parsed at a time, except a single longer one: enough for some windows.
MAX_REQUEST_BATCH_CHARACTERS = 100_000

#: Halves of surrogate pairs are no text and cannot be encoded; the parser sees a replacement of the same length.
_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
#: No sentence begins with one of these.
_CLOSING = frozenset([".", ",", ";", ":", "?", "!", ")", "]", "}", "%", "''", "\u201d", "\u2019"])


class SpacyParser:
    """A spaCy pipeline with a dependency parser.

    The trained components of a pipeline whose name finder is ours run over long texts in windows, and each word is
    tokenized and lemmatized once (:mod:`windows`, :mod:`word_cuts`, :mod:`word_facts`); of others nothing is known that
    would allow it, and they run as they are.

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
        self.name = name
        self.tokenizer = name
        self._nlp = nlp
        self._pipeline = ProjectPipeline(nlp, rerank=rerank) if is_project_pipeline(nlp) else GenericPipeline(nlp)
        self._entities = entities
        self._batch_size = batch_size

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        for batch in batch_by_length(
            requests, self._batch_size, lambda request: len(request.text), max_total=MAX_REQUEST_BATCH_CHARACTERS
        ):
            texts = [self._tokenize(request) for request in batch]
            for request, text, parsed_text in zip(batch, texts, self._pipeline.parse(texts, names=self._entities)):
                yield build_sentences(request.text, text.spans, parsed_text)

    def _tokenize(self, request: Request) -> TextToParse:
        from spacy.tokens import Doc

        from ppi.pipeline.names.segments import TOKENIZED_KEY, TokenizedText

        text = _SURROGATES.sub(_REPLACEMENT, request.text)
        spans = list(_cut_spans(self._pipeline.spans(text), request.token_boundaries))
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
    from ppi.pipeline.names.segments import is_empty_line

    starts = np.zeros(len(words), dtype=np.int64)
    starts[[word in _CLOSING for word in words]] = -1
    starts[1:][[at == 0 and is_empty_line(gap) for at, gap in zip(starts[1:].tolist(), gaps)]] = 1
    if unbroken_spans:
        starts[[unbroken_spans.reaches_over(start, start) for start, _ in spans]] = -1
    starts[:1] = 0
    return starts


def load_shipped_parser(
    guideline: str = DEFAULT_GUIDELINE, *, entities: bool = True, rerank: bool = False
) -> SpacyParser:
    """The pipeline that comes with the package, finding names by a guideline of theirs."""
    from ppi.pipeline import load

    return SpacyParser(load(guideline=guideline), name="shipped", entities=entities, rerank=rerank)


def load_installed_parser(name: str, *, entities: bool = True) -> SpacyParser:
    """An installed spaCy pipeline, by the name of its package."""
    return SpacyParser(load_installed_pipeline(name), name=name, entities=entities)


def load_installed_pipeline(name: str) -> Any:
    """The pipeline of an installed package, loaded for the caller alone.

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
    """Refuse a name that is neither one of our parsers nor an installed spaCy pipeline.

    Raises
    ------
    UnknownParserError
        Naming those that there are.
    """
    import spacy

    if not name.isidentifier() or not spacy.util.is_package(name):
        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none is installed"
        raise UnknownParserError(
            "expected a parser - shipped, shipped:GUIDELINE, given, stanza, stanza:PACKAGE, conllu:PATH - or an "
            f"installed spaCy pipeline ({installed}), "
            f"got {name!r}; install it (python -m spacy download {name}) or choose another"
        )


def _cut_spans(spans: Iterable[Span], cuts: Collection[int]) -> Iterable[Span]:
    """The spans, cut where one of the cuts falls into them; O((spans + cuts) log cuts)."""
    if not cuts:
        return spans
    ordered = sorted(cuts)
    return (piece for span in spans for piece in pairwise([span[0], *offsets_inside(ordered, *span), span[1]]))
