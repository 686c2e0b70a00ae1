"""The lines of a file of judgements: what each says, and which are torn.

The first line names the format and its version; every other is one object with ``judgement`` or ``undo``.  The id of a
line is the digest of its bytes, so that a line is the same in every copy of the file, and merging is joining of sets.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from corpora.errors import truncate_repr
from corpora.limits import iter_lines
from ppi.curation.judgement import Judgement, Undo
from ppi.errors import CurationError

CURATION_FORMAT, CURATION_VERSION = "ppi-curation", 1
HEAD = json.dumps({"format": CURATION_FORMAT, "version": CURATION_VERSION}).encode() + b"\n"
#: Bytes of a line, and of a file.
MAX_LINE_BYTES, MAX_FILE_BYTES = 2**20, 2**30
Event = Judgement | Undo


@dataclass(frozen=True)
class JudgementLine:
    """A line of the file: its bytes, with their end, and what it says; None if it is torn or blank."""

    number: int
    raw: bytes
    event: Event | None = None
    torn: bool = False

    @property
    def id(self) -> str:
        """The digest of its bytes, without their end."""
        return hashlib.sha256(self.raw.rstrip(b"\r\n")).hexdigest()[:32]

    @property
    def is_ended(self) -> bool:
        """Whether the next line would begin on a line of its own."""
        return self.raw.endswith(b"\n")


def encode_line(event: Event) -> bytes:
    """The line that says so: ASCII, because texts may hold what no encoding has.

    Raises
    ------
    CurationError
        If it is longer than a line may be.
    """
    kind = "judgement" if isinstance(event, Judgement) else "undo"
    line = json.dumps({kind: event.to_json()}, allow_nan=False).encode() + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise CurationError(
            f"expected a judgement of at most {MAX_LINE_BYTES:,} bytes with its sentence, got {len(line):,}; "
            "sentences of this length cannot be judged"
        )
    return line


def read_lines(stream: BinaryIO, *, number: int = 0) -> Iterator[JudgementLine]:
    """The lines from the present place on, of which ``number`` have been read.

    Raises
    ------
    CurationError
        If the file is something else or of another version, or a whole line says what no version says.
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
    """What the value of a line says.

    Raises
    ------
    CurationError
        If it is neither a judgement nor an undo.
    """
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
