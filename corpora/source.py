"""Where bytes come from and go to: files, gzip, standard input; every failure becomes one of our errors.

A reader is given a :class:`Source`; it opens it, and hands records that contradict themselves to
:meth:`Source.reject`, which raises, or collects when somebody wants to see every problem of a file.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, BinaryIO

from corpora.errors import CorpusError, CorpusNotFoundError, FormatError, Problem, printable
from corpora.limits import MAX_LINE_BYTES, iter_lines

GZIP_MAGIC = b"\x1f\x8b"
STANDARD_INPUT = "<standard input>"
#: Bytes of a file that are looked at to tell its format.
HEAD_BYTES = 65536
#: How much output for a pipe or device waits in memory; more goes to a temporary file.
SPOOL_BYTES = 2**24
_GZIP_FAILURES = (EOFError, gzip.BadGzipFile, zlib.error)


def readable_name(name: str) -> str:
    """A file's name as text: bytes of it that are not UTF-8 are escaped.

    >>> readable_name("a\\udcff.txt")
    'a\\\\xff.txt'
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def file_stem(path: str | Path) -> str:
    """A file's name without folder, .gz and its one or two format endings.

    >>> file_stem("data/AImed.xml.gz"), file_stem("paper.2.txt"), file_stem("set.bioc.json")
    ('AImed', 'paper.2', 'set')
    """
    name = readable_name(Path(path).name or Path(path).resolve().name)
    plain = name.removesuffix(".gz")
    base, dot, _ = plain.rpartition(".")
    return (base if dot else plain).removesuffix(".bioc") or name


class Source:
    """A file to read: plain or gzip (by its first bytes), or ``-`` for standard input.

    Parameters
    ----------
    path
        The file, or a folder for formats that are folders.
    problems
        Where rejected records are collected; by default the first one is raised.
    notes
        Where readers report what they decided: which files of a folder, which columns of a table.
    columns
        Of a table: which column is the ``id``, the ``title``, the ``text``; by default known by their names.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        problems: list[Problem] | None = None,
        notes: list[str] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.path = Path(path)
        self.name = STANDARD_INPUT if str(path) == "-" else str(path)
        self.problems = problems
        self.notes = notes
        self.columns = columns
        #: where the document that a reader gave last begins, for what is found out about it afterwards
        self.record_line: int | None = None
        #: the name of the format that :func:`corpora.detect_format` found, which need not be found again
        self.detected_format: str | None = None
        self._head: bytes | None = None
        self._spooled: IO[bytes] | None = None

    @property
    def stem(self) -> str:
        """The file's name without folder and endings: a default name for a corpus or document."""
        if self.is_standard_input:
            return "stdin"
        return file_stem(self.path)

    @property
    def is_standard_input(self) -> bool:
        """Whether it is no file."""
        return self.name == STANDARD_INPUT

    @contextlib.contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked bytes.

        Raises
        ------
        CorpusNotFoundError
            If there is no such file or it cannot be opened.
        FormatError
            If, while it is read inside the block, the gzip data turn out damaged, cut short or packed twice.
        """
        with contextlib.ExitStack() as stack:
            raw: BinaryIO
            if self.is_standard_input:
                raw = self._standard_input()
            else:
                try:
                    raw = stack.enter_context(open(self.path, "rb"))
                except OSError as error:
                    raise CorpusNotFoundError(
                        f"expected a readable file, got: {error.strerror}; check the path", path=self.name
                    ) from None
            try:
                yield self._decompress(raw)
            except _GZIP_FAILURES as error:
                raise FormatError(
                    f"expected complete gzip data, got: {error}; copy or download the file again",
                    path=self.name,
                ) from None
            except OSError as error:
                raise CorpusNotFoundError(
                    f"expected a file that can be read to its end, got: {error.strerror}; check the disk",
                    path=self.name,
                ) from None

    def head(self, size: int = HEAD_BYTES) -> bytes:
        """The first unpacked bytes, at most :data:`HEAD_BYTES` of them, which are read once and kept.

        Raises
        ------
        CorpusError
            As :meth:`open`, if these bytes cannot be read.
        """
        if self._head is None:
            try:
                with self.open() as stream:
                    self._head = stream.read(HEAD_BYTES)
            except CorpusError:  # perhaps damaged only after the bytes that are wanted
                with self.open() as stream:
                    return stream.read(size)
        return self._head[:size]

    def drop_head(self) -> None:
        """Free the bytes that :meth:`head` keeps: of thousands of files they would be many."""
        self._head = None

    def _decompress(self, raw: BinaryIO) -> BinaryIO:
        if not _is_gzip(raw):
            return raw
        packed: BinaryIO = gzip.GzipFile(fileobj=raw)  # type: ignore[assignment]
        if _is_gzip(packed):
            raise FormatError("expected a file packed once, got gzip data inside gzip; unpack it", path=self.name)
        return packed

    def _standard_input(self) -> BinaryIO:
        """Standard input as a file that can be read again, for readers that look before they read."""
        if self._spooled is None:
            self._spooled = tempfile.TemporaryFile()  # noqa: SIM115
            shutil.copyfileobj(sys.stdin.buffer, self._spooled)
        self._spooled.seek(0)
        return self._spooled  # type: ignore[return-value]

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines of UTF-8 text without their ends; a byte that is not UTF-8, or too many, is a FormatError."""
        with self.open() as stream:
            for number, raw in enumerate(iter_lines(stream, MAX_LINE_BYTES), start=1):
                if len(raw) > MAX_LINE_BYTES:
                    raise self.format_error(
                        f"expected lines of at most {MAX_LINE_BYTES:,} bytes, got a longer one; split it", number
                    )
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise FormatError(
                        f"expected UTF-8, got byte {raw[error.start : error.start + 1]!r} at column "
                        f"{error.start + 1}; convert the file to UTF-8",
                        line=number,
                        path=self.name,
                    ) from None
                yield number, text.rstrip("\r\n")

    def format_error(self, message: str, line: int | None = None, id: str | None = None) -> FormatError:
        """A FormatError located in this file."""
        return FormatError(message, id=id, line=line, path=self.name)

    def reject(self, error: CorpusError, line: int | None = None) -> None:
        """Raise the error with its place filled in, or collect its problems and let the reader go on."""
        located_error = error.with_location(self.name, line)
        if self.problems is None:
            raise located_error from None
        self.problems.extend(located_error.problems)

    def note(self, message: str) -> None:
        """Report what was decided; without a list for notes, let it pass."""
        if self.notes is not None:
            self.notes.append(f"{printable(self.name)}: {message}")

    def report_problems(self, error: CorpusError, line: int | None = None) -> None:
        """Collect problems that are no reason to refuse a record; without a collector, let them pass."""
        if self.problems is not None:
            self.problems.extend(error.with_location(self.name, line).problems)


