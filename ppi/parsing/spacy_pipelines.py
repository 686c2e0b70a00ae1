"""Running a spaCy pipeline over tokenized texts: one of ours part by part, any other as it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from corpora.types import Span
from ppi.parsing.parser import PairsWanted
from ppi.parsing.reranking.reranker import Reranker
from ppi.parsing.runs import token_spans
from ppi.parsing.spacy_sentences import ParsedText, TokenMention
from ppi.parsing.stretches import stretches
from ppi.parsing.windows import Columns, Windows, Words
from ppi.parsing.word_cuts import WordCuts
from ppi.parsing.word_facts import COMPONENTS, NO_FACTS, Facts, WordFacts
from ppi.pipeline.loading import NAME_FACTORY
from ppi.pipeline.names.segments import tokenized

#: Components of other pipelines that only find names.
_NAME_COMPONENTS = ("ner", "ner_tok2vec")


def is_ours(nlp: Any) -> bool:
    """Whether the names in a pipeline are found by our own component, without tagger and parser."""
    return any(nlp.get_pipe_meta(name).factory == NAME_FACTORY for name in nlp.pipe_names)


class TextToParse(NamedTuple):
    """A Doc without tokens of white space, where its tokens are in the text, and which sentences need a parse."""

    doc: Any
    spans: Sequence[Span]
    pairs: PairsWanted | None


class AnyPipeline:
    """A pipeline of which nothing is known."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        return token_spans(self._nlp.tokenizer, text)

    def parse(self, texts: Sequence[TextToParse], *, names: bool) -> Iterator[ParsedText]:
        """Each text with everything that the pipeline finds; without ``names`` its name finder is not run."""
        disabled = [] if names else [name for name in _NAME_COMPONENTS if name in self._nlp.pipe_names]
        for doc in self._nlp.pipe([text.doc for text in texts], disable=disabled):
            facts = [Facts(token.pos_ or None, token.lemma_ or None, str(token.morph) or None) for token in doc]
            yield parsed_text(Columns.of(doc), facts, mentions_of(doc), self._nlp.vocab.strings)


class OurPipeline:
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
        self._cuts = WordCuts(nlp.tokenizer)
        self._windows = Windows(nlp, reranker=Reranker.shipped() if rerank else None)
        self._facts = WordFacts(nlp)
        self._names = [pipe for name, pipe in nlp.pipeline if nlp.get_pipe_meta(name).factory == NAME_FACTORY]
        self._rules = [
            pipe
            for name, pipe in nlp.pipeline
            if name not in COMPONENTS and pipe not in self._names and not isinstance(pipe, TrainablePipe)
        ]

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        return self._cuts.spans(text)

    def parse(self, texts: Sequence[TextToParse], *, names: bool) -> Iterator[ParsedText]:
        """Each text, parsed where that is wanted; without ``names`` none are looked for."""
        docs = [text.doc for text in texts]
        for component in [*self._rules, *(self._names if names else ())]:
            docs = list(component.pipe(docs)) if hasattr(component, "pipe") else [component(doc) for doc in docs]
        mentions = [mentions_of(doc) for doc in docs]
        words = [_words(doc) for doc in docs]
        parts = [stretches(own.starts, _counting(text, found)) for text, own, found in zip(texts, words, mentions)]
        for own, found, columns in zip(words, mentions, self._windows.parse(words, parts)):
            yield parsed_text(columns, self._facts_of(own, columns), found, self._strings)

    def _facts_of(self, text: Words, columns: Columns) -> list[Facts]:
        places = np.flatnonzero(columns.parsed).tolist()
        facts = [NO_FACTS] * len(text.words)
        tags = _text_of(columns.tags[columns.parsed], self._strings)
        for place, known in zip(places, self._facts.of([text.words[place] for place in places], tags)):
            facts[place] = known
        return facts


def mentions_of(doc: Any) -> list[TokenMention]:
    """The names of a Doc, read off once: asking each sentence for its own goes through the whole Doc each time."""
    return [TokenMention(ent.start, ent.end, ent.label_) for ent in doc.ents]


def _counting(text: TextToParse, mentions: Sequence[TokenMention]) -> list[int] | None:
    """The tokens at which names begin of which a sentence needs two to be parsed; None if it needs none."""
    if text.pairs is None:
        return None
    if text.pairs.given is None:
        return [mention.start for mention in mentions if text.pairs.kinds(mention.label)]
    ends = [end for _, end in text.spans]
    return [min(bisect_right(ends, offset), len(ends) - 1) for offset in text.pairs.given]


def _words(doc: Any) -> Words:
    from spacy.attrs import SENT_START, SPACY

    spaces, starts = np.ascontiguousarray(doc.to_array([SPACY, SENT_START]).T)
    return Words(list(tokenized(doc)[0].words), spaces.astype(bool).tolist(), starts.view(np.int64))


def parsed_text(columns: Columns, facts: Sequence[Facts], mentions: list[TokenMention], strings: Any) -> ParsedText:
    """What was found, with the strings that its numbers stand for."""
    return ParsedText(
        _text_of(columns.tags, strings),
        facts,
        columns.heads.tolist(),
        _text_of(columns.labels, strings),
        columns.begins,
        columns.parsed,
        mentions,
    )


def _text_of(numbers: np.ndarray, strings: Any) -> list[str]:
    """The strings that numbers of the vocabulary stand for."""
    distinct, of_token = np.unique(numbers, return_inverse=True)
    texts = [strings[number] for number in distinct.tolist()]
    return [texts[at] for at in of_token.tolist()]
