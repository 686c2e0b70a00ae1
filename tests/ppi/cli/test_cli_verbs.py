"""Words that are no verbs, and what is said to those who try them."""

import pytest

from ppi.cli.program import SUGGESTIONS, VERBS, build_parser, main, module_of, suggest_command

WORDS = [
    ("annote", "ppi annotate"),
    ("anotate a.txt -o b.csv", "ppi annotate a.txt -o b.csv"),
    ("Annotate a.txt", "ppi annotate a.txt"),
    ("learningcurve", "ppi learning-curve"),
    ("rank_parses", "ppi rank-parses"),
    ("find", "ppi annotate"),
    ("extract", "ppi annotate"),
    ("run", "ppi annotate"),
    ("help", "ppi --help"),
    ("help train", "ppi train --help"),
    ("help nothing", "ppi --help"),
    ("version", "ppi --version"),
    ("web", "ppi serve"),
    ("convert a.xml", "ppi corpus convert"),
    ("xyzzy", "ppi --help"),
]


@pytest.mark.parametrize(("words", "command"), WORDS)
def test_a_word_that_is_no_verb_says_what_was_probably_meant(capsys, words, command):
    with pytest.raises(SystemExit) as stop:
        main(words.split())
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert err.endswith(f"expected a verb, got {words.split()[0]!r}, which is none; try: {command}\n")


def test_a_file_and_a_text_without_a_verb_are_to_be_annotated(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "serve.txt").write_text("")
    assert suggest_command("serve.txt", ["--to", "csv"]) == "ppi annotate serve.txt --to csv"
    assert suggest_command("Profilin binds actin.") == "echo 'Profilin binds actin.' | ppi annotate -"


def test_what_is_said_can_be_run():
    words = [word for words in SUGGESTIONS.values() for word in words]
    assert len(set(words)) == len(words)
    assert not set(words) & set(VERBS)
    verbs = {command.split()[1] for command in SUGGESTIONS if command.startswith("ppi ")}
    assert verbs <= {*VERBS, "--help", "--version"}
    actions = next(action for action in build_parser("corpus")._actions if action.dest == "verb").choices["corpus"]
    known = next(action for action in actions._actions if action.dest == "action").choices
    assert {command.split()[2] for command in SUGGESTIONS if command.startswith("ppi corpus ")} <= set(known)


def test_every_verb_registers_itself_under_its_name():
    listed = next(action for action in build_parser()._actions if action.dest == "verb").choices
    assert list(listed) == list(VERBS)
    for verb in VERBS:
        assert listed[verb].prog == f"ppi {verb}"
        assert listed[verb].description.lower() == f"{VERBS[verb]}.".lower()
        assert module_of(verb).__doc__.startswith(f"``ppi {verb}``")


def test_one_verb_is_built_without_the_others():
    listed = next(action for action in build_parser("train")._actions if action.dest == "verb").choices
    assert list(listed) == list(VERBS)
    assert [verb for verb, parser in listed.items() if parser.get_default("run") is not None] == ["train"]
