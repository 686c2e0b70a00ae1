"""``ppi evaluate`` and its relatives on corpora as people have them, and with a trained model."""

import json

import pytest
import relation_files

import corpora
from ppi.cli import main


@pytest.fixture(autouse=True)
def no_corpora(monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_cross_validation_of_brat_with_positives_only_says_what_is_negative(capsys, tmp_path):
    folder = relation_files.brat(tmp_path, copies=4)
    code, out, err = run(capsys, "evaluate", folder, "--kernel", "path", "--n", "2", "--json")
    assert code == 0, err
    assert "ppi: brat: the file has no parses: parsed by 'shipped'" in err
    assert "ppi: brat: negatives: 12 pairs of names in a sentence that no relation joins, beside 4 positives" in err
    (row,) = json.loads(out)
    assert sum(fold["pairs"] for fold in row["folds"]) == 16
    assert sum(fold["positive"] for fold in row["folds"]) == 4
    assert row["counts"]["across sentences"] == 4
    assert row["parser"] == "shipped-enhanced"
    code, _, err = run(capsys, "evaluate", folder, "--kernel", "path", "--n", "2", "--negatives", "none")
    assert code == 1
    assert "expected negative pairs in brat, got none among 4 annotated pairs" in err


def test_several_corpora_of_several_formats_with_a_model_and_a_report(capsys, tmp_path):
    assert (
        run(capsys, "train", "sample", "--kernel", "path", "--parser", "shipped", "-o", str(tmp_path / "m.zip"))[0] == 0
    )
    files = [relation_files.pubtator(tmp_path), relation_files.brat(tmp_path), relation_files.events(tmp_path)]
    files.append(relation_files.bioc(tmp_path, "bioc.bioc.json"))
    command = ("evaluate", *files, "--model", str(tmp_path / "m.zip"))
    code, out, err = run(capsys, *command, "--json", "--report", str(tmp_path / "report"))
    assert code == 0, err
    rows = json.loads(out)
    counts = {row["corpus"]: (row["pairs_judged"], row["positive"]) for row in rows}
    assert counts == {"genes": (7, 5), "brat": (4, 1), "events": (4, 2), "bioc": (3, 1)}
    assert [row["by_document"] is not None for row in rows] == [True, False, False, True]
    assert "ppi: events: pairs of proteins in a sentence that no event joins are negatives" in err
    assert "warning" not in err  # the sample is looked through, and shares nothing
    assert (tmp_path / "report" / "report.html").read_text().count("<h2>") == 4
    code, out, _ = run(capsys, *command)
    assert code == 0
    assert out.splitlines()[0].split()[:4] == ["corpus", "pairs", "positive", "at"]
    assert "genes, by document" in out
    code, out, _ = run(capsys, "compare", str(tmp_path / "report"), str(tmp_path / "report"))
    assert code == 0


def test_a_model_is_warned_of_on_its_own_corpus(capsys, tmp_path):
    assert run(capsys, "train", "sample", "--kernel", "path", "--learner", "rls", "-o", str(tmp_path / "m.zip"))[0] == 0
    code, out, err = run(capsys, "evaluate", "sample", "--model", str(tmp_path / "m.zip"), "--json")
    assert code == 0
    assert "ppi: sample: warning: the model was trained on a corpus of this name: figures say what it remembers" in err
    (row,) = json.loads(out)
    assert row["seen"]["whole"]
    assert row["unseen"] is None
    assert row["warnings"] == [err.splitlines()[-1].removeprefix("ppi: sample: warning: ")]
    corpora.write(corpora.load("sample")[:3], tmp_path / "few.jsonl")
    code, out, err = run(capsys, "evaluate", str(tmp_path / "few.jsonl"), "--model", str(tmp_path / "m.zip"), "--json")
    assert code == 0
    assert "ppi: few: warning: 3 of 3 documents are in corpora that the model was trained on: sample (3)" in err


def test_the_shipped_model_parses_as_it_was_trained(capsys, tmp_path):
    code, out, err = run(capsys, "evaluate", relation_files.pubtator(tmp_path), "--model", "shipped", "--json")
    assert code == 0
    (row,) = json.loads(out)
    assert (row["parser"], row["model"]["file"], row["kernel"]) == ("shipped", "shipped", "composite")
    assert "AImed" in row["model"]["corpora"]
    assert "warning: the model was trained on bionlp-st-2013-pc, " in err
    assert "set PPI_CORPORA to a folder that holds them" in err


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--kernel", "path"], "--kernel"),
        (["--n", "3"], "--n"),
        (["--seed", "0", "1"], "--seed"),
        (["--types"], "--types"),
        (["--extra", "none", "--min-documents", "2"], "--min-documents, --extra"),
    ],
)
def test_options_of_training_are_refused_beside_a_model(capsys, options, named):
    code, _, err = run(capsys, "evaluate", "sample", "--model", "shipped", *options)
    assert code == 2
    assert f"expected no options of training or folds with --model, which is trained, got {named}; " in err


def test_wrong_input_is_one_line(capsys, tmp_path):
    genes = relation_files.pubtator(tmp_path)
    code, _, err = run(capsys, "evaluate", genes, "--relations", "Binds")
    assert code == 2
    assert "expected types of relations of genes, among ['Association', 'Bind'], got 'Binds'" in err
    code, _, err = run(capsys, "evaluate", genes, genes)
    assert code == 2
    assert "expected corpora of different names" in err
    code, _, err = run(capsys, "evaluate", "sample", "--model", str(tmp_path / "nowhere.zip"))
    assert code == 1
    assert "nowhere.zip" in err
    (tmp_path / "plain.txt").write_text("Profilin binds actin.")
    code, _, err = run(capsys, "evaluate", str(tmp_path / "plain.txt"), "--kernel", "path", "--n", "2")
    assert code == 1
    chemicals = relation_files.PUBTATOR.replace("\tGene\t", "\tChemical\t")
    code, _, err = run(
        capsys, "evaluate", relation_files.pubtator(tmp_path, "c.pubtator", chemicals), "--model", "shipped"
    )
    assert code == 1
    assert "expected positive pairs in c, got none among 0 annotated pairs; " in err
    assert "relations between two genes or proteins of one sentence" in err


def test_something_left_out_is_exit_1_with_figures(capsys, tmp_path):
    damaged = relation_files.PUBTATOR.replace("\t0\t5\tTitin", "\t0\t5\tTiten")
    code, out, err = run(capsys, "evaluate", relation_files.pubtator(tmp_path, text=damaged), "--model", "shipped")
    assert code == 1
    assert "left out: 1 record with contradictions; the first: " in err
    assert out.startswith("corpus")


def test_the_other_verbs_read_such_corpora_and_say_so(capsys, tmp_path):
    folder = relation_files.brat(tmp_path, copies=4)
    code, out, err = run(capsys, "train", folder, "--kernel", "path", "--learner", "rls", "-o", str(tmp_path / "m.zip"))
    assert code == 0, err
    assert "16 pairs (4 positive)" in out
    assert "ppi: brat: negatives: 12 pairs" in err
    code, _, err = run(capsys, "learning-curve", folder, "--kernel", "path", "--negatives", "none")
    assert code == 1
    assert "expected negative pairs in brat" in err
