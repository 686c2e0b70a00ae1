"""Every problem of a file, instead of the first."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from corpora.errors import CorpusError, LossWarning, Problem
from corpora.registry import read


def find_problems(
    path: str | Path, format: str | None = None, *, columns: Mapping[str, str] | None = None
) -> Iterator[Problem]:
    """Problems in file order, as far as the file can be read.

    Beyond what reading refuses, this reports what it tolerates: tokens whose text is not the sentence's at that
    place, what had to be dropped, and that there is no document at all.
    """
    problems: list[Problem] = []
    documents = read(path, format, problems=problems, columns=columns)
    more, is_empty = True, True
    while more:
        # around each step, so that warnings of whoever asks for the problems are not caught with ours
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", LossWarning)
            try:
                more = next(documents, None) is not None
            except CorpusError as error:
                problems.extend(error.problems)
                more = False
        is_empty = is_empty and not more and not problems
        yield from problems
        problems.clear()
        yield from (warning.message.args[0] for warning in caught if isinstance(warning.message, LossWarning))
    if is_empty:
        yield Problem("expected a document, got none", path=str(path))
