"""Keep the judgements of a run in one file beside it that only grows.

``curation.jsonl`` gets one line per click.  A line is on the disk before anybody hears that the judgement is kept; what
a crash leaves of a line is passed over, reported, and never joined with the line that comes next.  Several processes
may judge at once: each holds a lock on the file while it looks at what the others wrote and adds its line.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

from corpora import Source, printable
from ppi.annotation import Interaction
from ppi.core import CurationError, CurationFileError
from ppi.server.curation.consensus import CurationState, fold_judgements
from ppi.server.curation.judgement import Judgement, Undo, check_curator, format_time, parse_time
from ppi.server.curation.judgement_file import (
    CURATION_FORMAT,
    HEAD,
    MAX_FILE_BYTES,
    Event,
    JudgementLine,
    encode_line,
    read_lines,
)
from ppi.server.database.sources import JUDGEMENTS_NAME

#: How long others may hold the file; they need milliseconds.
LOCK_SECONDS = 10.0
_TICK = timedelta(microseconds=1)


def curation_path(run: str | Path) -> Path:
    """Where the judgements of a run are: in its folder; of a file of interactions, beside it.

    >>> curation_path("found.jsonl").name
    'found.jsonl.curation.jsonl'
    """
    path = Path(run)
    return path / JUDGEMENTS_NAME if path.is_dir() else path.with_name(f"{path.name}.{JUDGEMENTS_NAME}")


def find_curation(path: str | Path) -> Path:
    """The file of judgements that a path means: the file itself, or the one of a run or of interactions.

    Raises
    ------
    CurationError
        If there is none.
    """
    path = Path(path)
    if path.is_file():
        with Source(path).open() as stream:
            if CURATION_FORMAT.encode() in stream.read(len(HEAD)):
                return path
    beside = curation_path(path)
    if beside.is_file():
        return beside
    raise CurationError(
        f"{printable(str(path))}: expected a run with judgements, or a file of them, got neither; judge some first: "
        f"ppi serve {printable(str(path))}"
    )


class Curation:
    """Judgements in a file; it is made with the first of them.

    Parameters
    ----------
    path
        The file; see :func:`curation_path`.
    clock
        What the time is.

    Raises
    ------
    CurationError
        If the file is something else, of another version, too large, or cannot be read.
    """

    def __init__(self, path: str | Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path = Path(path)
        self._clock = clock
        self._guard = threading.RLock()  # of what is in memory; the file has its own lock
        self._reset()
        self.refresh()

    def _reset(self) -> None:
        self._events: dict[str, Event] = {}
        self._torn: list[int] = []
        self._tail: JudgementLine | None = None
        self._number = self._offset = 0
        self._latest = ""
        self._identity: tuple[int, int] | None = None
        self._state: CurationState | None = None

    @property
    def events(self) -> dict[str, Event]:
        """Judgements and undos by their ids, in the order of the file, as last read."""
        return self._events

    @property
    def torn(self) -> list[int]:
        """Numbers of lines that a crash cut short; what they said is lost."""
        return [*self._torn, *([self._number + 1] if self._tail is not None and self._tail.torn else [])]

    @property
    def state(self) -> CurationState:
        """What holds now, as last read."""
        with self._guard:
            if self._state is None:
                self._state = fold_judgements(self._events)
            return self._state

    def refresh(self) -> bool:
        """Read what others have added since; whether there was anything."""
        with self._guard:
            n_events = len(self._events)
            if not self.path.exists():
                self._reset()
                return n_events > 0
            with self._lock_file(os.O_RDONLY, fcntl.LOCK_SH) as file:
                self._read(file)
            return len(self._events) != n_events

    def judge(
        self,
        interaction: Interaction,
        verdict: str,
        *,
        curator: str,
        pubmed: str | None = None,
        comment: str = "",
        type: str | None = None,
        mention: int | None = None,
    ) -> str:
        """Keep a judgement; when this returns its id, by which it can be taken back, it is on the disk.

        Parameters are those of :class:`~ppi.server.curation.judgement.Judgement`.
        """
        curator = check_curator(curator)
        return self._append(
            lambda time: Judgement(verdict, interaction, curator, time, pubmed, comment.strip(), type, mention)
        )

    def undo(self, judgement: str, *, curator: str) -> str:
        """Take a judgement back: what the curator said of the row before holds again.

        Raises
        ------
        CurationError
            If there is no such judgement of this curator, or it was taken back before.
        """
        curator = check_curator(curator)

        def take_back(time: str) -> Undo:
            if not self.state.holds(judgement, curator):
                raise CurationError(
                    f"expected a judgement of {curator!r} that holds, got {judgement[:40]!r}; "
                    "it was taken back before, or is somebody else's"
                )
            return Undo(judgement, curator, time)

        return self._append(take_back)

    def _append(self, make: Callable[[str], Event]) -> str:
        with self._guard:
            now = format_time(self._clock())
            if not self.path.exists():  # what is refused makes no file
                encode_line(make(now))
            with self._lock_file(os.O_RDWR | os.O_APPEND | os.O_CREAT, fcntl.LOCK_EX) as file:
                self._read(file)
                # after everything in the file, so that times show the order even if a clock was set back
                latest = self._latest
                raw = encode_line(make(now if now > latest else format_time(parse_time(latest) + _TICK)))
                # what makes it a line of its own: the rest of the head, or the end of a torn line
                if self._number == 0:
                    prefix = HEAD[0 if self._tail is None else len(self._tail.raw) :]
                else:
                    prefix = b"" if self._tail is None else b"\n"
                self._write(file, prefix + raw)
                self._read(file)
            return JudgementLine(0, raw).id

    def _write(self, file: int, content: bytes) -> None:
        size = os.fstat(file).st_size
        if size + len(content) > MAX_FILE_BYTES:
            raise self._error(f"expected a file of at most {MAX_FILE_BYTES:,} bytes, got a full one; begin another")
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)
            if not size:
                _sync_folder(self.path.parent)
        except OSError as error:  # half a line may be there; the next one begins on a line of its own
            raise self._error(f"expected room for a judgement, got: {error.strerror}; it is not kept") from None

    def _read(self, file: int) -> None:
        """What stands after the last whole line that is known."""
        status = os.fstat(file)
        if (status.st_dev, status.st_ino) != self._identity or status.st_size < self._offset:
            self._reset()  # another file has its name now
            self._identity = status.st_dev, status.st_ino
        if status.st_size > MAX_FILE_BYTES:
            raise self._error(f"expected a file of at most {MAX_FILE_BYTES:,} bytes, got {status.st_size:,}; split it")
        with open(file, "rb", closefd=False) as stream:
            stream.seek(self._offset)
            content = BytesIO(stream.read(status.st_size - self._offset))
        self._tail = None
        try:
            for line in read_lines(content, number=self._number):
                self._add_line(line)
        except CurationError as error:
            raise self._error(str(error)) from None

    def _add_line(self, line: JudgementLine) -> None:
        if line.event is not None and line.id not in self._events:
            self._events[line.id] = line.event
            self._latest = max(self._latest, line.event.time)
            self._state = None
        if not line.raw.endswith(b"\n"):
            self._tail = line  # read again when it has an end
            return
        self._number, self._offset = line.number, self._offset + len(line.raw)
        if line.torn:
            self._torn.append(line.number)

    @contextlib.contextmanager
    def _lock_file(self, flags: int, lock: int) -> Iterator[int]:
        """Open the file itself, not what a link of its name leads to, and hold a lock on it."""
        try:
            file = os.open(self.path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise self._error(f"expected a file of our own, got: {error.strerror}; check the folder") from None
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise self._error("expected a file of our own, got a device, pipe or folder; move it away")
            deadline = time.monotonic() + LOCK_SECONDS
            while True:
                try:
                    fcntl.flock(file, lock | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        message = "expected a file that is free now and then, got one held; try again"
                        raise self._error(message) from None
                    time.sleep(0.001)
            yield file
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # a child process that was forked meanwhile has the file, too
            os.close(file)

    def _error(self, message: str) -> CurationFileError:
        return CurationFileError(f"{printable(str(self.path))}: {message}")


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk, too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
