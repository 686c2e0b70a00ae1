"""``ppi parse`` end to end."""

import argparse
import io
import json
import warnings

import pytest

import corpora
from ppi.cli import main
from ppi.cli import parse as verb
from ppi.core import UnknownParserError


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
    names = [[entity.text for entity in sentence.entities] for sentence in document.sentences]
    assert names == [["Profilin", "actin"], ["cofilin"]]


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


class TestCommand:
    """The same through the command line: streams, exit codes, one-line errors."""

    def test_conllu_alone_on_standard_output(self, text_file, capfd):
        assert main(["parse", str(text_file)]) == 0
        out, err = capfd.readouterr()
        assert err == ""
        words = [line.split("\t")[1] for line in out.splitlines() if line[:1].isdigit()]
        assert words[:4] == ["Profilin", "binds", "actin", "."]
        assert "\tEntity=abstract.s0.0.e0:PROTEIN:0-8\n" in out

    def test_standard_input(self, text_file, capfd, monkeypatch):
        assert main(["parse", str(text_file), "--from", "text", "--to", "jsonl"]) == 0
        expected = json.loads(capfd.readouterr().out)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text_file.read_bytes())))
        assert main(["parse", "-", "--from", "text", "--to", "jsonl"]) == 0
        found = json.loads(capfd.readouterr().out)
        texts = [[sentence["text"] for sentence in each["sentences"]] for each in (found, expected)]
        assert texts[0] == texts[1] == ["Profilin binds actin.", "It is inhibited by cofilin."]

    def test_passages_stay_whole_and_names_unsought_if_asked(self, text_file, capfd):
        command = ["parse", str(text_file), "--to", "jsonl", "--split", "never", "--dependencies", "basic"]
        assert main([*command, "--no-entities"]) == 0
        (sentence,) = json.loads(capfd.readouterr().out)["sentences"]
        assert sentence["text"] == text_file.read_text()
        assert [graph["parser"] for graph in sentence["parses"]] == ["shipped"]
        assert "entities" not in sentence

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["no-such-file.txt"], "expected a file or the name of a corpus, got 'no-such-file.txt'"),
            (["sample", "--parser", "nonsense"], "'nonsense'"),
            (["sample", "--parser", "conllu"], "expected conllu:PATH"),
            (["sample", "--parser", "given:other"], "'other'"),
            (["sample", "--from", "pubtator"], "sample"),
        ],
    )
    def test_errors_are_one_line(self, capfd, tmp_path, arguments, message):
        output = tmp_path / "out.conllu"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert main(["parse", *arguments, "-o", str(output)]) == 1
        out, err = capfd.readouterr()
        assert (out, err.count("\n"), output.exists()) == ("", 1, False)
        assert message in err


def test_reranking_is_asked_for_by_an_option_or_by_name(text_file, tmp_path):
    outputs = [tmp_path / name for name in ("option.conllu", "name.conllu")]
    assert run(str(text_file), "--rerank", "--output", str(outputs[0])) == 0
    assert run(str(text_file), "--parser", "shipped:rerank", "--output", str(outputs[1])) == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_no_other_parser_has_a_ranker(text_file, capsys):
    assert main(["parse", str(text_file), "--parser", "given", "--rerank"]) != 0
    assert "expected the shipped parser with reranking, got 'given'" in capsys.readouterr().err
