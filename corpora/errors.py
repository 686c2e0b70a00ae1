"""The exceptions of this package, one small tree.

Every message says what was expected, what came, where, and what to try.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and where."""

    message: str
    id: str | None = None
    line: int | None = None
    path: str | None = None

    def __str__(self) -> str:
        location = ":".join(printable(str(part)) for part in (self.path, self.line) if part is not None)
        parts = (location, None if self.id is None else printable(self.id), self.message)
        return ": ".join(part for part in parts if part)


def truncate_repr(value: Any) -> str:
    """The beginning of a value, for messages: what strangers send may be endless.

    >>> truncate_repr(list(range(100)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16...'
    """
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__}, nested too deep to show"
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str) -> str:
    """Names from strangers' files may hold line breaks, terminal codes and what no encoding has."""
    return text if text.isprintable() else repr(text)


class CorpusError(ValueError):
    """Root of what this package raises; ``problems`` holds every finding, the text the first."""

    def __init__(
        self,
        message: str | Sequence[Problem],
        *,
        id: str | None = None,
        line: int | None = None,
        path: str | Path | None = None,
    ) -> None:
        if isinstance(message, str):
            self.problems = [Problem(message, id, line, None if path is None else str(path))]
        else:
            self.problems = list(message)
        super().__init__(self.problems)

    def __str__(self) -> str:
        first = str(self.problems[0])
        more = len(self.problems) - 1
        return first if not more else f"{first} (and {more} more)"

    def with_location(self, path: str | Path | None = None, line: int | None = None) -> CorpusError:
        """The same error with the file and line filled in where a problem lacks them."""
        located = [
            replace(
                problem,
                path=problem.path if path is None else problem.path or str(path),
                line=problem.line if problem.line is not None else line,
            )
            for problem in self.problems
        ]
        return type(self)(located)


class FormatError(CorpusError):
    """The file is not what its format says: broken XML, a truncated gzip, a wrong column."""


class ValidationError(CorpusError):
    """The file is well-formed, but its contents contradict each other."""


class UnknownFormatError(CorpusError):
    """No format was given and none could be recognised, or the format cannot do what is asked."""


class CorpusNotFoundError(CorpusError):
    """No file, or no corpus of that name."""


class LossError(CorpusError):
    """Something the target format cannot hold would have been dropped, and ``strict`` forbids it."""


class FoldError(CorpusError):
    """Folds that cannot be made, read, or trusted."""


class LossWarning(UserWarning):
    """Something was dropped because a format cannot hold it; one warning a file, with the counts.

    Its only argument is the :class:`Problem`.
    """
