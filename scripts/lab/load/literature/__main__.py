"""Annotate an unlabelled text of many articles with ``ppi annotate --run``, killed and taken up again on the way.

Writes articles.bioc.xml (once), run/ (taken up again if there) and course.json into the folder.  What was found is
looked at with `ppi network`, `ppi search` and `ppi serve`; --sample draws sentences to be judged by a reader.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.frame.program import corpora_folder, run_program
from lab.load.literature.articles import articles, write_bioc
from lab.load.literature.driving import drive
from lab.load.literature.sampling import sample_table
from ppi.core import UsageError

TEXT = "text/elife-molecular.txt.xz"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the run, or draw the sample."""
    parser = argparse.ArgumentParser(prog="scripts/literature", description=__doc__)
    add = parser.add_argument
    add("--work", type=Path, required=True, metavar="DIR", help="folder for the articles and the run")
    add("--text", type=Path, metavar="FILE", help=f"one paragraph per line (default: {TEXT} of PPI_CORPORA)")
    add("--workers", type=int, default=2, help="(default: %(default)s)")
    add("--chunk", type=int, default=20, metavar="N", help="articles of a task (default: %(default)s)")
    add("--kills", type=int, default=3, metavar="N", help="how often it is killed (default: %(default)s)")
    add("--sample", type=int, metavar="N", help="instead, N sentences of the run, by probability, as a table to judge")
    add("--seed", type=int, default=0, help="of the sample (default: %(default)s)")
    args = parser.parse_args(arguments)
    return run_program("scripts/literature", lambda: _sample(args) if args.sample else _run(args))


def _run(args: argparse.Namespace) -> int:
    args.work.mkdir(parents=True, exist_ok=True)
    path, facts = args.work / "articles.bioc.xml", args.work / "articles.json"
    if not facts.is_file():
        documents, words = write_bioc(articles(_lines(args)), path)
        facts.write_text(json.dumps({"documents": documents, "words": words}))
    run = args.work / "run"
    course = drive([path], run, workers=args.workers, chunk=args.chunk, kills=args.kills, say=_say)
    told = {**json.loads(facts.read_text()), **asdict(course), **_found(run)}
    (args.work / "course.json").write_text(json.dumps(told, indent=2) + "\n")
    print(json.dumps(told, indent=2))
    return 0


def _lines(args: argparse.Namespace) -> list[str]:
    path = args.text if args.text is not None else corpora_folder(option="--text") / TEXT
    if not path.is_file():
        raise UsageError(f"expected a text, one paragraph per line, got no file at {path}")
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8") as stream:
        return list(stream)


def _found(run: Path) -> dict[str, Any]:
    """What the finished parts hold, counted."""
    from ppi.server import read_run

    types, at_least, documents = Counter[str](), Counter[str](), set()
    grounded = 0
    for interaction, _ in read_run(run):
        types[interaction.type or "none"] += 1
        documents.add(interaction.document)
        grounded += all(protein.identifiers for protein in interaction.proteins)
        for least in (0.5, 0.7, 0.9):
            at_least[str(least)] += interaction.probability >= least
    failed = sum(len(path.read_bytes().splitlines()) for path in (run / "errors").glob("*.jsonl"))
    return {
        "interactions": types.total(),
        "documents with interactions": len(documents),
        "types": dict(types.most_common()),
        "at least as probable": dict(at_least),
        "both proteins identified": grounded,
        "failures listed": failed,
    }


def _sample(args: argparse.Namespace) -> int:
    print(sample_table(args.work / "run", args.sample, seed=args.seed))
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
