"""Where bytes come from and go to: nothing is half-written, and no failure of the system is a traceback."""

import errno
import gzip
import os
import stat

import pytest

import corpora
from corpora.errors import CorpusError, CorpusNotFoundError, FormatError
from corpora.source import Source, atomic_folder, atomic_output


def test_standard_output_gets_everything_or_nothing(capsysbinary):
    with pytest.raises(corpora.LossError):
        corpora.write(corpora.load("sample"), "-", "conllu", strict=True)
    assert capsysbinary.readouterr().out == b""
    corpora.write(corpora.load("sample"), "-", "jsonl")
    assert capsysbinary.readouterr().out.count(b"\n") == 20


def test_a_pipe_is_written_to_and_not_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with atomic_output(pipe) as output:
            output.write(b"whole")
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_is_no_output_file(tmp_path):
    with pytest.raises(CorpusError, match="expected the path of a file, got that of a folder"):
        corpora.write([], tmp_path, "jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_of_our_errors_and_leaves_nothing(tmp_path):
    for manager in (atomic_output, atomic_folder):
        expected = pytest.raises(CorpusNotFoundError, match=r"out: .*got: No space left on device; check")
        with expected, manager(tmp_path / "out"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_read_is_one_of_our_errors(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    expected = pytest.raises(CorpusNotFoundError, match=r"file: expected a file that can be read to its end, got: In")
    with expected, Source(tmp_path / "file").open():
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_source_is_opened_once_to_detect_its_format_and_once_to_be_read(tmp_path, monkeypatch):
    path, notes, opened = tmp_path / "x.txt", [], []
    path.write_bytes(b"PMID- 1\nTI  - A title.\n")
    real = Source.open
    monkeypatch.setattr(Source, "open", lambda source: opened.append(source) or real(source))
    source = Source(path, notes=notes)
    assert corpora.detect_format(source).name == "medline"
    assert [document.id for document in corpora.read(source)] == ["1"]
    assert opened == [source] * 2
    assert notes == [f"{path}: read as medline, by its content"]


def test_the_head_of_a_damaged_file_is_what_comes_before_the_damage(tmp_path):
    path = tmp_path / "x.txt.gz"
    packed = gzip.compress(os.urandom(2**15))
    path.write_bytes(packed[: len(packed) // 2])
    assert len(Source(path).head(512)) == 512
    with pytest.raises(FormatError, match="expected complete gzip data"):
        Source(path).head()


def test_a_folder_format_cannot_go_to_standard_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError, match="expected the path of a new folder, got '-'"):
        corpora.write(corpora.load("sample"), "-", "brat")
    assert list(tmp_path.iterdir()) == []


def test_gzip_inside_gzip_is_said_so(tmp_path):
    path = tmp_path / "twice.jsonl.gz"
    path.write_bytes(gzip.compress(gzip.compress(b'{"id":"a"}\n')))
    with pytest.raises(FormatError, match=r"twice.jsonl.gz: expected a file packed once, got gzip data inside gzip"):
        corpora.load(path)
