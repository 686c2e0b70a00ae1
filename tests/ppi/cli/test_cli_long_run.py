"""``ppi annotate --run`` and what reads its folders."""

import json

import networkx as nx
import pytest
from run_failures import run_failures

import corpora
from ppi.cli import annotate_run, main
from ppi.cli import export as export_verb
from ppi.export import FORMATS
from ppi.server import PART_FORMATS, PartFacts, RunSummary, read_run


def test_interactions_alone_suffice_for_every_format():
    assert set(export_verb.FORMATS) == set(FORMATS)
    assert set(PART_FORMATS) < set(export_verb.FORMATS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("pyarrow")
    out = tmp_path_factory.mktemp("long") / "out"
    assert main(["annotate", "abstracts", "--run", str(out), "--workers", "2", "--chunk", "4"]) == 0
    return out


def test_a_run_finds_what_one_command_finds(folder, tmp_path):
    assert main(["annotate", "abstracts", "--to", "jsonl", "-o", str(tmp_path / "one.jsonl")]) == 0
    assert main(["export", str(folder), "--output", str(tmp_path / "many.jsonl")]) == 0
    one, many = (
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("one.jsonl", "many.jsonl")
    )
    assert len(one) > 20
    assert [(each["document"], each["pair"]) for each in one] == [(each["document"], each["pair"]) for each in many]
    for first, second in zip(one, many, strict=True):
        assert first["probability"] == pytest.approx(second["probability"], abs=1e-5)


def test_network_and_tables_are_made_from_the_folder(folder, tmp_path, capsys):
    assert main(["network", str(folder), "--to", "graphml", "--output", str(tmp_path / "n.graphml")]) == 0
    assert nx.read_graphml(tmp_path / "n.graphml").number_of_edges() > 10
    assert main(["export", str(folder), "--to", "mitab", "--min-probability", "0.9"]) == 0
    likely = sum(interaction.probability >= 0.9 for interaction, _ in read_run(folder))
    assert len(capsys.readouterr().out.splitlines()) == 1 + likely


def test_taken_up_again_it_says_so(folder, capsys):
    assert main(["annotate", "abstracts", "--run", str(folder), "--chunk", "4"]) == 0
    assert "3 parts (3 from before)" in capsys.readouterr().err


def test_poison_is_listed_and_the_exit_code_tells(tmp_path, capsys):
    source = tmp_path / "in.jsonl"
    corpora.write(corpora.load("abstracts")[:2], source)
    source.write_text(source.read_text() + '{"id": "bad"\n')
    assert main(["annotate", str(source), "--run", str(tmp_path / "out"), "--to", "jsonl"]) == 1
    assert "1 left out, listed in" in capsys.readouterr().err
    (listed,) = run_failures(tmp_path / "out")
    assert (listed["document"], listed["record"]) == ("bad", 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["abstracts", "--workers", "2"], "--run DIR"),
        (["abstracts", "--retry-failed"], "--run DIR"),
        (["abstracts", "--run", "x", "--explain"], "without --explain"),
        (["abstracts", "--run", "x", "-o", "y"], "got both"),
        (["-", "--run", "x"], "could not be started again"),
        (["abstracts", "--run", "x", "--to", "html"], "parquet, jsonl, csv, mitab"),
    ],
)
def test_wrong_combinations_are_usage_errors(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["annotate", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def facts(part):
    return PartFacts(part, 0, documents=10, interactions=3, failures=0, seconds=1.0, size=0, digest="", errors=None)


def test_progress_is_one_line_that_is_rewritten(capsys, monkeypatch):
    monkeypatch.setattr("ppi.core.is_interactive", lambda: True)
    progress = annotate_run._Progress(quiet=False)
    for part, share in (("a", 0.25), ("b", 0.5)):
        progress.report(facts(part), share)
    progress.notice("in.txt has changed; its parts are made anew")
    progress.close(RunSummary(parts=2, documents=20, interactions=6, failures=1), "out")
    first, second, *others = capsys.readouterr().err.split("\r")[1:]
    assert first.startswith("25.0% done, 10 documents, ")
    assert second.startswith("50.0% done, 20 documents, ")
    assert " left" in second
    assert "ppi: in.txt has changed; its parts are made anew" in second
    assert "6 interactions in 20 documents, in 2 parts; " in others[-1]
    assert others[-1].endswith("documents per second; 1 left out, listed in out/errors\n")


def test_quiet_says_nothing(capsys, monkeypatch):
    monkeypatch.setattr("ppi.core.is_interactive", lambda: True)
    progress = annotate_run._Progress(quiet=True)
    progress.report(facts("a"), 0.5)
    progress.close(RunSummary(parts=1, documents=10), "out")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["no-such-file.txt"], 1, "no-such-file.txt"),
        (["abstracts", "--chunk", "0"], 2, "expected a positive chunk"),
        (["abstracts", "--time-limit", "0"], 2, "expected a positive chunk, time limit and memory limit"),
        (["abstracts", "--memory-limit", "0"], 2, "and memory limit, got 1000, 60.0, 0"),
        (["abstracts", "--workers", "0"], 2, "expected at least one worker, got 0"),
        (["abstracts", "--model", "no-such.zip"], 1, "no-such.zip"),
    ],
)
def test_a_run_that_cannot_begin_is_one_line(arguments, code, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["annotate", *arguments, "--run", "out", "--to", "jsonl"]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
