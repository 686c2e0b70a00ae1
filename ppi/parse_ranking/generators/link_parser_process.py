"""The program ``link-parser`` as a servant: one process for many sentences, replaced when it dies or hangs.

How a sentence is asked for.  The program reads a line, prints the first linkage, and prints one more for each
empty line that follows; empty lines that are left over do nothing.  A line that begins with ``!`` is a command and
one with ``%`` a comment, so a sentence is sent behind a space.  Setting a variable prints ``NAME set to VALUE``:
with a new number each time, ``!width=NUMBER`` (the width of drawings we do not ask for) marks the beginning and
the end of an answer.  The program flushes its output only when it has parsed something, so a one-letter sentence
goes last; what it prints for that is thrown away at the next beginning.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Sequence
from typing import IO

from ppi.errors import MissingProgramError

#: Longest line the program takes, in bytes with the space and the end of line; it gives up at longer ones.
MAX_LINE_BYTES = 2046
#: The program never shows more linkages of a sentence.
MAX_LINKAGES = 1024
#: An answer of this size is no answer: 1024 linkages of 250 words stay far below.
_MAX_ANSWER_BYTES = 2**27
_START_SECONDS = 60.0
_PACKAGES = "install the Debian packages link-grammar and link-grammar-dictionaries-en"


class LinkParserFailure(Exception):
    """The program failed at one sentence (``kind`` is "crashed", "took too long" or "garbled")."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class LinkParserProcess:
    """A running ``link-parser``; started at the first sentence, and again after each failure.

    Parameters
    ----------
    program
        Name or path of the program.
    options
        Its options (``-limit=1000``).
    """

    def __init__(self, program: str, options: Sequence[str]) -> None:
        self._command = [program, "en", "--quiet", *options]
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._last_error_line = "nothing"  # what it said on standard error before it was stopped
        self._number = 1000

    def ask(self, line: str, *, linkages: int, seconds: float) -> str:
        """What the program prints for a sentence (without newlines), at most ``linkages`` linkages.

        Raises
        ------
        LinkParserFailure
            If it dies, takes longer than ``seconds`` of wall clock, or answers something else; it is then stopped.
        MissingProgramError
            If it cannot be started at all.
        """
        if self._process is None:
            self._start()
        return self._exchange(f" {line}\n" + "\n" * (min(linkages, MAX_LINKAGES) - 1), seconds)

    def close(self) -> None:
        """Stop the program, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                # what was still to be written to a dead process is lost, as it should be
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()
            self._process = None
        if self._errors is not None:
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", errors="replace").split("\n")
            self._last_error_line = next((line.strip() for line in reversed(lines) if line.strip()), "nothing")
            self._errors.close()
            self._errors = None

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
        except OSError as error:
            self.close()
            raise MissingProgramError(
                f"expected the program {self._command[0]!r}, got: {error.strerror}; {_PACKAGES}"
            ) from None
        try:
            self._exchange("", _START_SECONDS)
        except LinkParserFailure as failure:
            raise MissingProgramError(
                f"expected {self._command[0]!r} to start, got: it {failure.kind} and said "
                f"{self._last_error_line[:200]!r}; {_PACKAGES}"
            ) from None

    def _exchange(self, request: str, seconds: float) -> str:
        self._number += 2
        begin, end = (f"!width={number}\n" for number in (self._number, self._number + 1))
        try:
            answer = self._send_and_read(f"{begin}{request}{end} a\n".encode(), seconds)
            return answer.decode("utf-8")
        except UnicodeDecodeError:
            self.close()
            raise LinkParserFailure("garbled") from None
        except BaseException:
            self.close()
            raise

    def _send_and_read(self, request: bytes, seconds: float) -> bytes:
        """Write a request and read to its end mark.  It is below 4 kB, so a pipe takes it without waiting."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise LinkParserFailure("crashed")
        deadline = time.monotonic() + seconds
        begin, end = (b"width set to %d\n" % number for number in (self._number, self._number + 1))
        try:
            process.stdin.write(request)
        except OSError:
            raise LinkParserFailure("crashed") from None
        answer = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while (end_offset := answer.find(end, max(0, len(answer) - 2**17))) < 0:
                if len(answer) > _MAX_ANSWER_BYTES:
                    raise LinkParserFailure("garbled")
                if not selector.select(deadline - time.monotonic()) or time.monotonic() > deadline:
                    raise LinkParserFailure("took too long")
                chunk = os.read(process.stdout.fileno(), 2**16)
                if not chunk:
                    raise LinkParserFailure("crashed")
                answer += chunk
        start = answer.find(begin)
        if start < 0:
            raise LinkParserFailure("garbled")
        return bytes(answer[start + len(begin) : end_offset])
