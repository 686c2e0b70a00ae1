"""Files in a tar archive, read into memory, all of them or one at a time; nothing is ever unpacked to disk.

An archive from a stranger is read with limits: as a stream (no seeking about), plain files alone, under names that stay
inside the archive; at most :data:`MAX_ARCHIVE_BYTES` bytes and :data:`MAX_ARCHIVE_MEMBERS` members where all are held together,
``MAX_RECORD_BYTES`` bytes a member where one is held at a time.
"""

from __future__ import annotations

import contextlib
import io
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from corpora.errors import CorpusError, FormatError, Problem
from corpora.limits import MAX_RECORD_BYTES
from corpora.source import GZIP_MAGIC, Source

#: Bytes of an archive after unpacking, all members and headers together.
MAX_ARCHIVE_BYTES = 2**28
MAX_ARCHIVE_MEMBERS = 100_000
ENDINGS = (".tar", ".tgz")
_MAGIC, _MAGIC_OFFSET = b"ustar", 257  # [POSIX.1-2001, pax, ustar interchange format]
#: What tarfile raises on damaged headers; a CorpusError, which is a ValueError, is none of these.
_FAILURES = (tarfile.TarError, ArithmeticError, LookupError, RecursionError, ValueError)


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

    ``most`` bytes may be read of the whole archive or, if it is ``streamed``, for each member beside its contents.
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
