"""Read claims from any file: documents of every format, and interactions that we or others wrote.

========================  ==========================================================================================
documents                 every format of :mod:`corpora` (BioC, PubTator, brat, BioNLP, Turku XML, JSON lines ...)
interactions              JSON lines and Parquet of ``ppi annotate``
tables                    CSV or TSV of ``ppi annotate``, or anybody's with some of its columns (:func:`read_table`)
========================  ==========================================================================================
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import corpora
from corpora import CorpusError, Document, FormatError, Problem, Source, Span, decode_head
from ppi.annotation import Interaction, pubmed_id
from ppi.evaluation.scoring.claims import (
    Claim,
    Participant,
    canonical_identifiers,
    claims_of_document,
    claims_of_interaction,
    finite_number,
    project_claims,
)
from ppi.export import escape_formula

_TABLE = re.compile(r"[^\r\n]*\bdocument[,\t][^\r\n]*\b(?:start|spans|identifiers)_1\b")
_INTERACTIONS = re.compile(r'\{\s*"schema"\s*:\s*"ppi-interaction/')
_HEAD_BYTES = 4096
#: A sentence's id, its offset and its text.
SentenceText = tuple[str, int, str]


@dataclass
class ClaimFile:
    """The claims of a file by document, and as much of the documents as it holds.

    ``texts`` are its sentences; where only interactions are known (``whole`` is False), those of the interactions.
    """

    name: str
    claims: dict[str, list[Claim]] = field(default_factory=dict)
    texts: dict[str, list[SentenceText]] = field(default_factory=dict)
    pubmed: dict[str, str] = field(default_factory=dict)
    whole: bool = True
    #: records that were left out because they could not be read, where that was allowed
    problems: list[Problem] = field(default_factory=list)

    def add_document(self, document: Document) -> None:
        """Add a document."""
        self.claims.setdefault(document.id, []).extend(claims_of_document(document))
        self.texts.setdefault(document.id, []).extend(
            (sentence.id, sentence.offset, sentence.text) for sentence in document.sentences
        )
        self._note_pubmed(document.id, pubmed_id(document))

    def add_interaction(self, interaction: Interaction, pubmed: str | None) -> None:
        """Add an interaction."""
        self.claims.setdefault(interaction.document, []).extend(claims_of_interaction(interaction))
        texts = self.texts.setdefault(interaction.document, [])
        text = (interaction.sentence_id, interaction.offset, interaction.sentence)
        if text not in texts:  # interactions of one sentence need not stand together
            texts.append(text)
        self._note_pubmed(interaction.document, pubmed or pubmed_id(Document(interaction.document)))

    def add_claim(self, claim: Claim) -> None:
        """Add a claim of a table."""
        self.claims.setdefault(claim.document, []).append(claim)
        self.texts.setdefault(claim.document, [])
        self._note_pubmed(claim.document, pubmed_id(Document(claim.document)))

    def _note_pubmed(self, document: str, pubmed: str | None) -> None:
        if pubmed is not None:
            self.pubmed[document] = pubmed


def claims_of_documents(
    documents: Iterable[Document], name: str = "documents", *, by_mentions: bool = False
) -> ClaimFile:
    """The claims of documents in memory; ``by_mentions`` as for :func:`read_claims`."""
    claim_file, related_documents = ClaimFile(name), []
    for document in documents:
        claim_file.add_document(document)
        if by_mentions and document.concept_relations:
            related_documents.append(document)
    if related_documents:
        from ppi.language import parse_documents

        # nothing is parsed: no sentence has a pair that asks for it
        for document in parse_documents(related_documents, split=True, pairs_of=lambda _: False):
            claim_file.claims[document.id].extend(project_claims(document))
    return claim_file


def claims_of_interactions(
    interactions: Iterable[tuple[Interaction, str | None]], name: str = "interactions"
) -> ClaimFile:
    """The claims of interactions, each with its PubMed id if that is known."""
    claim_file = ClaimFile(name, whole=False)
    for interaction, pubmed in interactions:
        claim_file.add_interaction(interaction, pubmed)
    return claim_file


def read_claims(
    path: str | Path, format: str | None = None, *, by_mentions: bool = False, lenient: bool = False
) -> ClaimFile:
    """The claims of a file, whose format is detected by its first bytes and its ending.

    Parameters
    ----------
    path
        A file, a folder of a format that has them, a name looked up in PPI_CORPORA, or ``-``.
    format
        A name of :data:`corpora.FORMATS`, where these are ambiguous.
    by_mentions
        Whether relations between identifiers are projected to pairs of mentions
        (:func:`corpora.with_concept_pairs`); passages are split into sentences for that by the shipped pipeline.
    lenient
        Whether what cannot be read of documents is left out and put into ``problems``, instead of being an error.

    Raises
    ------
    CorpusError
        If the file is not there or cannot be read, or there is no document in it.
    """
    from ppi.export import read_jsonl, read_parquet

    source_path = corpora.find(path)
    if format is None and source_path.suffix == ".parquet":
        return claims_of_interactions(read_parquet(source_path), str(path))
    head, is_empty = "", False
    if format is None and str(source_path) != "-" and source_path.is_file():
        with Source(source_path).open() as stream:
            head = decode_head(stream.read(_HEAD_BYTES))
        is_empty = not head.strip() and source_path.suffix in (".jsonl", ".ndjson")
    if is_empty or _INTERACTIONS.match(head.lstrip()):
        return claims_of_interactions(read_jsonl(source_path), str(path))
    if _TABLE.match(head.lstrip("\ufeff")):
        claim_file = ClaimFile(str(path), whole=False)
        for claim in read_table(source_path):
            claim_file.add_claim(claim)
        return claim_file
    problems: list[Problem] | None = [] if lenient else None
    result = claims_of_documents(
        corpora.read(source_path, format, problems=problems), str(path), by_mentions=by_mentions
    )
    result.problems += problems or []
    if not result.texts:
        raise CorpusError("expected a document, got none; the file is empty, or holds nothing of the kind", path=path)
    return result


def read_table(path: str | Path) -> Iterator[Claim]:
    """The claims of a table of interactions, one per row.

    =====================================================  ====================================================
    ``document``                                           its id; always needed
    ``start_1``, ``end_1``, ``start_2``, ``end_2``         the two mentions, characters of the document; or
    ``spans_1``, ``spans_2``                               the same with gaps, ``10-15;20-25``
    ``identifiers_1``, ``identifiers_2``                   what they are grounded to, separated by ``|`` or ``;``
    ``probability``, ``type``, ``sign``, ``kind``          if known
    ``agent``                                              1 or 2, the one that acts; empty without direction
    ``negated``, ``same``                                  ``true`` where it is no claim
    ``sentence_id``                                        for corpora whose sentences all begin at 0
    ``name_1``, ``name_2``                                 as written, to check the places
    =====================================================  ====================================================

    Mentions or identifiers have to be there; the columns may have any order, and others are ignored.

    Raises
    ------
    FormatError
        With file and line, if a column that is needed is missing or a cell cannot be read.
    """
    source = Source(path)
    lines = source.lines()
    _, head = next(lines, (0, ""))
    texts = (f"{line}\n" for line in chain([head], (line for _, line in lines)))
    rows = csv.DictReader(texts, delimiter="\t" if "\t" in head else ",")
    names = set(rows.fieldnames or ())
    column_choices = (("spans",), ("start", "end"), ("identifiers",))
    if "document" not in names or not any(
        all({f"{stem}_1", f"{stem}_2"} <= names for stem in stems) for stems in column_choices
    ):
        raise source.format_error(
            "expected the columns document and start_1, end_1, start_2, end_2 or identifiers_1, identifiers_2, "
            f"got {', '.join(sorted(names)) or 'none'}",
            1,
        )
    for row in rows:
        try:
            if (row.get("negated") or "").lower() != "true" and (row.get("same") or "").lower() != "true":
                yield _claim(row)
        except FormatError as error:
            raise error.with_location(source.name, rows.line_num) from None


def _claim(row: Mapping[str, str | None]) -> Claim:
    participants = (_participant(row, 1), _participant(row, 2))
    agent = row.get("agent") or ""
    if agent not in ("", "1", "2"):
        raise FormatError(f"expected 1 or 2 as agent, got {agent!r}")
    if agent == "2":
        participants = participants[::-1]
    kind = row.get("kind") or " ".join(filter(None, (row.get("sign"), row.get("type"))))
    document = _text(row, "document")
    if not document:
        raise FormatError("expected a document's id, got none")
    probability = finite_number(row.get("probability"))
    if probability is None and row.get("probability"):
        raise FormatError(f"expected a number as probability, got {row['probability']!r}")
    return Claim(
        document, participants, True, kind or None, bool(agent), probability, _text(row, "sentence_id") or None
    )


def _participant(row: Mapping[str, str | None], which: int) -> Participant:
    cell = (row.get(f"identifiers_{which}") or "").strip()
    identifiers = canonical_identifiers(filter(None, re.split(r"[|;]", cell)))
    return Participant(_spans(row, which), identifiers, _text(row, f"name_{which}") or None)


def _spans(row: Mapping[str, str | None], which: int) -> tuple[Span, ...]:
    spans = row.get(f"spans_{which}") or ""
    if not spans:
        bounds = [row.get(f"{name}_{which}") or "" for name in ("start", "end")]
        spans = "-".join(bounds) if all(bounds) else ""
    parsed_spans = []
    for part in filter(None, spans.split(";")):
        match = re.fullmatch(r"([0-9]{1,15})-([0-9]{1,15})", part.strip())
        if match is None or int(match[1]) >= int(match[2]):
            raise FormatError(f"expected the characters of a mention as start-end, got {part!r}")
        parsed_spans.append((int(match[1]), int(match[2])))
    return tuple(sorted(parsed_spans))


def _text(row: Mapping[str, str | None], name: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it."""
    cell = row.get(name) or ""
    return cell[1:] if cell.startswith("'") and escape_formula(cell[1:]) == cell else cell
