"""Folders and tar archives of files, each of which is read by its own format.

A folder is read with the folders in it, in the order of names; an archive as a stream, one member in memory at a time,
so that a package of PubMed Central with all its articles needs no more memory than its largest article.  A text is
named by its path in the folder or archive, without ending.  What is no text (pictures, programs, hidden files) is left
out, and a note says how much of it; a file that cannot be read is a problem of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from corpora.beginnings import HEAD_BYTES
from corpora.errors import CorpusError, CorpusNotFoundError, UnknownFormatError, printable
from corpora.source import Source, file_stem
from corpora.tar import MemberSource, is_tar, stream_members
from corpora.types import Document

#: Members of an archive whose names are looked at to tell what it holds; all of them could be millions.
MAX_SNIFFED_MEMBERS = 2000
#: Files named in a note; the others are counted.
_MAX_NAMED_FILES = 3
#: Endings of what is certainly no text, so that it need not be opened; and of annotations that go with a text.
_SKIPPED_SUFFIXES = (
    *(".pdf", ".jpg", ".jpeg", ".png", ".gif", ".tif", ".tiff", ".bmp", ".svg", ".eps", ".mp4", ".avi", ".mov", ".zip"),
    *(".doc", ".docx", ".ppt", ".pptx", ".xls", ".rar", ".7z", ".ann", ".a1", ".a2", ".conf"),
)


@dataclass
class Tally:
    """What was done with the files of a folder or archive."""

    read: int = 0
    folders: set[str] = field(default_factory=set)
    hidden: int = 0
    empty: int = 0
    skipped_names: list[str] = field(default_factory=list)
    n_skipped: int = 0

    def skip(self, name: str) -> None:
        """Note a file that is no text."""
        self.n_skipped += 1
        if len(self.skipped_names) < _MAX_NAMED_FILES:
            self.skipped_names.append(printable(name))

    def __str__(self) -> str:
        files = f"{self.read} {'file' if self.read == 1 else 'files'} read"
        inside = len(self.folders)
        folders = f", some in {inside} {'folder' if inside == 1 else 'folders'} inside it" if inside else ""
        more = " ..." if self.n_skipped > len(self.skipped_names) else ""
        others = (
            f"; left out {self.n_skipped} that are no texts ({', '.join(self.skipped_names)}{more})"
            if self.skipped_names
            else ""
        )
        counts = ((self.empty, "without a text"), (self.hidden, "hidden"))
        return f"{files}{folders}{others}" + "".join(f"; {count} {what}" for count, what in counts if count)


def is_container(source: Source) -> bool:
    """Whether the source is a folder or a tar archive."""
    if source.path.is_dir():
        return True
    with source.open() as stream:
        return is_tar(stream.read(512))


def file_names(source: Source) -> Iterator[str]:
    """Names of the files in a folder, or of the first members of an archive."""
    if source.path.is_dir():
        return (path.name for path in source.path.rglob("*"))
    members = stream_members(source, lambda name: False)
    return (PurePosixPath(name).name for name, _ in islice(members, MAX_SNIFFED_MEMBERS))


def read_files(
    source: Source, read_file: Callable[[Source], Iterator[Document]], holds_text: Callable[[str, bytes], bool]
) -> Iterator[Document]:
    """The documents of all files that hold texts.

    Parameters
    ----------
    read_file
        Reads one of them.
    is_texts
        Whether a file of that name that begins so is read at all.
    """
    tally = Tally()
    for name, file in _files(source, tally):
        source.record_line = None
        try:
            with file.open() as stream:
                head = stream.read(HEAD_BYTES)
            if not holds_text(name, head):
                tally.skip(name)
                continue
            documents = 0
            for document in read_file(file):
                documents += 1
                yield document
        except UnknownFormatError:
            tally.skip(name)
            continue
        except CorpusError as error:  # of this file alone
            source.reject(error)
            continue
        tally.read += 1
        tally.empty += not documents
        if "/" in name:
            tally.folders.add(name.rpartition("/")[0])
    if tally.folders or tally.n_skipped or tally.hidden or tally.empty or not tally.read:
        source.note(str(tally))


class _FolderFile(Source):
    """A file of a folder, named by its path there."""

    def __init__(self, folder: Source, name: str) -> None:
        super().__init__(folder.path / name, problems=folder.problems, notes=folder.notes, columns=folder.columns)
        self._stem = _path_stem(name)

    @property
    def stem(self) -> str:
        """The path in the folder, without ending."""
        return self._stem


class _ArchiveFile(MemberSource):
    """A file of an archive, named by its path there."""

    @property
    def stem(self) -> str:
        """The path in the archive, without ending."""
        return _path_stem(self.member)


def _files(source: Source, tally: Tally) -> Iterator[tuple[str, Source]]:
    if source.path.is_dir():
        for path in _walk(source.path, source):
            name = path.relative_to(source.path).as_posix()
            if _should_read(name, tally) and path.is_file():
                yield name, _FolderFile(source, name)
        return
    for name, data in stream_members(source, lambda name: _should_read(name, tally)):
        if data is not None:
            yield name, _ArchiveFile(source, name, data)


def _should_read(name: str, tally: Tally) -> bool:
    """Whether a file is to be looked at; one that is not is counted."""
    if _is_hidden(name):
        tally.hidden += 1
    elif name.lower().endswith(_SKIPPED_SUFFIXES):
        tally.skip(name)
    else:
        return True
    return False


def _walk(folder: Path, source: Source) -> Iterator[Path]:
    """Files of a folder and of those in it, in the order of names; links to folders are not followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        source.reject(CorpusNotFoundError(f"expected a folder that can be read, got: {error.strerror}", path=folder))
        return
    for entry in entries:
        path = folder / entry.name
        if not entry.is_dir(follow_symlinks=False):
            yield path
        elif entry.name.startswith("."):
            yield path / "."  # counted as hidden, not entered
        else:
            yield from _walk(path, source)


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)


def _path_stem(name: str) -> str:
    path = PurePosixPath(name)
    parent = "" if path.parent == PurePosixPath(".") else f"{path.parent.as_posix()}/"
    return parent + file_stem(path.name)
