"""What verbs are given to read: suggestions, notes, and nothing to read."""

import argparse
import json

import pytest

from corpora import CorpusError, CorpusNotFoundError
from ppi.cli import inputs, main
from ppi.cli.inputs import add_reading_arguments, find_inputs, peek_first


@pytest.mark.parametrize(
    "words", [["Profilin binds actin"], ["Profilin", "binds", "actin"], ["Profilin", "binds", "actin."]]
)
def test_a_text_says_what_to_type(words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        CorpusNotFoundError, match=r'got a text; for a text: echo "Profilin binds actin\.?" \| ppi parse -'
    ):
        find_inputs(words, "parse")


def test_what_a_shell_would_run_is_escaped():
    with pytest.raises(CorpusNotFoundError) as caught:
        find_inputs(['The "$5" `p53` binds'], "annotate")
    assert r'echo "The \"\$5\" \`p53\` binds" | ppi annotate -' in str(caught.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.txt", "b.txt", "c.txt"], "expected a file or the name of a corpus, got 'a.txt'"),
        (["folder/with many spaces here.txt"], "expected a file or the name of a corpus"),
        (["*.txt"], r"expected files, got the pattern '\*.txt', which no file matches"),
        (["abstracts", "and", "nothing"], "expected a file or the name of a corpus, got 'and'"),
    ],
)
def test_files_that_are_not_there_are_no_texts(words, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusNotFoundError, match=message):
        find_inputs(words, "annotate")


def test_what_is_begun_is_all_there_and_nothing_is_an_error():
    assert list(peek_first(iter([1, 2, 3]), "x")) == [1, 2, 3]
    with pytest.raises(CorpusError, match=r"<standard input>: expected a document, got none \(said\); the input is"):
        peek_first([], "-", ["said"])


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("id=PMID,text=Abstract", {"id": "PMID", "text": "Abstract"}),
        ("text=Results, in words,id=Nr", {"text": "Results, in words", "id": "Nr"}),
        ("title=1", {"title": "1"}),
    ],
)
def test_columns(text, columns):
    parser = argparse.ArgumentParser()
    add_reading_arguments(parser)
    assert parser.parse_args(["--columns", text]).columns == columns


def test_convert_says_the_columns_and_uses_those_given(tmp_path, capsys):
    table, output = tmp_path / "t.csv", tmp_path / "out.jsonl"
    table.write_text("Nr,Abstract,Note\n1,Profilin binds actin.,Cofilin too.\n")
    assert main(["corpus", "convert", str(table), str(output)]) == 0
    assert capsys.readouterr().err == f"ppi: {table}: columns: text = Abstract\n"
    assert main(["corpus", "convert", str(table), str(output), "--columns", "id=Nr,text=Note"]) == 0
    assert capsys.readouterr().err == ""
    document = json.loads(output.read_text())
    assert (document["id"], document["sentences"][0]["text"]) == ("1", "Cofilin too.")


def test_columns_of_a_long_run_are_refused_with_what_to_do(tmp_path, capsys):
    arguments = ["annotate", "t.csv", "--columns", "text=A", "--run", str(tmp_path / "run")]
    assert main(arguments) == 2
    assert "make documents of the table first: ppi corpus convert TABLE documents.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["network", "export"])
def test_no_interaction_is_never_a_quiet_success(verb, tmp_path, capsys):
    (tmp_path / "empty.jsonl").touch()
    output = tmp_path / "out.csv"
    assert main([verb, str(tmp_path / "empty.jsonl"), "-o", str(output)]) == 1
    assert "empty.jsonl: expected an interaction, got none" in capsys.readouterr().err
    assert not output.exists()


def test_nothing_is_loaded_for_what_cannot_be_read(tmp_path, monkeypatch, capsys):
    def build(self):
        raise AssertionError("the annotator was built")

    monkeypatch.setattr("ppi.annotation.settings.AnnotatorSettings.build", build)
    (tmp_path / "good.txt").write_text("Profilin binds actin.")
    (tmp_path / "bad.txt").write_bytes(b"%PDF-1.7")
    (tmp_path / "latin.txt").write_bytes(b"\xe9")
    for names in (["good.txt", "bad.txt"], ["latin.txt"]):
        assert main(["annotate", *(str(tmp_path / name) for name in names)]) == 1
        assert capsys.readouterr().err.count("\n") == 1


def test_the_roles_of_columns_are_those_of_tables():
    from corpora import ROLE_HEADINGS

    assert tuple(ROLE_HEADINGS) == inputs.COLUMN_ROLES
