"""A trial of the server: many clients at once, slow ones, requests that are too large.

Clients keep their connection and, told that the server is busy, wait as long as they are asked to.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ppi.core import resident_bytes

BUSY = 503
#: Longer than any request may last; what takes longer counts as failed.
PATIENCE_SECONDS = 150.0
_START_SECONDS = 300.0
_PATH = "/api/annotate"


@dataclass(frozen=True)
class Answer:
    """What a client got; status 0 is no answer, and ``error`` says why."""

    status: int
    seconds: float
    retry_after: float = 0.0
    error: str = ""


@dataclass
class Crowd:
    """What many clients got in all, and what memory the server had: (seconds since the beginning, bytes)."""

    clients: int
    seconds: float
    answers: list[Answer] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The figures of a report."""
        statuses = Counter(answer.status for answer in self.answers)
        latencies = sorted(answer.seconds for answer in self.answers if answer.status == 200)
        return {
            "clients": self.clients,
            "seconds": self.seconds,
            "requests": len(self.answers),
            "statuses": {str(status): count for status, count in sorted(statuses.items())},
            "busy_share": statuses[BUSY] / max(len(self.answers), 1),
            "answered_a_second": len(latencies) / self.seconds,
            "latency_seconds": {name: _quantile(latencies, q) for name, q in _QUANTILES.items()},
            "errors": sorted({answer.error for answer in self.answers if answer.error}),
            "memory_megabytes": {f"{at:.0f} s": round(size / 2**20, 1) for at, size in self.memory},
        }


_QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}


def _quantile(ordered: Sequence[float], q: float) -> float | None:
    return ordered[min(int(q * len(ordered)), len(ordered) - 1)] if ordered else None


class Client:
    """One connection to the server, opened again when it was closed."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The connection."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        return self._reader, self._writer

    def close(self) -> None:
        """Leave without a word."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    def head(self, **headers: str) -> bytes:
        """The first lines of a request with JSON."""
        lines = [f"POST {_PATH} HTTP/1.1", f"host: {self._host}:{self._port}", "content-type: application/json"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode()

    async def post(self, body: bytes) -> Answer:
        """Send a request and read the answer to its end."""
        start = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                _, writer = await self.open()
                writer.write(self.head(content_length=str(len(body))) + body)
                await writer.drain()
                status, retry_after = await self.answer()
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            return Answer(0, time.monotonic() - start, error=type(error).__name__)
        return Answer(status, time.monotonic() - start, retry_after)

    async def answer(self) -> tuple[int, float]:
        """Status and Retry-After of an answer, whose body is read and dropped."""
        reader, _ = await self.open()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            self.close()
        return int(first.split()[1]), float(headers.get("retry-after", "0"))


async def crowd(address: str, texts: Sequence[str], *, clients: int, seconds: float, server: Server) -> Crowd:
    """So many clients at once, each sending one text after the other."""
    found, start = Crowd(clients, seconds), time.monotonic()
    bodies = [json.dumps({"text": text}).encode() for text in texts]

    async def visit(number: int) -> None:
        client, sent = Client(address), 0
        while time.monotonic() - start < seconds:
            answer = await client.post(bodies[(number + sent) % len(bodies)])
            found.answers.append(answer)
            sent += 1
            left = seconds - (time.monotonic() - start)
            if answer.status in (0, BUSY):
                await asyncio.sleep(max(0.0, min(answer.retry_after or 0.1, left)))
        client.close()

    async def watch() -> None:
        for at in sorted({0.0, seconds / 6, seconds / 3, 2 * seconds / 3, seconds}):
            await asyncio.sleep(max(0.0, start + at - time.monotonic()))
            found.memory.append((at, await asyncio.to_thread(server.memory)))

    await asyncio.gather(watch(), *(visit(number) for number in range(clients)))
    return found


async def slow_head(address: str, *, interval: float, patience: float) -> float | None:
    """Seconds until the server drops a client that sends its head a byte at a time; None: it never did."""
    client, start = Client(address), time.monotonic()
    reader, writer = await client.open()
    with suppress(OSError):
        for byte in client.head(content_length="2") * 1000:
            writer.write(bytes([byte]))
            await writer.drain()
            if await _ended(reader, interval):
                break
            if time.monotonic() - start > patience:
                client.close()
                return None
    client.close()
    return time.monotonic() - start


async def slow_body(address: str, *, interval: float, patience: float) -> int | None:
    """The status that a client gets that sends its body a byte at a time (0: dropped); None: nothing."""
    client, start = Client(address), time.monotonic()
    _, writer = await client.open()
    writer.write(client.head(content_length="100000"))
    waiting = asyncio.ensure_future(client.answer())
    with suppress(OSError):
        while not waiting.done() and time.monotonic() - start < patience:
            writer.write(b" ")
            await writer.drain()
            await asyncio.wait([waiting], timeout=interval)
    if not waiting.done():
        waiting.cancel()
        client.close()
        return None
    client.close()
    return 0 if waiting.exception() else waiting.result()[0]


async def oversized(address: str, size: int, *, chunked: bool) -> Answer:
    """The answer to a body of so many bytes, announced or (``chunked``) not."""
    client, start = Client(address), time.monotonic()
    _, writer = await client.open()
    piece = b"x" * 65536
    writer.write(client.head(transfer_encoding="chunked") if chunked else client.head(content_length=str(size)))
    waiting = asyncio.ensure_future(client.answer())
    with suppress(OSError):
        for _ in range(0, size, len(piece)):
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            await writer.drain()
            if waiting.done():
                break
    try:
        status, _ = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    except (OSError, asyncio.IncompleteReadError) as error:
        return Answer(0, time.monotonic() - start, error=type(error).__name__)
    finally:
        client.close()
    return Answer(status, time.monotonic() - start)


async def _ended(reader: asyncio.StreamReader, seconds: float) -> bool:
    """Whether the server closes the connection within that time; anything it says before is dropped."""
    try:
        return not await asyncio.wait_for(reader.read(65536), seconds)
    except TimeoutError:
        return False


@dataclass
class Server:
    """A running ``ppi serve``: its address, process and last lines of standard error."""

    address: str
    process: subprocess.Popen[str]
    lines: deque[str]

    def memory(self) -> int:
        """Resident bytes of the process and its workers (Linux; pages they share count for each)."""
        return sum(resident_bytes(pid) for pid in _family(self.process.pid))


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    """``ppi serve`` at a free port of this machine, until the block ends.

    Raises
    ------
    RuntimeError
        If it does not start; the text is what it said.
    """
    command = [sys.executable, "-c", "import sys; from ppi.cli import main; sys.exit(main())", "serve", "--port", "0"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True)
    lines: deque[str] = deque(maxlen=200)
    ready = threading.Event()

    def listen() -> None:
        for line in process.stderr or ():
            lines.append(line)
            if "http://" in line:
                ready.set()
        ready.set()

    threading.Thread(target=listen, daemon=True).start()
    try:
        ready.wait(_START_SECONDS)
        found = [line.split("open ")[1].split()[0] for line in list(lines) if "open http://" in line]
        if not found:
            raise RuntimeError(f"expected a server that starts, got: {''.join(lines) or 'nothing'}")
        yield Server(found[0], process, lines)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()


def _family(pid: int) -> list[int]:
    """The process and all that descend from it."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it has ended meanwhile
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for each in found:
        found.extend(child for child, parent in parents.items() if parent == each)
    return found
