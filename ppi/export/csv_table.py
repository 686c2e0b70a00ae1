"""CSV (RFC 4180): one interaction per row, under a header; UTF-8, comma, CRLF, quotes where needed.

Columns, in this order for good (new ones will come at the end):

======================================  ===========================================================================
``document``, ``pubmed``                ids; the second is empty where the document is not known to be in PubMed
``sentence_id``, ``pair``               ids
``name_1``, ``name_2``                  the mentions as written, in text order
``start_1``, ``end_1``, ``start_2`` ... characters in the document, zero-based, end-exclusive
``spans_1``, ``spans_2``                the same with gaps, for discontinuous mentions: ``10-15;20-25``
``identifiers_1``, ``identifiers_2``    what they are grounded to, separated by ``|``; several are candidates
``grounding_1``, ``grounding_2``        how they were grounded
``probability``, ``score``              numbers, in full precision
``sentence``                            its text
``path``                                the shortest dependency path, where the interaction has its evidence
``type``, ``sign``, ``kind``            how they interact, where the model knows types
``agent``, ``target``                   which of the two acts and which is acted on: 1 or 2
``negated``, ``hedged``                 whether the sentence denies it, or only supposes it: true or false
``probability_binding``, ...            of each type, where the model knows types
``type_1``, ``type_2``                  what each is: ``PROTEIN``, ``FAMILY`` (a family or complex), or a given type
``symbol_1``, ``symbol_2``              the official symbol, where the lexicon has one
``taxid_1``, ``species_1`` ...          the species: NCBI's number, and its Latin name
``entity_kind_1``, ``entity_kind_2``    ``family`` or ``complex`` where it is no single gene
``uniprot_1``, ``uniprot_2``            UniProt's accession, where the lexicon has it
======================================  ===========================================================================

Spreadsheets run cells that begin with ``=``, ``+``, ``-`` or ``@`` as formulas, also where white space or a line break
comes first, some also the fullwidth forms of these signs, and the texts are strangers'.  Such text cells therefore get
an apostrophe in front (as do those that would then be mistaken for one: ``'=``).  Of a cell that begins with
apostrophes and one of these, the first apostrophe is none of the text's.  JSON lines and Parquet hold every text
exactly as it is.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import IO

from ppi.annotation.characters import encodable
from ppi.annotation.relationship import TYPES
from ppi.annotation.types import AnnotatedDocument
from ppi.export.rows import Mention, Row, Who, rows_of

COLUMNS = (
    "document",
    "pubmed",
    "sentence_id",
    "pair",
    "name_1",
    "name_2",
    "start_1",
    "end_1",
    "start_2",
    "end_2",
    "spans_1",
    "spans_2",
    "identifiers_1",
    "identifiers_2",
    "grounding_1",
    "grounding_2",
    "probability",
    "score",
    "sentence",
    "path",
    "type",
    "sign",
    "kind",
    "agent",
    "target",
    "negated",
    "hedged",
    *(f"probability_{type}" for type in TYPES),
    "type_1",
    "type_2",
    *(f"{name}_{which}" for name in Who._fields for which in (1, 2)),
)
_TRUTH = {True: "true", False: "false"}
#: Signs that begin a formula, after whatever a spreadsheet may leave out; and control characters, that it may, too.
_FORMULA = re.compile(r"'*(?:[\x00-\x1f\x7f-\x9f]|[\s\u200b\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])")


def write(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one row per interaction."""
    text = io.TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    try:
        table = csv.writer(text)
        table.writerow(COLUMNS)
        table.writerows(_cells(row) for row in rows_of(annotated))
    finally:
        text.detach()  # the file is the caller's to close


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula.

    >>> guarded("=1+1"), guarded("actin"), guarded("'-5")
    ("'=1+1", 'actin', "''-5")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def _cells(row: Row) -> tuple[str | int | float, ...]:
    first, second = row.first, row.second
    return (
        _text(row.document),
        row.pubmed or "",
        _text(row.sentence_id),
        _text(row.pair),
        _text(first.name),
        _text(second.name),
        first.start,
        first.end,
        second.start,
        second.end,
        _spans(first),
        _spans(second),
        _text("|".join(first.identifiers)),
        _text("|".join(second.identifiers)),
        _text(first.grounding or ""),
        _text(second.grounding or ""),
        row.probability,
        row.score,
        _text(row.sentence),
        _text(row.path or ""),
        *(_text(value or "") for value in row.relationship),
        row.agent or "",
        row.target or "",
        _TRUTH[row.negated],
        _TRUTH[row.hedged],
        *(row.types.get(type, "") for type in TYPES),
        _text(first.type or ""),
        _text(second.type or ""),
        *(_text(value or "") for both in zip(first.who, second.who) for value in both),
    )


def _text(value: str) -> str:
    return guarded(encodable(value))


def _spans(mention: Mention) -> str:
    return ";".join(f"{start}-{end}" for start, end in mention.spans)
