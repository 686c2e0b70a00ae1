"""Files of judgements as one: the set of their lines, in the order of time.

A line is known by the digest of its bytes, so merging a file with itself, or with a merged file, changes nothing, and
the order of the files does not matter.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

from corpora.source import Source, atomic_output
from ppi.curation.lines import HEAD, Event, JudgementLine, read_lines
from ppi.curation.state import CurationState, fold
from ppi.errors import CurationError


def read_curation(path: str | Path) -> dict[str, Event]:
    """Judgements and undos of a file, by their ids.

    Raises
    ------
    CurationError
        If the file is something else or of another version.
    """
    return {line.id: line.event for line in _read_file_lines(path) if line.event is not None}


def state_of_files(*paths: str | Path) -> CurationState:
    """What holds, given everything that these files say."""
    events: dict[str, Event] = {}
    for path in paths:
        events.update(read_curation(path))
    return fold(events)


def merge(paths: Iterable[str | Path], output: str | Path) -> int:
    """Write the lines of all files into one; the number of judgements and undos in it.

    Parameters
    ----------
    output
        The file, which appears when it is complete; ``-`` is standard output.

    Raises
    ------
    CurationError
        If a file is something else or of another version.
    """
    lines: dict[str, JudgementLine] = {}
    for path in paths:
        lines.update((line.id, line) for line in _read_file_lines(path) if line.event is not None)
    ordered = sorted(lines.items(), key=_by_time)
    with atomic_output(output) as stream:
        stream.write(HEAD)
        for _, line in ordered:
            stream.write(line.raw.rstrip(b"\r\n") + b"\n")
    return len(ordered)


def _by_time(entry: tuple[str, JudgementLine]) -> tuple[str, str]:
    id, line = entry
    return line.event.time if line.event is not None else "", id


def _read_file_lines(path: str | Path) -> list[JudgementLine]:
    source = Source(path)
    try:
        with source.open() as stream:
            lines = list(read_lines(stream))
    except CurationError as error:
        raise CurationError(f"{source.name}: {error}") from None
    if torn := [line.number for line in lines if line.torn]:
        numbers = ", ".join(map(str, torn[:5])) + (" ..." if len(torn) > 5 else "")
        warnings.warn(f"{source.name}: {len(torn)} torn lines are passed over (line {numbers})", stacklevel=3)
    return lines
