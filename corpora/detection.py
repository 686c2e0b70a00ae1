"""Which format a file has: what its first bytes say, then its ending.

A content that can be one format only goes before the ending: PubMed saves MEDLINE as ``.txt``, and all kinds of JSON
are called ``.json``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpora.beginnings import ROOTS, ZIP_MAGIC, decode_head, first_element, first_fields
from corpora.foreign import INTERACTION_JSON, reject_unsupported
from corpora.formats.columns import has_text_column, split_header

#: JSON strings escape their quotes, so that no text can look like a name.
_BIOC_JSON = re.compile(r'\A\s*[\[{].*"(passages|documents|PubTator3)"\s*:', re.DOTALL)
_DOCUMENT_JSON = re.compile(r'\A\s*\{\s*"id"\s*:\s*"')
_PUBTATOR = re.compile(r"\A\s*[^\s|]+\|[ta]\|")
_MEDLINE = re.compile(r"\A\s*PMID- *\S")
_CONLLU = re.compile(r"\A(?:\s*(?:#.*)?\n)*[1-9][0-9]*(?:-[0-9]+)?\t(?:[^\t\n]+\t){8}[^\t\n]+(?:\n|\Z)")
_XLSX = re.compile(rb"xl/(?:workbook|worksheets|_rels|styles|theme|sharedStrings)")
#: A heading is no longer than this; prose is.
_MAX_HEADING_CHARACTERS = 40


def sniff_format(head: bytes, suggested: Sequence[str], name: str) -> str:
    """The name of the format of a file that begins so, its ending suggesting these; anything else is text.

    Raises
    ------
    UnknownFormatError
        If it is nothing that is read: what it is, and what to do.
    """
    text = decode_head(head)
    format_name = _sniff_content(head, text)
    if format_name is None:
        reject_unsupported(head, text, suggested, name)
        format_name = suggested[0] if len(suggested) == 1 else _guess_text_format(text)
    return format_name


def _sniff_content(head: bytes, text: str) -> str | None:
    """The format that a file of this beginning must have."""
    if head.startswith(ZIP_MAGIC):
        return "xlsx" if _XLSX.search(head) else None
    stripped = text.lstrip()
    if stripped.startswith("<"):
        return ROOTS.get(first_element(text) or "")
    if stripped.startswith(("{", "[")):
        return _sniff_json(text)
    if _PUBTATOR.search(text):
        return "pubtator"
    return "medline" if _MEDLINE.search(text) else None


def _sniff_json(text: str) -> str | None:
    if INTERACTION_JSON.match(text):
        return None
    if _BIOC_JSON.search(text):
        return "bioc-json"
    fields = first_fields(text)
    if "sentences" not in fields and has_text_column(fields):
        return "json-records"
    return "jsonl" if _DOCUMENT_JSON.search(text) else None


def _guess_text_format(text: str) -> str:
    """What a text without a telling name most likely is."""
    if _CONLLU.match(text):
        return "conllu"
    cells, delimiter = split_header(text.lstrip("\n\r").partition("\n")[0])
    # two columns that are called so, and nothing as long as a sentence: prose does not begin like that
    if has_text_column(cells, min_others=1) and all(len(cell) <= _MAX_HEADING_CHARACTERS for cell in cells):
        return "tsv" if delimiter == "\t" else "csv"
    return "text"
