"""JSON lines: our own format, a document a line, lossless and streamed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from corpora.distant_supervision import separate_concept_relations
from corpora.errors import CorpusError, ValidationError
from corpora.json_codec import parse_json
from corpora.limits import check_annotations
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a JSON lines file; blank lines are skipped."""
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            value = parse_json(line, source, number)
            check_annotations(_count_annotations(value))
            document = separate_concept_relations(Document.from_json(value))
        except CorpusError as error:
            source.reject(error, number)
            continue
        if source.problems is not None:
            for sentence in document.sentences:
                if odd := list(sentence.token_problems()):
                    source.report_problems(ValidationError(odd), number)
        source.record_line = number
        yield document


def _count_annotations(value: Any) -> int:
    """Of what may be a document; what is not is found out when it is read."""
    if not isinstance(value, dict):
        return 0
    sentences = value.get("sentences")
    holders = [value, *(sentences if isinstance(sentences, list) else ())]
    annotation_lists = (
        holder.get(name)
        for holder in holders
        if isinstance(holder, dict)
        for name in (
            "entities",
            "pairs",
            "relations",
            "concept_relations",
            "triggers",
            "events",
            "equivalences",
            "infons",
        )
    )
    return sum(len(items) for items in annotation_lists if isinstance(items, list))


def write(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write a document a line."""
    for document in documents:
        value = document.to_json()
        try:
            line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form, but JSON can escape it
            line = json.dumps(value, separators=(",", ":")).encode()
        output.write(line + b"\n")
