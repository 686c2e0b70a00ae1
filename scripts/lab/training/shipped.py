"""Where the models that ship are, and how a new one takes their place."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from lab.frame.program import ROOT
from ppi.language import MODEL_DIRECTORY, RERANKER_FILE

#: The places of the models in the package.
PIPELINE = MODEL_DIRECTORY
EXTRACTION = ROOT / "ppi" / "annotation" / "model.zip"
RANKERS = {
    "beam": RERANKER_FILE,
    "link-grammar": ROOT / "ppi" / "parse_ranking" / "model" / "link-grammar.zip",
}
LEXICON = ROOT / "ppi" / "grounding" / "lexicon.zip"
GENE_CHOICE = ROOT / "ppi" / "grounding" / "choice.zip"
CELL_LINES = ROOT / "ppi" / "grounding" / "cell_lines.zip"


def install(model: Path, place: Path) -> None:
    """Put a file or folder in the place of another one, whole: the old one is there until the copy is complete."""
    new = place.with_name(f".{place.name}.new")
    old = place.with_name(f".{place.name}.old")
    for leftover in (new, old):
        _remove(leftover)
    if model.is_dir():
        shutil.copytree(model, new)
    else:
        shutil.copy2(model, new)
    if place.exists():
        os.rename(place, old)
    os.rename(new, place)
    _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
