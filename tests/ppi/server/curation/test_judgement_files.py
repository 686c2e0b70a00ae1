"""Merging files of judgements: deterministic, idempotent, in any order and grouping."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import ids, judgement, logs

from corpora import CorpusError
from ppi.core import CurationError
from ppi.server.curation.consensus import fold_judgements
from ppi.server.curation.judgement_file import HEAD, encode_line, merge_judgement_files, read_curation


def write(path, events):
    path.write_bytes(HEAD + b"".join(map(encode_line, events)))
    return path


def merged(folder, *paths):
    target = folder / f"merged{len(list(folder.iterdir()))}.jsonl"
    merge_judgement_files(paths, target)
    return target


@given(st.lists(logs(), min_size=2, max_size=3))
def test_merging_is_joining_of_sets(tmp_path_factory, found):
    folder = tmp_path_factory.mktemp("merged")
    files = [write(folder / f"{number}.jsonl", events) for number, events in enumerate(found)]
    whole = merged(folder, *files)
    assert read_curation(whole) == {id: event for events in found for id, event in ids(events).items()}
    content = whole.read_bytes()
    assert merged(folder, *files[::-1]).read_bytes() == content
    assert merged(folder, whole).read_bytes() == content
    assert merged(folder, whole, *files, whole).read_bytes() == content
    assert merged(folder, files[0], merged(folder, *files[1:])).read_bytes() == content
    lines = list(read_curation(whole).values())
    assert [event.time for event in lines] == sorted(event.time for event in lines)


def test_an_undo_in_one_file_takes_back_the_judgement_of_another(tmp_path):
    said = judgement()
    (id,) = ids([said])
    from ppi.server.curation.judgement import Undo

    first = write(tmp_path / "a.jsonl", [said])
    second = write(tmp_path / "b.jsonl", [said, Undo(id, "Ada", "2027-01-01T00:00:00.000000Z")])
    assert merge_judgement_files([first, second], tmp_path / "c.jsonl") == 2
    assert list(fold_judgements(read_curation(tmp_path / "c.jsonl"))) == []


def test_packed_files_are_read_and_torn_lines_left_out(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(HEAD + encode_line(judgement()) + encode_line(judgement("wrong", of=1))[:50]))
    with pytest.warns(UserWarning, match=r"1 torn lines are passed over \(line 3\)"):
        assert merge_judgement_files([path], tmp_path / "b.jsonl") == 1
    assert (tmp_path / "b.jsonl").read_bytes() == HEAD + encode_line(judgement())


def test_other_files_are_refused_by_name(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"schema": "ppi-interaction/1"}\n')
    with pytest.raises(CurationError, match=r"a\.jsonl: expected a file of judgements"):
        merge_judgement_files([tmp_path / "a.jsonl"], tmp_path / "b.jsonl")
    with pytest.raises(CorpusError, match="expected a readable file"):
        merge_judgement_files([tmp_path / "none.jsonl"], tmp_path / "b.jsonl")
    assert not (tmp_path / "b.jsonl").exists()
