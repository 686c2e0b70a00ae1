"""The candidate sets that experiments and shipped rankers use: made once, then read from a folder."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from lab.training.parse_rankers.candidate_files import read_candidates, write_candidates
from lab.training.parse_rankers.data import Selection, ranking_sets
from ppi.errors import UsageError
from ppi.parse_ranking.generators import get_generator
from ppi.parse_ranking.types import CandidateSet
from ppi.progress import track

#: Treebanks that sentences of a side come from.  What the beam may be trained on is scarce, so GENIA helps out there.
TREEBANKS = {"link-grammar": ("craft",), "beam": ("craft", "genia")}
MOST = 20


def candidate_sets(generator: str, side: str, wanted: int, *, folder: str | Path) -> list[CandidateSet]:
    """The first ``wanted`` sentences of a side ("train" or "test"), with up to 20 candidates each and their goodness.

    ``folder/GENERATOR/SIDE.jsonl.gz`` is read if it has as many, otherwise made from the treebanks below the folder
    that PPI_CORPORA names.  There may be fewer than wanted: of the beam's training sentences all that exist are taken.
    """
    path = Path(folder) / generator / f"{side}.jsonl.gz"
    if path.is_file():
        found = list(islice(read_candidates(path), wanted))
        if len(found) == wanted or generator == "beam":
            return found
    made = _make(generator, side, wanted)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_candidates(made, path)
    return made


def _make(generator: str, side: str, wanted: int) -> list[CandidateSet]:
    if "PPI_CORPORA" not in os.environ:
        raise UsageError(
            "expected the environment variable PPI_CORPORA to name the folder with the corpora, got nothing; "
            "or give a folder that holds candidate sets already"
        )
    beam = generator == "beam"
    treebanks = TREEBANKS[generator] if side == "train" else ("craft",)
    selection = Selection(side, treebanks=treebanks, unseen=beam)
    sentences = selection.sentences(Path(os.environ["PPI_CORPORA"]) / "treebanks")
    source = get_generator(generator) if beam else get_generator(generator, sample="random")
    sets = ranking_sets(sentences, source, wanted=wanted, most=MOST, labelled=beam)
    return list(track(sets, f"{generator}, {side}", total=wanted))
