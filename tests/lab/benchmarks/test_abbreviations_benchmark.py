"""Definitions marked by reading: the table fits the texts, and precision and recall are above the bars."""

import os
from pathlib import Path

import pytest
from lab.benchmarks import _schwartz_hearst
from lab.benchmarks._literature import ARCHIVE
from lab.benchmarks.abbreviations import MARKED, read_documents, run, scores

from ppi.language import Definition, find_definitions

needs_texts = pytest.mark.skipif(
    not (Path(os.environ.get("PPI_CORPORA", "/nowhere")) / ARCHIVE).is_file(),
    reason="PPI_CORPORA has no literature-dev",
)


@needs_texts
def test_marked_definitions_stand_in_the_texts():
    documents = read_documents()
    rows = (MARKED / "abbreviations.tsv").read_text(encoding="utf-8").splitlines()
    assert sum(len(document.marked) for document in documents) == len(rows) - 1
    for text, read, marked in documents:
        for short, long in marked:
            assert f"\t{text[slice(*short)]}\t{text[slice(*long)]}" in "\n".join(rows)
            assert any(start <= min(short[0], long[0]) and max(short[1], long[1]) <= end for start, end in read)


@needs_texts
def test_precision_and_recall_are_above_the_bars():
    assert all(figure.passed for figure in run())
    everything = read_documents()
    ours, plain = (scores(finder, everything) for finder in (find_definitions, _schwartz_hearst.definitions))
    assert ours[2] > plain[2]  # F


def test_without_the_texts_there_is_one_clear_error(monkeypatch, tmp_path):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    with pytest.raises(Exception, match="expected PPI_CORPORA to name a folder with literature"):
        list(run())


def test_the_published_algorithm():
    text = "of endothelial progenitor cells (EPC), EMT (epithelial mesenchymal transition), (n = 3)"
    assert [(text[slice(*found.short)], text[slice(*found.long)]) for found in _schwartz_hearst.definitions(text)] == [
        ("EPC", "endothelial progenitor cells"),
        ("EMT", "epithelial mesenchymal transition"),
    ]
    assert _schwartz_hearst.best_long_form("TNF", "of tumor necrosis factor") == "tumor necrosis factor"
    assert _schwartz_hearst.best_long_form("XYZ", "of tumor necrosis factor") is None
    assert isinstance(next(iter(_schwartz_hearst.definitions(text))), Definition)
