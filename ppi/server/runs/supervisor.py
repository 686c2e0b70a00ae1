"""Annotate chunks in a process that may crash, hang or be killed at any time, and supervise it.

The annotating process reads a chunk and sends results batch by batch (:func:`annotate_chunk`).  The :class:`Supervisor`
sets deadlines, starts it again after a crash, and goes on behind the document that caused it.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from corpora import CorpusError, Document
from ppi.annotation import AnnotatorSettings, map_isolating_errors, warm_up
from ppi.core import (
    MEBIBYTE,
    LoadingError,
    LoadingInterruptedError,
    ProcessEnded,
    RequestHandler,
    RunError,
    SupervisedProcess,
)
from ppi.language import batch_by_length, count_characters
from ppi.server.runs.chunks import Chunk, Record, RecordFailure, read_chunk
from ppi.server.runs.manifest import stop_error

if TYPE_CHECKING:
    from ppi.annotation import AnnotatedDocument

#: Documents annotated together.  Fixed, since in floating point the neighbours of a text may move its last digit.
BATCH_DOCUMENTS = 32
BATCH_CHARACTERS = 100_000
#: A document longer than this, in characters, is no abstract or article, and is listed as a failure.
MAX_DOCUMENT_CHARACTERS = 1_000_000
#: Seconds for a batch of documents, unless another limit is given.
TIME_LIMIT_SECONDS = 60.0
#: Megabytes (2^20 bytes) that an annotating process may have, unless another limit is given.
MEMORY_LIMIT_MB = 3000
#: How often a batch, or a document alone, is tried: the first time, somebody else may have killed the process.
BATCH_TRIES = 2
#: How often in a row a process may end while it loads, before the annotator is taken for one that cannot be made.
LOADING_TRIES = 5


@dataclass(frozen=True)
class ChunkRequest:
    """Work on a chunk, from the record ``start`` on; the first ``alone`` records are taken one at a time."""

    chunk: Chunk
    start: int
    alone: int = 0

    def after(self, following: int) -> ChunkRequest:
        """What is left when the records before ``following`` are done."""
        return ChunkRequest(self.chunk, following, max(0, self.start + self.alone - following))


@dataclass(frozen=True)
class BatchStarted:
    """What starts now: ``size`` records from ``first`` on, and the document if it is a single one."""

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
    """Build an annotator; what is returned handles a :class:`ChunkRequest`."""
    annotator = settings.build()
    warm_up(annotator)
    warnings.simplefilter("ignore")  # what is left out is in the results
    return partial(annotate_chunk, annotator)


def annotate_chunk(annotator: Any, request: ChunkRequest) -> Iterator[BatchStarted | BatchFinished | FileUnreadable]:
    """Report what starts and what is finished, until the chunk is done or its file cannot be read."""
    records = read_chunk(replace(request.chunk, first=request.start))
    alone = ([record] for record in islice(records, request.alone))
    together = batch_by_length(
        records,
        BATCH_DOCUMENTS,
        lambda record: sum(map(count_characters, record.documents)),
        max_total=BATCH_CHARACTERS,
    )
    try:
        for batch in chain(alone, together):
            first, last = batch[0].number, batch[-1].number
            single = batch[0].documents[0].id if len(batch) == 1 and batch[0].documents else None
            yield BatchStarted(first, last + 1 - first, single)
            done, failures = _annotate(annotator, batch, request.chunk.path)
            yield BatchFinished(last + 1, tuple(done), tuple(failures))
    except (CorpusError, OSError) as error:  # of the whole file: what a record does is listed with it
        yield FileUnreadable(str(error))


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
            reason = f"expected at most {MAX_DOCUMENT_CHARACTERS} characters, got {length}; split the document"
            fail(numbered_document, reason)

    def annotate(numbered_documents: Sequence[tuple[int, Document]]) -> list[AnnotatedDocument]:
        annotate_batch: Callable[[list[Document]], list[AnnotatedDocument]] = annotator.annotate_batch
        documents = [document for _, document in numbered_documents]
        try:
            return annotate_batch(documents)
        except Exception:  # perhaps of the machine's: a document is given up when it has failed alone twice
            if len(documents) > 1:
                raise
            return annotate_batch(documents)

    results = map_isolating_errors(
        annotate,
        within_limit,
        errors=Exception,  # whatever a document makes a parser do is that document's failure
        on_error=lambda numbered_document, error: fail(numbered_document, f"{type(error).__name__}: {error}"),
    )
    done = []
    for numbered_document, result in results:
        if result.skipped:
            reason = f"too many tokens or proteins, not searched for interactions: {', '.join(result.skipped)}"
            fail(numbered_document, reason, lost=False)
        # without texts and parses, which nobody needs who has the interactions
        done.append(replace(result, document=Document(result.document.id, orig_id=result.document.orig_id)))
    return done, sorted(failures, key=lambda failure: failure.record)


@dataclass
class ChunkResult:
    """All of a chunk, in the order of its records."""

    chunk: Chunk
    documents: list[AnnotatedDocument] = field(default_factory=list)
    failures: list[RecordFailure] = field(default_factory=list)
    seconds: float = 0.0


class Supervisor:
    """One annotating process and the chunks it is given, one after another.

    Parameters
    ----------
    settings
        Of the annotator.
    time_limit
        Seconds for a batch of documents, and for a single document once its batch has exceeded them.
    memory_limit
        Megabytes that the process may have.

    Attributes
    ----------
    chunk : Chunk or None
        The chunk that the process was given.
    at_work : BatchStarted or None
        What of it is being annotated; None while the process loads or reads.
    """

    def __init__(
        self,
        settings: AnnotatorSettings,
        *,
        time_limit: float = TIME_LIMIT_SECONDS,
        memory_limit: int = MEMORY_LIMIT_MB,
    ) -> None:
        self.settings = settings
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.chunk: Chunk | None = None
        self.at_work: BatchStarted | None = None
        self.process = SupervisedProcess(
            partial(load, settings), name="annotating process", memory_limit=memory_limit * MEBIBYTE
        )

    def annotate(self, chunk: Chunk) -> ChunkResult:
        """Annotate a chunk.

        If the process dies it may have been killed from outside, so the batch is tried once more.  A batch that kills
        it again, or takes too long, is done one document at a time; a document that does it :data:`BATCH_TRIES` times
        alone is listed as a failure, and all others have their results.

        Raises
        ------
        RunError
            If the annotator cannot be made at all, the file cannot be read any more, or the supervisor was closed.
        """
        started_at = time.perf_counter()
        self.chunk = chunk
        result = ChunkResult(chunk)
        request = ChunkRequest(chunk, chunk.first)
        # how often the process ended, by the first record, and whether it was alone
        end_counts: Counter[tuple[int, bool]] = Counter()
        while True:
            self.start()
            try:
                for message in self.process.stream(request, seconds=self.time_limit):
                    if isinstance(message, FileUnreadable):
                        raise stop_error(message.reason)
                    if isinstance(message, BatchStarted):
                        self.at_work = message
                    else:
                        self.at_work = None
                        result.documents.extend(message.documents)
                        result.failures.extend(message.failures)
                        request = request.after(message.following)
            except ProcessEnded as ended:
                request = _next_request(request, self.at_work, ended, end_counts, result)
                continue
            finally:
                self.at_work = None
            result.seconds = time.perf_counter() - started_at
            return result

    def start(self) -> None:
        """Have a process that is ready; see :meth:`annotate`."""
        for tries_left in reversed(range(LOADING_TRIES)):
            try:
                self.process.start()
                self.process.wait_until_ready()
                return
            except LoadingInterruptedError as error:
                if not tries_left:
                    raise RunError(f"expected an annotator to start, got {LOADING_TRIES} times: {error}") from error
            except LoadingError as error:
                raise RunError(f"expected an annotator to start, got: {error}") from error

    def close(self) -> None:
        """End the process, from whichever thread; a chunk at work is given up with a RunError."""
        self.process.close()


def _next_request(
    request: ChunkRequest,
    at_work: BatchStarted | None,
    ended: ProcessEnded,
    end_counts: Counter[tuple[int, bool]],
    result: ChunkResult,
) -> ChunkRequest:
    """How to go on: the same again, the batch one by one, or behind the single record that was being worked on."""
    # before it reports what it starts it is reading: the next record, or a batch of them
    current = at_work or BatchStarted(request.start, 1 if request.alone else BATCH_DOCUMENTS, None)
    alone = current.size == 1
    end_counts[current.first, alone] += 1
    if end_counts[current.first, alone] < BATCH_TRIES and (alone or not ended.late):
        return request
    if not alone:
        return ChunkRequest(request.chunk, current.first, current.size)
    reason = f"{ended}, {BATCH_TRIES} times"
    result.failures.append(RecordFailure(request.chunk.path, current.first, current.document, reason))
    return request.after(current.first + 1)
