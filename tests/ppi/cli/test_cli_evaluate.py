import argparse
import json

import pytest
from event_documents import event_corpus

import corpora
from ppi.cli.program import build_parser, main


@pytest.fixture(autouse=True)
def no_corpora(monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_evaluate_and_compare(capsys, tmp_path):
    for kernel in ("path", "context"):
        code, out, _ = run(
            capsys,
            *("evaluate", "sample", "--kernel", kernel, "--n", "4", "--json", "--report", str(tmp_path / kernel)),
        )
        assert code == 0
        (row,) = json.loads(out)
        assert (row["corpus"], row["kernel"], len(row["folds"])) == ("sample", kernel, 4)
    code, out, _ = run(capsys, "compare", str(tmp_path / "path"), str(tmp_path / "context"), "--json")
    assert code == 0
    assert [row["measure"] for row in json.loads(out)] == ["f", "auc"]
    assert run(capsys, "compare", str(tmp_path / "path"), str(tmp_path / "context"))[1].startswith("sample f:")


def test_other_corpora_that_are_there_are_starting_points(capsys, tmp_path, monkeypatch):
    documents = corpora.load("sample")
    for name, some in (("LLL", documents[:10]), ("IEPA", documents[10:])):
        corpora.write(some, tmp_path / f"{name}.jsonl")
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    command = ("evaluate", "LLL", "--kernel", "path", "--n", "3", "--json", "--seed", "0", "1", "--extra")
    code, out, err = run(capsys, *command, "auto")
    assert code == 0
    assert "LLL: starting from models of IEPA (documents shared with LLL left out)" in err
    assert [row["seed"] for row in json.loads(out)] == [0, 1]
    assert "starting" not in run(capsys, *command, "none")[2]


def test_folds_that_split_a_document_are_refused(capsys, tmp_path):
    pairs = [pair.id for document in corpora.load("sample") for s in document.sentences for pair in s.pairs]
    (tmp_path / "folds.tsv").write_text("".join(f"{n % 2}\t{id}\n" for n, id in enumerate(pairs)))
    code, _, err = run(capsys, "evaluate", "sample", "--folds", str(tmp_path / "folds.tsv"))
    assert code == 1
    assert "of 71 test pairs whose document is also in training" in err


def test_folds_of_a_corpus_whose_pairs_are_in_its_events(capsys, tmp_path):
    documents = event_corpus("a", 8)
    corpus, folds = tmp_path / "events.jsonl", tmp_path / "folds.tsv"
    corpora.write(documents, corpus)
    folds.write_text("".join(f"{number % 2}\t{document.id}\n" for number, document in enumerate(documents)))
    code, out, err = run(capsys, "evaluate", str(corpus), "--kernel", "path", "--folds", str(folds), "--json")
    assert code == 0, err
    (row,) = json.loads(out)
    assert [fold["documents"] for fold in row["folds"]] == [4, 4]
    folds.write_text("".join(folds.read_text().splitlines(keepends=True)[:-1]))
    code, _, err = run(capsys, "evaluate", str(corpus), "--kernel", "path", "--folds", str(folds))
    assert code == 1
    assert "got none for 1 of them (the first is 'a7')" in err


def test_cross_corpus_and_learning_curve(capsys, tmp_path):
    documents = corpora.load("sample")
    for name, part in (("one", documents[:10]), ("two", documents[10:])):
        corpora.write(part, tmp_path / f"{name}.jsonl")
    files = [str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl")]
    code, out, _ = run(capsys, "cross-corpus", *files, "--kernel", "path", "--json")
    assert code == 0
    assert [(row["train"], row["test"]) for row in json.loads(out)] == [("one", "two"), ("two", "one")]
    code, out, _ = run(capsys, "learning-curve", "sample", "--kernel", "path", "--repeats", "1", "--json")
    assert code == 0
    assert json.loads(out)[-1]["corpus"] == "sample"
    assert run(capsys, "cross-corpus", files[0])[0] == 2


def test_train_writes_a_model(capsys, tmp_path):
    from ppi.extraction import Extractor

    code, out, _ = run(capsys, "train", "sample", "--kernel", "path", "-o", str(tmp_path / "m.zip"))
    assert code == 0
    assert "71 pairs" in out
    assert Extractor.load(tmp_path / "m.zip").facts_["pairs"] == 71


def leaves(parser, path=()):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield from leaves(child, (*path, name))
            return
    yield path, parser


def test_every_command_has_help_and_is_in_the_readme():
    from pathlib import Path

    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    commands = list(leaves(build_parser()))
    assert len(commands) >= 8
    for path, parser in commands:
        assert f"ppi {' '.join(path)}" in readme, path
        for action in parser._actions:
            assert action.help, (path, action.dest)
