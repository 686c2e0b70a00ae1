"""Pairs as lines for people to read, in the columns of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpora.short import short
from ppi.annotation.table import WIDTH
from ppi.database.types import FoundPair

HEADING = "prob.  papers  sentences  proteins"
_INDENT = HEADING.index("proteins")


def pair_lines(pairs: Iterable[FoundPair], *, width: int = WIDTH) -> Iterator[str]:
    """A heading, then two lines per pair: who, how, and how many say so; then the most probable sentence."""
    yield HEADING
    for pair in pairs:
        between = pair.relationship.arrow(pair.directed) or "--"
        second = "itself" if pair.source.key == pair.target.key else short(pair.target.label)
        how = f", {pair.relationship.label}" if pair.type else ""
        doubts = [f"{number} {word}" for number, word in ((pair.hedged, "hedged"), (pair.negated, "negated")) if number]
        numbers = f"{pair.probability:5.3f}  {pair.papers:6}  {pair.sentences:9}"
        yield f"{numbers}  {short(pair.source.label)} {between} {second}{how}{''.join(f' ({each})' for each in doubts)}"
        if pair.best is not None:
            yield f"{'':{_INDENT}}{short(' '.join(pair.best.interaction.sentence.split()), width - _INDENT)}"
