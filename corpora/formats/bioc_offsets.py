"""What a BioC file counts its offsets in: characters, or bytes of UTF-8.

The DTD leaves it to the collection, and producers differ, so the texts of the annotations decide, once a file.
Only an annotation that follows a non-ASCII character of its passage can tell; documents that could be read either
way are held back until one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from corpora.formats.bioc_model import BioCAnnotation, BioCDocument, BioCSentence
from corpora.formats.common import flatten_whitespace
from corpora.types import Span, text_at

#: How many documents are held back at most; if none of them tells, offsets are characters.
MAX_PENDING_DOCUMENTS = 1000


class Unit(Enum):
    """What offsets count."""

    CHARACTERS = "characters"
    BYTES = "bytes"

    def length(self, text: str) -> int:
        """The length of the text."""
        return len(text) if self is Unit.CHARACTERS or text.isascii() else len(text.encode())

    def spans(self, text: str, spans: Iterable[Span]) -> tuple[Span, ...] | None:
        """The spans in characters, or None if one of them ends inside a character."""
        spans = tuple(spans)
        if self is Unit.CHARACTERS or text.isascii():
            return spans
        data = text.encode()
        try:
            return tuple((_characters(data, start), _characters(data, end)) for start, end in spans)
        except UnicodeDecodeError:
            return None


def _characters(data: bytes, end: int) -> int:
    # beyond the text or before it nothing can be decoded: stay as far outside as it was
    inside = min(max(end, 0), len(data))
    return len(data[:inside].decode()) + (end - inside)


def parts_of(document: BioCDocument) -> Iterator[BioCSentence]:
    """The pieces of text of a document: passages, or their sentences where they are split."""
    for passage in document.passages:
        yield from passage.sentences or (passage,)


def relative_spans(annotation: BioCAnnotation, part: BioCSentence) -> tuple[Span, ...]:
    """The annotation's spans in its part, in the file's unit."""
    return tuple((start - part.offset, start - part.offset + length) for start, length in annotation.locations)


def text_agrees(text: str, spans: tuple[Span, ...], written: str | None) -> bool:
    """Whether an annotation's text is what stands at its spans.

    White space counts as white space, and producers join the pieces of a discontinuous mention in their own way,
    or give everything from the first piece to the last.
    """
    if not spans or any(not 0 <= start < end <= len(text) for start, end in spans):
        return False
    actual = text_at(text, spans)
    if written is None or written == actual:
        return True
    if flatten_whitespace(written) == flatten_whitespace(actual):
        return True
    if len(spans) == 1:
        return False
    pieces = "".join(actual.split())
    bare = "".join(written.replace("...", " ").split())
    whole = text[min(start for start, _ in spans) : max(end for _, end in spans)]
    return bare == pieces or flatten_whitespace(written) == flatten_whitespace(whole)


def detect_units(documents: Iterable[BioCDocument]) -> Iterator[tuple[BioCDocument, Unit]]:
    """Each document with the unit of its file, in order."""
    pending: list[BioCDocument] = []
    unit: Unit | None = None
    for document in documents:
        if unit is None:
            balance = _evidence(document)
            if balance:
                unit = Unit.CHARACTERS if balance > 0 else Unit.BYTES
            elif len(pending) >= MAX_PENDING_DOCUMENTS:
                unit = Unit.CHARACTERS
            elif pending or not all((part.text or "").isascii() for part in parts_of(document)):
                pending.append(document)
                continue
            else:
                yield document, Unit.CHARACTERS
                continue
            for earlier in pending:
                yield earlier, unit
            pending.clear()
        yield document, unit
    for document in pending:
        yield document, Unit.CHARACTERS


def _evidence(document: BioCDocument) -> int:
    """Annotations that only characters explain, less those that only bytes explain."""
    balance = 0
    for part in parts_of(document):
        text = part.text or ""
        if text.isascii():
            continue
        for annotation in part.annotations:
            if annotation.text is None:
                continue
            spans = relative_spans(annotation, part)
            in_bytes = Unit.BYTES.spans(text, spans)
            balance += text_agrees(text, spans, annotation.text)
            balance -= in_bytes is not None and text_agrees(text, in_bytes, annotation.text)
    return balance
