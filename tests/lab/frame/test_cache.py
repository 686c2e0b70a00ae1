from dataclasses import dataclass
from functools import partial

import pytest
import scipy.sparse as sp
from lab.frame.cache import Cache, OutOfTime, Part, digest
from lab.frame.crew import Crew

from ppi.core import UsageError


@dataclass(frozen=True)
class Sizes:
    train: int


def part(value, name="part", **inputs):
    return Part(name, inputs, partial(dict, a=value))


def test_a_part_is_computed_once_for_the_same_inputs(tmp_path):
    assert Cache(tmp_path).json(part(1, size=3)) == {"a": 1}
    assert Cache(tmp_path).json(part(2, size=3)) == {"a": 1}
    assert Cache(None).json(part(2, size=3)) == {"a": 2}  # keeps nothing


def test_other_inputs_are_another_part(tmp_path):
    cache, file = Cache(tmp_path / "kept"), tmp_path / "data"
    file.write_text("one")
    assert cache.json(part(1, sizes=Sizes(3), data=file)) == {"a": 1}
    assert cache.json(part(2, sizes=Sizes(4), data=file)) == {"a": 2}
    assert cache.json(part(3, "other", sizes=Sizes(3), data=file)) == {"a": 3}
    file.write_text("two")
    assert cache.json(part(4, sizes=Sizes(3), data=file)) == {"a": 4}


def test_a_folder_is_known_by_its_contents(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_text("one")
    before = digest({"model": tmp_path})
    (tmp_path / "deep" / "file").rename(tmp_path / "file")
    assert digest({"model": tmp_path}) != before
    with pytest.raises(UsageError, match="expected 'absent', got no such file or folder"):
        digest(tmp_path / "absent")


def test_inputs_that_json_does_not_know_are_refused():
    with pytest.raises(TypeError):
        digest({"function": digest})


def test_matrices_are_kept(tmp_path):
    made = sp.csr_matrix([[0.0, 1.5], [2.0, 0.0]])
    assert (Cache(tmp_path).matrix(Part("matrix", {}, lambda: made)) != made).nnz == 0
    assert (Cache(tmp_path).matrix(Part("matrix", {}, pytest.fail)) != made).nnz == 0


def test_out_of_time_leaves_what_is_missing(tmp_path):
    parts = [part(1, "none"), part(2, "new")]
    assert Cache(tmp_path).finished(parts[:1]) == ([{"a": 1}], [])
    assert Cache(tmp_path, seconds=0).finished(parts) == ([{"a": 1}], ["new"])
    with pytest.raises(OutOfTime):
        Cache(tmp_path, seconds=0).json(parts[1])


def test_workers_compute_what_is_missing_and_it_is_kept(tmp_path):
    cache = Cache(tmp_path)
    cache.json(part(0, "kept"))
    wanted = [part(1, "one"), part(2, "two"), part(3, "kept")]
    assert cache.finished(wanted, crew=Crew(workers=2)) == ([{"a": 1}, {"a": 2}, {"a": 0}], [])
    assert sorted(path.name.split("-")[0] for path in tmp_path.iterdir()) == ["kept", "one", "two"]
    assert Cache(tmp_path).json(part(5, "two")) == {"a": 2}


def test_a_part_that_fails_keeps_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError):
        Cache(tmp_path).json(Part("bad", {}, lambda: 1 // 0))
    assert list(tmp_path.iterdir()) == []
