"""Make a data set for parse ranking: training and test sentences with their candidate parses and goodness.

Writes, for each side, SIDE.jsonl.gz (sentences with all parses), SIDE.svmlight.gz (one row per candidate: goodness, the
number of the sentence as qid, features), and figures.json (what was asked for and what came out).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from corpora import atomic_folder
from lab.frame.program import corpora_folder, run_program
from lab.training.parse_rankers.candidate_files import read_candidates, write_candidates
from lab.training.parse_rankers.data import Selection, Tally, ranking_rows, ranking_sets
from learners import write_svmlight
from ppi.core import UsageError, track
from ppi.parse_ranking import GENERATORS, Generator, ParseFeatures, get_generator


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the data and print the figures as JSON."""
    args = _parser().parse_args(arguments)
    return run_program("scripts/make_parse_ranking_data", lambda: _make(args))


def _make(args: argparse.Namespace) -> int:
    with atomic_folder(args.out) as folder:
        figures = {side: _make_side(side, args, folder) for side in ("train", "test")}
        text = json.dumps({"options": vars(args), **figures}, indent=1)
        (folder / "figures.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(text + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/make_parse_ranking_data", description=__doc__)
    add = parser.add_argument
    add("out", metavar="DIR", help="new folder for the data")
    add("--treebank-folder", metavar="DIR", help="where the treebanks are (default: $PPI_CORPORA/treebanks)")
    add("--generator", choices=GENERATORS, default="link-grammar", help="(default: link-grammar)")
    add("--treebanks", nargs="+", choices=("craft", "genia"), default=["craft"], help="in turn (default: craft)")
    add("--train", type=int, default=500, metavar="N", help="training sentences (default: 500)")
    add("--test", type=int, default=600, metavar="N", help="test sentences (default: 600)")
    add("--candidates", type=int, default=20, metavar="N", help="most candidates per sentence (default: 20)")
    add("--shortest", type=int, default=10, metavar="N", help="tokens of a sentence (default: 10)")
    add("--longest", type=int, default=25, metavar="N", help="tokens of a sentence (default: 25)")
    add("--sample", choices=("first", "random"), default="random", help="of Link Grammar's linkages (default: random)")
    add("--unseen", action="store_true", help="train only on what the shipped parser was not trained on; beam: always")
    add("--labelled", action=argparse.BooleanOptionalAction, help="goodness with types (default: for the beam only)")
    add("--seed", type=int, default=0, help="(default: 0)")
    return parser


def _make_side(side: str, args: argparse.Namespace, folder: Path) -> dict[str, Any]:
    beam = args.generator == "beam"
    selection = Selection(
        side=side,
        treebanks=tuple(args.treebanks),
        shortest=args.shortest,
        longest=args.longest,
        unseen=args.unseen or beam,
        random_state=args.seed,
    )
    labelled = beam if args.labelled is None else args.labelled
    wanted = args.train if side == "train" else args.test
    if wanted < 1:
        raise UsageError(f"expected 1 or more sentences to {side}, got {wanted}")
    tally = Tally()
    sets = ranking_sets(
        selection.sentences(_treebank_folder(args)),
        _generator(args),
        wanted=wanted,
        most=args.candidates,
        labelled=labelled,
        tally=tally,
    )
    path = folder / f"{side}.jsonl.gz"
    write_candidates(track(sets, side, total=wanted), path)
    if tally.kept < wanted:
        raise UsageError(
            f"expected {wanted} sentences to {side} with candidates of different goodness, got {tally.kept} from "
            f"{tally.tried}; ask for fewer, or allow other lengths or treebanks"
        )
    rows = ranking_rows(list(read_candidates(path)), ParseFeatures().transform)
    write_svmlight(rows, folder / f"{side}.svmlight.gz")
    return {"selection": asdict(selection), "labelled": labelled, **tally.summary(), "features": rows.X.shape[1]}


def _generator(args: argparse.Namespace) -> Generator:
    if args.generator == "link-grammar":
        return get_generator("link-grammar", sample=args.sample, random_state=args.seed)
    return get_generator(args.generator)


def _treebank_folder(args: argparse.Namespace) -> Path:
    if args.treebank_folder is not None:
        return Path(args.treebank_folder)
    return corpora_folder(option="--treebank-folder") / "treebanks"


if __name__ == "__main__":
    sys.exit(main())
