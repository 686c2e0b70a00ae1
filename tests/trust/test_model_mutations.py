"""Whatever the bytes, a model file gives a model that works or one of our errors."""

import json
import zipfile

import numpy as np
import pytest
from byte_sources import mutated, with_other_value
from hostile_archives import HEADER, Member, contents, raw_zip
from hypothesis import given, settings
from hypothesis import strategies as st
from parse_sets import made_sets

import corpora
from ppi.core import ModelFileError
from ppi.extraction import Extractor, PairPredictions, build_candidate_graphs
from ppi.parse_ranking import ParseRanker

PIECES = [
    b"-1",
    b"1e999",
    b"NaN",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"99999999999999999999",
    b"PK\x01\x02",
    b"\xff\xff\xff\xff",
]


def works(model) -> None:
    """It gives a finite score to everything."""
    if isinstance(model, Extractor):
        graphs = build_candidate_graphs(corpora.load("sample")[6:7], parser=model.settings.parser)
        scores = model.score_outputs(graphs).ravel()
        readings = PairPredictions(model, graphs) if model.calibration_ is not None else ()
        assert all(0 <= readings[place].probability <= 1 for place in range(len(graphs) if readings else 0))
    else:
        scores = np.concatenate(model.score(made_sets(2, seed=1)))
    assert len(scores)
    assert np.isfinite(scores).all()


def check(cls, path) -> bool:
    """Whether the file was taken for a model."""
    try:
        model = cls.load(path)
    except ModelFileError as error:
        assert str(error).startswith(f"{path}: ")
        assert len(str(error)) < 1000
        return False
    works(model)
    return True


@pytest.fixture(params=["extractor", "typed", "linear", "gaussian"])
def model(request, small_extractor, typed_extractor, small_rankers):
    if request.param in ("extractor", "typed"):
        return Extractor, {"extractor": small_extractor, "typed": typed_extractor}[request.param]
    return ParseRanker, small_rankers[request.param]


def test_mutated_files(model, tmp_path):
    cls, path = model
    assert check(cls, path)

    @given(mutated(path.read_bytes(), PIECES))
    @settings(max_examples=150)
    def run(data):
        (tmp_path / "mutated.zip").write_bytes(data)
        check(cls, tmp_path / "mutated.zip")

    run()


def test_a_name_that_swallows_the_file_is_not_repeated_in_the_message(model, tmp_path):
    cls, path = model
    data = bytearray(path.read_bytes())
    data[26:28] = (len(data) - 30).to_bytes(2, "little")  # the length of the first member's name
    (tmp_path / "swallowed.zip").write_bytes(data)
    with pytest.raises(ModelFileError, match=r"expected a model file \(a zip\), got: File name in directory"):
        cls.load(tmp_path / "swallowed.zip")
    assert not check(cls, tmp_path / "swallowed.zip")


def test_mutated_members(model, tmp_path):
    """The zip is whole, so that what is inside is looked at."""
    cls, path = model
    members = contents(path)

    @given(st.data())
    @settings(max_examples=150)
    def run(data):
        name = data.draw(st.sampled_from(sorted(members)))
        changed = {**members, name: data.draw(mutated(members[name], PIECES))}
        packed = raw_zip(Member(each, content, zipfile.ZIP_STORED) for each, content in changed.items())
        (tmp_path / "mutated.zip").write_bytes(packed)
        check(cls, tmp_path / "mutated.zip")

    run()


def test_any_json_in_place_of_any_value(model, tmp_path):
    cls, path = model
    members = contents(path)
    text = json.dumps(json.loads(members[HEADER]))

    @given(with_other_value(text))
    @settings(max_examples=150)
    def run(header):
        changed = {**members, HEADER: json.dumps(header).encode("utf-8", "surrogatepass")}
        (tmp_path / "changed.zip").write_bytes(raw_zip(Member(*each) for each in changed.items()))
        check(cls, tmp_path / "changed.zip")

    run()
