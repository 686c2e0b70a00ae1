"""``ppi annotate --run`` and what reads its folders."""

import json

import networkx as nx
import pytest

import corpora
from ppi.cli import export as export_verb
from ppi.cli import main
from ppi.longrun import parts
from ppi.longrun.reading import read_run


def test_interactions_alone_suffice_for_tables_and_networks():
    assert set(export_verb.FORMATS) == {"jsonl", "csv", "parquet", "mitab", "graphml", "sif"}
    assert set(parts.PART_FORMATS) < set(export_verb.FORMATS)


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
    (listed,) = parts.read_failures(tmp_path / "out")
    assert (listed["document"], listed["record"]) == ("bad", 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["abstracts", "--workers", "2"], "--run DIR"),
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
