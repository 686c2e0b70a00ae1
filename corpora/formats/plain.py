"""Plain text: a document a file, its paragraphs as passages; or a document a line."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.formats.common import sentence_id
from corpora.limits import MAX_RECORD_BYTES, check_size
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Sentence


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """One document: each paragraph (lines up to a blank one) is a passage, its offset that in the file.

    A file without a word is none.
    """
    passages: list[Sentence] = []
    lines: list[str] = []
    start = position = 0
    for _, line in source.lines():
        if line.strip():
            if not lines:
                start = position
            lines.append(line)
        elif lines:
            passages.append(_passage(source, passages, lines, start))
            lines = []
        position += len(line) + 1
        check_size("a text", position, MAX_RECORD_BYTES, path=source.name)
    if lines:
        passages.append(_passage(source, passages, lines, start))
    if passages:
        yield Document(source.stem, tuple(passages))


def read_lines(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """A document for each line that is not blank, named after the file and the line's number."""
    for number, line in source.lines():
        if line.strip():
            id = f"{source.stem}-{number}"
            yield Document(id, (Sentence(sentence_id(id, 0), line),))


def _passage(source: Source, before: list[Sentence], lines: list[str], start: int) -> Sentence:
    return Sentence(sentence_id(source.stem, len(before)), "\n".join(lines), offset=start)
