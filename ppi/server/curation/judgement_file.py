"""Read, write and merge files of judgements.

The first line names the format and its version; every other is one object with ``judgement`` or ``undo``.  The id of a
line is the digest of its bytes, so that a line is the same in every copy of the file, and merging is joining of sets:
merging a file with itself, or with a merged file, changes nothing, and the order of the files does not matter.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from corpora import Source, atomic_output, iter_lines, truncate_repr
from ppi.core import CurationError
from ppi.server.curation.consensus import CurationState, fold_judgements
from ppi.server.curation.judgement import Judgement, Undo

CURATION_FORMAT, CURATION_VERSION = "ppi-curation", 1
HEAD = json.dumps({"format": CURATION_FORMAT, "version": CURATION_VERSION}).encode() + b"\n"
#: Bytes of a line, and of a file.
MAX_LINE_BYTES, MAX_FILE_BYTES = 2**20, 2**30
Event = Judgement | Undo


@dataclass(frozen=True)
class JudgementLine:
    """A line of the file: its bytes, with their end, and its event; None if it is torn or blank."""

    number: int
    raw: bytes
    event: Event | None = None
    torn: bool = False

    @property
    def id(self) -> str:
        """The digest of its bytes, without their end."""
        return hashlib.sha256(self.raw.rstrip(b"\r\n")).hexdigest()[:32]


def encode_line(event: Event) -> bytes:
    """The line of an event: ASCII, because texts may hold what no encoding has; CurationError if it is too long."""
    kind = "judgement" if isinstance(event, Judgement) else "undo"
    line = json.dumps({kind: event.to_json()}, allow_nan=False).encode() + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise CurationError(
            f"expected a judgement of at most {MAX_LINE_BYTES:,} bytes with its sentence, got {len(line):,}; "
            "sentences of this length cannot be judged"
        )
    return line


def read_lines(stream: BinaryIO, *, number: int = 0) -> Iterator[JudgementLine]:
    """The lines from the present place on, before which ``number`` have been read.

    CurationError if the file is something else or of another version, or a whole line is neither judgement nor undo.
    """
    for raw in iter_lines(stream, MAX_LINE_BYTES):
        number += 1
        if len(raw) > MAX_LINE_BYTES:
            raise CurationError(f"line {number}: expected at most {MAX_LINE_BYTES:,} bytes, got more; it is not ours")
        if number == 1:
            yield _check_head(raw)
            continue
        if not raw.strip():
            yield JudgementLine(number, raw)
            continue
        try:
            value = json.loads(raw)
        except RecursionError:
            raise CurationError(f"line {number}: expected a judgement, got values nested too deep to read") from None
        except ValueError:  # what a crash leaves of a line is never whole JSON
            yield JudgementLine(number, raw, torn=True)
            continue
        try:
            yield JudgementLine(number, raw, decode_event(value))
        except CurationError as error:
            raise CurationError(f"line {number}: {error}") from None


def decode_event(value: Any) -> Event:
    """The judgement or undo of a line's value; CurationError if it is neither."""
    if isinstance(value, dict) and value.keys() == {"judgement"}:
        return Judgement.from_json(value["judgement"])
    if isinstance(value, dict) and value.keys() == {"undo"}:
        return Undo.from_json(value["undo"])
    raise CurationError(f"expected an object with 'judgement' or 'undo', got {truncate_repr(value)}")


def _check_head(raw: bytes) -> JudgementLine:
    if HEAD.startswith(raw) and raw != HEAD:  # the writer of a new file was stopped
        return JudgementLine(1, raw, torn=True)
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("format") != CURATION_FORMAT:
        raise CurationError(
            f"expected a file of judgements, {HEAD.strip().decode()} first, got {truncate_repr(raw[:60])}"
        )
    if value.get("version") != CURATION_VERSION or isinstance(value["version"], bool):
        raise CurationError(
            f"expected judgements of version {CURATION_VERSION}, got version {truncate_repr(value.get('version'))}; "
            "use the version of ppi that wrote them"
        )
    return JudgementLine(1, raw)


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
    return fold_judgements({id: event for path in paths for id, event in read_curation(path).items()})


def merge_judgement_files(paths: Iterable[str | Path], output: str | Path) -> int:
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
    # once by its id, in the order of time
    lines = {
        (line.event.time, line.id): line.raw.rstrip(b"\r\n") + b"\n"
        for path in paths
        for line in _read_file_lines(path)
        if line.event is not None
    }
    with atomic_output(output) as stream:
        stream.write(HEAD)
        stream.writelines(lines[key] for key in sorted(lines))
    return len(lines)


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
