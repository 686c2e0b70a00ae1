"""Claims out of any file that can be read: documents of every format, and interactions that we or others wrote.

========================  ==========================================================================================
documents                 every format of :mod:`corpora` (BioC, PubTator, brat, BioNLP, Turku XML, JSON lines ...)
interactions              JSON lines and Parquet of ``ppi annotate``
tables                    CSV or TSV of ``ppi annotate``, or anybody's (:mod:`ppi.evaluation.claim_table`)
========================  ==========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import corpora
from corpora.beginnings import decode_head
from corpora.errors import CorpusError, Problem
from corpora.source import Source
from corpora.types import Document
from ppi.annotation.pubmed import pubmed_id
from ppi.annotation.types import Interaction
from ppi.evaluation.claim_table import read_table
from ppi.evaluation.claims import Claim, claims_of_document, claims_of_interaction, project_claims

_TABLE = re.compile(r"[^\r\n]*\bdocument[,\t][^\r\n]*\b(?:start|spans|identifiers)_1\b")
_INTERACTIONS = re.compile(r'\{\s*"schema"\s*:\s*"ppi-interaction/')
_HEAD_BYTES = 4096
#: A sentence's id, its offset and its text.
SentenceText = tuple[str, int, str]


@dataclass
class ClaimFile:
    """What a file claims, by document, and as much of the documents as it holds.

    ``texts`` are its sentences; where only interactions are known (``whole`` is False), those of the interactions.
    """

    name: str
    claims: dict[str, list[Claim]] = field(default_factory=dict)
    texts: dict[str, list[SentenceText]] = field(default_factory=dict)
    pubmed: dict[str, str] = field(default_factory=dict)
    whole: bool = True
    #: what had to be left out because it could not be read, where that was allowed
    problems: list[Problem] = field(default_factory=list)

    def add_document(self, document: Document) -> None:
        """Take in a document."""
        self.claims.setdefault(document.id, []).extend(claims_of_document(document))
        self.texts.setdefault(document.id, []).extend(
            (sentence.id, sentence.offset, sentence.text) for sentence in document.sentences
        )
        self._note_pubmed(document.id, pubmed_id(document))

    def add_interaction(self, interaction: Interaction, pubmed: str | None) -> None:
        """Take in an interaction."""
        self.claims.setdefault(interaction.document, []).extend(claims_of_interaction(interaction))
        texts = self.texts.setdefault(interaction.document, [])
        text = (interaction.sentence_id, interaction.offset, interaction.sentence)
        if text not in texts:  # interactions of one sentence need not stand together
            texts.append(text)
        self._note_pubmed(interaction.document, pubmed or pubmed_id(Document(interaction.document)))

    def add_claim(self, claim: Claim) -> None:
        """Take in a claim of a table."""
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
        from ppi.parsing.documents import parse_documents

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
    path: str | Path,
    format: str | None = None,
    *,
    by_mentions: bool = False,
    lenient: bool = False,
) -> ClaimFile:
    """The claims of a file, told apart by its first bytes and its ending.

    Parameters
    ----------
    path
        A file, a folder of a format that has them, a name looked up in PPI_CORPORA, or ``-``.
    format
        A name of :data:`corpora.FORMATS`, where they do not tell.
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
    from ppi.export.jsonl import read_jsonl
    from ppi.export.parquet import read_parquet

    source_path = corpora.find(path)
    if format is None and source_path.suffix == ".parquet":
        return claims_of_interactions(read_parquet(source_path), str(path))
    head = _read_head(source_path) if format is None else ""
    is_empty = (
        format is None and source_path.is_file() and not head.strip() and source_path.suffix in (".jsonl", ".ndjson")
    )
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


def _read_head(path: Path) -> str:
    if str(path) == "-" or not path.is_file():
        return ""
    with Source(path).open() as stream:
        return decode_head(stream.read(_HEAD_BYTES))
