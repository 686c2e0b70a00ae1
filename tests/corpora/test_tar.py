"""Archives from strangers: read in memory, with limits, and never outside of themselves."""

import gzip
import io
import tarfile

import pytest
from byte_sources import mutated
from hypothesis import given, settings

import corpora
from corpora import containers as tar
from corpora.errors import CorpusError, FormatError
from corpora.source import Source

FILES = {"train/d.txt": b"A binds B", "train/d.a1": b"T1\tProtein 0 1\tA\n", "train/d.a2": b"T2\tBinding 2 7\tbinds\n"}


def member(name: str, data: bytes = b"", **fields) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def packed(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return output.getvalue()


def honest() -> bytes:
    return packed(*(member(name, data) for name, data in FILES.items()))


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz", "x.tgz", "x"])
def test_archives_are_told_by_their_bytes(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(honest() if name in ("x.tar", "x") else gzip.compress(honest()))
    (document,) = corpora.load(path)
    assert (document.id, document.sentences[0].text) == ("train/d", "A binds B")
    assert document.triggers[0].text == "binds"


def test_errors_name_the_archive_the_member_and_the_line(tmp_path):
    path = tmp_path / "x.tar"
    path.write_bytes(honest().replace(b"Protein 0 1", b"Protein 0 2"))
    with pytest.raises(CorpusError, match=r"x.tar/train/d.a1:1: T1: expected the text 'A' at"):
        corpora.load(path)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (member("../d.txt", b"x"), "expected names that stay inside the archive"),
        (member("a/../../d.txt", b"x"), "expected names that stay inside the archive"),
        (member("/etc/d.txt", b"x"), "expected names that stay inside the archive"),
        (member("e.txt", type=tarfile.SYMTYPE, linkname="/etc/passwd"), "e.txt: expected a plain file, got a link"),
        (member("e.txt", type=tarfile.LNKTYPE, linkname="train/d.txt"), "e.txt: expected a plain file, got a link"),
        (member("e.txt", type=tarfile.FIFOTYPE), "e.txt: expected a plain file"),
        (member("train/d.txt", b"again"), "train/d.txt: expected each member once"),
        (member("./train/d.txt", b"again"), "train/d.txt: expected each member once"),
        (member("e.txt", gzip.compress(b"x", mtime=0)), "expected a file packed once, got gzip data inside an archive"),
    ],
)
def test_tricks_are_refused(tmp_path, bad, message):
    path = tmp_path / "x.tar"
    more = [member("e.a1"), member("e.a2")] if bad[0].name == "e.txt" else []
    path.write_bytes(packed(*(member(name, data) for name, data in FILES.items()), bad, *more))
    with pytest.raises(FormatError, match=message):
        corpora.load(path)


def test_a_small_file_cannot_become_a_large_one(tmp_path, monkeypatch):
    monkeypatch.setattr(tar, "MAX_ARCHIVE_BYTES", 2**20)
    path = tmp_path / "x.tar.gz"
    path.write_bytes(gzip.compress(packed(member("d.ann"), member("d.txt", bytes(2**21)))))
    with pytest.raises(FormatError, match=r"x.tar.gz: expected an archive of at most 1,048,576 bytes when unpacked"):
        corpora.load(path)


def test_a_sparse_member_that_announces_terabytes_is_refused(tmp_path):
    headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(2**42)}
    path = tmp_path / "x.tar"
    path.write_bytes(
        packed(member("d.ann"), member("d.txt", b"1\n0\n1\n".ljust(512, b"\0") + b"x", pax_headers=headers))
    )
    with pytest.raises(FormatError):
        corpora.load(path)


def test_too_many_members_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tar, "MAX_ARCHIVE_MEMBERS", 2)
    path = tmp_path / "x.tar"
    path.write_bytes(honest())
    with pytest.raises(FormatError, match="expected at most 2 members in an archive, got more"):
        corpora.load(path)


def test_a_truncated_archive_is_an_error(tmp_path):
    path = tmp_path / "x.tar"
    path.write_bytes(packed(member("d.a1"), member("d.a2"), member("d.txt", b"x" * 2000))[:2500])
    with pytest.raises(FormatError, match="expected a complete tar archive, got: unexpected end of data"):
        corpora.load(path)
    gz = tmp_path / "x.tar.gz"
    gz.write_bytes(gzip.compress(honest())[:-20])
    with pytest.raises(FormatError, match="expected complete gzip data"):
        corpora.load(gz)


@pytest.mark.filterwarnings("ignore::corpora.LossWarning")
@given(mutated(honest(), [b"\0", b"x\0", b"S", b"7777777", b"\xff", b"30 size=99999999999999\n"]))
@settings(max_examples=150)
def test_no_bytes_make_the_reader_raise_anything_else(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "x.tar"
    path.write_bytes(data)
    try:
        corpora.load(path)
        list(tar.stream_members(Source(path), lambda name: True))
    except CorpusError as error:
        assert str(error)
