"""Names as the columns of standoff files can hold them."""

from __future__ import annotations

import re

from corpora.formats.common import FreeIds
from corpora.loss import ConversionLosses


def is_standoff_id(id: str, kind: str) -> bool:
    """Whether the id has the form of that kind of annotation.

    >>> is_standoff_id("T12", "T"), is_standoff_id("d.e1", "T")
    (True, False)
    """
    return bool(re.fullmatch(f"{kind}[0-9]+", id))


class StandoffNames:
    """Ids and words for the columns; what has to be changed is counted as lost."""

    def __init__(self, losses: ConversionLosses) -> None:
        self.losses = losses

    def id(self, id: str, kind: str, free_ids: FreeIds) -> str:
        """The id, if it has the form of that kind, or a new one that has."""
        if is_standoff_id(id, kind):
            return id
        self.losses.drop("ids")
        return free_ids.new(kind)

    def word(self, written: str | None, default: str) -> str:
        """The name as one word, as the columns need it."""
        word = re.sub(r"\s+", "_", written or default)
        self.losses.drop("types with white space, or none", word != written)
        return word
