"""Who is who in a document: what its mentions are found to be, before they are paired.

Every document is resolved, not only those with a pair: identifiers of all mentions belong to BioC and PubTator, too.
That takes about a tenth of the time of parsing the sentences with a pair, in abstracts that are full of genes.  The
lexicon is read when the first document comes, once per process.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from corpora.errors import truncate_repr
from corpora.types import Document
from ppi.errors import UsageError
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.resolution import Resolver


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
            _load_file(*_file_version(lexicon))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_grounder, (self.lexicon, self.grounding)

    def ground(self, document: Document) -> Document:
        """The document whose mentions carry what they were found to be; given identifiers stay as they are."""
        return self._resolver().resolve(document) if self.grounding else document

    def _resolver(self) -> Resolver:
        if self._own_resolver is not None:
            return self._own_resolver
        return _load_shipped() if self.lexicon is None else _load_file(*_file_version(self.lexicon))


def _restore_grounder(lexicon: Any, grounding: bool) -> Grounder:
    return Grounder(lexicon, grounding=grounding)


def _file_version(path: str | Path) -> tuple[Path, tuple[int, int] | None]:
    """The file, and what changes when it does."""
    path = Path(path)
    state = path.stat() if path.exists() else None
    return path, None if state is None else (state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def _load_shipped() -> Resolver:
    return Resolver(Lexicon.shipped())


@lru_cache(maxsize=2)
def _load_file(path: Path, version: tuple[int, int] | None) -> Resolver:
    return Resolver(Lexicon.read(path))
