"""BioC JSON, also as PubTator exports it; see :mod:`corpora.formats.bioc_model` for what its objects become.

A file is a collection, a list of documents or collections, PubTator 3's ``{"PubTator3": [...]}``, or one of these
a line (then it is streamed; otherwise it is read at once).  Values that are no strings, and members that BioC does
not have (PubTator's ``pmid``, ``relations_display`` and so on), are kept as remarks in their JSON form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import IO, Any

from corpora.errors import CorpusError, FormatError, truncate_repr
from corpora.formats import bioc_model as bioc
from corpora.formats.bioc_reader import read_documents
from corpora.formats.bioc_writer import to_bioc
from corpora.formats.common import encode_utf8, peek_corpus
from corpora.json_codec import parse_json
from corpora.limits import MAX_VALUE_BYTES, check_size
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document

# what tells where objects begin and end: names, strings (which may hold braces) and braces
_MARKS = re.compile(r'"passages"\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}]')
_DOCUMENT = {"id", "infons", "passages", "annotations", "relations", "bioctype"}
_PART = {"offset", "text", "infons", "annotations", "relations", "sentences", "bioctype"}
_ANNOTATION = {"id", "text", "locations", "infons", "bioctype"}
_RELATION = {"id", "nodes", "infons", "bioctype"}


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a BioC JSON file."""
    return read_documents(_parse_documents(source, losses), source, losses)


