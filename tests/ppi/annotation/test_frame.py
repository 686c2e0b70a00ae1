"""Frames of pandas: the columns and values of the CSV table, texts as they are."""

import csv
import io
import sys
from dataclasses import replace

import annotated
import pytest

from ppi.annotation.interaction_table import INTERACTION_COLUMNS, to_frame
from ppi.core import MissingExtraError, UsageError
from ppi.export import dumps, write_network_csv
from ppi.network import EDGE_COLUMNS, build_network

pd = pytest.importorskip("pandas")


def as_written(frame):
    """The cells of a frame as CSV writes them."""
    return [[_cell(value) for value in row] for row in frame.itertuples(index=False)]


def _cell(value):
    if pd.isna(value):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("found", [annotated.typed(explained=True), annotated.profilin(), annotated.discontinuous()])
def test_it_is_the_csv_table(found):
    header, *rows = csv.reader(io.StringIO(dumps([found], "csv").decode(), newline=""))
    frame = found.to_frame()
    assert list(frame.columns) == header == list(INTERACTION_COLUMNS)
    assert as_written(frame) == rows


def test_interactions_alone_are_enough():
    found = annotated.typed()
    frame = to_frame(found.interactions)
    assert frame["pubmed"].isna().all()
    assert frame["agent"].dtype == "Int64"
    pd.testing.assert_frame_equal(
        frame.drop(columns="pubmed"), to_frame([found]).drop(columns="pubmed"), check_dtype=False
    )


def test_nothing_is_a_frame_without_rows():
    for nothing in ([], annotated.without_interactions()):
        frame = to_frame(nothing)
        assert (len(frame), list(frame.columns)) == (0, list(INTERACTION_COLUMNS))


def test_texts_are_not_guarded_against_spreadsheets():
    (first, *_) = annotated.profilin().interactions
    assert to_frame([replace(first, sentence="=1+1")])["sentence"].tolist() == ["=1+1"]


def test_a_network_is_its_csv():
    network = build_network([annotated.typed(), annotated.profilin()], include_hedged=True)
    output = io.BytesIO()
    write_network_csv(network, output)
    header, *rows = csv.reader(io.StringIO(output.getvalue().decode(), newline=""))
    frame = network.to_frame()
    assert list(frame.columns) == header == list(EDGE_COLUMNS)
    assert as_written(frame) == rows


@pytest.mark.parametrize("wrong", ["text", 5, None, ["text"], [None]])
def test_something_else_is_refused(wrong):
    with pytest.raises(UsageError, match="expected interactions or annotated documents, got"):
        to_frame(wrong)


def test_without_pandas_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"ppi-miner\[frame\]"):
        annotated.profilin().to_frame()
    with pytest.raises(MissingExtraError, match=r"ppi-miner\[frame\]"):
        build_network([annotated.profilin()]).to_frame()
