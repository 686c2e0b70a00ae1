"""MEDLINE (``.nbib``, PubMed's "Save as PubMed"): tagged lines, citations apart by blank lines.

A tag takes four columns and is followed by ``- ``; lines that begin with white space go on with the field before.
``TI`` (``BTI`` of books) and ``AB`` become the passages, ``PMID`` the id; ``JT`` and ``DP`` are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpora.errors import CorpusError, FormatError, truncate_repr
from corpora.formats.common import make_passages
from corpora.limits import MAX_RECORD_BYTES, check_size
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Infons

_TAG = re.compile(r"([A-Z][A-Z0-9]{0,3}) *- ?(.*)")
_TITLES = ("TI", "BTI")
_YEAR = re.compile(r"[12][0-9]{3}")

_Fields = dict[str, str]


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """One document per citation, in bounded memory; its id is the PubMed id."""
    for line, fields in _citations(source):
        source.record_line = line
        try:
            yield _document(fields)
        except CorpusError as error:
            source.reject(error, line)


def _citations(source: Source) -> Iterator[tuple[int, _Fields]]:
    """The first field of each tag, with the line on which the citation begins."""
    fields: dict[str, list[str]] = {}
    first_line, size, tag, broken = 1, 0, "", False
    for number, line in source.lines():
        if not line.strip():
            if fields and not broken:
                yield first_line, _join_fields(fields)
            fields, size, tag, broken = {}, 0, "", False
            continue
        if not fields:
            first_line = number
        size += len(line)
        check_size("a citation", size, MAX_RECORD_BYTES, path=source.name)
        if line[0].isspace() and tag:
            fields[tag].append(line.strip())
        elif match := _TAG.fullmatch(line):
            # of a tag that comes again (authors, terms) only the first is of use; the others are kept apart
            tag = match[1] if match[1] not in fields else f"{match[1]} again"
            fields[tag] = [match[2].strip()]
        elif not broken:
            broken = True
            fields = fields or {"": []}
            source.reject(FormatError(f"expected a line such as 'TI  - Title', got {truncate_repr(line)}"), number)
    if fields and not broken:
        yield first_line, _join_fields(fields)


def _join_fields(fields: dict[str, list[str]]) -> _Fields:
    return {tag: " ".join(part for part in parts if part) for tag, parts in fields.items()}


def _document(fields: _Fields) -> Document:
    id = fields.get("PMID", "").split(" ")[0]
    if not id:
        raise FormatError(f"expected a citation with 'PMID- ', got only {list(fields)[:10]}")
    title = next((fields[tag] for tag in _TITLES if fields.get(tag)), "")
    texts = ((title, (("type", "title"),)), (fields.get("AB", ""), (("type", "abstract"),)))
    return Document(id, make_passages(id, texts), orig_id=f"PMID:{id}", infons=_infons(fields))


def _infons(fields: _Fields) -> Infons:
    year = _YEAR.match(fields.get("DP", ""))
    values = {"journal": fields.get("JT"), "year": year[0] if year else None, "pmcid": fields.get("PMC")}
    return tuple((name, value) for name, value in values.items() if value)
