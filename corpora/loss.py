"""What a format cannot hold is dropped loudly: one warning with the counts, or an error under ``strict``."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path

from corpora.errors import LossError, LossWarning, Problem
from corpora.types import Document


class ConversionLosses:
    """Counts what a reader or writer drops, and says so once at the end.

    ``format`` is what cannot hold it, ``path`` the file that is read or written.

    >>> losses = ConversionLosses("PubTator", strict=True)
    >>> losses.drop("parses", 3)
    >>> losses.report()
    Traceback (most recent call last):
    ...
    corpora.errors.LossError: PubTator cannot hold: 3 parses; use another format, or allow the loss
    """

    def __init__(self, format: str, *, strict: bool = False, path: str | Path | None = None) -> None:
        self.format = format
        self.path = path
        self.strict = strict
        self.counts: Counter[str] = Counter()

    def drop(self, what: str, count: int = 1) -> None:
        """Note that ``count`` things were left out (zero is fine)."""
        if count:
            self.counts[what] += count

    def drop_events(self, document: Document) -> None:
        """Note that a document's triggers, events and equivalences are left out."""
        self.drop("triggers", len(document.triggers))
        self.drop("events", len(document.events))
        self.drop("equivalences", len(document.equivalences))

    def report(self) -> None:
        """Warn once with all counts, or raise a LossError if ``strict``; silent if nothing was lost."""
        if not self.counts:
            return
        listed = ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
        message = f"{self.format} cannot hold: {listed}"
        if self.strict:
            raise LossError(f"{message}; use another format, or allow the loss", path=self.path)
        warnings.warn(LossWarning(Problem(message, path=None if self.path is None else str(self.path))), stacklevel=2)
