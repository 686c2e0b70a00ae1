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
from ppi.annotation.one_by_one import together_or_alone
from ppi.annotation.settings import AnnotatorSettings, warm_up
from ppi.longrun.chunks import Chunk, Failure, Record, read_chunk
from ppi.parallel.supervised import Answers
from ppi.parsing.batches import batches_of, characters_of

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument

#: Documents annotated together.  Fixed, since in floating point the neighbours of a text may move its last digit.
BATCH = 32
BATCH_CHARACTERS = 100_000
#: A document longer than this, in characters, is no abstract or article, and is listed as a failure.
MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True)
class Order:
    """Work on a chunk, from the record ``start`` on; the first ``alone`` records are taken one at a time."""

    chunk: Chunk
    start: int
    alone: int = 0


@dataclass(frozen=True)
class Starting:
    """What is begun now: the records from ``first`` on, and the document if it is a single one."""

    first: int
    size: int
    document: str | None


@dataclass(frozen=True)
class Finished:
    """What became of the records before ``following``: documents, in order, without their texts, and failures."""

    following: int
    documents: tuple[AnnotatedDocument, ...]
    failures: tuple[Failure, ...]


@dataclass(frozen=True)
class Unreadable:
    """The file cannot be read any more: it was moved away, or cut short."""

    reason: str


def load(settings: AnnotatorSettings) -> Answers:
    """Make an annotator; what is returned does orders."""
    annotator = settings.build()
    warm_up(annotator)
    warnings.simplefilter("ignore")  # what is left out is in the results
    return partial(work, annotator)


def work(annotator: Any, order: Order) -> Iterator[Starting | Finished | Unreadable]:
    """Say what is begun, and give what is finished, until the chunk is done or its file cannot be read."""
    try:
        yield from _work(annotator, order)
    except (CorpusError, OSError) as error:  # of the whole file: what a record does is listed with it
        yield Unreadable(str(error))


def _work(annotator: Any, order: Order) -> Iterator[Starting | Finished]:
    records = read_chunk(replace(order.chunk, first=order.start))
    alone = ([record] for record in islice(records, order.alone))
    together = batches_of(records, BATCH, _characters, most=BATCH_CHARACTERS)
    for batch in chain(alone, together):
        first, last = batch[0].number, batch[-1].number
        single = batch[0].documents[0].id if len(batch) == 1 and batch[0].documents else None
        yield Starting(first, last + 1 - first, single)
        done, failures = _annotate(annotator, batch, order.chunk.path)
        yield Finished(last + 1, tuple(done), tuple(failures))


def _characters(record: Record) -> int:
    return sum(map(characters_of, record.documents))


def _annotate(annotator: Any, batch: list[Record], path: str) -> tuple[list[AnnotatedDocument], list[Failure]]:
    """What became of the records' documents; one that is too long, or makes the annotator fail, is listed."""
    failures = [failure for record in batch for failure in record.failures]

    def fail(numbered: tuple[int, Document], reason: str, *, lost: bool = True) -> None:
        number, document = numbered
        failures.append(Failure(path, number, document.id, reason, lost=lost))

    fit: list[tuple[int, Document]] = []
    for numbered in ((record.number, document) for record in batch for document in record.documents):
        if (length := characters_of(numbered[1])) <= MOST_CHARACTERS:
            fit.append(numbered)
        else:
            fail(numbered, f"expected at most {MOST_CHARACTERS} characters, got {length}; split the document")

    def annotated(some: Sequence[tuple[int, Document]]) -> list[AnnotatedDocument]:
        documents = [document for _, document in some]
        try:
            return annotator.annotate_batch(documents)
        except Exception:  # perhaps of the machine's: a document is given up when it has failed alone twice
            if len(documents) > 1:
                raise
            return annotator.annotate_batch(documents)

    done = together_or_alone(
        annotated,
        fit,
        errors=Exception,  # whatever a document makes a parser do is that document's failure
        failed=lambda numbered, error: fail(numbered, f"{type(error).__name__}: {error}"),
    )
    for numbered, result in done:
        if result.skipped:
            listed = ", ".join(result.skipped)
            fail(numbered, f"too many tokens or proteins, not searched for interactions: {listed}", lost=False)
    return [_light(result) for _, result in done], sorted(failures, key=lambda failure: failure.record)


def _light(annotated: AnnotatedDocument) -> AnnotatedDocument:
    """Without texts and parses, which nobody needs who has the interactions."""
    document = annotated.document
    return replace(annotated, document=Document(document.id, orig_id=document.orig_id))
