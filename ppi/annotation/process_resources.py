"""The parser and the lexicon of a process: loaded once, used under a lock, in memory that does not grow.

spaCy keeps every word it has ever met.  A memory zone forgets those of a batch at its end, and with them whatever
another thread may be parsing with the same pipeline; so annotation has a separate pipeline in each process, used
under a lock.  The other work of annotation needs no lock.

Every document is grounded, not only those with a pair: identifiers of all mentions belong to BioC and PubTator, too.
That takes about a tenth of the time of parsing the sentences with a pair, in abstracts that are full of genes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from corpora import Document, Entity, truncate_repr
from ppi.core import UsageError
from ppi.extraction import choose_parser
from ppi.grounding import Lexicon, Resolver
from ppi.language import (
    COLLAPSED_SUFFIX,
    GIVEN,
    SHIPPED,
    Parser,
    get_given_name,
    parse_documents,
    parse_shipped_options,
)


class ProcessParser:
    """A parser of this process only, twice: with and without its name finder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self._nlp: Any = None
        self._parsers: dict[bool, Parser] = {}

    def parse(
        self,
        documents: Sequence[Document],
        *,
        names: bool,
        pairs_of: Callable[[Entity], bool] | None = None,
        split: bool | None = None,
    ) -> list[Document]:
        """The documents with one parse per sentence; ``names`` looks for protein names in those without entities.

        With ``pairs_of`` sentences without two such entities may come without a parse; ``split`` is that of
        :func:`~ppi.language.parse_documents`.
        """
        parser: str | Parser
        with ExitStack() as contexts:
            if get_given_name(self.name) is not None:
                chosen = name_of_parses(self.name) or choose_parser(documents)
                parser = GIVEN if chosen is None else f"{GIVEN}:{chosen}"
            else:
                contexts.enter_context(self.lock)
                self._load()
                parser = self._parsers[names]
                if self._nlp is not None:
                    contexts.enter_context(self._nlp.memory_zone())
            parsed = parse_documents(
                documents,
                parser,
                split=split,
                entities=names,
                dependencies="collapsed",
                keep_parses=False,
                pairs_of=pairs_of,
            )
            return list(parsed)

    def parse_source(self, documents: Sequence[Document]) -> str | None:
        """Whose parses it gives for these documents; None if they are to bring some, and have none."""
        chosen = name_of_parses(self.name) or choose_parser(documents)
        return None if chosen is None else chosen.removesuffix(COLLAPSED_SUFFIX)

    def _load(self) -> None:
        if self._parsers:
            return
        from ppi.language import SpacyParser, get_parser, load_installed_pipeline, load_shipped_uncached

        kind, _, argument = self.name.partition(":")
        if kind in ("stanza", "conllu"):  # no pipelines of spaCy
            self._parsers = dict.fromkeys((True, False), get_parser(self.name))
            return
        rerank = False
        if kind == SHIPPED:
            guideline, rerank = parse_shipped_options(argument)
            nlp = load_shipped_uncached(guideline=guideline)
            keep_only_used_attributes(nlp.vocab)
        else:
            nlp = load_installed_pipeline(self.name)
        self._parsers = {names: SpacyParser(nlp, name=kind, entities=names, rerank=rerank) for names in (True, False)}
        self._nlp = nlp


def keep_only_used_attributes(vocab: Any) -> None:
    """Let spaCy find out of a new word only what the shipped pipeline looks at.

    In a memory zone every word is new once in each batch, and its flags (looks like an address, is a stop word ...)
    take most of the time.
    """
    from spacy.attrs import IS_SPACE, LANG, LOWER, NORM, PREFIX, SHAPE, SUFFIX

    used = (IS_SPACE, LANG, LOWER, NORM, PREFIX, SHAPE, SUFFIX)
    vocab.lex_attr_getters = {attr: getter for attr, getter in vocab.lex_attr_getters.items() if attr in used}


def name_of_parses(parser: str) -> str | None:
    """What the parses of a parser are called, whatever its options; None for the only ones of a file.

    >>> [name_of_parses(parser) for parser in ("shipped:bc2gm", "split_parse", "given:gold", "given")]
    ['shipped', 'split_parse', 'gold', None]
    """
    given_parses = get_given_name(parser)
    return parser.partition(":")[0] if given_parses is None else given_parses or None


_PARSERS: dict[str, ProcessParser] = {}
_REGISTRY_LOCK = threading.Lock()


def get_process_parser(name: str) -> ProcessParser:
    """This process's parser for annotation, by a name of :func:`ppi.parse`; loaded when it first parses."""
    with _REGISTRY_LOCK:
        return _PARSERS.setdefault(name, ProcessParser(name))


_ACQUIRED_LOCKS: list[threading.Lock] = []


def _acquire() -> None:
    _REGISTRY_LOCK.acquire()  # first, so that no parser is added to those whose locks are taken
    for parser in _PARSERS.values():
        parser.lock.acquire()
        _ACQUIRED_LOCKS.append(parser.lock)


def _release() -> None:
    while _ACQUIRED_LOCKS:
        _ACQUIRED_LOCKS.pop().release()
    _REGISTRY_LOCK.release()


# a fork waits until no thread is parsing, so that the child finds a whole pipeline and free locks
os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)


class Grounder:
    """Gives mentions their identity.  Only what it is made of travels between processes.

    Parameters
    ----------
    lexicon
        None is the one that ships; the path of a gene_info file is read now, and must be readable; else anything with
        a method ``candidates(name)``, as :class:`~ppi.grounding.Lexicon`.
    grounding
        Whether mentions get identifiers.
    """

    def __init__(self, lexicon: Any = None, *, grounding: bool = True) -> None:
        if lexicon is not None and not isinstance(lexicon, str | Path) and not hasattr(lexicon, "candidates"):
            raise UsageError(
                "expected a lexicon as the path of a gene_info file, or with a method candidates(name), "
                f"got {truncate_repr(lexicon)}"
            )
        self.lexicon, self.grounding = lexicon, bool(grounding)
        self._own_resolver = None if lexicon is None or isinstance(lexicon, str | Path) else Resolver(lexicon)
        if grounding and isinstance(lexicon, str | Path):
            _load_file(*file_version(lexicon))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Grounder, grounding=self.grounding), (self.lexicon,)

    def ground(self, document: Document) -> Document:
        """The document whose mentions carry what they were found to be; given identifiers stay as they are."""
        if not self.grounding:
            return document
        resolver = self._own_resolver
        if resolver is None:
            resolver = _load_shipped() if self.lexicon is None else _load_file(*file_version(self.lexicon))
        return resolver.resolve(document)


def file_version(path: str | Path) -> tuple[Path, tuple[int, int] | None]:
    """The file, and what changes when it does."""
    path = Path(path)
    state = path.stat() if path.exists() else None
    return path, None if state is None else (state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def _load_shipped() -> Resolver:
    return Resolver(Lexicon.shipped())


@lru_cache(maxsize=2)
def _load_file(path: Path, version: tuple[int, int] | None) -> Resolver:  # noqa: ARG001 - part of the cache's key
    return Resolver(Lexicon.read(path))
