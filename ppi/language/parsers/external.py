"""Parsers that are not spaCy's: parses that another tool wrote to a CoNLL-U file, and Stanza (extra ``stanza``).

Sentences of a file are matched with our texts by their letters.  Stanza's biomedical packages are not downloaded here.
"""

from __future__ import annotations

import importlib.util
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import corpora
from corpora import Dependency, DependencyGraph, Sentence, Token
from ppi.core import MissingExtraError, MissingModelError, ParseError
from ppi.language.parsers.interface import ParsedSentence, Request

#: Penn escapes count as the bracket they stand for.
_PENN_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


class ConlluParser:
    """The sentences of a file, given out for the texts they spell (white space aside).

    A text may be one sentence of the file or several in a row.  The same sentence can occur many times; its
    parses are handed out in file order, the last one again and again.

    Parameters
    ----------
    sentences
        The parsed sentences, in file order.
    name
        The name their parses get; by default the one in the file.
    source
        What errors call the file.
    """

    def __init__(self, sentences: Iterable[Sentence], *, name: str = "conllu", source: str = "CoNLL-U") -> None:
        self.name = self.tokenizer = name
        self._source = source
        self._sentences = [_ParseLetters(sentence.parses[0]) for sentence in sentences if sentence.parses]
        self._indices_by_letters: dict[str, deque[int]] = defaultdict(deque)
        self._indices_by_first_letter: dict[str, list[int]] = defaultdict(list)
        for index, parse_letters in enumerate(self._sentences):
            self._indices_by_letters[parse_letters.letters].append(index)
            self._indices_by_first_letter[parse_letters.letters[:1]].append(index)

    @classmethod
    def read(cls, path: str | Path) -> ConlluParser:
        """The parser over a file."""
        documents = corpora.read(path, "conllu")
        sentences = [sentence for document in documents for sentence in document.sentences]
        names = {graph.parser for sentence in sentences for graph in sentence.parses[:1]}
        name = names.pop() if len(names) == 1 else None
        return cls(sentences, name=name or "conllu", source=str(path))

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request the sentences that spell it."""
        for request in requests:
            positions = [index for index, character in enumerate(request.text) if not character.isspace()]
            letters = "".join(request.text[index] for index in positions)
            n_matched = 0
            sentences = []
            for number, parse_letters in enumerate(self._match_letters(letters, request.id)):
                sentences.append(parse_letters.locate_in_text(request.text, positions[n_matched:], f"{number}."))
                n_matched += len(parse_letters.letters)
            yield sentences

    def _match_letters(self, letters: str, id: str) -> list[_ParseLetters]:
        if not letters:
            return []
        indices = self._indices_by_letters.get(letters)
        if indices:
            index = indices[0] if len(indices) == 1 else indices.popleft()
            return [self._sentences[index]]
        for index in self._indices_by_first_letter.get(letters[0], ()):
            run = self._match_run(letters, index)
            if run:
                return run
        raise ParseError(
            f"expected a parse of sentence {id!r} in {self._source}, got none that spells {letters[:40]!r}...; "
            "parse the same text with that tool, or use another parser"
        )

    def _match_run(self, letters: str, index: int) -> list[_ParseLetters]:
        """Sentences in a row from ``place`` that spell the letters exactly, or none."""
        run: list[_ParseLetters] = []
        n_matched = 0
        while n_matched < len(letters) and index < len(self._sentences):
            sentence = self._sentences[index]
            if not letters.startswith(sentence.letters, n_matched):
                return []
            run.append(sentence)
            n_matched += len(sentence.letters)
            index += 1
        return run if n_matched == len(letters) else []


class _ParseLetters:
    """A parse and the letters of its tokens."""

    def __init__(self, graph: DependencyGraph) -> None:
        self.graph = graph
        self.pieces = ["".join(_PENN_BRACKETS.get(token.text, token.text).split()) for token in graph.tokens]
        self.letters = "".join(self.pieces)

    def locate_in_text(self, text: str, positions: list[int], prefix: str) -> ParsedSentence:
        """The parse with the offsets that its letters have in ``text``; ids get ``prefix``."""
        tokens = []
        n_located = 0
        for token, piece in zip(self.graph.tokens, self.pieces):
            start, end = positions[n_located], positions[n_located + len(piece) - 1] + 1
            tokens.append(replace(token, id=prefix + token.id, start=start, end=end, text=text[start:end]))
            n_located += len(piece)
        arcs = tuple(
            Dependency(prefix + arc.governor, prefix + arc.dependent, arc.type) for arc in self.graph.dependencies
        )
        return ParsedSentence(tuple(tokens), arcs, tuple(prefix + id for id in self.graph.roots))


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
        self.name = self.tokenizer = name
        self._pipeline = pipeline

    @classmethod
    def load(cls, package: str = "craft") -> StanzaParser:
        """A pipeline over a downloaded package (``craft`` and ``genia`` are the biomedical ones).

        Raises
        ------
        MissingExtraError
            If Stanza is not installed.
        MissingModelError
            If the package has not been downloaded; nothing is downloaded automatically.
        """
        if importlib.util.find_spec("stanza") is None:
            raise MissingExtraError("stanza", "stanza")
        import stanza

        try:
            options = {"processors": "tokenize,pos,lemma,depparse", "download_method": None, "verbose": False}
            pipeline = stanza.Pipeline("en", package=package, **options)
        except Exception as error:  # Stanza raises many kinds, bare Exception among them
            raise MissingModelError(
                f"expected the downloaded Stanza package {package!r}, got: {error}; "
                f"run: python -c \"import stanza; stanza.download('en', package='{package}')\""
            ) from error
        return cls(pipeline, name=f"stanza-{package}")

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        for request in requests:
            text = request.text
            yield list(from_stanza(self._pipeline(text), text)) if text.strip() else []


def from_stanza(document: Any, text: str) -> Iterator[ParsedSentence]:
    """Sentences of a ``stanza.Document``, with offsets in ``text``.

    Words of a multiword token (``don't``) share its characters when Stanza gives them no separate ones.
    Documents built from CoNLL-U without offsets are matched to the text in reading order.
    """
    position = 0
    for number, sentence in enumerate(document.sentences):
        tokens, arcs, roots = [], [], []
        for token in sentence.tokens:
            start, end = _extent(token, text, position)
            position = end
            for word in token.words:
                first, last = start, end
                if len(token.words) > 1 and word.start_char is not None and word.end_char is not None:
                    first, last = word.start_char, word.end_char
                id = f"{number}.{word.id}"
                tokens.append(Token(id, first, last, word.text, word.xpos, word.lemma, word.upos, word.feats))
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
