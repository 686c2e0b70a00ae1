"""Two runs over the same inputs, row for row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Comparison:
    """What differs between a disturbed run and an undisturbed one.

    ``missing`` are documents without a result that the undisturbed run has, except those that failed alone twice,
    which are ``given_up``.
    """

    rows: int
    rows_that_differ: int
    documents_failed: int
    missing: tuple[str, ...]
    given_up: tuple[str, ...]


def compare(disturbed: Path, undisturbed: Path) -> Comparison:
    """Compare the rows of each input, in their order, and what was left out."""
    here, there = _rows(disturbed), _rows(undisturbed)
    differ = 0
    for path in here.keys() | there.keys():
        ours, theirs = here.get(path, []), there.get(path, [])
        differ += sum(one != other for one, other in zip(ours, theirs)) + abs(len(ours) - len(theirs))
    lost, expected = _lost(disturbed), _lost(undisturbed)
    new = {name: reason for name, reason in lost.items() if name not in expected}
    twice = tuple(sorted(name for name, reason in new.items() if reason.endswith("2 times")))
    return Comparison(
        rows=sum(map(len, there.values())),
        rows_that_differ=differ,
        documents_failed=len(expected),
        missing=tuple(sorted(new.keys() - set(twice))),
        given_up=twice,
    )


def _rows(folder: Path) -> dict[str, list[bytes]]:
    """The rows of all parts by the path of their input; a part belongs to the last input of its number."""
    values = [json.loads(line) for line in (folder / "manifest.jsonl").read_bytes().split(b"\n") if line]
    numbers = {value["input"]["path"]: value["input"]["number"] for value in values if "input" in value}
    paths = sorted((folder / "parts").iterdir())
    return {
        path: [
            row
            for part in paths
            if part.name.startswith(f"{number:05}-")
            for row in part.read_bytes().split(b"\n")
            if row
        ]
        for path, number in numbers.items()
    }


def _lost(folder: Path) -> dict[str, str]:
    """Why there is no result, by file, record and document."""
    failures = [json.loads(line) for path in sorted((folder / "errors").iterdir()) for line in path.open()]
    return {
        f"{each['path']}, record {each['record']}, {each['document']}": each["reason"]
        for each in failures
        if each["lost"]
    }
