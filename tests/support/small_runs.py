"""Small long runs: files of lines, runs over them by an annotator that obeys its texts, and what they leave behind."""

import json
from dataclasses import replace

from fake_annotator import FakeSettings

from ppi.server import Run


def write_lines(path, texts):
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def run_of(folder, *inputs, **changes):
    run = Run(inputs, folder, FakeSettings(), "text-lines", "jsonl", chunk_records=10, time_limit=30.0)
    return replace(run, **changes)


def contents(folder):
    """Everything of a run but its manifest."""
    return {path.name: path.read_bytes() for part in ("parts", "errors") for path in sorted((folder / part).iterdir())}


def documents(folder):
    lines = [line for path in sorted((folder / "parts").iterdir()) for line in path.open()]
    return [json.loads(line)["document"] for line in lines]
