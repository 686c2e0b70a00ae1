"""Protein-name corpora as text with character spans: BioCreative II gene mention (IOB) and JNLPBA (standoff)."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lab.training.pipeline.detokenize import spaces_between

#: The types of names in each corpus, the wanted one first; the others teach what a protein is not.  BioCreative marks
#: genes alone; the others are there by lists of names (:mod:`lab.training.pipeline.silver`).
TYPES = {
    "bc2gm": ("GENE", "chemical", "cell", "organism"),
    "jnlpba": ("protein", "DNA", "RNA", "cell_type", "cell_line"),
}
_WANTED = frozenset(types[0] for types in TYPES.values())


class Name(NamedTuple):
    """A name's characters and its type."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class AnnotatedText:
    """A text and the names in it, in text order and not overlapping."""

    text: str
    names: tuple[Name, ...]
    document: str

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The characters of the protein names alone."""
        return tuple((name.start, name.end) for name in self.names if name.kind in _WANTED)


def read_iob(path: Path) -> Iterator[AnnotatedText]:
    """The sentences of a gzipped two-column IOB file, with guessed spaces."""
    rows: list[tuple[str, str]] = []
    number = 0
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                word, _, tag = line.rstrip("\n").partition("\t")
                rows.append((word, tag))
            elif rows:
                yield _from_iob(rows, f"{path.name}:{number}")
                rows, number = [], number + 1
    if rows:
        yield _from_iob(rows, f"{path.name}:{number}")


def _from_iob(rows: list[tuple[str, str]], document: str) -> AnnotatedText:
    words = [word for word, _ in rows]
    pieces: list[str] = []
    names: list[Name] = []
    position = 0
    for (word, tag), space in zip(rows, spaces_between(words)):
        end = position + len(word)
        if tag.startswith("B"):
            names.append(Name(position, end, tag[2:]))
        elif tag.startswith("I") and names:
            names[-1] = names[-1]._replace(end=end)
        pieces.append(word + " " * space)
        position = end + space
    return AnnotatedText("".join(pieces), tuple(names), document)


def read_standoff(path: Path) -> Iterator[AnnotatedText]:
    """The abstracts of a tar of brat ``.txt``/``.ann`` pairs, in order of name.

    Of nested proteins the outermost stays, as in the shared task's own IOB.
    """
    with tarfile.open(path) as archive:
        contents = {
            member.name: archive.extractfile(member).read().decode("utf-8")  # type: ignore[union-attr]
            for member in archive
            if member.isfile()
        }
    for name in sorted(contents):
        if name.endswith(".txt"):
            stem = name.removesuffix(".txt")
            names = _outermost(standoff_names(contents.get(f"{stem}.ann", "")))
            yield AnnotatedText(contents[name], names, Path(stem).name)


def standoff_names(annotation: str) -> Iterator[Name]:
    """The entities of a standoff file; one in pieces is taken from its first character to its last."""
    for line in annotation.splitlines():
        if not line.startswith("T"):
            continue
        kind, *offsets = line.split("\t")[1].replace(";", " ").split()
        yield Name(int(offsets[0]), int(offsets[-1]), kind)


def _outermost(names: Iterator[Name]) -> tuple[Name, ...]:
    """Proteins before other types, longer names before those within them."""
    kept: list[Name] = []
    for name in sorted(names, key=lambda name: (name.kind not in _WANTED, name.start, -name.end)):
        if all(name.end <= other.start or other.end <= name.start for other in kept):
            kept.append(name)
    return tuple(sorted(kept))
