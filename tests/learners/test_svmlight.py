import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import learners
from learners.errors import DataFileError, LearnerError

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(
    st.lists(st.lists(FINITE, min_size=3, max_size=3), min_size=1, max_size=5),
    st.data(),
    st.booleans(),
    st.booleans(),
)
def test_round_trip_is_exact(tmp_path_factory, rows, data, with_qid, zero_based):
    X = sp.csr_matrix(np.array(rows))
    y = np.array(data.draw(st.lists(FINITE, min_size=len(rows), max_size=len(rows))))
    qid = np.array(data.draw(st.lists(st.integers(0, 10**6), min_size=len(rows), max_size=len(rows))))
    path = tmp_path_factory.mktemp("svm") / "file.txt.gz"
    learners.write_svmlight(learners.RankingData(X, y, qid if with_qid else None), path, zero_based=zero_based)
    again = learners.read_svmlight(path, n_features=3, zero_based=zero_based)
    np.testing.assert_array_equal(again.X.toarray(), X.toarray())
    np.testing.assert_array_equal(again.y, y)
    if with_qid:
        np.testing.assert_array_equal(again.qid, qid)
    else:
        assert again.qid is None


def test_letor_files(corpora_folder):
    parts = [learners.read_svmlight(corpora_folder / "ranking" / f"mq2008-S{number}.txt.gz") for number in range(1, 6)]
    assert sum(part.X.shape[0] for part in parts) == 15_211
    assert sum(len(np.unique(part.qid)) for part in parts) == 784
    assert {part.X.shape[1] for part in parts} == {46}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("1 qid:1 1:2\nx qid:1 1:2", ":2: expected a finite score first"),
        ("1 qid:1 1:2\n1 1:2", ":2: expected qid on every line or on none"),
        ("1 qid:a 1:2", ":1: expected qid:N with a whole number"),
        ("1 2:1 1:2", ":1: expected indices that rise from 1"),
        ("1 0:1", ":1: expected indices that rise from 1"),
        ("1 1:nan", ":1: expected index:value with a finite value at '1:nan'"),
        ("1 1:2 junk", ":1: expected index:value"),
        ("1 9:1", ":1: expected at most 4 features"),
    ],
)
def test_bad_lines_are_named(tmp_path, lines, message):
    path = tmp_path / "bad.txt"
    path.write_text(lines)
    with pytest.raises(DataFileError, match="bad.txt" + message):
        learners.read_svmlight(path, n_features=4)


def test_writing_refuses_what_does_not_fit(tmp_path):
    X = sp.csr_matrix(np.eye(2))
    with pytest.raises(LearnerError, match="got 2 rows, 1 scores and no query ids"):
        learners.write_svmlight(learners.RankingData(X, np.ones(1), None), tmp_path / "a.txt")
    with pytest.raises(LearnerError, match="got NaN or infinity"):
        learners.write_svmlight(learners.RankingData(X, np.array([1, np.nan]), None), tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("content", "message"), [(None, "readable file"), (b"\x1f\x8b\x08junk", "complete gzip data")])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, message):
    if content is not None:
        (tmp_path / "x.txt").write_bytes(content)
    with pytest.raises(DataFileError, match=f"x.txt: expected .*{message}|x.txt: expected {message}"):
        learners.read_svmlight(tmp_path / "x.txt")


def test_an_index_of_thousands_of_digits_is_refused(tmp_path):
    (tmp_path / "x.txt").write_text("1 1:1\n1 " + "1" * 5000 + ":1\n")
    with pytest.raises(DataFileError, match=r"x.txt:2: expected indices below 2\^31 at '1111"):
        learners.read_svmlight(tmp_path / "x.txt")


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "file.txt"
    path.write_bytes(data)
    try:
        learners.read_svmlight(path)
    except DataFileError as error:
        assert str(error)


@given(st.text("01q:id. #-e\n9", max_size=60))
def test_any_lines_are_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("fuzz") / "file.txt"
    path.write_text(text)
    try:
        learners.read_svmlight(path)
    except DataFileError as error:
        assert str(error)
