"""Parsing for annotation: any backend, one at a time, in memory that does not grow.

spaCy keeps every word it has ever met.  A memory zone forgets those of a batch at its end, and with them whatever
another thread may be parsing with the same pipeline; so annotation has a pipeline of its own in each process, used
under a lock.  The other work of annotation needs no lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from corpora.types import Document
from ppi.errors import MissingModelError, UsageError
from ppi.extraction.examples import choose_parser
from ppi.parsing import parse_documents
from ppi.parsing.given import GIVEN


class Engine:
    """A backend, twice: with and without its name finder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self._nlp: Any = None
        self._backends: dict[bool, Any] = {}

    def parse(self, documents: Sequence[Document], *, names: bool) -> list[Document]:
        """The documents with one parse a sentence; ``names`` looks for protein names in those without entities."""
        with self.lock:
            self._load()
            with self._nlp.memory_zone() if self._nlp is not None else nullcontext():
                parsed = parse_documents(
                    documents,
                    self._backends[names],
                    entities=names,
                    dependencies="collapsed",
                    keep_parses=False,
                    parser=choose_parser(documents) if self.name == GIVEN else None,
                )
                return list(parsed)

    def _load(self) -> None:
        if self._backends:
            return
        from ppi.parsing.registry import get_backend
        from ppi.parsing.spacy_backend import SpacyBackend

        if self.name == GIVEN:
            self._backends = {True: GIVEN, False: GIVEN}
            return
        nlp = _own_pipeline(self.name)
        if nlp is None:
            backend = get_backend(self.name)  # another kind, or one that is not there
            self._backends = {True: backend, False: backend}
        else:
            name = self.name.partition(":")[0]
            self._backends = {names: SpacyBackend(nlp, name=name, entities=names) for names in (True, False)}
            self._nlp = nlp


def _own_pipeline(name: str) -> Any:
    """The spaCy pipeline of that name, shared with nobody; None if there is none."""
    import spacy
    from thinc.api import use_ops

    from ppi.pipeline.loading import load_own

    kind, _, guideline = name.partition(":")
    if kind == "shipped":
        return load_own(guideline=guideline or "auto")
    if not (name.isidentifier() and spacy.util.is_package(name)):
        return None
    try:
        with use_ops("numpy", use_blis=False):  # as the shipped one is loaded, for speed
            return spacy.load(name)
    except (OSError, ValueError, KeyError) as error:
        raise MissingModelError(f"expected to load the pipeline {name!r}, got: {error}; reinstall it") from error


_ENGINES: dict[str, Engine] = {}
_CREATING = threading.Lock()


def engine(name: str) -> Engine:
    """The process's engine for a backend of :mod:`ppi.parsing`; the pipeline is loaded when it first parses."""
    if not isinstance(name, str) or not name:
        raise UsageError(f"expected the name of a backend of `ppi parse`, such as 'shipped', got {name!r}")
    with _CREATING:
        return _ENGINES.setdefault(name, Engine(name))


_HELD: list[threading.Lock] = []


def _acquire() -> None:
    _CREATING.acquire()  # first, so that no engine is added to those whose locks are taken
    for each in _ENGINES.values():
        each.lock.acquire()
        _HELD.append(each.lock)


def _release() -> None:
    while _HELD:
        _HELD.pop().release()
    _CREATING.release()


# a fork waits until no thread is parsing, so that the child finds a whole pipeline and free locks
os.register_at_fork(before=_acquire, after_in_parent=_release, after_in_child=_release)
