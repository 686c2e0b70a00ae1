"""The candidate sets that experiments and shipped rankers use: made once, then read from the cache."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from corpora import Sentence
from lab.frame.cache import Cache, Part
from lab.frame.program import corpora_folder
from lab.training.parse_rankers.candidate_files import read_candidates, write_candidates
from lab.training.parse_rankers.data import FILES, Selection, ranking_sets
from ppi.core import MissingProgramError, track
from ppi.language import MODEL_DIRECTORY
from ppi.parse_ranking import CandidateSet, get_generator

#: Treebanks that sentences of a side come from.  What the beam may be trained on is scarce, so GENIA helps out there.
TREEBANKS = {"link-grammar": ("craft",), "beam": ("craft", "genia")}
MOST = 20
#: Sentences whose candidates are kept together on the way to many.
AT_A_TIME = 1000


def candidate_sets(generator: str, side: str, wanted: int, *, cache: Cache) -> list[CandidateSet]:
    """The first ``wanted`` sentences of a side ("train" or "test"), with up to 20 candidates each and their goodness.

    Sentences come from the treebanks below the folder that PPI_CORPORA names.  There may be fewer than wanted: of the
    beam's training sentences all that exist are taken.
    """
    return _kept(candidate_part(generator, side, wanted, cache=cache), cache)


def _kept(part: Part, cache: Cache) -> list[CandidateSet]:
    return cache.keep(part, ".jsonl.gz", save=write_candidates, load=lambda path: list(read_candidates(path)))


def candidate_part(generator: str, side: str, wanted: int, *, cache: Cache | None = None) -> Part:
    """The candidate sets as a part; its digest stands for them among the inputs of others.

    What is made of many sentences is kept in the ``cache`` a few hundred at a time, so that it can be stopped and taken
    up again.
    """
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
    make = partial(_make, generator, selection, folder, wanted)
    if cache is not None and wanted > AT_A_TIME:
        make = partial(_make_in_chunks, generator, selection, folder, wanted, inputs, cache)
    return Part(f"{generator} {side}", inputs, make)


def generator_version(generator: str) -> str | Path:
    """What the candidates are made by: the shipped pipeline, or the version of the program."""
    if generator == "beam":
        return MODEL_DIRECTORY
    program = shutil.which("link-parser")
    if program is None:
        raise MissingProgramError(
            "expected the program 'link-parser', got none; "
            "install the Debian packages link-grammar and link-grammar-dictionaries-en"
        )
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return (said.stdout + said.stderr).partition("\n")[0]


def _make(generator: str, selection: Selection, folder: Path, wanted: int) -> list[CandidateSet]:
    sets = _sets(generator, selection.sentences(folder), wanted)
    return list(track(sets, f"{generator}, {selection.side}", total=wanted))


def _make_in_chunks(
    generator: str, selection: Selection, folder: Path, wanted: int, inputs: Mapping[str, Any], cache: Cache
) -> list[CandidateSet]:
    sentences, found = selection.sentences(folder), list[CandidateSet]()
    named = {name: value for name, value in inputs.items() if name != "wanted"}
    for first in range(0, len(sentences), AT_A_TIME):
        some = sentences[first : first + AT_A_TIME]
        name = f"{generator} {selection.side}, sentences from {first}"
        chunk = Part(name, {**named, "at_a_time": AT_A_TIME}, partial(_all_sets, generator, some))
        found += _kept(chunk, cache)
        if len(found) >= wanted:
            break
    return found[:wanted]


def _all_sets(generator: str, sentences: Sequence[Sentence]) -> list[CandidateSet]:
    return list(_sets(generator, sentences, None))


def _sets(generator: str, sentences: Sequence[Sentence], wanted: int | None) -> Iterator[CandidateSet]:
    beam = generator == "beam"
    source = get_generator(generator) if beam else get_generator(generator, sample="random")
    return ranking_sets(sentences, source, wanted=wanted, most=MOST, labelled=beam)
