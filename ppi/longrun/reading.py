"""The interactions of a run, a part at a time: while it goes on, and without holding them all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.beginnings import ZIP_MAGIC, decoded
from corpora.errors import CorpusError, shown
from corpora.source import Source
from corpora.types import Document, Sentence
from ppi.errors import RunError
from ppi.longrun.manifest import NAME
from ppi.longrun.parts import PARTS

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument, Interaction

#: Formats of parts from which interactions can be read back.
READABLE = (".parquet", ".jsonl")


def is_run(path: str | Path) -> bool:
    """Whether the path is the folder of a run."""
    return (Path(path) / NAME).is_file()


def read_run(folder: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """The interactions of all finished parts, in the order of the inputs, each with its PubMed id if known.

    Raises
    ------
    RunError
        If there are no parts, or they are of a format that is only written.
    """
    from ppi.export import jsonl, parquet

    if not (Path(folder) / PARTS).is_dir():
        raise RunError(f"{folder}: expected a folder {PARTS!r} in that of a run, got none; start the run again")
    for path in sorted((Path(folder) / PARTS).iterdir()):
        if path.name.startswith("."):  # being written
            continue
        if path.suffix not in READABLE:
            raise RunError(f"{path}: expected parts that can be read back, {READABLE}, got {path.suffix!r}")
        yield from (parquet.read if path.suffix == ".parquet" else jsonl.read)(path)


def read_interactions(paths: Iterable[str | Path]) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of folders of runs, Parquet files and JSON lines (``-``: standard input), one after another."""
    from ppi.export import jsonl, parquet
    from ppi.progress import track

    for path in paths:
        if is_run(path):
            found = read_run(path)
        elif str(path).endswith(".parquet"):
            found = parquet.read(path)
        else:
            _check_file(Path(path))
            found = jsonl.read(path)
        yield from track(found, str(path))


def _check_file(path: Path) -> None:
    """Refuse, with what to run first, a file that was not written to be read again."""
    if path.is_dir():
        raise CorpusError(
            "expected a file of interactions or the folder of a run, got another folder; "
            f"find interactions first: ppi annotate {path} --to jsonl -o found.jsonl",
            path=path,
        )
    if not path.is_file():  # standard input, which can be read once; and what is not there, which its reader says
        return
    with Source(path).open() as stream:
        beginning = stream.read(_BEGINNING)
    text = decoded(beginning)
    if not text.strip() or text.lstrip().startswith('{"schema"'):
        return
    if beginning.startswith(_PARQUET):
        raise CorpusError("expected JSON lines, got Parquet under another ending; name it .parquet", path=path)
    table = next((name for name, start in _TABLES.items() if start.match(text)), None)
    if table is None and beginning.startswith(ZIP_MAGIC):
        table = "a workbook or zip archive"
    kind = f"{table}, which cannot be read back" if table else f"something else, {shown(text.lstrip()[:30])}"
    raise CorpusError(
        f"expected interactions as JSON lines or Parquet, got {kind}; write them first: "
        f"ppi annotate {'INPUT' if table else path} --to jsonl -o found.jsonl",
        path=path,
    )


#: First lines of what is written for people and other programs.
_TABLES = {
    "a CSV table": re.compile(r"document,pubmed,"),
    "a table of tab-separated values": re.compile(r"document\tpubmed\t"),
    "PSI-MITAB": re.compile(r"#\s?ID\(s\) interactor A"),
    "a table for reading": re.compile(r"prob\.  protein"),
    "a network": re.compile(r'protein_1,protein_2,|\{\s*"schema"\s*:\s*"ppi-network'),
}
_PARQUET, _BEGINNING = b"PAR1", 4096


def annotated_documents(
    found: Iterable[tuple[Interaction, str | None] | tuple[Interaction, str | None, int | None]],
    *,
    texts: bool = False,
) -> Iterator[AnnotatedDocument]:
    """Interactions in a row as documents again; with ``texts``, these hold the sentences of the interactions.

    Each comes with the PubMed id of its paper and, perhaps, the year.  The other sentences are not known: the places of
    those that are stay what they were.
    """
    from ppi.annotation.pubmed import YEAR
    from ppi.annotation.types import AnnotatedDocument

    for id, group in groupby(found, key=lambda each: each[0].document):
        interactions, pubmed, *years = zip(*group, strict=True)
        sentences = _sentences(interactions) if texts else ()
        infons = ((YEAR, str(years[0][0])),) if years and years[0][0] is not None else ()
        yield AnnotatedDocument(Document(id, sentences, orig_id=_orig_id(pubmed[0]), infons=infons), interactions)


def _sentences(interactions: Iterable[Interaction]) -> tuple[Sentence, ...]:
    """The sentences that interactions bring, in text order, with the mentions that take part."""
    known: dict[str, Sentence] = {}
    for each in interactions:
        sentence = known.get(each.sentence_id) or Sentence(each.sentence_id, each.sentence, offset=each.offset)
        mentions = {entity.id: entity for entity in (*sentence.entities, *each.proteins)}
        known[each.sentence_id] = replace(sentence, entities=tuple(mentions.values()))
    return tuple(sorted(known.values(), key=lambda sentence: sentence.offset))


def _orig_id(pubmed: str | None) -> str | None:
    return None if pubmed is None else f"PMID:{pubmed}"
