"""Running a spaCy pipeline over tokenized texts: one of ours part by part, any other as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from corpora.types import Span
from ppi.parsing.spacy_sentences import ParsedText, TokenMention
from ppi.parsing.windows import Columns, Windows, Words
from ppi.parsing.word_cuts import WordCuts
from ppi.parsing.word_facts import COMPONENTS, Facts, WordFacts

#: The factory of our name finder.
_NAMES = "protein_names"
#: Components of other pipelines that only find names.
_NAME_COMPONENTS = ("ner", "ner_tok2vec")


def is_ours(nlp: Any) -> bool:
    """Whether the names in a pipeline are found by our own component, without tagger and parser."""
    return any(nlp.get_pipe_meta(name).factory == _NAMES for name in nlp.pipe_names)


class AnyPipeline:
    """A pipeline of which nothing is known."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        return ((token.idx, token.idx + len(token)) for token in self._nlp.tokenizer(text) if not token.is_space)

    def parse(self, docs: Sequence[Any], *, names: bool) -> Iterator[ParsedText]:
        """Each text with everything that the pipeline finds; without ``names`` its name finder is not run."""
        disabled = [] if names else [name for name in _NAME_COMPONENTS if name in self._nlp.pipe_names]
        strings = self._nlp.vocab.strings
        for doc in self._nlp.pipe(docs, disable=disabled):
            columns = Columns.of(doc)
            facts = [Facts(token.pos_ or None, token.lemma_ or None, str(token.morph) or None) for token in doc]
            yield _parsed_text(columns, facts, mentions_of(doc), strings)


class OurPipeline:
    """A pipeline made by ``scripts/train_pipeline``.

    Names do not depend on the parse, universal tags and lemmas depend on a word and its tag alone, and the trained
    components see nothing far away.  What is neither of these (rules on the beginnings of sentences) runs first.
    """

    def __init__(self, nlp: Any) -> None:
        from spacy.pipeline import TrainablePipe

        self._strings = nlp.vocab.strings
        self._cuts = WordCuts(nlp.tokenizer)
        self._windows = Windows(nlp)
        self._facts = WordFacts(nlp)
        self._names = [pipe for name, pipe in nlp.pipeline if nlp.get_pipe_meta(name).factory == _NAMES]
        self._rules = [
            pipe
            for name, pipe in nlp.pipeline
            if name not in COMPONENTS and pipe not in self._names and not isinstance(pipe, TrainablePipe)
        ]

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        return self._cuts.spans(text)

    def parse(self, docs: Sequence[Any], *, names: bool) -> Iterator[ParsedText]:
        """Each text, parsed; without ``names`` none are looked for."""
        docs = list(docs)
        for component in [*self._rules, *(self._names if names else ())]:
            docs = list(component.pipe(docs)) if hasattr(component, "pipe") else [component(doc) for doc in docs]
        texts = [_words(doc) for doc in docs]
        for doc, text, columns in zip(docs, texts, self._windows.parse(texts)):
            tags = _text_of(columns.tags, self._strings)
            yield _parsed_text(columns, self._facts.of(text.words, tags), mentions_of(doc), self._strings)


def mentions_of(doc: Any) -> list[TokenMention]:
    """The names of a Doc, read off once: asking each sentence for its own goes through the whole Doc each time."""
    return [TokenMention(ent.start, ent.end, ent.label_) for ent in doc.ents]


def _words(doc: Any) -> Words:
    from spacy.attrs import SENT_START, SPACY

    spaces, starts = np.ascontiguousarray(doc.to_array([SPACY, SENT_START]).T)
    return Words([token.text for token in doc], spaces.astype(bool).tolist(), starts.view(np.int64))


def _parsed_text(columns: Columns, facts: Sequence[Facts], mentions: list[TokenMention], strings: Any) -> ParsedText:
    return ParsedText(
        _text_of(columns.tags, strings),
        facts,
        columns.heads.tolist(),
        _text_of(columns.labels, strings),
        columns.begins,
        mentions,
    )


def _text_of(numbers: np.ndarray, strings: Any) -> list[str]:
    """The strings that numbers of the vocabulary stand for."""
    distinct, of_token = np.unique(numbers, return_inverse=True)
    texts = [strings[number] for number in distinct.tolist()]
    return [texts[at] for at in of_token.tolist()]
