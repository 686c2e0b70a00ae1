"""The lines of standoff annotations, as brat and the BioNLP shared tasks write them: an id, a tab, and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from corpora.errors import CorpusError, FormatError, ValidationError
from corpora.formats.common import flatten_whitespace
from corpora.limits import check_annotations
from corpora.source import Source
from corpora.types import Entity, Span, text_at

_TEXT_BOUND = re.compile(r"(\S+) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*)")


@dataclass(frozen=True)
class StandoffRow:
    """One line: the id, whose first letter is its kind, the words of the second column, and the rest."""

    id: str
    words: list[str]
    fields: list[str]
    line: int
    source: Source

    @property
    def kind(self) -> str:
        """The letter that says what the line is."""
        return self.id[:1]

    def attempt(self, use: Callable[[StandoffRow], None]) -> bool:
        """Use the row; an error is rejected with the row's place.  Whether all went well."""
        try:
            use(self)
        except CorpusError as error:
            self.source.reject(error, self.line)
            return False
        return True


def read_standoff_rows(source: Source) -> Iterator[StandoffRow]:
    """The lines that are not blank; more of them than a document may have annotations are a FormatError."""
    for number, line in source.lines():
        if line.strip():
            check_annotations(number)
            id, *fields = line.split("\t", 2)
            yield StandoffRow(id, fields[0].split() if fields else [], fields, number, source)


def check_row(row: StandoffRow, kinds: str) -> None:
    """Refuse what is no line of one of these kinds."""
    excerpt = "\t".join([row.id, *row.fields])[:60]
    if not row.kind or row.kind not in kinds:
        listed = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise FormatError(f"expected a line of kind {listed}, got {excerpt!r}")
    if not row.words or " " in row.id:
        raise FormatError(f"expected an id, a tab and an annotation, got {excerpt!r}")


def parse_text_bound(row: StandoffRow, text: str) -> Entity:
    """The mention of a ``T`` line; the line's text must be that of the document."""
    match = _TEXT_BOUND.fullmatch(row.fields[0])
    if match is None or len(row.fields) < 2:
        raise FormatError(f"expected 'TYPE START END', a tab and the text, got {row.fields[0][:60]!r}", id=row.id)
    spans = tuple(_span(piece) for piece in match[2].split(";"))
    outside = [span for span in spans if not span[0] < span[1] <= len(text)]
    if outside:
        raise ValidationError(
            f"expected spans inside the {len(text)} characters of the text, got {outside[0]}", id=row.id
        )
    actual = text_at(text, spans)
    if flatten_whitespace(actual) != flatten_whitespace(row.fields[1]):
        raise ValidationError(f"expected the text {row.fields[1]!r} at {spans}, got {actual!r}", id=row.id)
    return Entity(row.id, actual, spans, match[1])


def parse_role_references(words: list[str], row: StandoffRow) -> list[tuple[str, str]]:
    """(role, reference) of each ``role:reference``."""
    references = []
    for word in words:
        role, colon, reference = word.rpartition(":")
        if not colon or not reference:
            raise FormatError(f"expected 'ROLE:ID', got {word!r}", id=row.id)
        references.append((role, reference))
    return references


def _span(piece: str) -> Span:
    start, end = piece.split(" ")
    return int(start), int(end)
