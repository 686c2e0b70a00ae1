"""Where the models that ship are, and how a new one takes their place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.frame.program import ROOT
from ppi.language import shipped_pipeline as loading

#: The places of the models in the package.
PIPELINE = ROOT / "ppi" / "pipeline" / "model"
EXTRACTION = ROOT / "ppi" / "annotation" / "model.zip"
RANKERS = {
    "beam": ROOT / "ppi" / "parsing" / "reranking" / "model.zip",
    "link-grammar": ROOT / "ppi" / "parse_ranking" / "model" / "link-grammar.zip",
}
LEXICON = ROOT / "ppi" / "grounding" / "lexicon.zip"
GENE_CHOICE = ROOT / "ppi" / "grounding" / "choice.zip"
CELL_LINES = ROOT / "ppi" / "grounding" / "cell_lines.zip"


@contextmanager
def pipeline_in_use(folder: Path) -> Iterator[None]:
    """Inside the block the parser called "shipped" is the pipeline of that folder, for whatever parses or tags."""
    before = loading.MODEL_DIRECTORY
    loading.MODEL_DIRECTORY = folder
    try:
        yield
    finally:
        loading.MODEL_DIRECTORY = before


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
