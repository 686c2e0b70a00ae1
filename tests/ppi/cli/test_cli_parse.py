"""``ppi parse`` end to end."""

import argparse
import json

import pytest

import corpora
from ppi.cli import parse as verb
from ppi.errors import UnknownParserError


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    verb.register(parser.add_subparsers(), argparse.ArgumentParser(add_help=False))
    args = parser.parse_args(["parse", *arguments])
    return args.run(args)


@pytest.fixture
def text_file(tmp_path):
    path = tmp_path / "abstract.txt"
    path.write_text("Profilin binds actin. It is inhibited by cofilin.", encoding="utf-8")
    return path


def test_conllu_has_both_graphs_and_can_be_read_again(text_file, tmp_path):
    output = tmp_path / "out.conllu"
    assert run(str(text_file), "--output", str(output)) == 0
    assert "\tbinds\tbind\tVERB\tVBZ\t" in output.read_text(encoding="utf-8")
    (document,) = corpora.load(output)
    assert [sentence.text for sentence in document.sentences] == [
        "Profilin binds actin.",
        "It is inhibited by cofilin.",
    ]
    assert document.sentences[0].parsers == ("shipped", "shipped-enhanced")


def test_jsonl_keeps_entities_and_given_parses_can_be_collapsed(tmp_path):
    output = tmp_path / "out.jsonl"
    arguments = ("--parser", "given:gold", "--to", "jsonl", "-o", str(output))
    with pytest.warns(UserWarning, match="sentences came without a parse"):
        assert run("sample", *arguments) == 0
    first = json.loads(output.read_text(encoding="utf-8").splitlines()[0])
    given = corpora.load("sample")[0]
    assert len(first["sentences"]) == len(given.sentences)
    assert [entity["id"] for entity in first["sentences"][0].get("entities", ())] == [
        entity.id for entity in given.sentences[0].entities
    ]


def test_unknown_backend_is_an_error(text_file, tmp_path):
    with pytest.raises(UnknownParserError, match="'nonsense'"):
        run(str(text_file), "--parser", "nonsense", "--output", str(tmp_path / "out.conllu"))
    assert not (tmp_path / "out.conllu").exists()
