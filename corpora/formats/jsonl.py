"""JSON lines: our own format, a document a line, lossless and streamed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from corpora.errors import CorpusError, ValidationError
from corpora.loss import Losses
from corpora.source import Source
from corpora.types import Document


def read(source: Source, losses: Losses) -> Iterator[Document]:
    """Documents of a JSON lines file; blank lines are skipped."""
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            document = Document.from_json(parse_json(line, source, number))
        except CorpusError as error:
            source.reject(error, number)
            continue
        if source.problems is not None:
            for sentence in document.sentences:
                if odd := list(sentence.token_problems()):
                    source.remark(ValidationError(odd), number)
        source.record_line = number
        yield document


def write(documents: Iterable[Document], output: IO[bytes], losses: Losses) -> None:
    """Write a document a line."""
    for document in documents:
        text = json.dumps(document.to_json(), ensure_ascii=False, separators=(",", ":"))
        # a lone surrogate has no UTF-8 form, but JSON can escape it
        output.write(text.encode("utf-8") if text.isascii() or _encodable(text) else _escaped(document))
        output.write(b"\n")


def parse_json(text: str, source: Source, line: int | None = None) -> Any:
    """The JSON value of ``text``; whatever is wrong with it becomes a FormatError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = error.lineno if line is None else line
        raise source.format_error(f"expected JSON, got: {error.msg} at column {error.colno}", place) from None
    except RecursionError:
        raise source.format_error("expected JSON of ordinary depth, got nesting too deep to read", line) from None
    except ValueError as error:  # a number with thousands of digits
        raise source.format_error(f"expected JSON, got: {error}", line) from None


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _escaped(document: Document) -> bytes:
    return json.dumps(document.to_json(), separators=(",", ":")).encode("ascii")
