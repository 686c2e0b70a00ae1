"""Make abstracts for trials of long runs from the sentences of corpora, shuffled and recombined.

With --poison, that share of the lines is replaced by records that cannot be annotated; their numbers (from 0) go to
standard output.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import corpora
from corpora import atomic_output
from lab.frame.program import run_program
from lab.load.recombining import recombined, with_poison
from ppi.core import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the abstracts; print the numbers of the poisoned ones."""
    parser = argparse.ArgumentParser(prog="scripts/make_abstracts", description=__doc__)
    add = parser.add_argument
    add("corpora", nargs="+", metavar="CORPUS", help="a file, or a name looked up in PPI_CORPORA")
    add("--count", type=int, default=20_000, help="abstracts to make (default: %(default)s)")
    add("--output", type=Path, required=True, metavar="FILE", help="JSON lines, packed if it ends in .gz")
    add("--seed", type=int, default=0, help="(default: 0)")
    add("--poison", type=float, default=0.0, metavar="SHARE", help="of the lines (default: 0)")
    args = parser.parse_args(arguments)
    return run_program("scripts/make_abstracts", lambda: _make(args))


def _make(args: argparse.Namespace) -> int:
    if not 0 <= args.poison <= 1:
        raise UsageError(f"expected a share from 0 to 1 for --poison, got {args.poison:g}")
    documents = [document for name in args.corpora for document in corpora.load(name)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "abstracts.jsonl"
        corpora.write(recombined(documents, args.count, random_state=args.seed), path)
        clean_lines = path.read_bytes().splitlines(keepends=True)
    lines, poisoned = with_poison(clean_lines, args.poison, random_state=args.seed)
    with atomic_output(args.output) as output:
        output.writelines(lines)
    for number in poisoned:
        print(number)
    return 0


if __name__ == "__main__":
    sys.exit(main())
