"""The process that annotates: reads chunks, sends results batch by batch, and may be killed at any time.

It is started by :mod:`ppi.longrun.supervisor` as a program of its own, so that a parser that crashes, hangs or eats
the memory takes down nothing but itself.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.types import Document, Sentence
from ppi.longrun.chunks import Chunk, Failure, Record, read_chunk
from ppi.pipeline import FOR_INTERACTIONS

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument

#: Documents annotated together.  Fixed, since in floating point the neighbours of a text may move its last digit.
BATCH = 32
BATCH_CHARACTERS = 100_000
_TRIAL = Document("trial", (Sentence("trial", "Profilin binds actin."),))
#: A document longer than this, in characters, is no abstract or article, and is listed as a failure.
MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True)
class AnnotatorSettings:
    """What an annotator is made of, in plain values that travel between processes."""

    model: str | None = None
    parser: str = FOR_INTERACTIONS
    min_probability: float = 0.5
    lexicon: str | None = None
    families: str | None = None

    def files(self) -> dict[str, Path]:
        """The files that its results depend on, by what they are."""
        from ppi.annotation.annotator import MODEL_FILE
        from ppi.pipeline.loading import MODEL_DIRECTORY

        named = {"lexicon": self.lexicon, "families": self.families}
        files = {name: Path(path) for name, path in named.items() if path is not None}
        files["model"] = Path(self.model) if self.model is not None else MODEL_FILE
        if self.parser.partition(":")[0] == "shipped":
            files["pipeline"] = MODEL_DIRECTORY / "meta.json"
        return files

    def build(self) -> Any:
        """The annotator."""
        from ppi import Annotator

        lexicon = None
        if self.lexicon is not None:
            from ppi.grounding import Lexicon

            lexicon = Lexicon.read(self.lexicon, self.families)
        return Annotator(model=self.model, parser=self.parser, min_probability=self.min_probability, lexicon=lexicon)


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


def work(annotator: Any, order: Order) -> Iterator[Starting | Finished]:
    """Say what is begun, and give what is finished, until the chunk is done."""
    records = read_chunk(replace(order.chunk, first=order.start))
    for batch in _batches(records, alone_before=order.start + order.alone):
        first, last = batch[0].number, batch[-1].number
        single = batch[0].documents[0].id if len(batch) == 1 and batch[0].documents else None
        yield Starting(first, last + 1 - first, single)
        done, failures = _annotate(annotator, batch, order.chunk.path)
        yield Finished(last + 1, tuple(done), tuple(failures))


def _batches(records: Iterable[Record], *, alone_before: int) -> Iterator[list[Record]]:
    batch: list[Record] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += sum(map(_length, record.documents))
        if len(batch) == BATCH or characters >= BATCH_CHARACTERS or record.number < alone_before:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _annotate(annotator: Any, batch: list[Record], path: str) -> tuple[list[AnnotatedDocument], list[Failure]]:
    """The batch together or, if that raises, one by one: the error is then known to be that document's."""
    failures = [failure for record in batch for failure in record.failures]
    fit: list[tuple[int, Document]] = []
    for number, document in ((record.number, document) for record in batch for document in record.documents):
        if _length(document) <= MOST_CHARACTERS:
            fit.append((number, document))
        else:
            reason = f"expected at most {MOST_CHARACTERS} characters, got {_length(document)}; split the document"
            failures.append(Failure(path, number, document.id, reason))
    try:
        done = list(zip(fit, annotator.annotate_documents([document for _, document in fit]), strict=True))
    except Exception:
        done = []
        for number, document in fit:
            try:
                done.append(((number, document), annotator.annotate_document(document)))
            except Exception as error:  # whatever a document makes a parser do is that document's failure
                failures.append(Failure(path, number, document.id, f"{type(error).__name__}: {error}"))
    for (number, document), annotated in done:
        if annotated.skipped:
            reason = f"too many tokens or proteins, not searched for interactions: {', '.join(annotated.skipped)}"
            failures.append(Failure(path, number, document.id, reason, lost=False))
    return [_light(annotated) for _, annotated in done], sorted(failures, key=lambda failure: failure.record)


def _length(document: Document) -> int:
    return sum(len(sentence.text) for sentence in document.sentences)


def _light(annotated: AnnotatedDocument) -> AnnotatedDocument:
    """Without texts and parses, which nobody needs who has the interactions."""
    document = annotated.document
    return replace(annotated, document=Document(document.id, orig_id=document.orig_id))


def serve(connection: Connection, settings: AnnotatorSettings) -> None:
    """Answer orders until the other side is gone."""
    from threadpoolctl import threadpool_limits

    warnings.simplefilter("ignore")  # what is left out is in the results
    with threadpool_limits(limits=1):
        try:
            annotator = settings.build()
            annotator.annotate_document(_TRIAL)  # loads all there is to load, and fails here if it cannot
        except Exception as error:
            connection.send(error)
            return
        try:
            connection.send("ready")
            while True:
                for message in work(annotator, connection.recv()):
                    connection.send(message)
                connection.send("done")
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def main() -> None:
    """The program of the process; its argument is the descriptor of one end of a socket pair."""
    connection = Connection(int(sys.argv[1]))
    serve(connection, connection.recv())
