"""Read folders and tar archives of files, each by its own format; nothing is ever unpacked to disk.

A folder is read with the folders in it, in the order of names; an archive as a stream, one member in memory at a time,
so that a package of PubMed Central with all its articles needs no more memory than its largest article.  A text is
named by its path in the folder or archive, without ending.  What is no text (pictures, programs, hidden files) is left
out, and a note says how much of it; a file that cannot be read is a problem of its own.

An archive from a stranger is read with limits: as a stream (no seeking about), only plain files, under names that stay
inside the archive; at most :data:`MAX_ARCHIVE_BYTES` bytes and :data:`MAX_ARCHIVE_MEMBERS` members where all are held
together, ``MAX_RECORD_BYTES`` bytes a member where one is held at a time.
"""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from corpora.errors import CorpusError, CorpusNotFoundError, FormatError, Problem, UnknownFormatError, printable
from corpora.limits import MAX_RECORD_BYTES
from corpora.source import GZIP_MAGIC, Source, file_stem
from corpora.types import Document

#: Bytes of an archive after unpacking, all members and headers together.
MAX_ARCHIVE_BYTES = 2**28
MAX_ARCHIVE_MEMBERS = 100_000
ENDINGS = (".tar", ".tgz")
# [POSIX.1-2001, pax, ustar interchange format]
_HEADER_BYTES = 512
_MAGIC, _MAGIC_OFFSET = b"ustar", 257
#: What tarfile raises on damaged headers; a CorpusError, which is a ValueError, is none of these.
_FAILURES = (tarfile.TarError, ArithmeticError, LookupError, RecursionError, ValueError)
#: Members of an archive whose names are looked at to tell what it holds; all of them could be millions.
MAX_SNIFFED_MEMBERS = 2000
#: Files named in a note; the others are counted.
_MAX_NAMED_FILES = 3
#: Endings of what is certainly no text, so that it need not be opened; and of annotations that go with a text.
_SKIPPED_SUFFIXES = (
    *(".pdf", ".jpg", ".jpeg", ".png", ".gif", ".tif", ".tiff", ".bmp", ".svg", ".eps", ".mp4", ".avi", ".mov", ".zip"),
    *(".doc", ".docx", ".ppt", ".pptx", ".xls", ".rar", ".7z", ".ann", ".a1", ".a2", ".conf"),
)


class MemberSource(Source):
    """A file in an archive; its name is the archive's with the member's after it."""

    def __init__(self, archive: Source, member: str, data: bytes) -> None:
        super().__init__(
            Path(archive.name) / member, problems=archive.problems, notes=archive.notes, columns=archive.columns
        )
        self.member = member
        self._data = data

    @contextlib.contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes."""
        if self._data.startswith(GZIP_MAGIC):
            raise self.format_error("expected a file packed once, got gzip data inside an archive; unpack it")
        yield io.BytesIO(self._data)


def is_tar(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a tar archive."""
    return head[_MAGIC_OFFSET : _MAGIC_OFFSET + len(_MAGIC)] == _MAGIC


def read_members(source: Source, select: Callable[[str], bool]) -> dict[str, MemberSource]:
    """The files in an archive whose names are wanted, by name; the archive has at most :data:`MAX_ARCHIVE_BYTES` bytes.

    Raises
    ------
    FormatError
        If the archive is damaged, too large, or holds names that lead out of it, repeated names or links.
    """
    members: dict[str, MemberSource] = {}
    for name, data in _walk_members(source, select, MAX_ARCHIVE_BYTES, streamed=False):
        if data is None:
            continue
        if name in members:
            raise source.format_error("expected each member once, got this one again", id=name)
        members[name] = MemberSource(source, name, data)
    return members


def stream_members(source: Source, select: Callable[[str], bool]) -> Iterator[tuple[str, bytes | None]]:
    """The files in an archive of any size, one in memory at a time, with the bytes of those that are wanted.

    Raises
    ------
    FormatError
        If the archive is damaged, holds names that lead out of it or, where wanted, links; one member of more than
        ``MAX_RECORD_BYTES`` bytes is a problem of its own.
    """
    return _walk_members(source, select, MAX_RECORD_BYTES, streamed=True)


