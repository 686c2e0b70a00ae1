"""Watching over the process that annotates: deadlines, crashes, and going on behind the document that caused them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ppi.annotation.settings import AnnotatorSettings
from ppi.errors import LoadingError, RunError
from ppi.longrun.annotating import Finished, Order, Starting, load
from ppi.longrun.chunks import Chunk, Failure
from ppi.parallel.supervised import ProcessEnded, Supervised

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument

#: Seconds for a batch of documents, unless another limit is given.
TIME_LIMIT = 60.0


@dataclass
class ChunkResult:
    """All of a chunk, in the order of its records."""

    chunk: Chunk
    documents: list[AnnotatedDocument] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0


class Supervisor:
    """One annotating process and the chunks it is given, one after another.

    Parameters
    ----------
    settings
        Of the annotator.
    time_limit
        Seconds for a batch of documents, and for a single document once its batch has exceeded them.

    Attributes
    ----------
    process : Supervised
        The process that annotates.
    """

    def __init__(self, settings: AnnotatorSettings, *, time_limit: float = TIME_LIMIT) -> None:
        self.settings = settings
        self.time_limit = time_limit
        self.process = Supervised(partial(load, settings), name="annotating process")

    def annotate(self, chunk: Chunk) -> ChunkResult:
        """Annotate a chunk.

        If the process dies it may have been killed from outside, so the batch is tried once more.  A batch that kills
        it again, or takes too long, is done one document at a time; the document that does it then is listed as a
        failure, and all others have their results.

        Raises
        ------
        RunError
            If the annotator cannot be made at all, or the supervisor was closed.
        """
        began = time.perf_counter()
        result = ChunkResult(chunk)
        order = Order(chunk, chunk.first)
        tried_again = -1  # the batch, by its first record
        while True:
            self.start()
            current = Starting(order.start, 1, None)
            try:
                for message in self.process.stream(order, seconds=self.time_limit):
                    if isinstance(message, Starting):
                        current = message
                    else:
                        result.documents.extend(message.documents)
                        result.failures.extend(message.failures)
                        order = _after(order, message)
            except ProcessEnded as ended:
                if ended.late or tried_again == current.first or current.size == 1:
                    order = _behind(order, current, result, str(ended))
                else:
                    tried_again = current.first
                continue
            result.seconds = time.perf_counter() - began
            return result

    def start(self) -> None:
        """Have a process that is ready; see :meth:`annotate`."""
        try:
            self.process.start()
            self.process.wait_until_ready()
        except LoadingError as error:
            raise RunError(f"expected an annotator to start, got: {error}") from error

    def close(self) -> None:
        """End the process, from whichever thread; a chunk at work is given up with a RunError."""
        self.process.close()


def _after(order: Order, message: Finished) -> Order:
    return Order(order.chunk, message.following, max(0, order.start + order.alone - message.following))


def _behind(order: Order, current: Starting, result: ChunkResult, reason: str) -> Order:
    """How to go on: the batch one by one, or behind the single record that was being worked on."""
    if current.size > 1:
        return Order(order.chunk, current.first, current.size)
    result.failures.append(Failure(order.chunk.path, current.first, current.document, reason))
    return Order(order.chunk, current.first + 1, max(0, order.start + order.alone - current.first - 1))
