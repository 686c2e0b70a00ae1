"""Facts that the manifest keeps about inputs and parts, read back from JSON with every value checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from corpora.errors import shown
from ppi.longrun.inputs import InputFile

T = TypeVar("T")

#: How parts are called: by the number of the input, a readable piece of the file's name, and the number of the chunk.
PART_NAME = re.compile(r"[0-9]{5,12}-[A-Za-z0-9-]{0,60}-[0-9]{5,12}")
_LARGEST = 2**63 - 1
#: A byte of gzip holds at most so many bytes, and a record has at least one.
_MOST_UNPACKED = 1032


@dataclass(frozen=True)
class PartFacts:
    """A finished part: which input it belongs to, what is in it, and what its files are.

    ``size`` and ``digest`` are those of its file, ``errors`` is the digest of the file of its failures, None if there
    is none.
    """

    part: str
    input: int
    documents: int
    interactions: int
    failures: int
    seconds: float
    size: int
    digest: str
    errors: str | None


def read_facts(cls: type[T], value: Any) -> T:
    """An InputFile or PartFacts of a JSON object.

    Raises
    ------
    ValueError
        If a field is missing, unknown, of another type, or cannot be true.

    Examples
    --------
    >>> read_facts(PartFacts, {"part": 3})
    Traceback (most recent call last):
        ...
    ValueError: expected the fields part, input, ..., got {'part': 3}
    """
    names = [each.name for each in fields(cls)]  # type: ignore[arg-type]
    if not isinstance(value, dict) or set(value) != set(names):
        raise ValueError(f"expected the fields {', '.join(names)}, got {shown(value)}")
    for each in fields(cls):  # type: ignore[arg-type]
        if not _FITS[str(each.type)](value[each.name]):
            raise ValueError(f"expected {each.type} for {each.name!r}, got {shown(value[each.name])}")
    facts = cls(**value)
    _check(facts)
    return facts


def _check(facts: Any) -> None:
    if isinstance(facts, PartFacts) and not PART_NAME.fullmatch(facts.part):
        raise ValueError(f"expected the name of a part, got {shown(facts.part)}")
    if isinstance(facts, InputFile) and (facts.records or 0) > _MOST_UNPACKED * facts.size:
        raise ValueError(f"expected no more records than {facts.size} bytes can hold, got {facts.records}")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST


_FITS = {
    "int": _is_count,
    "int | None": lambda value: value is None or _is_count(value),
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: value is None or isinstance(value, str),
    "float": lambda value: _is_count(value) or (isinstance(value, float) and math.isfinite(value) and value >= 0),
}
