"""Running a spaCy pipeline over tokenized texts: one of ours part by part, any other as it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from corpora.types import Span
from ppi.parsing.parser import PairFilter
from ppi.parsing.reranking.reranker import Reranker
from ppi.parsing.runs import find_token_spans
from ppi.parsing.spacy_sentences import ParsedText, TokenMention
from ppi.parsing.stretches import find_segments_to_parse
from ppi.parsing.windows import ParseColumns, TextWords, WindowRunner
from ppi.parsing.word_cuts import CachedTokenizer
from ppi.parsing.word_facts import LEXEME_COMPONENTS, NO_ATTRIBUTES, LexemeAttributeCache, LexemeAttributes
from ppi.pipeline.loading import NAME_FINDER_FACTORY
from ppi.pipeline.names.segments import read_tokens

#: Components of other pipelines that only find names.
_NAME_COMPONENTS = ("ner", "ner_tok2vec")


def is_project_pipeline(nlp: Any) -> bool:
    """Whether the names in a pipeline are found by our own component, without tagger and parser."""
    return any(nlp.get_pipe_meta(name).factory == NAME_FINDER_FACTORY for name in nlp.pipe_names)


class TextToParse(NamedTuple):
    """A Doc without tokens of white space, where its tokens are in the text, and which sentences need a parse."""

    doc: Any
    spans: Sequence[Span]
    pair_filter: PairFilter | None


class GenericPipeline:
    """A pipeline of which nothing is known."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        return find_token_spans(self._nlp.tokenizer, text)

    def parse(self, texts: Sequence[TextToParse], *, names: bool) -> Iterator[ParsedText]:
        """Each text with everything that the pipeline finds; without ``names`` its name finder is not run."""
        disabled = [] if names else [name for name in _NAME_COMPONENTS if name in self._nlp.pipe_names]
        for doc in self._nlp.pipe([text.doc for text in texts], disable=disabled):
            attributes = [
                LexemeAttributes(token.pos_ or None, token.lemma_ or None, str(token.morph) or None) for token in doc
            ]
            yield build_parsed_text(ParseColumns.from_doc(doc), attributes, read_mentions(doc), self._nlp.vocab.strings)


class ProjectPipeline:
    """A pipeline made by ``scripts/train_pipeline``.

    Names do not depend on the parse, universal tags and lemmas depend on a word and its tag alone, and the trained
    components see nothing far away.  What is neither of these (rules on the beginnings of sentences) runs first.

    Parameters
    ----------
    rerank
        Whether sentences get the best tree of a beam.
    """

    def __init__(self, nlp: Any, *, rerank: bool = False) -> None:
        from spacy.pipeline import TrainablePipe

        self._strings = nlp.vocab.strings
        self._tokenizer = CachedTokenizer(nlp.tokenizer)
        self._windows = WindowRunner(nlp, reranker=Reranker.shipped() if rerank else None)
        self._lexeme_attributes = LexemeAttributeCache(nlp)
        self._name_finders = [
            pipe for name, pipe in nlp.pipeline if nlp.get_pipe_meta(name).factory == NAME_FINDER_FACTORY
        ]
        self._rule_components = [
            pipe
            for name, pipe in nlp.pipeline
            if name not in LEXEME_COMPONENTS and pipe not in self._name_finders and not isinstance(pipe, TrainablePipe)
        ]

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        return self._tokenizer.spans(text)

    def parse(self, texts: Sequence[TextToParse], *, names: bool) -> Iterator[ParsedText]:
        """Each text, parsed where that is wanted; without ``names`` none are looked for."""
        docs = [text.doc for text in texts]
        for component in [*self._rule_components, *(self._name_finders if names else ())]:
            docs = list(component.pipe(docs)) if hasattr(component, "pipe") else [component(doc) for doc in docs]
        mentions = [read_mentions(doc) for doc in docs]
        words = [_read_words(doc) for doc in docs]
        segments = [
            find_segments_to_parse(text_words.starts, _find_name_tokens(text, text_mentions))
            for text, text_words, text_mentions in zip(texts, words, mentions)
        ]
        for text_words, text_mentions, columns in zip(words, mentions, self._windows.parse(words, segments)):
            yield build_parsed_text(columns, self._find_attributes(text_words, columns), text_mentions, self._strings)

    def _find_attributes(self, text: TextWords, columns: ParseColumns) -> list[LexemeAttributes]:
        places = np.flatnonzero(columns.parsed).tolist()
        attributes = [NO_ATTRIBUTES] * len(text.words)
        tags = _decode_strings(columns.tags[columns.parsed], self._strings)
        for place, word_attributes in zip(
            places, self._lexeme_attributes.look_up([text.words[place] for place in places], tags)
        ):
            attributes[place] = word_attributes
        return attributes


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


def build_parsed_text(
    columns: ParseColumns, attributes: Sequence[LexemeAttributes], mentions: list[TokenMention], strings: Any
) -> ParsedText:
    """What was found, with the strings that its numbers stand for."""
    return ParsedText(
        _decode_strings(columns.tags, strings),
        attributes,
        columns.heads.tolist(),
        _decode_strings(columns.labels, strings),
        columns.begins,
        columns.parsed,
        mentions,
    )


def _decode_strings(numbers: np.ndarray, strings: Any) -> list[str]:
    """The strings that numbers of the vocabulary stand for."""
    distinct, of_token = np.unique(numbers, return_inverse=True)
    texts = [strings[number] for number in distinct.tolist()]
    return [texts[index] for index in of_token.tolist()]
