"""Facts that the manifest keeps about inputs and parts, read back from JSON with every value checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from corpora.errors import truncate_repr
from ppi.longrun.inputs import InputFile

T = TypeVar("T")

#: How parts are called: by the number of the input, a readable piece of the file's name, and the number of the chunk.
PART_NAME = re.compile(r"[0-9]{5,12}-[A-Za-z0-9-]{0,60}-[0-9]{5,12}")
_MAX_COUNT = 2**63 - 1
#: A byte of gzip holds at most so many bytes, and a record has at least one.
_MAX_GZIP_RATIO = 1032


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
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    if not isinstance(value, dict) or set(value) != set(names):
        raise ValueError(f"expected the fields {', '.join(names)}, got {truncate_repr(value)}")
    for field in fields(cls):  # type: ignore[arg-type]
        if not _TYPE_CHECKS[str(field.type)](value[field.name]):
            raise ValueError(f"expected {field.type} for {field.name!r}, got {truncate_repr(value[field.name])}")
    facts = cls(**value)
    _check_plausible(facts)
    return facts


def _check_plausible(facts: Any) -> None:
    if isinstance(facts, PartFacts) and not PART_NAME.fullmatch(facts.part):
        raise ValueError(f"expected the name of a part, got {truncate_repr(facts.part)}")
    if isinstance(facts, InputFile) and (facts.records or 0) > _MAX_GZIP_RATIO * facts.size:
        raise ValueError(f"expected no more records than {facts.size} bytes can hold, got {facts.records}")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_COUNT


_TYPE_CHECKS = {
    "int": _is_count,
    "int | None": lambda value: value is None or _is_count(value),
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: value is None or isinstance(value, str),
    "float": lambda value: _is_count(value) or (isinstance(value, float) and math.isfinite(value) and value >= 0),
}
