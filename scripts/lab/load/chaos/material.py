"""What a chaos run reads: real paragraphs in files of several kinds, with odd names, and a few poisoned documents."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from corpora import MAX_ANNOTATIONS, MAX_RECORD_BYTES
from ppi.core import UsageError

#: Paragraphs of a full text, which is one document and one task.
FULL_TEXT = 30
#: Proteins that a single sentence names, for a document that takes too much memory.
HEAVY_PROTEINS = 50_000
#: Endings of names: nothing, characters that part lines, and a byte that is no UTF-8.
ODD = (b"", "\u2028".encode(), "\u0085".encode(), b"\xff", b"\n")


def paragraphs(path: Path, count: int) -> list[str]:
    """The first ``count`` lines of a text that are not blank.

    Raises
    ------
    UsageError
        If there are fewer.
    """
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8") as stream:
        found = list(islice((line.strip() for line in stream if line.strip()), count))
    if len(found) < count:
        raise UsageError(f"expected a text of {count} paragraphs, got {len(found)} in {path}")
    return found


def write_inputs(folder: Path, texts: Sequence[str], *, chunk: int, full_texts: int, poison: int) -> list[Path]:
    """Files that hold each paragraph once: a full text after each file of records, whose last record is a task alone.

    Files that are there already, of a trial that is taken up again, stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    per_text = min(FULL_TEXT, len(texts) // (2 * max(full_texts, 1)))
    waiting = iter(enumerate(texts))
    per_file = (len(texts) - full_texts * per_text) // max(full_texts, 1)
    per_file = max(1, per_file // chunk) * chunk + 1  # the last record is alone in its task
    paths: list[Path] = []
    for number in range(full_texts):
        odd = os.fsdecode(ODD[number % len(ODD)])
        records = list(islice(waiting, per_file))
        paths.append(_written(folder / f"records{odd}-{number:03}.jsonl", map(_json_line, records)))
        if text := [paragraph for _, paragraph in islice(waiting, per_text)]:
            paths.append(_written(folder / f"text{odd}-{number:03}.txt", [" ".join(text).encode() + b"\n"]))
    if rest := list(waiting):
        paths.append(_written(folder / "records-rest.jsonl", map(_json_line, rest)))
    for number in range(poison):
        path = folder / f"poison-{number:03}.jsonl.gz"
        if not path.exists():
            path.write_bytes(gzip.compress(b"".join(_poisoned(number)), compresslevel=1, mtime=0))
        paths.insert((number + 1) * len(paths) // (poison + 1), path)
    return paths


def _json_line(numbered: tuple[int, str]) -> bytes:
    number, text = numbered
    id = f"paragraph-{number}"
    return json.dumps({"id": id, "sentences": [{"id": f"{id}.s0", "text": text}]}).encode() + b"\n"


def _written(path: Path, lines: Iterator[bytes] | Sequence[bytes]) -> Path:
    if not path.exists():
        path.write_bytes(b"".join(lines))
    return path


def _poisoned(number: int) -> Iterator[bytes]:
    """Documents that must fail, each alone, among others that must not."""
    good = f'{{"id":"beside-poison-{number}-%d","sentences":[{{"id":"s","text":"Profilin binds actin."}}]}}\n'
    yield (good % 0).encode()
    yield f'{{"id":"endless-{number}","sentences":[{{"id":"s","text":"'.encode()
    yield b"x" * (MAX_RECORD_BYTES + 1)
    yield b'"}]}\n'
    yield (good % 1).encode()
    yield _document(f"crowded-{number}", " ".join(["p53"] * 100), [(0, 3)] * (MAX_ANNOTATIONS + 1))
    yield (good % 2).encode()
    words = [f"P{protein}" for protein in range(HEAVY_PROTEINS)]
    places, at = [], 0
    for word in words:
        places.append((at, at + len(word)))
        at += len(word) + len(" EAT binds ")
    # a word that the tests' own annotator obeys; to the real one it is a word
    yield _document(f"heavy-{number}", " EAT binds ".join(words), places)
    yield (good % 3).encode()


def _document(id: str, text: str, places: Sequence[tuple[int, int]]) -> bytes:
    entities = [
        {"id": f"e{number}", "text": text[start:end], "spans": [[start, end]], "type": "protein"}
        for number, (start, end) in enumerate(places)
    ]
    return json.dumps({"id": id, "sentences": [{"id": "s", "text": text, "entities": entities}]}).encode() + b"\n"
