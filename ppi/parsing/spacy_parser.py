"""spaCy behind the interface: the shipped pipeline, or any installed one.

Texts are tokenized here and handed over as words, so that given entities fall on token boundaries, white space
makes no tokens, and sentence boundaries can be forbidden before parsing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any

from corpora.types import Dependency, Span, Token
from ppi.errors import MissingModelError, ParseError, UnknownParserError
from ppi.parsing.intervals import Cover, between
from ppi.parsing.parser import ParsedSentence, Request
from ppi.parsing.runs import token_spans

#: Halves of surrogate pairs are no text and cannot be encoded; the parser sees a replacement of the same length.
_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
#: No sentence begins with one of these.
_CLOSING = frozenset([".", ",", ";", ":", "?", "!", ")", "]", "}", "%", "''", "\u201d", "\u2019"])


class SpacyParser:
    """A spaCy pipeline with a dependency parser.

    Parameters
    ----------
    nlp
        The pipeline (a ``spacy.language.Language``).
    name
        The name its parses get.
    entities
        Whether mentions are wanted; without them the name finder is not run.
    batch_size
        Texts parsed at a time.
    """

    def __init__(self, nlp: Any, *, name: str, entities: bool = True, batch_size: int = 64) -> None:
        if not {"parser", "experimental_biaffine_parser"} & set(nlp.pipe_names):
            raise ParseError(
                f"expected a spaCy pipeline with a parser, got {name!r} with {nlp.pipe_names}; try another"
            )
        self.name = name
        self.tokenizer = name
        self._nlp = nlp
        self._disabled = [] if entities else [pipe for pipe in ("ner", "ner_tok2vec") if pipe in nlp.pipe_names]
        self._batch_size = batch_size

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        pairs = (self._doc(request) for request in requests)
        parsed = self._nlp.pipe(pairs, as_tuples=True, batch_size=self._batch_size, disable=self._disabled)
        for doc, (text, spans) in parsed:
            yield [_sentence(sent, text, spans) for sent in doc.sents] if len(doc) else []

    def _doc(self, request: Request) -> tuple[Any, tuple[str, list[Span]]]:
        from spacy.tokens import Doc

        from ppi.pipeline.names.segments import GAPS, is_empty_line

        text = _SURROGATES.sub(_REPLACEMENT, request.text)
        spans = list(_cut_spans(token_spans(self._nlp.tokenizer, text), request.cuts))
        words = [text[start:end] for start, end in spans]
        gaps = [text[end:following] for (_, end), (following, _) in pairwise(spans)] + [""] * bool(spans)
        together = Cover(request.together)
        starts: list[bool | int | None] = [True] * bool(spans)
        for word, (start, _), before in zip(words[1:], spans[1:], gaps):
            inside = word in _CLOSING or together.reaches_over(start, start)
            starts.append(False if inside else True if is_empty_line(before) else None)
        # given at once: setting one token asks whether the document is parsed, which looks at every token
        doc = Doc(
            self._nlp.vocab,
            words=words,
            spaces=[gap != "" for gap in gaps],
            user_data={GAPS: gaps},
            sent_starts=starts,
        )
        return doc, (request.text, spans)


def shipped_parser(guideline: str = "auto", *, entities: bool = True) -> SpacyParser:
    """The pipeline that comes with the package, finding names by a guideline of theirs."""
    from ppi.pipeline import load

    return SpacyParser(load(guideline=guideline), name="shipped", entities=entities)


def installed_parser(name: str, *, entities: bool = True) -> SpacyParser:
    """An installed spaCy pipeline, by the name of its package."""
    return SpacyParser(installed_pipeline(name), name=name, entities=entities)


def installed_pipeline(name: str) -> Any:
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

    if not name.isidentifier() or not spacy.util.is_package(name):
        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none is installed"
        raise UnknownParserError(
            "expected a parser - shipped, shipped:GUIDELINE, given, stanza, stanza:PACKAGE, conllu:PATH - or an "
            f"installed spaCy pipeline ({installed}), "
            f"got {name!r}; install it (python -m spacy download {name}) or choose another"
        )
    try:
        with use_ops("numpy", use_blis=False):  # as the shipped one is loaded, for speed
            return spacy.load(name)
    except (OSError, ValueError, KeyError) as error:
        raise MissingModelError(f"expected to load the spaCy pipeline {name!r}, got: {error}; reinstall it") from error


def _cut_spans(spans: Iterable[Span], cuts: Collection[int]) -> Iterator[Span]:
    ordered = sorted(cuts)
    for start, end in spans:
        for cut in between(ordered, start, end):
            yield start, cut
            start = cut
        yield start, end


def _sentence(sent: Any, text: str, spans: list[Span]) -> ParsedSentence:
    """A span of a parsed Doc; ids are positions in the Doc."""
    tokens, arcs, roots = [], [], []
    for token in sent:
        start, end = spans[token.i]
        tokens.append(
            Token(
                id=str(token.i),
                start=start,
                end=end,
                text=text[start:end],
                pos=token.tag_ or None,
                lemma=token.lemma_ or None,
                upos=token.pos_ or None,
                feats=str(token.morph) or None,
            )
        )
        if token.head.i == token.i:
            roots.append(str(token.i))
        else:
            arcs.append(Dependency(str(token.head.i), str(token.i), token.dep_ or "dep"))
    mentions = tuple((spans[ent.start][0], spans[ent.end - 1][1], ent.label_) for ent in sent.ents)
    return ParsedSentence(tuple(tokens), tuple(arcs), tuple(roots), mentions)
