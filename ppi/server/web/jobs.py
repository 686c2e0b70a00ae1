"""What a worker does: reads a request's documents, annotates them, and answers with bytes that are ready to send.

Uploaded files are read without touching the file system.
"""

from __future__ import annotations

import gzip
import io
import re
import warnings
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, Protocol

from corpora import (
    FORMATS,
    GZIP_MAGIC,
    ConversionLosses,
    Document,
    Entity,
    FormatError,
    Problem,
    detect_format,
    encode,
)
from ppi.annotation import (
    PAIRABLE_KINDS,
    TEXT_ID,
    AnnotatedDocument,
    Interaction,
    Selection,
    document_of_text,
    is_protein,
    pubmed_id,
    to_json,
)
from ppi.export import encode_json
from ppi.grounding import protein_key
from ppi.network import systematic_error
from ppi.server.runs.chunks import RecordSource
from ppi.server.runs.run_reader import group_by_document
from ppi.server.web.limits import Limits
from ppi.server.web.problems import HTTPProblem, too_large

#: Formats that one file holds completely; brat, which looks for a second file beside the first, is not among them.
UPLOAD_FORMATS = {
    "text": "plain text, one document per file",
    "text-lines": "plain text, one document per line",
    "pubtator": "PubTator",
    "bioc-xml": "BioC XML",
    "bioc-json": "BioC JSON",
    "pubmed": "PubMed XML",
    "medline": "MEDLINE, as PubMed saves it (.nbib, .txt)",
    "jats": "articles of PubMed Central (JATS XML)",
    "csv": "a table (CSV) with columns such as id, title, abstract",
    "tsv": "the same, separated by tabs",
    "json-records": "JSON with one object per text, with fields such as id, title, abstract",
    "jsonl": "JSON lines, one document per line",
    "turku": "interaction corpora (Turku XML)",
}
_MAX_LISTED_PROBLEMS = 20
#: Features that the page lists for an interaction, and as many against it.
MAX_LISTED_FEATURES = 10


class _UploadName(PurePosixPath):
    """A file's name that is never looked up: what came over the network is no path."""

    def is_dir(self) -> bool:
        return False


class UploadSource(RecordSource):
    """Unpacked bytes that readers take for a file; ``name`` serves only to tell the format and to name documents."""

    def __init__(self, content: bytes, name: str, *, problems: list[Problem]) -> None:
        super().__init__(name, content, problems=problems)
        self.path = _UploadName(name)  # type: ignore[assignment]
        self.name = name


def read_upload(
    content: bytes, name: str, format: str | None = None, *, max_bytes: int
) -> tuple[list[Document], list[str]]:
    """The documents of an uploaded file, without their parses, and remarks on what was left out.

    Raises
    ------
    CorpusError
        If the file is not what its format says.
    HTTPProblem
        If it has no document, or unpacks to more than ``max_bytes``.
    """
    if format is not None and format not in UPLOAD_FORMATS:
        raise HTTPProblem(422, "unknown-format", f"expected one of {list(UPLOAD_FORMATS)}, got {format!r}")
    problems: list[Problem] = []
    source = UploadSource(decompress(content, max_bytes), safe_name(name), problems=problems)
    format_name = format or detect_format(source).name  # what shows none is read as plain text
    if format_name not in UPLOAD_FORMATS:
        known = list(UPLOAD_FORMATS)
        raise HTTPProblem(422, "unknown-format", f"expected a file in one of {known}, got {format_name!r}")
    losses = ConversionLosses(format_name)
    documents: dict[str, Document] = {}
    for document in FORMATS[format_name].read(source, losses):
        if document.id in documents:
            problems.append(Problem("expected unique document ids, got this one again; left out", document.id))
        else:
            documents[document.id] = document.with_parses(())
    messages = [str(problem) for problem in problems[:_MAX_LISTED_PROBLEMS]]
    if len(problems) > _MAX_LISTED_PROBLEMS:
        messages.append(f"and {len(problems) - _MAX_LISTED_PROBLEMS} more such problems")
    messages.extend(f"left out: {count} {what}" for what, count in sorted(losses.counts.items()))
    if not documents:
        reason = messages[0] if messages else "got none"
        raise HTTPProblem(422, "no-documents", f"expected documents in {source.name!r} as {format_name}: {reason}")
    return list(documents.values()), messages


