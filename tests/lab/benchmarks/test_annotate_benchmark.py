import tarfile

from lab.benchmarks import _literature, annotate

from ppi.annotation import Annotator


def test_both_sides_agree_on_a_little_text(monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    monkeypatch.setattr(annotate, "_REPEATS", 1)
    share, speed = annotate.run(scale=0.1)
    assert share.same_answer
    assert share.better == "lower"
    assert share.bar == 0.25
    assert speed.value > 0


TEXT = "Profilin binds actin.\nIt rains.\n\nWe found that Ras binds Raf and MEK. " * 20


def test_literature_is_annotated_as_if_every_sentence_were_parsed(monkeypatch):
    monkeypatch.setattr(_literature, "_REPEATS", 1)
    speed, long, memory = _literature.figures(Annotator(), [TEXT, TEXT], scale=0.01)
    assert speed.same_answer
    assert long.same_answer
    assert (long.bar, memory.bar) == (1.2, 700)
    assert memory.value > 50


def test_without_the_archive_there_is_no_literature(monkeypatch, tmp_path):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    assert _literature.texts() == []


def test_texts_of_the_archive_are_read_by_name(monkeypatch, tmp_path):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    (tmp_path / _literature.ARCHIVE).parent.mkdir()
    for name in ("b.txt", "a.txt", "a.ann"):
        (tmp_path / name).write_text(name, encoding="utf8")
    with tarfile.open(tmp_path / _literature.ARCHIVE, "w:gz") as archive:
        for name in ("b.txt", "a.txt", "a.ann"):
            archive.add(tmp_path / name, name)
    assert _literature.texts() == ["a.txt", "b.txt"]
