"""``--types``: the typed protocol of ``ppi evaluate`` and ``ppi cross-corpus``, and ``ppi train`` on events."""

import json

import pytest
from event_documents import event_corpus

import corpora
from ppi.cli import main
from ppi.extraction import OUTPUTS, Extractor

QUICK = ["--kernel", "path", "--min-documents", "1"]


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path in paths:
        corpora.write(event_corpus(path.stem[0], 8), path)
    return [str(path) for path in paths]


def rows(capsys, *arguments):
    assert main([*arguments, *QUICK, "--types", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_corpus_is_left_out(files, capsys):
    found = rows(capsys, "cross-corpus", *files)
    assert {(row["corpus"], row["output"]) for row in found} == {
        (n, output) for n in ("one", "two") for output in OUTPUTS
    }
    binding = next(row for row in found if (row["corpus"], row["output"]) == ("two", "binding"))
    assert (binding["pairs"], binding["positive"]) == (64, 16)
    assert binding["average_precision"] > 0.9  # the same sentences with other names
    assert 0 <= binding["calibration_error"] <= 1
    direction = next(row for row in found if row["output"] == "direction")
    assert direction["accuracy"] > 0.9
    assert "average_precision" not in direction


def test_a_single_corpus_is_left_out_in_parts(files, capsys):
    found = rows(capsys, "evaluate", files[0])
    assert {row["corpus"] for row in found} == {"one"}
    assert all("calibration_error" not in row for row in found)


def test_the_table(files, capsys):
    assert main(["cross-corpus", *files, *QUICK, "--types"]) == 0
    heading, first, *_ = capsys.readouterr().out.splitlines()
    assert heading.split() == ["corpus", "output", "pairs", "positive", "AP", "ECE", "right"]
    assert first.split()[:4] == ["one", "interaction", "64", "48"]


def test_corpora_without_events_and_other_learners_are_refused(capsys):
    assert main(["evaluate", "sample", "--types"]) == 2
    assert "expected a corpus with events, which teach types, got ['sample'] without any" in capsys.readouterr().err
    assert main(["evaluate", "sample", "--types", "--learner", "rank-svm"]) == 2
    assert "expected the learner ridge with --types, got 'rank-svm'" in capsys.readouterr().err


def test_training_on_events_makes_a_model_with_types(files, tmp_path, capsys):
    assert main(["train", *files, *QUICK, "-o", str(tmp_path / "model.zip")]) == 0
    assert "average precision on corpora left out: interaction one" in capsys.readouterr().out
    assert Extractor.load(tmp_path / "model.zip").outputs_ == OUTPUTS
