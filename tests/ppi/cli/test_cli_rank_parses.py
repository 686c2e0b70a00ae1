import io
import json
import shutil
import sys

import pytest
from parse_sets import made_sets

import corpora
from ppi.cli import main, rank_parses
from ppi.parse_ranking import GENERATORS, ParseFeatures, ParseRanker

TEXT = "Profilin binds actin with high affinity. Cofilin was not found in the nucleus of these cells.\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("ranker") / "ranker.zip"
    ParseRanker(features=ParseFeatures(max_length=2, n_features=2**10), regparam=1.0).fit(made_sets(10)).save(path)
    return str(path)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_the_generators_named_for_help_are_those_there_are():
    assert rank_parses.GENERATORS == GENERATORS
    assert set(rank_parses.CANDIDATES) == set(GENERATORS)


def test_conllu_has_a_block_for_each_parse_with_place_and_score(text, model, tmp_path, capsys):
    out = tmp_path / "ranked.conllu"
    assert main(["rank-parses", text, "--model", model, "--top", "2", "--candidates", "4", "-o", str(out)]) == 0
    sentences = [sentence for document in corpora.read(out) for sentence in document.sentences]
    assert [sentence.text for sentence in sentences] == [
        *["Profilin binds actin with high affinity."] * 2,
        *["Cofilin was not found in the nucleus of these cells."] * 2,
    ]
    remarks = [dict(sentence.infons) for sentence in sentences]
    assert [remark["place"] for remark in remarks] == ["1", "2", "1", "2"]
    assert float(remarks[0]["score"]) >= float(remarks[1]["score"])
    assert all(sentence.parses[0].dependencies for sentence in sentences)


def test_json_and_json_lines_hold_the_same(text, model, capsysbinary):
    common = ["rank-parses", text, "--model", model, "--top", "1", "--candidates", "3"]
    assert main([*common, "--json"]) == 0
    whole = json.loads(capsysbinary.readouterr().out)
    assert main([*common, "--to", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert lines == whole
    assert [len(one["parses"]) for one in whole] == [1, 1]
    parse = whole[0]["parses"][0]
    assert parse["place"] == 0
    assert [token["text"] for token in parse["parse"]["tokens"]][:3] == ["Profilin", "binds", "actin"]


def test_standard_input_and_no_splitting(model, monkeypatch, capsysbinary):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    arguments = [
        "rank-parses",
        "-",
        "--from",
        "text",
        "--split",
        "never",
        "--model",
        model,
        "--candidates",
        "2",
        "--json",
    ]
    assert main(arguments) == 0
    assert [one["text"] for one in json.loads(capsysbinary.readouterr().out)] == [TEXT.strip()]


def test_numbers_below_one_are_refused(text, model, capsys):
    assert main(["rank-parses", text, "--model", model, "--top", "0"]) == 2
    assert "expected --top of 1 or more, got 0" in capsys.readouterr().err


def test_a_model_that_is_none_is_refused(text, tmp_path, capsys):
    assert main(["rank-parses", text, "--model", str(tmp_path / "none.zip")]) == 1
    assert "expected a readable model file" in capsys.readouterr().err


def test_a_missing_parser_says_what_to_install(text, model, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert main(["rank-parses", text, "--generator", "link-grammar", "--model", model]) == 1
    error = capsys.readouterr().err
    assert "link-parser" in error
    assert "install the Debian packages link-grammar" in error


@pytest.mark.skipif(shutil.which("link-parser") is None, reason="the program link-parser is not installed")
def test_link_grammar_with_unknown_words_a_long_sentence_and_none_at_all(model, tmp_path, capsysbinary):
    path = tmp_path / "odd.txt"
    long = "The protein binds " + "actin and " * 100 + "profilin ."
    path.write_text(f"Xyzzyqin frobnicates plughase.\n\n{long}\n\n{'x' * 3000}\n", encoding="utf-8")
    common = ["rank-parses", str(path), "--generator", "link-grammar", "--model", model]
    assert main([*common, "--candidates", "5", "--top", "2", "--json"]) == 0
    captured = capsysbinary.readouterr()
    found = json.loads(captured.out)
    assert found[0]["text"].startswith("Xyzzyqin")
    assert 1 <= len(found[0]["parses"]) <= 2
    assert found[-1]["parses"] == []
    assert b"have no parse by link-grammar" in captured.err
