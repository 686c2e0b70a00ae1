"""An output that is an input is refused before anything is read or written; results are handed to writers in step."""

import os

import annotated
import pytest

import corpora
from ppi.cli import main
from ppi.cli.output import Push
from ppi.export import write


@pytest.fixture
def files(tmp_path, monkeypatch):
    """One input for every verb, and links to each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text("Profilin binds actin.\n")
    corpora.write(corpora.load("sample")[:2], tmp_path / "in.pubtator", "jsonl")
    write([annotated.profilin()], tmp_path / "in.jsonl")
    (tmp_path / "in.zip").write_bytes(b"rubble")
    for path in list(tmp_path.iterdir()):
        os.symlink(path, path.with_name(f"symbolic-{path.name}"))
        os.link(path, path.with_name(f"hard-{path.name}"))
    return tmp_path


VERBS = [
    ("annotate in.txt --to jsonl -o {}", "in.txt"),
    ("annotate in.pubtator --from jsonl -o {}", "in.pubtator"),
    ("annotate in.txt --model in.zip --to csv -o {}", "in.zip"),
    ("annotate in.txt --lexicon in.zip --to csv -o {}", "in.zip"),
    ("annotate in.txt --lexicon in.txt --families in.zip --to table -o {}", "in.zip"),
    ("parse in.txt -o {}", "in.txt"),
    ("rank-parses in.txt -o {}", "in.txt"),
    ("rank-parses in.txt --model in.zip -o {}", "in.zip"),
    ("corpus convert in.pubtator {} --from jsonl --to jsonl", "in.pubtator"),
    ("export in.jsonl --to csv -o {}", "in.jsonl"),
    ("network in.jsonl --to csv -o {}", "in.jsonl"),
]


@pytest.mark.parametrize("prefix", ["", "./", "symbolic-", "hard-"])
@pytest.mark.parametrize(("command", "name"), VERBS, ids=[command for command, _ in VERBS])
def test_an_output_that_is_an_input(files, capsys, command, name, prefix):
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    output = f"{prefix}{name}"
    assert main(command.format(output).split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"expected an output beside the inputs, got {output!r}, which is the input" in err
    assert "name another file" in err
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_a_corpus_by_its_name(files, capsys, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(files))
    for name in ("in.pubtator", "hard-in.pubtator", "symbolic-in.pubtator"):
        (files / name).unlink()
    corpora.write(corpora.load("sample")[:2], files / "small.jsonl")
    assert main(["corpus", "convert", "small", str(files / "small.jsonl")]) == 2
    assert "which is the input" in capsys.readouterr().err


def test_another_file_that_is_there_is_replaced(files, capsys):
    assert main(["corpus", "convert", "in.pubtator", "in.txt", "--from", "jsonl", "--to", "jsonl"]) == 0
    assert (files / "in.txt").read_bytes() == (files / "in.pubtator").read_bytes()


def test_items_are_handed_over_in_step():
    events = []

    def consume(items):
        events.append("begin")
        events.extend(f"consume {item}" for item in items)
        events.append("end")

    with Push(consume) as push:
        for number in (1, 2):
            events.append(f"produce {number}")
            push(number)
    assert events == ["begin", "produce 1", "consume 1", "produce 2", "consume 2", "end"]


@pytest.mark.parametrize("at", ["begin", "item", "end"])
def test_what_the_consumer_raises_reaches_the_producer(at):
    def consume(items):
        if at == "begin":
            raise OSError("disk full")
        for _ in items:
            if at == "item":
                raise OSError("disk full")
        raise OSError("disk full")

    def produce():
        with Push(consume) as push:
            push(1)
            push(2)

    with pytest.raises(OSError, match="disk full"):
        produce()


def test_a_producer_that_fails_ends_the_consumer_and_its_clean_up_is_done():
    events = []

    def consume(items):
        try:
            events.extend(items)
            events.append("complete")
        finally:
            events.append("cleaned up")

    def produce():
        with Push(consume) as push:
            push(1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        produce()
    assert events == [1, "cleaned up"]


def test_a_consumer_may_stop_early():
    taken = []
    with Push(lambda items: taken.append(next(items))) as push:
        for number in range(3):
            push(number)
    assert taken == [0]
