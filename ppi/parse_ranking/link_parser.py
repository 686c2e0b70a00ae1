"""The program ``link-parser``: one process for many sentences, replaced when it dies or hangs, and its output.

How a sentence is asked for.  The program reads a line, prints the first linkage, and prints one more for each empty
line that follows; empty lines that are left over do nothing.  A line that begins with ``!`` is a command and one with
``%`` a comment, so a sentence is sent behind a space.  Setting a variable prints ``NAME set to VALUE``: with a new
number each time, ``!width=NUMBER`` (the width of drawings that are not asked for) marks the beginning and the end of an
answer.  The program flushes its output only when it has parsed something, so a one-letter sentence goes last; what it
prints for that is thrown away at the next beginning.

What it prints for a sentence (options ``-links -postscript -walls``) is read strictly.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

from ppi.core import MissingProgramError

_HEADER = re.compile(
    r"^\t(?:Linkage \d+|Unique linkage), cost vector = "
    r"\(UNUSED= *(\d+) DIS= *(-?\d+\.\d+) LEN= *(\d+)\)$",
    re.MULTILINE,
)
_WORDS_AND_LINKS = re.compile(r"^\[\((.*)\)\]\n\[((?:\[[^\n\]]*\]\n?)*)\]\n\[0\]$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[(\d+) (\d+) \d+ \(([^()\s]+)\)\]")
#: Printed when the time for a sentence is over.
TIMEOUT_MESSAGE = "Timer is expired!"
LEFT_WALL, RIGHT_WALL = "LEFT-WALL", "RIGHT-WALL"
#: Longest line the program takes, in bytes with the space and the end of line; it gives up at longer ones.
MAX_LINE_BYTES = 2046
#: The program never shows more linkages of a sentence.
MAX_LINKAGES = 1024
#: An answer of this size is no answer: 1024 linkages of 250 words stay far below.
_MAX_ANSWER_BYTES = 2**27
_START_SECONDS = 60.0
_PACKAGES = "install the Debian packages link-grammar and link-grammar-dictionaries-en"


class UnreadableLinkage(ValueError):
    """The program printed something else than a linkage."""


@dataclass(frozen=True)
class Link:
    """A link between two words (indices, ``left < right``); ``head`` is one of them if the grammar has a head."""

    left: int
    right: int
    type: str
    head: int | None = None


@dataclass(frozen=True)
class Linkage:
    """Words as printed (walls included) and their links; the cost is in three parts, smaller is better."""

    words: tuple[str, ...]
    links: tuple[Link, ...]
    unused: int
    disjunct_cost: float
    length: int


def split_linkages(answer: str) -> list[str]:
    """The text of each linkage of an answer, in the program's order."""
    starts = [header.start() for header in _HEADER.finditer(answer)]
    return [answer[start:end] for start, end in pairwise([*starts, len(answer)])]


def read_linkage(text: str) -> Linkage:
    """One linkage.

    Raises
    ------
    UnreadableLinkage
        If the text is cut short, or its parts contradict each other.
    """
    header = _HEADER.match(text)
    body = _WORDS_AND_LINKS.search(text)
    if header is None or body is None:
        raise UnreadableLinkage(f"expected a header, words and links, got {text[:80]!r}")
    # words are wrapped between ")" and "("; a word never holds ")(": the sentence was sent with a space there
    words = tuple(re.sub(r"\)\n\(", ")(", body[1]).split(")("))
    raw_links = [(int(left), int(right), type) for left, right, type in _LINK.findall(body[2])]
    if len(raw_links) != body[2].count("[") or any(not left < right < len(words) for left, right, _ in raw_links):
        raise UnreadableLinkage(f"expected links between {len(words)} words, got {body[2]!r}")
    if len(words) < 2 or (words[0], words[-1]) != (LEFT_WALL, RIGHT_WALL):
        raise UnreadableLinkage(f"expected words between two walls, got {body[1]!r}")
    table = [line for line in text[header.end() : body.start()].split("\n") if line]
    links = tuple(
        Link(left, right, type, head)
        for (left, right, type), head in zip(raw_links, _find_heads(table, raw_links), strict=True)
    )
    return Linkage(words, links, int(header[1]), float(header[2]), int(header[3]))


def _find_heads(table: Sequence[str], links: Sequence[tuple[int, int, str]]) -> list[int | None]:
    """Which word of each link is its head, from the arrows of the table: ``>---Wd-----``, ``<---Xdp----``."""
    if len(table) != len(links):
        raise UnreadableLinkage(f"expected a line for each of {len(links)} links, got {len(table)}")
    heads: list[int | None] = []
    for line, (left, right, type) in zip(table, links, strict=True):
        arrow = re.search(rf" ([-<>])-+{re.escape(type)}-*([-<>]) ", line)
        if arrow is None:
            raise UnreadableLinkage(f"expected a link of type {type!r}, got {line!r}")
        heads.append(left if ">" in arrow.groups() else right if "<" in arrow.groups() else None)
    return heads


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
        self._last_error_line = "nothing"  # what it wrote to standard error before it was stopped
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
        request = f"!width={self._number}\n{request}!width={self._number + 1}\n a\n"
        try:
            return self._send_and_read(request.encode(), seconds).decode("utf-8")
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