@contextlib.contextmanager
def atomic_output(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when the block ends well; gzip if it ends in .gz or .tgz.

    ``-`` is standard output; it, pipes and devices get everything at once when the block ends.  On failure nothing
    is left behind and an older file of that name stays as it was.
    """
    target = Path(path)
    try:
        if str(path) == "-":
            with _spool_output(sys.stdout.buffer) as output:
                yield output
        elif target.is_dir():
            raise CorpusError("expected the path of a file, got that of a folder; add a name to it", path=target)
        elif target.exists() and not target.is_file():  # a device such as /dev/null must not be replaced by a file
            with open(target, "wb") as device, _spool_output(device) as output:
                yield output
        else:
            with _replace_atomically(target) as output:
                yield output
    except BrokenPipeError:  # no failure of ours: whoever reads our output has had enough
        raise
    except OSError as error:
        raise _write_error(target, error) from None


@contextlib.contextmanager
def _spool_output(stream: IO[bytes]) -> Iterator[IO[bytes]]:
    with tempfile.SpooledTemporaryFile(SPOOL_BYTES) as spool:
        yield spool
        spool.seek(0)
        shutil.copyfileobj(spool, stream)
        stream.flush()


@contextlib.contextmanager
def _replace_atomically(target: Path) -> Iterator[IO[bytes]]:
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as raw:
            if target.name.endswith((".gz", ".tgz")):
                # mtime=0: the same documents give the same bytes
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield raw
            # a name that survives a power failure must not survive its contents
            raw.flush()
            os.fsync(raw.fileno())
        os.chmod(temporary, 0o666 & ~_UMASK)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """A new folder that appears under its name only when the block ends well.

    Raises
    ------
    CorpusError
        If something of that name is there already.
    """
    if str(path) == "-":
        raise CorpusError("expected the path of a new folder, got '-'; standard output holds no folder")
    target = Path(path)
    if target.exists():
        raise CorpusError("expected a folder that does not exist yet, got one that does; remove it", path=target)
    try:
        temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
    except OSError as error:
        raise _write_error(target, error) from None
    try:
        yield temporary
        temporary.chmod(0o777 & ~_UMASK)
        temporary.rename(target)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        raise _write_error(target, error) from None
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _write_error(target: Path, error: OSError) -> CorpusNotFoundError:
    return CorpusNotFoundError(
        f"expected a folder that can be written to, got: {error.strerror}; check the path and the room on the disk",
        path=target,
    )


def _is_gzip(stream: BinaryIO) -> bool:
    has_magic = stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    stream.seek(0)
    return has_magic


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


#: Read once: asking means setting it, for all threads.
_UMASK = _umask()
