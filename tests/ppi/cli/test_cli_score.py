"""``ppi score``, and ``ppi compare`` of predictions and of reports under other names."""

import json
import shutil

import pytest
from annotated import profilin

import corpora
from corpora import Document, Entity, Pair, Sentence
from ppi.cli import main
from ppi.export import write


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


GOLD = """\
1|t|Raf1 activates MEK1.
1|a|ERK2 binds Raf1.
1\t0\t4\tRaf1\tGene\t5894
1\t15\t19\tMEK1\tGene\t5604
1\t21\t25\tERK2\tGene\t5594
1\t32\t36\tRaf1\tGene\t5894
1\tPositive_Correlation\t5894\t5604\tNovel
1\tBind\t5594\t5894\tNo

2|t|Nothing here.
2|a|
"""
FIRST = "document,identifiers_1,identifiers_2,probability\n1,5604,ncbigene:5894,0.9\n1,5604,5594,0.8\n"
SECOND = "document,identifiers_1,identifiers_2,probability\n3,5604,5894,0.9\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (("gold.pubtator", GOLD), ("first.csv", FIRST), ("second.csv", SECOND)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_scores_are_a_table_and_what_was_left_out_is_said(capsys, files):
    code, out, err = run(capsys, "score", files / "gold.pubtator", files / "first.csv", "--resamples", 50)
    assert code == 0
    head, row = out.splitlines()
    assert head.split()[:7] == ["by", "gold", "predicted", "right", "P", "R", "F"]
    assert " ".join(row.split()) == "identifiers 2 2 1 50.0 50.0 50.0 0.0 to 50.0 50.0 0.0 to 50.0 -"
    assert "ppi: 2 documents of gold, 1 of predictions\n" in err
    assert "ppi: 1 document (2) only in gold: everything there is missed\n" in err
    other = run(capsys, "score", files / "gold.pubtator", files / "second.csv")[2]
    assert "ppi: 1 document (3) only in the predictions: not judged\n" in other


def test_scores_as_json(capsys, files):
    code, out, _ = run(capsys, "score", files / "gold.pubtator", files / "first.csv", "--json", "--resamples", 50)
    assert code == 0
    value = json.loads(out)
    assert (value["spans"], value["min_probability"]) == ("exact", None)
    assert value["told"]["documents_only_in_gold"] == ["2"]
    (score,) = value["scores"]
    assert (score["level"], score["gold"], score["right"], score["f"]) == ("identifiers", 2, 1, 0.5)
    assert score["documents"] == {"1": [2, 2, 1], "2": [0, 0, 0]}
    again = run(capsys, "score", files / "gold.pubtator", files / "first.csv", "--json", "--resamples", 50)[1]
    assert again == out
    strict = run(
        capsys, "score", files / "gold.pubtator", files / "first.csv", "--json", "--min-probability", 0.85, "--seed", 3
    )[1]
    assert json.loads(strict)["scores"][0]["predicted"] == 1


def test_mentions_overlap_and_formats_are_options(capsys, tmp_path):
    entities = (Entity("A", "Raf1", ((0, 4),)), Entity("B", "MEK1", ((11, 15),)))
    wider = (Entity("A", "Raf1", ((0, 4),)), Entity("B", "binds MEK1", ((5, 15),)))
    for name, mentions in (("gold", entities), ("found", wider)):
        sentence = Sentence("s", "Raf1 binds MEK1", mentions, (Pair("p", "A", "B", True, "Bind"),))
        corpora.write([Document("d", (sentence,))], tmp_path / name, "bioc-json")
    command = ("score", tmp_path / "gold", tmp_path / "found", "--gold-from", "bioc-json", "--from", "bioc-json")
    assert run(capsys, *command)[1].splitlines()[1].split()[:4] == ["mentions", "1", "1", "0"]
    lines = run(capsys, *command, "--overlap", "--exact-types")[1].splitlines()
    assert lines[1].split()[:4] == ["mentions", "1", "1", "1"]
    assert lines[-1].split() == ["bind", "1", "1", "1", "100.0", "100.0", "100.0"]


