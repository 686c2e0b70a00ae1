"""The base of the records of figures that reports and the command line write as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class JsonRecord:
    """A dataclass whose fields are plain values, tuples of them, or other such records."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)
