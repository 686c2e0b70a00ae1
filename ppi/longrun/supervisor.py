"""Watching over the process that annotates: deadlines, crashes, and going on behind the document that caused them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ppi.annotation.settings import AnnotatorSettings
from ppi.errors import LoadingError, LoadingInterruptedError, RunError
from ppi.longrun.annotating import BATCH_DOCUMENTS, BatchStarted, ChunkRequest, FileUnreadable, load
from ppi.longrun.chunks import Chunk, RecordFailure
from ppi.longrun.inputs import stop_error
from ppi.parallel.memory import MEBIBYTE
from ppi.parallel.supervised import ProcessEnded, SupervisedProcess

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument

#: Seconds for a batch of documents, unless another limit is given.
TIME_LIMIT_SECONDS = 60.0
#: Megabytes (2^20 bytes) that an annotating process may have, unless another limit is given.
MEMORY_LIMIT_MB = 3000
#: How often a batch, or a document alone, is tried: the first time, somebody else may have killed the process.
BATCH_TRIES = 2
#: How often in a row a process may end while it loads, before the annotator is taken for one that cannot be made.
LOADING_TRIES = 5


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
    process : Supervised
        The process that annotates.
    chunk : Chunk or None
        The chunk that it was given.
    at_work : Starting or None
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
        it again, or takes too long, is done one document at a time; a document that does it :data:`BATCH_TRIES` times alone
        is listed as a failure, and all others have their results.

        Raises
        ------
        RunError
            If the annotator cannot be made at all, the file cannot be read any more, or the supervisor was closed.
        """
        started_at = time.perf_counter()
        self.chunk = chunk
        result = ChunkResult(chunk)
        request = ChunkRequest(chunk, chunk.first)
        end_counts: Counter[tuple[int, bool]] = (
            Counter()
        )  # of the process, by the first record, and whether it was alone
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
                        request = _request_after(request, message.following)
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


def _request_after(request: ChunkRequest, following: int) -> ChunkRequest:
    return ChunkRequest(request.chunk, following, max(0, request.start + request.alone - following))


def _next_request(
    request: ChunkRequest,
    at_work: BatchStarted | None,
    ended: ProcessEnded,
    end_counts: Counter[tuple[int, bool]],
    result: ChunkResult,
) -> ChunkRequest:
    """How to go on: the same again, the batch one by one, or behind the single record that was being worked on."""
    # before it says what it begins it is reading: the next record, or a batch of them
    current = at_work or BatchStarted(request.start, 1 if request.alone else BATCH_DOCUMENTS, None)
    alone = current.size == 1
    end_counts[current.first, alone] += 1
    if end_counts[current.first, alone] < BATCH_TRIES and (alone or not ended.late):
        return request
    if not alone:
        return ChunkRequest(request.chunk, current.first, current.size)
    reason = f"{ended}, {BATCH_TRIES} times"
    result.failures.append(RecordFailure(request.chunk.path, current.first, current.document, reason))
    return _request_after(request, current.first + 1)
