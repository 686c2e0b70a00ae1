"""JSON lines: one interaction per line, so that a million abstracts can be written, split, filtered and joined as text.

A line is one object::

    {"schema": "ppi-interaction/1", "document": "10022882", "pubmed": "10022882", "sentence_id": "10022882.s1",
     "pair": "10022882.s1.p0", "sentence": "Profilin binds actin.", "offset": 50,
     "proteins": [{"id": "...", "text": "Profilin", "spans": [[0, 8]], "type": "protein",
                   "identifiers": ["ncbigene:5216"], "infons": [["grounding", "exact name"]]}, {...}],
     "probability": 0.93, "score": 1.25, "evidence": {...}}

Where the model knows types, there are also ``type``, ``types`` (the probability of each), ``agent`` and ``target``
(ids of the two mentions, where there is a direction), ``sign`` and ``kind``; ``negated`` and ``hedged`` are there where
they are true, and so are ``same`` (both mentions are one protein, which is given only if asked for) and ``homo`` (the
text says that a protein interacts with itself: the two mentions are one).  ``aliases`` are the other pairs of mentions
under which the sentence says the same: ``pair``, ``proteins``, ``probability``, ``type``.

``offset`` is the sentence's place in the document, ``spans`` are relative to the sentence; both count characters.
Fields that are empty are left out: those above, ``pubmed``, ``year`` (of the paper, where its file says it), of a
protein ``type``, ``identifiers`` and ``infons``, and ``evidence``, which is there only where it was asked for:
``path``, the words that are ``joining`` the two, the weightiest ``features`` with what they add to the score, the sum
of the others, ``words``, ``dependencies``, and the drawing as ``svg``; of what a protein does to itself, the
``statement``.  The number in ``schema`` changes if a field changes its meaning; new fields may come at any time.

Documents without an interaction leave no line; BioC keeps them.  Networks as JSON and the web API give interactions in
the same shape.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from corpora import CorpusError, Source, parse_json, truncate_repr
from ppi.annotation import AnnotatedDocument, Interaction, from_json, pubmed_id, to_json, year_of


def write_jsonl(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write one line per interaction."""
    for annotated_document in annotated:
        pubmed, year = pubmed_id(annotated_document.document), year_of(annotated_document.document)
        for interaction in annotated_document.interactions:
            output.write(encode_json(to_json(interaction, pubmed=pubmed, year=year, explain=explain)) + b"\n")


def read_jsonl(path: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of a file (gzip or not; ``-`` is standard input), each with its PubMed id if it is known.

    Further facts of the paper, such as its year, are given by :func:`read_jsonl_papers`.

    Of an explanation, the features beyond the weightiest come back as one.

    Raises
    ------
    CorpusError
        With file and line, if it cannot be read or a line is no interaction.
    """
    return ((interaction, pubmed) for interaction, pubmed, _ in read_jsonl_papers(path))


def read_jsonl_papers(path: str | Path) -> Iterator[tuple[Interaction, str | None, int | None]]:
    """The same with the year of the paper, too, if it is known."""
    source = Source(path)
    for number, line in source.lines():
        if not line.strip():
            continue
        value = parse_json(line, source, number)
        try:
            yield *from_json(value), _year(value)
        except CorpusError as error:
            raise error.with_location(source.name, number) from None


def _year(value: dict[str, Any]) -> int | None:
    year = value.get("year")
    if year is not None and (not isinstance(year, int) or not 0 <= year <= 9999):
        raise CorpusError(f"expected a year, got {truncate_repr(year)}")
    return year


def encode_json(value: Any) -> bytes:
    """JSON on one line as UTF-8; what no encoding has (half a surrogate pair) as an escape."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
