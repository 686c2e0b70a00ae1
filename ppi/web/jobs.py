"""What a worker does: reads a request's documents, annotates them, and answers with bytes that are ready to send."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Protocol

from corpora.json_codec import encode
from corpora.types import Document, Entity
from ppi.annotation.json_values import to_json
from ppi.annotation.pairs import PAIRABLE_KINDS, is_protein
from ppi.annotation.pubmed import pubmed_id
from ppi.annotation.selection import Selection
from ppi.annotation.text import TEXT_ID, document_of_text
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.export.jsonl import encode_json
from ppi.grounding.identity import protein_key
from ppi.longrun.reading import group_by_document
from ppi.network.combining import systematic_error
from ppi.web.limits import Limits
from ppi.web.problems import HTTPProblem, too_large
from ppi.web.uploads import read_upload

#: Features that the page lists for an interaction, and as many against it.
MAX_LISTED_FEATURES = 10


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
            messages.append(
                f"{annotated_document.document.id}: too long to be searched for interactions: {', '.join(annotated_document.skipped[:5])}"
            )
    content = {"documents": results, "warnings": messages, "meaning": list(annotator.meaning)}
    return encode_json({**content, "systematic_error": systematic_error()})


def evidence(annotator: SupportsAnnotation, request: dict[str, Any], limits: Limits) -> bytes:
    """Why one pair of a document got its probability: that pair alone is explained."""
    documents, _ = read_documents({"documents": [request["document"]]}, limits)
    options = {
        **dict.fromkeys(("include_negated", "include_hedged"), True),
        "explain": {request["pair"]},
        "types": None,
        "min_probability": request["min_probability"],
    }
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
    from ppi.export import PageFacts, dumps
    from ppi.export.registry import format_named

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
        documents = [_parse_document(content) for content in request["documents"]]
    _check(documents, limits)
    return documents, messages


def annotate_within_limits(
    annotator: SupportsAnnotation, documents: list[Document], request: dict[str, Any], limits: Limits
) -> Iterator[AnnotatedDocument]:
    """The annotated documents one by one; too many pairs stop it."""
    every = request["explain"] is True
    limit = limits.explained if every else limits.pairs
    pairs = 0
    selection = Selection.of(
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
                "entities": [_entity_json(entity) for entity in sentence.entities],
            }
            for sentence in annotated_document.document.sentences
        ],
        "interactions": [
            interaction_json(interaction, pubmed=pubmed) for interaction in annotated_document.interactions
        ],
    }


def interaction_json(interaction: Interaction, *, pubmed: str | None = None) -> dict[str, Any]:
    """An interaction as in JSON lines, and beside it what the page needs.

    ``keys`` are what the two proteins are called in a network; beside the evidence, ``reasons`` are what a reader is
    told first, ``path_svg`` the drawing of what joins the two, ``up`` and ``down`` the features that pushed most, each
    taken once and with its share.
    """
    content = to_json(interaction, pubmed=pubmed, explain=True)
    content["keys"] = [protein_key(entity) for entity in interaction.proteins]
    if interaction.evidence is not None:
        content["evidence"]["reasons"] = interaction.evidence.reasons()
        content["evidence"]["path_svg"] = interaction.evidence.path_svg
        for side, pushes in zip(("up", "down"), interaction.evidence.pushes(most=MAX_LISTED_FEATURES)):
            content["evidence"][side] = [push._asdict() for push in pushes]
    return content


def run(annotator: SupportsAnnotation, name: str, request: dict[str, Any], limits: Limits) -> bytes:
    """Do a job; warnings about what a reader or writer drops are no matter for the server's log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return JOBS[name](annotator, request, limits)


def _entity_json(entity: Entity) -> dict[str, Any]:
    return {**encode(entity), "protein": protein_key(entity) if is_protein(entity, PAIRABLE_KINDS) else None}


def _parse_document(content: dict[str, Any]) -> Document:
    if content.get("text") is not None:
        return _plain_document(content)
    return Document.from_json({key: value for key, value in content.items() if value is not None})


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
