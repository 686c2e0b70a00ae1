"""Candidate sets to JSON lines and back."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.training.parse_rankers.candidate_files import read_candidates, write_candidates

from corpora import Dependency, DependencyGraph, FormatError, Token
from ppi.parse_ranking import CandidateParse, CandidateSet


def example(goodness=(0.25, 1.0)):
    tokens = (Token("1", 0, 5, "Actin", pos="n", misc="Known=No"), Token("2", 6, 11, "binds", pos="v"))
    other = (tokens[0], Token("2", 6, 11, "binds", pos="n"))
    first = DependencyGraph("g", "g", tokens, (Dependency("2", "1", "Ss"),), roots=("2",))
    second = DependencyGraph("g", "g", other, (Dependency("1", "2", "AN"),))
    return CandidateSet("d/1", "Actin binds", (CandidateParse(first, 0, 0.5), CandidateParse(second, 7)), goodness)


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
@pytest.mark.parametrize("goodness", [(0.25, 1.0), None])
def test_what_is_written_is_read(tmp_path, name, goodness):
    sets = [example(goodness), CandidateSet("d/2", "é \u2028 \n", (), () if goodness else None)]
    write_candidates(sets, tmp_path / name)
    assert list(read_candidates(tmp_path / name)) == sets


def test_the_same_sets_give_the_same_bytes(tmp_path):
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write_candidates([example()], tmp_path / name)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_tokens_are_written_once_a_sentence(tmp_path):
    write_candidates([example()], tmp_path / "x.jsonl.gz")
    line = json.loads(gzip.decompress((tmp_path / "x.jsonl.gz").read_bytes()))
    assert [token["text"] for token in line["tokens"]] == ["Actin", "binds", "binds"]
    assert [each["tokens"] for each in line["candidates"]] == [[0, 1], [0, 2]]


def changed(**fields):
    return {"id": "1", "text": "x", "tokens": [], "candidates": [], **fields}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "a JSON value that is no object"),
        ({"id": "1"}, "no 'tokens'"),
        (changed(id=1), "an id or text that is no text"),
        (changed(goodness=[1]), "1 goodness values for 0 candidates"),
        (changed(tokens=[{"id": "1"}]), "expected the field 'start'"),
        (changed(candidates=[{"parser": "g", "place": 0, "tokens": [3], "links": [], "roots": []}]), "list index"),
        (
            changed(candidates=[{"parser": "g", "place": 0, "tokens": [], "links": [["1", "2", "x"]], "roots": []}]),
            "not in",
        ),
    ],
)
def test_other_lines_are_refused_with_their_number(tmp_path, value, reason):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(changed()) + "\n" + json.dumps(value) + "\n")
    with pytest.raises(FormatError, match=rf"(?s)x\.jsonl.*2.*expected a sentence with candidate parses.*{reason}"):
        list(read_candidates(path))


def test_a_line_that_is_cut_short(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": "1", "te')
    with pytest.raises(FormatError, match="expected a sentence with candidate parses"):
        list(read_candidates(path))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_goodness_comes_back_exactly(tmp_path_factory, scores):
    path = tmp_path_factory.mktemp("scores") / "x.jsonl"
    write_candidates([example(tuple(scores))], path)
    assert next(read_candidates(path)).goodness == tuple(scores)
