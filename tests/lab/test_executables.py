"""The executables in scripts/ that run the laboratory: a few lines each, help, and errors of one line."""

import re
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
#: the executable, its module, and the arguments that it puts before the user's
CALLS = {
    path.name: (found[1], found[2].split())
    for path in sorted(SCRIPTS.iterdir())
    if path.is_file() and (found := re.search(r"-m (lab\.\S+|lab)((?: [a-z0-9-]+)*) \"\$@\"", path.read_text()))
}


def main_of(module):
    for name in (f"{module}.__main__", module):
        try:
            return import_module(name).main
        except ModuleNotFoundError:
            continue
    pytest.fail(f"no {module}")


def test_they_are_all_found():
    assert {
        "reproduce",
        "reproduce_paper5",
        "reproduce_parse_ranking",
        "train_all",
        "train_model",
        "train_pipeline",
    } < set(CALLS)
    assert {"train_parse_ranker", "end_to_end", "load_test", "make_abstracts", "bench", "chaos"} < set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_they_are_a_few_lines_and_stay_where_the_user_is(name):
    path = SCRIPTS / name
    lines = path.read_text().splitlines()
    assert len(lines) <= 8
    assert path.stat().st_mode & 0o111
    assert 'cd "$OLDPWD"' in lines[-2]
    # without an argument of its own, the sourced set-up would take the user's first one for the name of an extra
    (sourced,) = [line for line in lines if line.startswith("source ")]
    assert re.search(r'/setup" ("" #|[a-z,]+$)', sourced)
    subprocess.run(["bash", "-n", path], check=True)


@pytest.mark.parametrize("name", CALLS)
def test_help_says_what_is_to_be_run(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    module, given = CALLS[name]
    with pytest.raises(SystemExit) as ended:
        main_of(module)([*given, "--help"])
    assert ended.value.code == 0
    script = "reproduce" if name.startswith("reproduce") else name
    assert capsys.readouterr().out.startswith(f"usage: scripts/{script} ")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("train_model", ["--output", "model.zip"], "environment variable PPI_CORPORA, got neither"),
        ("train_pipeline", ["--output", "model"], "environment variable PPI_CORPORA, got neither"),
        ("train_pipeline", ["--output", "m", "--corpora", ".", "--set", "x=1"], "expected one of vectors:KEY=VALUE"),
        ("train_pipeline", ["--output", "m", "--corpora", ".", "--set", "names:x=y"], "expected a value in JSON"),
        ("train_pipeline", ["--output", "m", "--corpora", ".", "--parser-from", "no"], "expected a trained pipeline"),
        ("build_lexicon", [], "environment variable PPI_CORPORA, got neither"),
        ("build_lexicon", ["--corpora", "nowhere", "--output", "x.zip"], "expected a readable file"),
        ("train_all", [], "environment variable PPI_CORPORA, got neither"),
        ("train_parse_ranker", ["--work", "."], "environment variable PPI_CORPORA, got neither"),
        ("end_to_end", ["no-such-folder"], "environment variable PPI_CORPORA, got neither"),
        ("end_to_end", ["no-such-folder", "--corpora", ".", "sample"], "without-sample.zip"),
        ("make_abstracts", ["sample", "--output", "x", "--poison", "3"], "expected a share from 0 to 1"),
        ("make_abstracts", ["no-such", "--output", "x"], "expected a file or the name of a corpus"),
        ("reproduce", ["no-such"], "expected an experiment, one of"),
        ("bench", ["no-such"], "expected a benchmark, one of"),
        ("chaos", ["--work", "w"], "environment variable PPI_CORPORA, got neither"),
        ("chaos", ["--work", "w", "--text", "no-such"], "expected a text, one paragraph per line"),
    ],
)
def test_what_is_wrong_is_one_line(name, arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PPI_CORPORA", "")
    monkeypatch.chdir(tmp_path)
    assert main_of(CALLS[name][0])(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"scripts/{name}: ")
    assert message in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_abstracts_are_made_and_the_poisoned_ones_named(tmp_path, capsys):
    path = tmp_path / "made.jsonl"
    assert (
        main_of("lab.load.make_abstracts")(["sample", "--count", "10", "--poison", "0.2", "--output", str(path)]) == 0
    )
    assert len(path.read_bytes().splitlines()) == 10
    assert len(capsys.readouterr().out.split()) == 2
