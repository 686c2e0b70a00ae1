"""Standoff comes as files that belong together: ``NAME.txt`` and the annotations of it, ``NAME.ann`` or ``NAME.a1``.

They are found in a folder (and the folders in it), in a tar archive, or beside one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from corpora.containers import is_tar, read_members
from corpora.errors import CorpusError, CorpusNotFoundError
from corpora.formats.common import encode_utf8
from corpora.limits import MAX_RECORD_BYTES, check_size
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document

TEXT = ".txt"
BRAT_ENDINGS = (".ann",)
BIONLP_ENDINGS = (".a1", ".a2")
_ENDINGS = (TEXT, *BRAT_ENDINGS, *BIONLP_ENDINGS)
_ARCHIVE_HEAD = 512  # one block of a tar archive


@dataclass(frozen=True)
class StandoffFiles:
    """The files of one document by their endings (without ``.gz``)."""

    id: str
    files: dict[str, Source]

    def first_group(self, *groups: tuple[str, ...]) -> list[Source]:
        """The annotation files of the first group of endings of which there is one."""
        for group in groups:
            if sources := [self.files[ending] for ending in group if ending in self.files]:
                return sources
        return []


def standoff_files(source: Source, losses: ConversionLosses) -> Iterator[StandoffFiles]:
    """The files of each document, in the order of their names.

    A document's id is its path in the folder or archive, without ending.  A text there without annotations (a
    README) is counted as lost.

    Raises
    ------
    CorpusError
        If there are no such files, or they cannot be read.
    """
    files_by_stem: dict[PurePosixPath, dict[str, Source]] = {}
    for name, file in _files(source).items():
        stem, ending = _split(name)
        files_by_ending = files_by_stem.setdefault(PurePosixPath(stem), {})
        if ending not in files_by_ending or not name.endswith(".gz"):  # an unpacked file goes before its packed copy
            files_by_ending[ending] = file
    if not files_by_stem:
        raise source.format_error("expected a folder with .txt and .ann files, or .txt, .a1 and .a2, got none of them")
    is_single_document = not source.path.is_dir() and not is_archive(source)
    for path, files in sorted(files_by_stem.items()):
        if list(files) == [TEXT] and not is_single_document:
            losses.drop("text files without annotations beside them")
        else:
            yield StandoffFiles(path.as_posix(), files)


def is_archive(source: Source) -> bool:
    """Whether the file is a tar archive, packed or not."""
    with source.open() as stream:
        return is_tar(stream.read(_ARCHIVE_HEAD))


def standoff_kind(names: Iterable[str]) -> str | None:
    """Which annotations a folder or archive with files of these names holds: brat's (.ann), or bionlp's (.a1, .a2)."""
    kind = None
    for name in names:
        ending = _split(name)[1] if _has_standoff_ending(name) else ""
        if ending in BRAT_ENDINGS:
            return "brat"
        if ending in BIONLP_ENDINGS:
            kind = "bionlp"
    return kind


def raw_text(source: Source) -> str:
    """The text exactly as it is, because offsets count every character, also those of line ends."""
    with source.open() as stream:
        data = stream.read(MAX_RECORD_BYTES + 1)
    check_size("a text", len(data), MAX_RECORD_BYTES, path=source.name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise source.format_error(
            f"expected UTF-8, got byte {data[error.start : error.start + 1]!r}; convert the file to UTF-8", line
        ) from None


def write_files(folder: Path, document: Document, contents: dict[str, str]) -> None:
    """Write a document's files by their endings; a ``/`` in its id makes folders.

    Raises
    ------
    CorpusError
        If the id cannot be a file name, or a document of that id was written before.
    """
    stem = folder / _relative_path(document)
    try:
        stem.parent.mkdir(parents=True, exist_ok=True)
        for ending, content in contents.items():
            with open(stem.with_name(stem.name + ending), "xb") as file:
                file.write(encode_utf8(content, document.id))
    except OSError as error:
        raise CorpusError(
            f"expected a document id that makes a new file, got: {error.strerror}; rename it", id=document.id
        ) from None


def _relative_path(document: Document) -> PurePosixPath:
    parts = document.id.split("/")
    if any(not part or part.startswith(".") or "\0" in part or "\\" in part for part in parts):
        raise CorpusError(
            "expected a document id that can be a file name, got one that cannot; rename it", id=repr(document.id)
        )
    return PurePosixPath(*parts)


def _files(source: Source) -> dict[str, Source]:
    """The files that are ours, by their names in the folder or archive."""
    if source.path.is_dir():
        paths = (path for path in source.path.rglob("*") if _has_standoff_ending(path.name) and path.is_file())
        return {path.relative_to(source.path).as_posix(): _beside(source, path) for path in paths}
    if not source.is_standard_input and not source.path.is_file():
        raise CorpusNotFoundError("expected a folder, or one of its files, got none; check the path", path=source.name)
    if is_archive(source):
        return dict(read_members(source, lambda name: _has_standoff_ending(PurePosixPath(name).name)))
    stem, _ = _split(source.path.name)
    candidates = (
        source.path.with_name(stem + ending + compression) for ending in _ENDINGS for compression in ("", ".gz")
    )
    return {path.name: _beside(source, path) for path in candidates if path.is_file()}


def _beside(source: Source, path: Path) -> Source:
    return Source(path, problems=source.problems)


def _has_standoff_ending(name: str) -> bool:
    return bool(_split(name)[1]) and not name.startswith(".")


def _split(name: str) -> tuple[str, str]:
    """Stem and ending (empty, if it is none of ours)."""
    plain = name.removesuffix(".gz")
    for ending in _ENDINGS:
        if plain.endswith(ending) and PurePosixPath(plain).name != ending:
            return plain.removesuffix(ending), ending
    return name, ""


def missing_file(files: StandoffFiles, ending: str) -> str:
    """What to say where a file is missing that the others need."""
    stem = PurePosixPath(files.id).name
    present = next(candidate for candidate in reversed(_ENDINGS) if candidate in files.files)
    return f"expected {stem}{ending} beside {stem}{present}, got none; put it there"
