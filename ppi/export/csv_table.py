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
``aliases_1``, ``aliases_2``            other names under which the sentence says it, separated by ``|``
``same``                                whether both are one protein, which is there only if asked for: true or false
``homo``                                whether the text says that one protein interacts with itself: true or false
``year``                                of the paper, where its file says it
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

from ppi.annotation.characters import encodable_text
from ppi.annotation.columns import INTERACTION_COLUMNS, CellValue, row_values
from ppi.annotation.rows import interaction_rows
from ppi.annotation.types import AnnotatedDocument

_BOOLEAN_WORDS = {True: "true", False: "false"}
#: Signs that begin a formula, after whatever a spreadsheet may leave out; and control characters, that it may, too.
_FORMULA = re.compile(r"'*(?:[\x00-\x1f\x7f-\x9f]|[\s\u200b\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])")


def write_csv(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one row per interaction."""
    text = io.TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    try:
        table = csv.writer(text)
        table.writerow(INTERACTION_COLUMNS)
        table.writerows(map(format_cell, row_values(row)) for row in interaction_rows(annotated))
    finally:
        text.detach()  # the file is the caller's to close


def escape_formula(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula.

    >>> escape_formula("=1+1"), escape_formula("actin"), escape_formula("'-5")
    ("'=1+1", 'actin', "''-5")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def format_cell(value: CellValue) -> str | int | float:
    """A value as it is written; text that a spreadsheet would run is guarded by an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _BOOLEAN_WORDS[value]
    return escape_formula(encodable_text(value)) if isinstance(value, str) else value
