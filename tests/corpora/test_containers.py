"""Folders and archives of files: what is read, what is left out, and what is said about it."""

import gzip
import io
import os
import tarfile

import pytest

import corpora
from corpora import containers as tar
from corpora.errors import CorpusError, FormatError


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "texts"
    (made / "sub").mkdir(parents=True)
    (made / "b.txt").write_text("Cofilin binds actin.")
    (made / "a.txt").write_text("Profilin binds actin.")
    (made / "sub" / "c.txt.gz").write_bytes(gzip.compress(b"Bad binds Bax."))
    return made


def test_a_folder_of_texts_is_documents_named_by_their_paths(folder):
    notes = []
    found = list(corpora.read(folder, notes=notes))
    assert [(document.id, document.sentences[0].text) for document in found] == [
        ("a", "Profilin binds actin."),
        ("b", "Cofilin binds actin."),
        ("sub/c", "Bad binds Bax."),
    ]
    assert notes == [f"{folder}: 3 files read, some in 1 folder inside it"]


def test_what_is_left_out_is_stated(folder):
    for name in (".DS_Store", "paper.pdf", "notes.md", "script.py", "empty.txt"):
        (folder / name).write_bytes(b"" if name == "empty.txt" else b"x")
    (folder / ".git").mkdir()
    (folder / "d.nbib").write_text("PMID- 7\nTI  - Read by its own format.\n")
    notes = []
    found = list(corpora.read(folder, notes=notes))
    assert [document.id for document in found] == ["a", "b", "7", "sub/c"]
    assert notes == [
        f"{folder}: 5 files read, some in 1 folder inside it; left out 3 that are no texts (notes.md, paper.pdf, "
        "script.py); 1 without a text; 2 hidden"
    ]


def test_all_files_in_one_format_if_it_is_named(folder):
    (folder / "notes.md").write_text("Ste50 binds Ste11.")
    assert [document.id for document in corpora.read(folder, "text")] == ["a", "b", "notes", "sub/c"]
    assert [document.id for document in corpora.read(folder, "text-lines")][:2] == ["a-1", "b-1"]


def test_a_file_that_cannot_be_read_is_a_problem_of_its_own(folder):
    (folder / "latin.txt").write_bytes(b"Profilin \xe9")
    with pytest.raises(FormatError, match=r"latin.txt:1: expected UTF-8"):
        list(corpora.read(folder))
    problems = []
    assert len(list(corpora.read(folder, problems=problems))) == 3
    assert [problem.path for problem in problems] == [str(folder / "latin.txt")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_problem(folder):
    (folder / "a.txt").chmod(0)
    problems = []
    assert [document.id for document in corpora.read(folder, problems=problems)] == ["b", "sub/c"]
    assert "Permission denied" in problems[0].message


def test_a_link_in_a_circle_ends(folder):
    (folder / "sub" / "up").symlink_to(folder)
    assert len(list(corpora.read(folder))) == 3


def test_texts_with_annotations_are_still_brat(folder):
    (folder / "a.ann").write_text("T1\tProtein 0 8\tProfilin\n")
    with pytest.warns(corpora.LossWarning, match="2 text files without annotations beside them"):
        (document,) = corpora.read(folder)
    assert document.sentences[0].entities[0].text == "Profilin"


def test_the_same_id_in_two_files_is_told(folder):
    (folder / "a.text").write_text("Another a.")
    with pytest.raises(CorpusError, match="a: expected unique document ids"):
        list(corpora.read(folder))


def packed(**files: bytes) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return output.getvalue()


def test_members_that_are_too_large_are_problems_and_the_others_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(tar, "MAX_RECORD_BYTES", 20_000)
    path, problems = tmp_path / "x.tar", []
    path.write_bytes(packed(**{"a.txt": b"A" * 30_000, "b.txt": b"Fine.", "c.mp4": b"x" * 90_000, "d.txt": b"Too."}))
    assert [document.id for document in corpora.read(path, problems=problems)] == ["b", "d"]
    assert problems[0].id == "a.txt"
    assert "expected members of at most 20,000 bytes" in problems[0].message


def test_an_archive_may_have_any_number_of_members(tmp_path, monkeypatch):
    monkeypatch.setattr(tar, "MAX_ARCHIVE_MEMBERS", 2)
    monkeypatch.setattr(tar, "MAX_ARCHIVE_BYTES", 1000)
    path = tmp_path / "x.tar"
    path.write_bytes(packed(**{f"{number}.txt": b"Text." for number in range(50)}))
    assert len(list(corpora.read(path))) == 50


def test_a_header_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tar, "MAX_RECORD_BYTES", 50_000)
    info = tarfile.TarInfo("a.txt")
    info.pax_headers = {"comment": "x" * 200_000}
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO())
    path = tmp_path / "x.tar"
    path.write_bytes(output.getvalue())
    with pytest.raises(FormatError, match="expected an archive of at most 50,000 bytes when unpacked, got more"):
        list(corpora.read(path))


def test_truncated_archives_are_errors(tmp_path):
    path = tmp_path / "x.tar"
    path.write_bytes(packed(**{"a.txt": b"A", "b.txt": b"B" * 3000})[:2500])
    with pytest.raises(FormatError, match="expected a complete tar archive, got: unexpected end of data"):
        list(corpora.read(path))
