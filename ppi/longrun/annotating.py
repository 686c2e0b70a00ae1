"""What the annotating process does with a chunk: reads it, and sends results batch by batch.

It is supervised (:mod:`ppi.longrun.supervisor`), and may be killed at any time.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from corpora.errors import CorpusError
from corpora.types import Document
from ppi.annotation.one_by_one import map_isolating_errors
from ppi.annotation.settings import AnnotatorSettings, warm_up
from ppi.longrun.chunks import Chunk, Record, RecordFailure, read_chunk
from ppi.parallel.supervised import RequestHandler
from ppi.parsing.batches import batch_by_length, count_characters

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument

#: Documents annotated together.  Fixed, since in floating point the neighbours of a text may move its last digit.
BATCH_DOCUMENTS = 32
BATCH_CHARACTERS = 100_000
#: A document longer than this, in characters, is no abstract or article, and is listed as a failure.
MAX_DOCUMENT_CHARACTERS = 1_000_000


@dataclass(frozen=True)
class ChunkRequest:
    """Work on a chunk, from the record ``start`` on; the first ``alone`` records are taken one at a time."""

    chunk: Chunk
    start: int
    alone: int = 0


@dataclass(frozen=True)
class BatchStarted:
    """What is begun now: the records from ``first`` on, and the document if it is a single one."""

    first: int
    size: int
    document: str | None


@dataclass(frozen=True)
class BatchFinished:
    """What became of the records before ``following``: documents, in order, without their texts, and failures."""

    following: int
    documents: tuple[AnnotatedDocument, ...]
    failures: tuple[RecordFailure, ...]


@dataclass(frozen=True)
class FileUnreadable:
    """The file cannot be read any more: it was moved away, or cut short."""

    reason: str


def load(settings: AnnotatorSettings) -> RequestHandler:
    """Make an annotator; what is returned does orders."""
    annotator = settings.build()
    warm_up(annotator)
    warnings.simplefilter("ignore")  # what is left out is in the results
    return partial(annotate_chunk, annotator)


def annotate_chunk(annotator: Any, request: ChunkRequest) -> Iterator[BatchStarted | BatchFinished | FileUnreadable]:
    """Say what is begun, and give what is finished, until the chunk is done or its file cannot be read."""
    try:
        yield from _annotate_batches(annotator, request)
    except (CorpusError, OSError) as error:  # of the whole file: what a record does is listed with it
        yield FileUnreadable(str(error))


def _annotate_batches(annotator: Any, request: ChunkRequest) -> Iterator[BatchStarted | BatchFinished]:
    records = read_chunk(replace(request.chunk, first=request.start))
    alone = ([record] for record in islice(records, request.alone))
    together = batch_by_length(records, BATCH_DOCUMENTS, _count_characters, max_total=BATCH_CHARACTERS)
    for batch in chain(alone, together):
        first, last = batch[0].number, batch[-1].number
        single = batch[0].documents[0].id if len(batch) == 1 and batch[0].documents else None
        yield BatchStarted(first, last + 1 - first, single)
        done, failures = _annotate(annotator, batch, request.chunk.path)
        yield BatchFinished(last + 1, tuple(done), tuple(failures))


def _count_characters(record: Record) -> int:
    return sum(map(count_characters, record.documents))


def _annotate(annotator: Any, batch: list[Record], path: str) -> tuple[list[AnnotatedDocument], list[RecordFailure]]:
    """What became of the records' documents; one that is too long, or makes the annotator fail, is listed."""
    failures = [failure for record in batch for failure in record.failures]

    def fail(numbered_document: tuple[int, Document], reason: str, *, lost: bool = True) -> None:
        number, document = numbered_document
        failures.append(RecordFailure(path, number, document.id, reason, lost=lost))

    within_limit: list[tuple[int, Document]] = []
    for numbered_document in ((record.number, document) for record in batch for document in record.documents):
        if (length := count_characters(numbered_document[1])) <= MAX_DOCUMENT_CHARACTERS:
            within_limit.append(numbered_document)
        else:
            fail(
                numbered_document,
                f"expected at most {MAX_DOCUMENT_CHARACTERS} characters, got {length}; split the document",
            )

    def annotate(numbered_documents: Sequence[tuple[int, Document]]) -> list[AnnotatedDocument]:
        documents = [document for _, document in numbered_documents]
        try:
            return annotator.annotate_batch(documents)
        except Exception:  # perhaps of the machine's: a document is given up when it has failed alone twice
            if len(documents) > 1:
                raise
            return annotator.annotate_batch(documents)

    results = map_isolating_errors(
        annotate,
        within_limit,
        errors=Exception,  # whatever a document makes a parser do is that document's failure
        on_error=lambda numbered_document, error: fail(numbered_document, f"{type(error).__name__}: {error}"),
    )
    for numbered_document, result in results:
        if result.skipped:
            sentence_ids = ", ".join(result.skipped)
            fail(
                numbered_document,
                f"too many tokens or proteins, not searched for interactions: {sentence_ids}",
                lost=False,
            )
    return [_drop_texts(result) for _, result in results], sorted(failures, key=lambda failure: failure.record)


def _drop_texts(annotated: AnnotatedDocument) -> AnnotatedDocument:
    """Without texts and parses, which nobody needs who has the interactions."""
    document = annotated.document
    return replace(annotated, document=Document(document.id, orig_id=document.orig_id))
