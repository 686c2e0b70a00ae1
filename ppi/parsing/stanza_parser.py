"""Stanza behind the interface (extra ``stanza``); its biomedical packages are the user's to download."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from typing import Any

from corpora.types import Dependency, Token
from ppi.errors import MissingExtraError, MissingModelError, ParseError
from ppi.parsing.parser import ParsedSentence, Request


class StanzaParser:
    """A Stanza pipeline with a dependency parser.

    Parameters
    ----------
    pipeline
        A ``stanza.Pipeline``, or any function from a text to a ``stanza.Document``.
    name
        The name its parses get.
    """

    def __init__(self, pipeline: Any, *, name: str = "stanza") -> None:
        self.name = name
        self.tokenizer = name
        self._pipeline = pipeline

    @classmethod
    def load(cls, package: str = "craft") -> StanzaParser:
        """A pipeline over a downloaded package (``craft`` and ``genia`` are the biomedical ones).

        Raises
        ------
        MissingExtraError
            If Stanza is not installed.
        MissingModelError
            If the package has not been downloaded; nothing is downloaded behind your back.
        """
        if importlib.util.find_spec("stanza") is None:
            raise MissingExtraError("stanza", "stanza")
        import stanza

        try:
            pipeline = stanza.Pipeline(
                "en",
                package=package,
                processors="tokenize,pos,lemma,depparse",
                download_method=None,
                verbose=False,
            )
        except Exception as error:  # Stanza raises many kinds, bare Exception among them
            raise MissingModelError(
                f"expected the downloaded Stanza package {package!r}, got: {error}; "
                f"run: python -c \"import stanza; stanza.download('en', package='{package}')\""
            ) from error
        return cls(pipeline, name=f"stanza-{package}")

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        for request in requests:
            if request.text.strip():
                yield list(from_stanza(self._pipeline(request.text), request.text))
            else:
                yield []


def from_stanza(document: Any, text: str) -> Iterator[ParsedSentence]:
    """Sentences of a ``stanza.Document``, with offsets in ``text``.

    Words of a multiword token (``don't``) share its characters when Stanza gives them none of their own.
    Documents built from CoNLL-U without offsets are matched to the text in reading order.
    """
    position = 0
    for number, sentence in enumerate(document.sentences):
        tokens, arcs, roots = [], [], []
        for token in sentence.tokens:
            start, end = _extent(token, text, position)
            position = end
            for word in token.words:
                first, last = _word_extent(word, token, (start, end))
                tokens.append(_token(word, f"{number}.{word.id}", first, last))
        for word in sentence.words:
            if word.head:
                arcs.append(Dependency(f"{number}.{word.head}", f"{number}.{word.id}", word.deprel or "dep"))
            elif word.head == 0:
                roots.append(f"{number}.{word.id}")
        yield ParsedSentence(tuple(tokens), tuple(arcs), tuple(roots))


def _extent(token: Any, text: str, position: int) -> tuple[int, int]:
    if token.start_char is not None and token.end_char is not None:
        return token.start_char, token.end_char
    start = text.find(token.text, position)
    if start < 0:
        raise ParseError(
            f"expected the token {token.text!r} in the text after character {position}, got none; "
            "give the text that the document was made from"
        )
    return start, start + len(token.text)


def _word_extent(word: Any, token: Any, extent: tuple[int, int]) -> tuple[int, int]:
    if len(token.words) > 1 and word.start_char is not None and word.end_char is not None:
        return word.start_char, word.end_char
    return extent


def _token(word: Any, id: str, start: int, end: int) -> Token:
    return Token(id, start, end, word.text, pos=word.xpos, lemma=word.lemma, upos=word.upos, feats=word.feats)
