import json

import pytest

import corpora
from ppi.cli import main


def run(capsys, *arguments) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_stats_as_table_and_as_json(capsys):
    code, out, _ = run(capsys, "corpus", "stats", "sample")
    assert code == 0
    assert out.splitlines()[1].split()[:6] == ["sample", "20", "31", "75", "77", "30"]
    code, out, _ = run(capsys, "corpus", "stats", "sample", "--json")
    (row,) = json.loads(out)
    assert row == {
        "corpus": "sample",
        "documents": 20,
        "sentences": 31,
        "entities": 75,
        "pairs": 77,
        "positive": 30,
        "negative": 43,
        "unannotated": 4,
        "sentences_with_pairs": 25,
        "parsers": ["gold"],
    }


def test_validate_lists_problems_and_fails(capsys, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id":"a"}\n{"id":"a"}\n{"id":1}\n')
    code, out, err = run(capsys, "corpus", "validate", str(path), "sample")
    assert code == 1
    assert [line.split("bad.jsonl")[1] for line in out.splitlines()] == [
        ":2: a: expected unique document ids, got this one again",
        ":3: expected str for Document.id, got 1",
    ]
    assert "2 files checked, 2 problems" in err
    assert run(capsys, "corpus", "validate", "sample")[0] == 0


def test_validate_goes_on_past_a_missing_file(capsys, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text("{}\n")
    code, out, _ = run(capsys, "corpus", "validate", str(tmp_path / "none"), str(path))
    assert code == 1
    missing, wrong = out.splitlines()
    assert missing.startswith("expected a file or the name of a corpus, got")
    assert wrong.startswith(f"{path}:1: expected the field 'id'")


def test_validate_counts_losses_as_problems_of_their_file(capsys, tmp_path):
    path = tmp_path / "lossy.conllu"
    path.write_text("1\tab\t_\t_\t_\t_\t0\troot\t_\t_\n1.1\tcd" + "\t_" * 8 + "\n\n")
    code, out, _ = run(capsys, "corpus", "validate", str(path))
    assert (code, out) == (1, f"{path}: documents read from conllu cannot hold: 1 empty nodes\n")


def test_stats_have_the_columns_that_any_of_the_files_needs(capsys, tmp_path):
    (tmp_path / "related.pubtator").write_text("1|t|A binds B\n1\tBind\t1\t2\n1\tBind\t2\t3\n")
    events = tmp_path / "events"
    events.mkdir()
    (events / "a.txt").write_text("A binds B")
    (events / "a.a1").write_text("T1\tProtein 0 1\tA\nT2\tProtein 8 9\tB\n")
    (events / "a.a2").write_text("T3\tBinding 2 7\tbinds\nE1\tBinding:T3 Theme:T1 Theme2:T2\n")
    code, out, _ = run(capsys, "corpus", "stats", str(tmp_path / "related.pubtator"), str(events))
    head, related, event = (line.split() for line in out.splitlines())
    assert code == 0
    assert head[-4:] == ["triggers", "events", "concept_relations", "parsers"]
    assert (related[-3:], event[-3:]) == (["0", "0", "2"], ["1", "1", "0"])


def test_stats_of_the_folder_one_stands_in(capsys, tmp_path, monkeypatch):
    corpora.write([corpora.Document("a", (corpora.Sentence("a.s0", "x"),))], tmp_path / "folder", "brat")
    monkeypatch.chdir(tmp_path / "folder")
    code, out, _ = run(capsys, "corpus", "stats", ".", "--json")
    assert (code, json.loads(out)[0]["corpus"]) == (0, "folder")


def test_folds_of_a_file_whose_format_has_to_be_named(capsys, tmp_path):
    (tmp_path / "abstracts").write_text("one\ntwo\nthree\n")
    path = str(tmp_path / "abstracts")
    code, out, _ = run(capsys, "corpus", "folds", path, "--from", "text-lines", "--n", "3")
    assert (code, len(out.splitlines())) == (0, 3)


def test_convert_there_and_back(capsys, tmp_path):
    code, _, _ = run(capsys, "corpus", "convert", "sample", str(tmp_path / "out.jsonl.gz"))
    assert code == 0
    code, _, _ = run(
        capsys, "corpus", "convert", str(tmp_path / "out.jsonl.gz"), str(tmp_path / "back.xml"), "--to", "turku"
    )
    assert code == 0
    assert corpora.load(tmp_path / "back.xml") == corpora.load("sample")


def test_convert_says_what_it_drops_or_refuses(capsys, tmp_path):
    code, _, err = run(capsys, "corpus", "convert", "sample", str(tmp_path / "out.conllu"))
    assert code == 0
    assert f"ppi: warning: {tmp_path / 'out.conllu'}: conllu cannot hold:" in err
    code, _, err = run(capsys, "corpus", "convert", "sample", str(tmp_path / "strict.conllu"), "--strict")
    assert code == 1
    assert err.startswith(f"ppi: error: {tmp_path / 'strict.conllu'}: conllu cannot hold:")
    assert not (tmp_path / "strict.conllu").exists()


def test_folds_and_their_audit(capsys, tmp_path):
    code, out, _ = run(capsys, "corpus", "folds", "sample", "--n", "4", "--seed", "1")
    assert code == 0
    assert len(out.splitlines()) == 20
    (tmp_path / "folds.tsv").write_text(out)
    code, out, _ = run(capsys, "corpus", "folds", "sample", "--audit", str(tmp_path / "folds.tsv"), "--json")
    assert json.loads(out)["document_in_training"] == 0


def test_errors_are_one_line(capsys, monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    code, out, err = run(capsys, "corpus", "stats", "nothing-there")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert "expected a file or the name of a corpus, got 'nothing-there'" in err


def test_debug_shows_the_trace(capsys, monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    code, _, err = run(capsys, "corpus", "stats", "nothing-there", "--debug")
    assert code == 1
    assert "Traceback" in err


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["corpus"], ["corpus", "stats"]])
def test_wrong_usage_exits_with_two(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
