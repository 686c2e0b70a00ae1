"""The candidate sets that experiments and shipped rankers use: made once, then read from the cache."""

from __future__ import annotations

import shutil
import subprocess
from functools import partial
from pathlib import Path

from lab.frame.cache import Cache, Part
from lab.frame.program import corpora_folder
from lab.training.parse_rankers.candidate_files import read_candidates, write_candidates
from lab.training.parse_rankers.data import FILES, Selection, ranking_sets
from ppi.errors import MissingProgramError
from ppi.parse_ranking.generators import get_generator
from ppi.parse_ranking.types import CandidateSet
from ppi.pipeline import loading
from ppi.progress import track

#: Treebanks that sentences of a side come from.  What the beam may be trained on is scarce, so GENIA helps out there.
TREEBANKS = {"link-grammar": ("craft",), "beam": ("craft", "genia")}
MOST = 20


def candidate_sets(generator: str, side: str, wanted: int, *, cache: Cache) -> list[CandidateSet]:
    """The first ``wanted`` sentences of a side ("train" or "test"), with up to 20 candidates each and their goodness.

    Sentences come from the treebanks below the folder that PPI_CORPORA names.  There may be fewer than wanted: of the
    beam's training sentences all that exist are taken.
    """
    part = candidate_part(generator, side, wanted)
    return cache.keep(part, ".jsonl.gz", save=write_candidates, load=lambda path: list(read_candidates(path)))


def candidate_part(generator: str, side: str, wanted: int) -> Part:
    """The candidate sets as a part; its digest stands for them among the inputs of others."""
    treebanks = TREEBANKS[generator] if side == "train" else ("craft",)
    selection = Selection(side, treebanks=treebanks, unseen=generator == "beam")
    folder = corpora_folder() / "treebanks"
    inputs = {
        "generator": generator,
        "made_by": generator_version(generator),
        "selection": selection,
        "treebanks": [folder / FILES[side][name] for name in treebanks],
        "wanted": wanted,
        "most": MOST,
    }
    return Part(f"{generator} {side}", inputs, partial(_make, generator, selection, folder, wanted))


def generator_version(generator: str) -> str | Path:
    """What the candidates are made by: the shipped pipeline, or the version of the program."""
    if generator == "beam":
        return loading.MODEL_DIRECTORY
    program = shutil.which("link-parser")
    if program is None:
        raise MissingProgramError(
            "expected the program 'link-parser', got none; "
            "install the Debian packages link-grammar and link-grammar-dictionaries-en"
        )
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return (said.stdout + said.stderr).partition("\n")[0]


def _make(generator: str, selection: Selection, folder: Path, wanted: int) -> list[CandidateSet]:
    beam = generator == "beam"
    source = get_generator(generator) if beam else get_generator(generator, sample="random")
    sets = ranking_sets(selection.sentences(folder), source, wanted=wanted, most=MOST, labelled=beam)
    return list(track(sets, f"{generator}, {selection.side}", total=wanted))