def write(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write one collection to a binary file, a document a line."""
    corpus, documents = peek_corpus(documents)
    head = {"source": corpus or "", "date": "", "key": "", "version": "1.0", "infons": {}}
    start = _dump(head, "collection")[:-1] + b', "documents": ['
    output.write(start)
    separator = b"\n"
    for document in documents:
        written = _document_object(to_bioc(document, corpus, losses), losses)
        output.write(separator + _dump(written, document.id))
        separator = b",\n"
    output.write(b"\n]}\n")


def _dump(value: Any, id: str) -> bytes:
    return encode_utf8(json.dumps(value, ensure_ascii=False), id)


def _parse_documents(source: Source, losses: ConversionLosses) -> Iterator[bioc.BioCDocument]:
    for line, text, value in _values(source):
        spread = "\n" in text
        lines = iter(_document_lines(text, line)) if spread else repeat(line)
        for json_path, corpus, document in _documents(value, "$", None, source, None if spread else line, losses):
            start_line = next(lines, None)
            try:
                bioc_document = _document(document, json_path)
                bioc_document.source, bioc_document.line = corpus, start_line
                yield bioc_document
            except CorpusError as error:
                source.reject(error, start_line)


def _values(source: Source) -> Iterator[tuple[int, str, Any]]:
    """The JSON values of a file, each with its line and text: one a line if the first line is one, else one in all."""
    lines = source.lines()
    for number, text in lines:
        if not text.strip():
            continue
        try:
            first = _parse_value(text, number, source)
        except FormatError:
            # no value by itself: the file is one, spread over its lines
            rest = _join_lines(text, lines, source)
            yield number, rest, _parse_value(rest, number, source)
            return
        yield number, text, first
        for following_line, following_text in lines:
            if following_text.strip():
                yield following_line, following_text, _parse_value(following_text, following_line, source)
        return
    raise source.format_error("expected a BioC collection, got an empty file")


def _join_lines(first: str, lines: Iterable[tuple[int, str]], source: Source) -> str:
    """The lines of a value that is the whole file."""
    parts, size = [first], len(first)
    for _, line in lines:
        size += len(line) + 1
        check_size("JSON values", size, MAX_VALUE_BYTES, path=source.name)
        parts.append(line)
    return "\n".join(parts)


def _document_lines(text: str, first: int) -> list[int]:
    """The lines on which the documents of a JSON text begin, in order: the outermost objects that have passages."""
    starts: list[int] = []
    opened: list[int] = []
    with_passages: set[int] = set()
    for mark in _MARKS.finditer(text):
        if mark[0] == "{":
            opened.append(mark.start())
        elif mark[0] == "}":
            start = opened.pop()
            if start in with_passages:
                while starts and starts[-1] > start:
                    starts.pop()
                starts.append(start)
        elif mark[0].startswith('"passages"') and mark[0].endswith(":"):
            with_passages.add(opened[-1])
    lines, line, position = [], first, 0
    for start in starts:
        line += text.count("\n", position, start)
        position = start
        lines.append(line)
    return lines


def _parse_value(text: str, line: int, source: Source) -> Any:
    value = parse_json(text, source, line)
    if "\\ud" in text or "\\uD" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError) as error:
            raise source.format_error(f"expected JSON that can be read, got: {error}", line) from None
    return value


def _documents(
    value: Any, where: str, corpus: str | None, source: Source, line: int | None, losses: ConversionLosses
) -> Iterator[tuple[str, str | None, Any]]:
    """(JSON path, collection's source, document) of everything in a collection or list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, list):
                source.reject(FormatError(f"expected a document or collection at {where}[{index}], got a list"), line)
                continue
            yield from _documents(item, f"{where}[{index}]", corpus, source, line, losses)
    elif isinstance(value, dict) and "passages" in value:
        yield where, corpus, value
    elif isinstance(value, dict) and isinstance(value.get("documents"), list):
        name, infons = value.get("source"), value.get("infons")
        losses.drop("remarks of the collection", len(infons) if isinstance(infons, dict) else 0)
        corpus = name if isinstance(name, str) else None
        yield from _documents(value["documents"], f"{where}.documents", corpus, source, line, losses)
    elif isinstance(value, dict) and isinstance(value.get("PubTator3"), list):
        yield from _documents(value["PubTator3"], f"{where}.PubTator3", corpus, source, line, losses)
    else:
        error = FormatError(
            f"expected an object with 'documents', 'PubTator3' or 'passages' at {where}, got {truncate_repr(value)}"
        )
        source.reject(error, line)


def _document(value: dict[str, Any], where: str) -> bioc.BioCDocument:
    id = _text(value, "id", where)
    if id is None:
        raise FormatError(f"expected an 'id' in the document at {where}, got {truncate_repr(value)}")
    return bioc.BioCDocument(
        id,
        [_passage(item, place) for item, place in _items(value, "passages", where)],
        _annotations(value, where),
        _relations(value, where),
        _infons(value, _DOCUMENT, where),
    )


def _passage(value: dict[str, Any], where: str) -> bioc.BioCPassage:
    passage = bioc.BioCPassage(*_part(value, where))
    passage.sentences = [bioc.BioCSentence(*_part(item, place)) for item, place in _items(value, "sentences", where)]
    return passage


def _part(value: dict[str, Any], where: str) -> tuple[Any, ...]:
    """What passages and sentences have in common, as their first arguments."""
    return (
        _number(value, "offset", where),
        _text(value, "text", where),
        _annotations(value, where),
        _relations(value, where),
        _infons(value, _PART, where),
    )


def _annotations(value: dict[str, Any], where: str) -> list[bioc.BioCAnnotation]:
    return [
        bioc.BioCAnnotation(
            _text(item, "id", place),
            _text(item, "text", place),
            [
                (_number(location, "offset", inner), _number(location, "length", inner))
                for location, inner in _items(item, "locations", place)
            ],
            _infons(item, _ANNOTATION, place),
        )
        for item, place in _items(value, "annotations", where)
    ]


def _relations(value: dict[str, Any], where: str) -> list[bioc.BioCRelation]:
    return [
        bioc.BioCRelation(
            _text(item, "id", place),
            [
                (_text(node, "refid", inner) or "", _text(node, "role", inner) or "")
                for node, inner in _items(item, "nodes", place)
            ],
            _infons(item, _RELATION, place),
        )
        for item, place in _items(value, "relations", where)
    ]


def _infons(value: dict[str, Any], known_names: set[str], where: str) -> bioc.InfonList:
    infons = value.get("infons")
    if infons is None:
        infons = {}
    if not isinstance(infons, dict):
        raise FormatError(f"expected an object as {where}.infons, got {truncate_repr(infons)}")
    entries = [(name, _as_text(item)) for name, item in infons.items()]
    entries.extend((name, _as_text(item)) for name, item in value.items() if name not in known_names)
    return entries


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        raise FormatError("expected a remark that can be kept as JSON, got one nested too deep") from None


def _items(value: dict[str, Any], name: str, where: str) -> Iterator[tuple[dict[str, Any], str]]:
    items = value.get(name)
    if items is None:
        return
    if not isinstance(items, list):
        raise FormatError(f"expected a list as {where}.{name}, got {truncate_repr(items)}")
    for index, item in enumerate(items):
        place = f"{where}.{name}[{index}]"
        if not isinstance(item, dict):
            raise FormatError(f"expected an object as {place}, got {truncate_repr(item)}")
        yield item, place


def _text(value: dict[str, Any], name: str, where: str) -> str | None:
    item = value.get(name)
    if item is None or isinstance(item, str):
        return item
    if isinstance(item, int) and not isinstance(item, bool):  # ids and references are numbers to some
        return str(item)
    raise FormatError(f"expected text as {where}.{name}, got {truncate_repr(item)}")


def _number(value: dict[str, Any], name: str, where: str) -> int:
    item = value.get(name)
    written = str(item) if isinstance(item, int | str) and not isinstance(item, bool) else ""
    if not bioc.NUMBER.fullmatch(written):
        raise FormatError(f"expected a number as {where}.{name}, got {truncate_repr(item)}")
    return int(written)


def _document_object(document: bioc.BioCDocument, losses: ConversionLosses) -> dict[str, Any]:
    return {
        "id": document.id,
        "infons": _infons_object(document.infons, losses),
        "passages": [
            {
                **_part_object(passage, losses),
                "sentences": [_part_object(sentence, losses) for sentence in passage.sentences],
            }
            for passage in document.passages
        ],
        "relations": [_relation_object(relation, losses) for relation in document.relations],
    }


def _part_object(part: bioc.BioCSentence, losses: ConversionLosses) -> dict[str, Any]:
    return {
        "offset": part.offset,
        "infons": _infons_object(part.infons, losses),
        **({} if part.text is None else {"text": part.text}),
        "annotations": [
            {
                "id": annotation.id,
                "infons": _infons_object(annotation.infons, losses),
                "text": annotation.text,
                "locations": [{"offset": offset, "length": length} for offset, length in annotation.locations],
            }
            for annotation in part.annotations
        ],
        "relations": [_relation_object(relation, losses) for relation in part.relations],
    }


def _relation_object(relation: bioc.BioCRelation, losses: ConversionLosses) -> dict[str, Any]:
    return {
        "id": relation.id,
        "infons": _infons_object(relation.infons, losses),
        "nodes": [{"refid": refid, "role": role} for refid, role in relation.nodes],
    }


def _infons_object(infons: bioc.InfonList, losses: ConversionLosses) -> dict[str, str]:
    first = dict(reversed(infons))
    losses.drop("repeated remarks", len(infons) - len(first))
    return {name: first[name] for name, _ in infons}