def write_tar(folder: Path, output: IO[bytes]) -> None:
    """Pack the files of a folder in the order of their names; the same files give the same bytes."""
    with tarfile.open(fileobj=output, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size = path.stat().st_size
            with open(path, "rb") as file:
                archive.addfile(member, file)


def _walk_members(
    source: Source, select: Callable[[str], bool], max_bytes: int, *, streamed: bool
) -> Iterator[tuple[str, bytes | None]]:
    """The archive's files one after another, with the contents of those that are wanted.

    ``max_bytes`` bytes may be read of the whole archive or, if it is ``streamed``, for each member beside its contents.
    """
    with source.open() as raw:
        try:
            stream = _LimitedStream(raw, source, max_bytes)
            with tarfile.open(fileobj=stream, mode="r|") as archive:  # type: ignore[call-overload]
                number = 0
                while (member := archive.next()) is not None:
                    archive.members = []  # which tarfile would keep, with no end
                    number += 1
                    if not streamed and number > MAX_ARCHIVE_MEMBERS:
                        raise source.format_error(
                            f"expected at most {MAX_ARCHIVE_MEMBERS:,} members in an archive, got more; unpack it"
                        )
                    if streamed:
                        stream.allow(max_bytes + member.size)
                    name = _safe_name(member, source)
                    if member.isdir():
                        continue
                    is_selected = select(name)
                    if streamed and is_selected and member.size > max_bytes:
                        source.reject(
                            FormatError(f"expected members of at most {max_bytes:,} bytes, got a larger one", id=name)
                        )
                        is_selected = False
                    yield name, _contents(archive, member, source) if is_selected else None
        except CorpusError:
            raise
        except _FAILURES as error:
            raise source.format_error(
                f"expected a complete tar archive, got: {error}; copy or download it again"
            ) from None


def _contents(archive: tarfile.TarFile, member: tarfile.TarInfo, source: Source) -> bytes:
    # a sparse member of a few bytes may announce any size
    content = None if member.issparse() or not member.isreg() else archive.extractfile(member)
    if content is None:
        raise source.format_error("expected a plain file, got a link or something else; pack it again", id=member.name)
    data = content.read()
    if len(data) < member.size:
        raise tarfile.ReadError("unexpected end of data")
    return data


def _safe_name(member: tarfile.TarInfo, source: Source) -> str:
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\0" in member.name:
        raise source.format_error("expected names that stay inside the archive, got another", id=member.name)
    try:
        member.name.encode()
    except UnicodeEncodeError:
        raise source.format_error("expected names in UTF-8, got another encoding", id=member.name) from None
    return path.as_posix()


class _LimitedStream:
    """The bytes of a stream, of which there may be only so many: a small file can unpack to any size."""

    def __init__(self, stream: BinaryIO, source: Source, max_bytes: int) -> None:
        self._stream = stream
        self._source = source
        self._max_bytes = self._remaining = max_bytes

    def allow(self, count: int) -> None:
        """Let so many bytes be read from now on."""
        self._remaining = count

    def read(self, size: int) -> bytes:
        """The next bytes, or an error where they are too many."""
        data = self._stream.read(min(size, self._remaining + 1))
        self._remaining -= len(data)
        if self._remaining < 0:
            problem = Problem(
                f"expected an archive of at most {self._max_bytes:,} bytes when unpacked, got more; unpack it and "
                "give the folder",
                path=self._source.name,
            )
            raise FormatError([problem])
        return data


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
    return is_tar(source.head(_HEADER_BYTES))


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
    holds_text
        Whether a file of that name that begins so is read at all.
    """
    tally = Tally()
    for name, file in _files(source, tally):
        source.record_line = None
        try:
            if not holds_text(name, file.head()):
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
