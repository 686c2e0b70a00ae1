"""Definitions of abbreviations against those that were marked by reading running literature.

Right is a definition whose short and long form have exactly the marked characters.  A program's definitions are counted
in the stretches that were read from end to end; every fourth document was set aside for the report, the others were
developed on.  The reference is the algorithm of Schwartz and Hearst (2003) as published.  Needs ``PPI_CORPORA``;
``scale`` shrinks the number of documents.
"""

from __future__ import annotations

import csv
import os
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lab.benchmarks import _schwartz_hearst
from lab.benchmarks._literature import ARCHIVE
from lab.benchmarks.figure import Figure
from lab.frame.clock import cpu_seconds
from learners import precision_recall_f
from ppi.core import UsageError
from ppi.language import Definition, find_definitions

#: Where the marked definitions and the stretches that were read are listed.
MARKED = Path(__file__).parents[3] / "tests" / "ppi" / "grounding" / "data"

Finder = Callable[[str], Iterable[Definition]]


class ReadDocument(NamedTuple):
    """A text, the stretches of it that were read, and all definitions that stand in them."""

    text: str
    read: Sequence[tuple[int, int]]
    marked: frozenset[Definition]


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Precision and recall, in percent, on the documents set aside and on those developed on."""
    documents = read_documents()
    documents = documents[: max(8, round(len(documents) * scale))]
    parts = {"report": documents[3::4], "development": [each for n, each in enumerate(documents) if n % 4 != 3]}
    for part, own in parts.items():
        seconds, ours = cpu_seconds(partial(scores, find_definitions, own))
        reference_seconds, plain = cpu_seconds(partial(scores, _schwartz_hearst.definitions, own))
        for name, value, reference, bar, aim in zip(("precision", "recall"), ours, plain, (95, 80), (98, 90)):
            yield Figure(
                f"abbreviations, {name} in % on the {part} part (Schwartz and Hearst alone: {100 * reference:.1f})",
                100 * value,
                "higher",
                bar,
                aim,
                True,
                seconds,
                reference_seconds,
            )


def read_documents() -> list[ReadDocument]:
    """The documents in the order of their numbers."""
    path = Path(os.environ.get("PPI_CORPORA", "")) / ARCHIVE
    if not path.is_file():
        raise UsageError(f"expected PPI_CORPORA to name a folder with {ARCHIVE}, got none; set it")
    with tarfile.open(path) as archive:
        texts = {
            Path(name).stem: stream.read().decode()
            for name in archive.getnames()
            if name.endswith(".txt") and (stream := archive.extractfile(name)) is not None
        }
    read: dict[str, list[tuple[int, int]]] = {}
    for row in _rows("abbreviations_read.tsv"):
        read.setdefault(row["document"], []).append((int(row["start"]), int(row["end"])))
    marked: dict[str, set[Definition]] = {}
    for row in _rows("abbreviations.tsv"):
        short, long = ((int(row[f"{form}_start"]), int(row[f"{form}_end"])) for form in ("short", "long"))
        marked.setdefault(row["document"], set()).add(Definition(short, long))
    return [
        ReadDocument(texts[document], read[document], frozenset(marked.get(document, ())))
        for document in sorted(read, key=int)
    ]


def _rows(name: str) -> list[dict[str, str]]:
    with (MARKED / name).open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def scores(finder: Finder, documents: Iterable[ReadDocument]) -> tuple[float, float, float]:
    """Precision, recall and F of the definitions that a program finds in the stretches that were read."""
    right = found = wanted = 0
    for text, read, marked in documents:
        ours = {each for each in finder(text) if any(_is_inside(each, stretch) for stretch in read)}
        right += len(ours & marked)
        found += len(ours)
        wanted += len(marked)
    return precision_recall_f(right, found, wanted)


def _is_inside(definition: Definition, stretch: tuple[int, int]) -> bool:
    places = (*definition.short, *definition.long)
    return stretch[0] <= min(places) and max(places) <= stretch[1]