def test_what_is_wrong_in_a_file_is_an_error_or_left_out(capsys, files):
    (files / "bad.pubtator").write_text(GOLD.replace("1\t15\t19\tMEK1", "1\t15\t19\tMEK9"))
    code, out, err = run(capsys, "score", files / "bad.pubtator", files / "first.csv")
    assert (code, out) == (1, "")
    assert "bad.pubtator:4: 1: expected the text 'MEK9'" in err
    code, out, err = run(capsys, "score", files / "bad.pubtator", files / "first.csv", "--lenient", "--json")
    assert code == 1
    assert "ppi: left out: " in err
    value = json.loads(out)
    assert (value["told"]["problems_of_gold"], value["scores"][0]["right"]) == (1, 1)


def test_the_folder_of_a_run_is_scored(capsys, tmp_path):
    parts = tmp_path / "run" / "parts"
    parts.mkdir(parents=True)
    write([profilin()], parts / "00000.jsonl", "jsonl")
    (tmp_path / "run" / "manifest.jsonl").write_text("{}\n")
    write([profilin()], tmp_path / "gold.jsonl", "jsonl")
    code, out, _ = run(capsys, "score", tmp_path / "gold.jsonl", tmp_path / "run")
    assert code == 0
    assert out.splitlines()[1].split()[:4] == ["mentions", "3", "3", "3"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nowhere.pubtator", "first.csv"), 1, "nowhere.pubtator"),
        (("gold.pubtator", "first.csv", "--by", "mentions", "--resamples", "0"), 2, "--resamples of at least 1, got 0"),
        (("first.csv", "second.csv", "--by", "mentions"), 2, "got no positive pair with pairs of mentions"),
        (("-", "-"), 2, "expected one file on standard input"),
    ],
)
def test_what_cannot_be_scored_is_one_line(capsys, files, monkeypatch, arguments, code, message):
    monkeypatch.chdir(files)
    found = run(capsys, "score", *arguments)
    assert (found[0], found[1]) == (code, "")
    assert message in found[2]
    assert len(found[2].splitlines()) == 1


def test_two_predictions_are_compared_against_gold(capsys, files):
    (files / "third.csv").write_text("document,identifiers_1,identifiers_2\n1,5604,5894\n1,5594,5894\n")
    command = ("compare", files / "third.csv", files / "first.csv")
    code, out, err = run(capsys, *command, "--gold", files / "gold.pubtator", "--resamples", 99)
    assert code == 0
    assert "less" in err
    assert "2 documents" in err
    assert [line.split(":")[0] for line in out.splitlines()] == [
        f"identifiers {measure}" for measure in ("precision", "recall", "f")
    ]
    assert "identifiers f: 100.0 - 50.0 = +50.0, 95 % +0.0 to +50.0 (permutation p 1.0000)" in out
    rows = json.loads(run(capsys, *command, "--gold", files / "gold.pubtator", "--resamples", 99, "--json")[1])
    for name in ("third", "first"):
        scored = run(capsys, "score", files / "gold.pubtator", files / f"{name}.csv", "--json")[1]
        (files / f"{name}.json").write_text(scored)
    kept = run(capsys, "compare", files / "third.json", files / "first.json", "--resamples", 99, "--json")
    assert json.loads(kept[1]) == rows


def test_a_score_and_a_report_are_not_compared(capsys, files, tmp_path):
    (files / "a.json").write_text(run(capsys, "score", files / "gold.pubtator", files / "first.csv", "--json")[1])
    (files / "b.json").write_text("[]")
    code, _, err = run(capsys, "compare", files / "a.json", files / "b.json")
    assert code == 2
    assert "got one of each" in err


def test_reports_of_one_corpus_under_two_names_are_compared(capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    shutil.copy(corpora.find("sample"), tmp_path / "copy.xml")
    for name, kernel in (("sample", "path"), (tmp_path / "copy.xml", "context")):
        run(capsys, "evaluate", name, "--kernel", kernel, "--n", 3, "--report", tmp_path / kernel)
    code, out, _ = run(capsys, "compare", tmp_path / "path", tmp_path / "context")
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines()] == ["sample and copy f", "sample and copy auc"]
    rows = json.loads(run(capsys, "compare", tmp_path / "path", tmp_path / "context", "--json")[1])
    assert {(row["corpus"], row["second_corpus"]) for row in rows} == {("sample", "copy")}
