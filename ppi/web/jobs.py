"""What a worker does: reads a request's documents, annotates them, and answers with bytes that are ready to send."""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from corpora.types import Document, Entity
from ppi.annotation.pairs import is_protein
from ppi.annotation.text import TEXT_ID, document_of_text
from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction
from ppi.network.identity import protein_key
from ppi.web.limits import Limits
from ppi.web.problems import Refusal, too_much
from ppi.web.uploads import read_upload

#: Features listed for and against an interaction; the rest is given as one sum.
SHOWN_FEATURES = 10


class Annotates(Protocol):
    """What the server needs of :class:`ppi.Annotator`."""

    def annotate_documents(
        self, documents: Iterable[Document], *, explain: bool = False, min_probability: float | None = None
    ) -> Iterable[AnnotatedDocument]:
        """Each document with its interactions."""


def annotate(annotator: Annotates, request: dict[str, Any], limits: Limits) -> bytes:
    """Sentences, names and interactions of every document, and the documents themselves, to be sent back."""
    documents, remarks = documents_of(request, limits)
    results = []
    for one, source in zip(annotated(annotator, documents, request, limits), documents, strict=True):
        results.append({**document_json(one), "source": source.to_json()})
        if one.skipped:
            remarks.append(f"{one.document.id}: too long to be searched for interactions: {', '.join(one.skipped[:5])}")
    return encoded({"documents": results, "warnings": remarks})


def evidence(annotator: Annotates, request: dict[str, Any], limits: Limits) -> bytes:
    """Why one pair of a document got its probability."""
    documents, _ = documents_of({"documents": [request["document"]]}, limits)
    wanted = {"explain": True, "min_probability": request["min_probability"]}
    for one in annotated(annotator, documents, wanted, limits):
        for interaction in one.interactions:
            if interaction.pair == request["pair"]:
                return encoded(interaction_json(interaction))
    raise Refusal(
        404, "no-such-pair", f"expected a pair of the document with at least that probability, got {request['pair']!r}"
    )


def export(annotator: Annotates, request: dict[str, Any], limits: Limits) -> bytes:
    """The annotated documents as a file."""
    from ppi.export import dumps

    documents, _ = documents_of(request, limits)
    found = list(annotated(annotator, documents, request, limits))
    return dumps(found, request["format"], explain=request["explain"])


JOBS = {"annotate": annotate, "evidence": evidence, "export": export}


def documents_of(request: dict[str, Any], limits: Limits) -> tuple[list[Document], list[str]]:
    """The documents of a request, checked against the limits, and remarks about them."""
    remarks: list[str] = []
    if "content" in request:
        documents, remarks = read_upload(
            request["content"], request["name"], request["format"], max_bytes=limits.body_bytes
        )
    elif request.get("text") is not None:
        documents = [_plain_document({"id": TEXT_ID, **request})]
    else:
        documents = [_given_document(each) for each in request["documents"]]
    _check(documents, limits)
    return documents, remarks


def annotated(
    annotator: Annotates, documents: list[Document], request: dict[str, Any], limits: Limits
) -> Iterator[AnnotatedDocument]:
    """The annotated documents one by one; too many pairs stop it."""
    limit = limits.explained if request["explain"] else limits.pairs
    pairs = 0
    for one in annotator.annotate_documents(
        documents, explain=request["explain"], min_probability=request["min_probability"]
    ):
        pairs += len(one.interactions)
        if pairs > limit:
            raise too_much("pairs of proteins with evidence" if request["explain"] else "pairs of proteins", limit)
        yield one


def document_json(one: AnnotatedDocument) -> dict[str, Any]:
    """An annotated document as JSON values."""
    return {
        "id": one.document.id,
        "sentences": [
            {
                "id": sentence.id,
                "text": sentence.text,
                "offset": sentence.offset,
                "entities": [_entity_json(entity) for entity in sentence.entities],
            }
            for sentence in one.document.sentences
        ],
        "interactions": [interaction_json(each) for each in one.interactions],
    }


def interaction_json(interaction: Interaction) -> dict[str, Any]:
    """An interaction as JSON values."""
    content: dict[str, Any] = {
        "document": interaction.document,
        "sentence": interaction.sentence_id,
        "pair": interaction.pair,
        "names": list(interaction.names),
        "entities": [entity.id for entity in interaction.proteins],
        "score": float(interaction.score),
        "probability": float(interaction.probability),
    }
    if interaction.evidence is not None:
        content["evidence"] = evidence_json(interaction.evidence)
    return content


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """The explanation with the weightiest features for and against, and the drawing."""
    why = evidence.explanation
    values: dict[str, float] = defaultdict(float)
    for one in why.features:
        values[one.name] += float(one.value)
    whole = sum(abs(value) for value in values.values()) or 1.0
    order = sorted(values.items(), key=lambda item: (-abs(item[1]), item[0]))
    up = [item for item in order if item[1] > 0][:SHOWN_FEATURES]
    down = [item for item in order if item[1] < 0][:SHOWN_FEATURES]
    return {
        "score": float(why.score),
        "threshold": float(why.threshold),
        "intercept": float(why.intercept),
        "path": why.path,
        "path_value": float(why.path_value),
        **{
            side: [{"name": name, "value": value, "share": abs(value) / whole} for name, value in chosen]
            for side, chosen in (("up", up), ("down", down))
        },
        "others": sum(values.values()) - sum(value for _, value in up + down),
        "svg": evidence.svg,
    }


def encoded(content: Any) -> bytes:
    """JSON as UTF-8; what no encoding has (half a surrogate pair) as an escape."""
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def run(annotator: Annotates, name: str, request: dict[str, Any], limits: Limits) -> bytes:
    """Do a job; warnings about what a reader or writer drops are no matter for the server's log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return JOBS[name](annotator, request, limits)


def _entity_json(entity: Entity) -> dict[str, Any]:
    return {
        "id": entity.id,
        "text": entity.text,
        "spans": [list(span) for span in entity.spans],
        "type": entity.type,
        "identifiers": list(entity.identifiers),
        "protein": protein_key(entity) if is_protein(entity) else None,
    }


def _given_document(given: dict[str, Any]) -> Document:
    if given.get("text") is not None:
        return _plain_document(given)
    return Document.from_json({key: value for key, value in given.items() if value is not None})


def _plain_document(given: dict[str, Any]) -> Document:
    text = given["text"]
    entities = [
        Entity(
            f"{given['id']}.e{number}",
            text[one["start"] : one["end"]],
            ((one["start"], one["end"]),),
            one["type"],
            tuple(one["identifiers"]),
        )
        for number, one in enumerate(given["entities"] or ())
    ]
    return document_of_text(text, entities, id=given["id"])


def _check(documents: list[Document], limits: Limits) -> None:
    sentences = [sentence for document in documents for sentence in document.sentences]
    for what, count, limit in (
        ("documents", len(documents), limits.documents),
        ("characters", sum(len(sentence.text) for sentence in sentences), limits.characters),
        ("given names", sum(len(sentence.entities) for sentence in sentences), limits.entities),
    ):
        if count > limit:
            raise too_much(what, limit)
