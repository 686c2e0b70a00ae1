"""Pairs as lines for people to read, in the columns of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpora.short import shorten
from ppi.annotation.table import DEFAULT_WIDTH
from ppi.database.types import FoundPair

HEADING = "prob.  papers  sentences  proteins"
_INDENT = HEADING.index("proteins")


def format_pairs(pairs: Iterable[FoundPair], *, width: int = DEFAULT_WIDTH) -> Iterator[str]:
    """A heading, then two lines per pair: who, how, and how many say so; then the most probable sentence."""
    yield HEADING
    for pair in pairs:
        between = pair.relationship.arrow(pair.directed) or "--"
        second = "itself" if pair.source.key == pair.target.key else shorten(pair.target.label)
        how = f", {pair.relationship.label}" if pair.type else ""
        doubts = [f"{number} {word}" for number, word in ((pair.hedged, "hedged"), (pair.negated, "negated")) if number]
        numbers = f"{pair.probability:5.3f}  {pair.papers:6}  {pair.sentences:9}"
        yield f"{numbers}  {shorten(pair.source.label)} {between} {second}{how}{''.join(f' ({doubt})' for doubt in doubts)}"
        if pair.best is not None:
            yield f"{'':{_INDENT}}{shorten(' '.join(pair.best.interaction.sentence.split()), width - _INDENT)}"
