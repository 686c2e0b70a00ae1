"""Ordinary literature, from text to interactions with the names found: its speed, and that of a long document.

Text: the documents of ``literature-dev``, abstracts and whole articles as they come.  Words are what white space
separates.  The long document is made of them, the abstracts are pieces of the same text.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from corpora import Document
from lab.benchmarks.figure import Figure, relative_cost
from lab.frame.clock import cpu_seconds
from ppi.annotation import Annotator, document_of_text, get_process_parser

#: Under the folder of the corpora.
ARCHIVE = Path("literature") / "literature-dev.tar.gz"
LONG, SHORT = 50_000, 300
_REPEATS = 3

Found = list[tuple[str, float]]


def texts() -> list[str]:
    """The texts of all documents; none if the archive is not there."""
    path = Path(os.environ.get("PPI_CORPORA", "")) / ARCHIVE
    if not path.is_file():
        return []
    with tarfile.open(path) as archive:
        names = sorted(name for name in archive.getnames() if name.endswith(".txt"))
        return [stream.read().decode("utf8") for name in names if (stream := archive.extractfile(name)) is not None]


def figures(annotator: Annotator, texts: Sequence[str], scale: float = 1.0) -> Iterator[Figure]:
    """Words per second; seconds per word and memory of a long document."""
    step = max(1, round(1 / scale))
    yield _speed(annotator, [document_of_text(text, id=f"d{n}") for n, text in enumerate(texts[::step])])
    words = list(islice(_endless(texts), max(2 * SHORT, round(LONG * scale))))
    long = " ".join(words)
    yield _long_against_short(annotator, long, [" ".join(piece) for piece in _pieces(words)])
    seconds, megabytes = cpu_seconds(partial(_peak_megabytes, long))
    yield Figure(
        f"megabytes at most, for a document of {len(words):,} words",
        megabytes,
        "lower",
        700,
        500,
        True,
        seconds,
        seconds,
    )


def _speed(annotator: Annotator, documents: Sequence[Document]) -> Figure:
    """Against parsing all sentences, which gives the same interactions."""
    seconds, found = _annotated(annotator, documents)
    reference_seconds, plain = cpu_seconds(partial(_plainly, annotator, documents))
    words = sum(len(sentence.text.split()) for document in documents for sentence in document.sentences)
    return Figure(
        "words (white space) a second, text to interactions, names found: literature-dev",
        words / seconds,
        "higher",
        8000,
        15000,
        _same(found, plain),
        seconds,
        reference_seconds,
    )


def _long_against_short(annotator: Annotator, long: str, short: Sequence[str]) -> Figure:
    seconds, found = _annotated(annotator, [document_of_text(long)])
    reference_seconds, _ = _annotated(annotator, [document_of_text(text, id=f"a{n}") for n, text in enumerate(short)])
    return relative_cost(
        f"seconds per word, a document of {len(long.split()):,} words against abstracts of {SHORT}",
        seconds=seconds,
        reference_seconds=reference_seconds,
        bar=1.2,
        aim=1.0,
        same_answer=_same(found, _plainly(annotator, [document_of_text(long)])),
    )


def _annotated(annotator: Annotator, documents: Sequence[Document]) -> tuple[float, Found]:
    list(annotator.annotate_documents(documents[:3]))  # warm caches
    return cpu_seconds(lambda: _found(annotator, documents), repeats=_REPEATS)


def _found(annotator: Annotator, documents: Sequence[Document]) -> Found:
    return [
        (interaction.pair, interaction.probability)
        for annotated in annotator.annotate_documents(documents)
        for interaction in annotated.interactions
    ]


def _plainly(annotator: Annotator, documents: Sequence[Document]) -> Found:
    """The interactions of documents in which every sentence was parsed."""
    parsed = get_process_parser(annotator.parser).parse(documents, names=True)
    return _found(Annotator(parser="given"), parsed)


def _same(found: Found, plain: Found) -> bool:
    return [pair for pair, _ in found] == [pair for pair, _ in plain] and all(
        abs(one - other) <= 1e-6 for (_, one), (_, other) in zip(found, plain)
    )


def _endless(texts: Sequence[str]) -> Iterator[str]:
    """Words of the texts over and over, with the line breaks that came before them."""
    return (word for text in cycle(texts) for word in text.split(" ") if word)


def _pieces(words: Sequence[str]) -> Iterator[Sequence[str]]:
    return (words[start : start + SHORT] for start in range(0, len(words), SHORT))


_CHILD = """
import sys
from lab.frame.memory import peak_megabytes
from ppi.annotation import Annotator
Annotator().annotate(sys.stdin.read(), explain=False)
print(peak_megabytes())
"""


def _peak_megabytes(text: str) -> float:
    """Of a process that annotates the text and nothing else."""
    done = subprocess.run([sys.executable, "-c", _CHILD], input=text, capture_output=True, encoding="utf8", check=True)
    return float(done.stdout)
