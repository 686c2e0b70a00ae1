"""Read the interactions of a run, a part at a time: while it goes on, and without holding them all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import ZIP_MAGIC, CorpusError, Document, Sentence, Source, decode_head, truncate_repr
from ppi.core import RunError
from ppi.server.runs.manifest import MANIFEST_NAME
from ppi.server.runs.parts import PARTS_FOLDER

if TYPE_CHECKING:
    from ppi.annotation import AnnotatedDocument, Interaction

#: Formats of parts from which interactions can be read back.
READABLE_SUFFIXES = (".parquet", ".jsonl")
#: First lines of what is written for people and other programs.
_TABLE_PATTERNS = {
    "a CSV table": re.compile(r"document,pubmed,"),
    "a table of tab-separated values": re.compile(r"document\tpubmed\t"),
    "PSI-MITAB": re.compile(r"#\s?ID\(s\) interactor A"),
    "a table for reading": re.compile(r"prob\.  protein"),
    "a network": re.compile(r'protein_1,protein_2,|\{\s*"schema"\s*:\s*"ppi-network'),
}
_PARQUET_MAGIC, _SNIFF_BYTES = b"PAR1", 4096


def is_run(path: str | Path) -> bool:
    """Whether the path is the folder of a run."""
    return (Path(path) / MANIFEST_NAME).is_file()


def read_run(folder: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """The interactions of all finished parts, in the order of the inputs, each with its PubMed id if known.

    Raises
    ------
    RunError
        If there are no parts, or they are of a format that is only written.
    """
    from ppi.export import read_jsonl, read_parquet

    parts = Path(folder) / PARTS_FOLDER
    if not parts.is_dir():
        raise RunError(f"{folder}: expected a folder {PARTS_FOLDER!r} in that of a run, got none; start the run again")
    for path in sorted(parts.iterdir()):
        if path.name.startswith("."):  # being written
            continue
        if path.suffix not in READABLE_SUFFIXES:
            raise RunError(f"{path}: expected parts that can be read back, {READABLE_SUFFIXES}, got {path.suffix!r}")
        yield from (read_parquet if path.suffix == ".parquet" else read_jsonl)(path)


def read_interactions(paths: Iterable[str | Path]) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of folders of runs, Parquet files and JSON lines (``-``: standard input), one after another."""
    from ppi.core import track
    from ppi.export import read_jsonl, read_parquet

    for path in paths:
        if is_run(path):
            interactions = read_run(path)
        elif str(path).endswith(".parquet"):
            interactions = read_parquet(path)
        else:
            _check_file(Path(path))
            interactions = read_jsonl(path)
        yield from track(interactions, str(path))


def _check_file(path: Path) -> None:
    """Refuse, with what to run first, a file that was not written to be read again."""
    if path.is_dir():
        raise CorpusError(
            "expected a file of interactions or the folder of a run, got another folder; "
            f"find interactions first: ppi annotate {path} --to jsonl -o found.jsonl",
            path=path,
        )
    if not path.is_file():  # standard input, which can be read once; and what is not there, which its reader reports
        return
    with Source(path).open() as stream:
        beginning = stream.read(_SNIFF_BYTES)
    text = decode_head(beginning)
    if not text.strip() or text.lstrip().startswith('{"schema"'):
        return
    if beginning.startswith(_PARQUET_MAGIC):
        raise CorpusError("expected JSON lines, got Parquet under another ending; name it .parquet", path=path)
    table = next((name for name, start in _TABLE_PATTERNS.items() if start.match(text)), None)
    if table is None and beginning.startswith(ZIP_MAGIC):
        table = "a workbook or zip archive"
    kind = f"{table}, which cannot be read back" if table else f"something else, {truncate_repr(text.lstrip()[:30])}"
    raise CorpusError(
        f"expected interactions as JSON lines or Parquet, got {kind}; write them first: "
        f"ppi annotate {'INPUT' if table else path} --to jsonl -o found.jsonl",
        path=path,
    )


def group_by_document(
    records: Iterable[tuple[Interaction, str | None] | tuple[Interaction, str | None, int | None]],
    *,
    texts: bool = False,
) -> Iterator[AnnotatedDocument]:
    """Interactions in a row as documents again; with ``texts``, these hold the sentences of the interactions.

    Each comes with the PubMed id of its paper and, perhaps, the year.  The other sentences are not known: the places of
    those that are stay what they were.
    """
    from ppi.annotation import YEAR_INFON, AnnotatedDocument

    for id, group in groupby(records, key=lambda record: record[0].document):
        interactions, pubmed, *years = zip(*group, strict=True)
        sentences = _sentences(interactions) if texts else ()
        infons = ((YEAR_INFON, str(years[0][0])),) if years and years[0][0] is not None else ()
        orig_id = None if pubmed[0] is None else f"PMID:{pubmed[0]}"
        yield AnnotatedDocument(Document(id, sentences, orig_id=orig_id, infons=infons), interactions)


def _sentences(interactions: Iterable[Interaction]) -> tuple[Sentence, ...]:
    """The sentences that interactions bring, in text order, with the mentions that take part."""
    sentences_by_id: dict[str, Sentence] = {}
    for interaction in interactions:
        sentence = sentences_by_id.get(interaction.sentence_id) or Sentence(
            interaction.sentence_id, interaction.sentence, offset=interaction.offset
        )
        mentions = {entity.id: entity for entity in (*sentence.entities, *interaction.proteins)}
        sentences_by_id[interaction.sentence_id] = replace(sentence, entities=tuple(mentions.values()))
    return tuple(sorted(sentences_by_id.values(), key=lambda sentence: sentence.offset))
