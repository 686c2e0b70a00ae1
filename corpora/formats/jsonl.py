"""JSON lines: our own format, a document a line, lossless and streamed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO

from corpora.errors import CorpusError, ValidationError
from corpora.json_text import parse_json
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
        value = document.to_json()
        try:
            line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form, but JSON can escape it
            line = json.dumps(value, separators=(",", ":")).encode()
        output.write(line + b"\n")