def decompress(content: bytes, max_bytes: int) -> bytes:
    """The bytes, or what gzip data unpack to, never more than the limit: a few bytes can unpack to gigabytes.

    Gzip data may have several members, one after the other (``cat a.gz b.gz``), and zeros at their end.
    """
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            plain = packed.read(max_bytes + 1)
    except EOFError:
        raise FormatError("expected complete gzip data, got the beginning of it; upload the file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(f"expected gzip data, got: {error}; upload the file unpacked") from None
    if len(plain) > max_bytes:
        raise too_large("bytes after unpacking", max_bytes)
    return plain


def safe_name(name: str) -> str:
    """The last part of a client's file name, shortened, and without what terminals or readers could stumble over.

    >>> safe_name("../../etc/passwd"), safe_name(""), safe_name("C:\\\\papers\\\\a\\x00b.txt")
    ('passwd', 'upload', 'a_b.txt')
    """
    last = re.split(r"[/\\]", name)[-1]
    printable = "".join(character if character.isprintable() else "_" for character in last)[-100:]
    return printable if printable.strip(". -") else "upload"


class SupportsAnnotation(Protocol):
    """What the server needs of :class:`ppi.Annotator`."""

    @property
    def meaning(self) -> tuple[str, ...]:
        """What its probabilities mean, in sentences."""

    def annotate_documents(
        self,
        documents: Iterable[Document],
        *,
        explain: bool | Collection[str] = False,
        min_probability: float | None = None,
        selection: Selection | None = None,
    ) -> Iterable[AnnotatedDocument]:
        """Each document with its interactions."""


def annotate(annotator: SupportsAnnotation, request: dict[str, Any], limits: Limits) -> bytes:
    """Sentences, names and interactions of every document, and the documents themselves, to be sent back."""
    documents, messages = read_documents(request, limits)
    results = []
    for annotated_document, source in zip(
        annotate_within_limits(annotator, documents, request, limits), documents, strict=True
    ):
        results.append({**document_json(annotated_document), "source": source.to_json()})
        if annotated_document.skipped:
            skipped = ", ".join(annotated_document.skipped[:5])
            messages.append(f"{source.id}: too long to be searched for interactions: {skipped}")
    content = {"documents": results, "warnings": messages, "meaning": list(annotator.meaning)}
    return encode_json({**content, "systematic_error": systematic_error()})


def evidence(annotator: SupportsAnnotation, request: dict[str, Any], limits: Limits) -> bytes:
    """Why one pair of a document got its probability: only that pair is explained."""
    documents, _ = read_documents({"documents": [request["document"]]}, limits)
    options = {**request, "explain": {request["pair"]}, "types": None, "include_negated": True, "include_hedged": True}
    for annotated_document in annotate_within_limits(annotator, documents, options, limits):
        for interaction in annotated_document.interactions:
            if interaction.pair == request["pair"]:
                return encode_json(interaction_json(interaction, pubmed=pubmed_id(annotated_document.document)))
    raise HTTPProblem(
        404, "no-such-pair", f"expected a pair of the document with at least that probability, got {request['pair']!r}"
    )


def export(annotator: SupportsAnnotation, request: dict[str, Any], limits: Limits) -> bytes:
    """The annotated documents as a file."""
    from ppi.export import PageFacts, dumps

    documents, _ = read_documents(request, limits)
    annotated_documents = list(annotate_within_limits(annotator, documents, request, limits))
    facts = PageFacts(request["min_probability"], annotator.meaning)
    return dumps(annotated_documents, request["format"], explain=request["explain"], facts=facts)


def write(annotator: SupportsAnnotation, request: dict[str, Any], limits: Limits) -> bytes:
    """Interactions that a run holds as a file; documents hold the sentences that were found, and no others."""
    from ppi.export import PageFacts, dumps, format_named

    texts = format_named(request["format"]).needs_texts
    records = ((sentence.interaction, sentence.pubmed, sentence.year) for sentence in request["found"])
    documents = group_by_document(records, texts=texts)
    return dumps(documents, request["format"], facts=PageFacts(request["least"], annotator.meaning))


JOBS = {"annotate": annotate, "evidence": evidence, "export": export, "write": write}


def read_documents(request: dict[str, Any], limits: Limits) -> tuple[list[Document], list[str]]:
    """The documents of a request, checked against the limits, and remarks about them."""
    messages: list[str] = []
    if "content" in request:
        documents, messages = read_upload(
            request["content"], request["name"], request["format"], max_bytes=limits.body_bytes
        )
    elif request.get("text") is not None:
        documents = [_plain_document({"id": TEXT_ID, **request})]
    else:
        documents = [
            _plain_document(content)
            if content.get("text") is not None
            else Document.from_json({key: value for key, value in content.items() if value is not None})
            for content in request["documents"]
        ]
    _check(documents, limits)
    return documents, messages


def annotate_within_limits(
    annotator: SupportsAnnotation, documents: list[Document], request: dict[str, Any], limits: Limits
) -> Iterator[AnnotatedDocument]:
    """The annotated documents one by one; too many pairs stop it."""
    every = request["explain"] is True
    limit = limits.explained if every else limits.pairs
    pairs = 0
    selection = Selection.from_types(
        request["types"], include_negated=request["include_negated"], include_hedged=request["include_hedged"]
    )
    for annotated_document in annotator.annotate_documents(
        documents, explain=request["explain"], min_probability=request["min_probability"], selection=selection
    ):
        pairs += len(annotated_document.interactions)
        if pairs > limit:
            raise too_large("pairs of proteins with evidence" if every else "pairs of proteins", limit)
        yield annotated_document


def document_json(annotated_document: AnnotatedDocument) -> dict[str, Any]:
    """An annotated document as JSON values."""
    pubmed = pubmed_id(annotated_document.document)
    return {
        "id": annotated_document.document.id,
        "sentences": [
            {
                "id": sentence.id,
                "text": sentence.text,
                "offset": sentence.offset,
                "entities": [
                    {**encode(entity), "protein": protein_key(entity) if is_protein(entity, PAIRABLE_KINDS) else None}
                    for entity in sentence.entities
                ],
            }
            for sentence in annotated_document.document.sentences
        ],
        "interactions": [
            interaction_json(interaction, pubmed=pubmed) for interaction in annotated_document.interactions
        ],
    }


def interaction_json(interaction: Interaction, *, pubmed: str | None = None) -> dict[str, Any]:
    """An interaction as in JSON lines, and beside it what the page needs.

    ``keys`` are what the two proteins are called in a network; beside the evidence, ``reasons`` are what a reader
    sees first, ``path_svg`` the drawing of what joins the two, ``up`` and ``down`` the features that add and take away
    most, each taken once and with its share.
    """
    content = to_json(interaction, pubmed=pubmed, explain=True)
    content["keys"] = [protein_key(entity) for entity in interaction.proteins]
    if interaction.evidence is not None:
        content["evidence"]["reasons"] = interaction.evidence.reasons()
        content["evidence"]["path_svg"] = interaction.evidence.path_svg
        for side, contributions in zip(("up", "down"), interaction.evidence.pushes(most=MAX_LISTED_FEATURES)):
            content["evidence"][side] = [contribution._asdict() for contribution in contributions]
    return content


def run(annotator: SupportsAnnotation, name: str, request: dict[str, Any], limits: Limits) -> bytes:
    """Do a job; warnings about what a reader or writer drops are no matter for the server's log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return JOBS[name](annotator, request, limits)


def _plain_document(content: dict[str, Any]) -> Document:
    text = content["text"]
    entities = [
        Entity(
            f"{content['id']}.e{number}",
            text[mention["start"] : mention["end"]],
            ((mention["start"], mention["end"]),),
            mention["type"],
            tuple(mention["identifiers"]),
        )
        for number, mention in enumerate(content["entities"] or ())
    ]
    return document_of_text(text, entities, id=content["id"])


def _check(documents: list[Document], limits: Limits) -> None:
    sentences = [sentence for document in documents for sentence in document.sentences]
    for what, count, limit in (
        ("documents", len(documents), limits.documents),
        ("characters", sum(len(sentence.text) for sentence in sentences), limits.characters),
        ("given names", sum(len(sentence.entities) for sentence in sentences), limits.entities),
    ):
        if count > limit:
            raise too_large(what, limit)
    endless = re.compile(rf"\S{{{limits.word_characters + 1}}}")
    if any(endless.search(sentence.text) for sentence in sentences):
        raise too_large("characters without white space between them", limits.word_characters)
