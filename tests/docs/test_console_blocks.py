"""The commands of the tutorials are run, and print what the pages show."""

import doctest
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from ppi.cli import main

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CHECKER, _FLAGS = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Command:
    """A line that begins with a dollar sign, and the lines shown below it."""

    text: str
    shown: str


def commands_of(page: str) -> list[Command]:
    """The commands of a page's console blocks, in order."""
    found = []
    for block in _BLOCK.findall(page):
        assert block.startswith("$ "), f"expected a console block to begin with a command, got {block!r}"
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            text, _, shown = part.partition("\n")
            found.append(Command(text, shown))
    return found


def output_of(command: Command, capsys) -> str:
    """Run a command, which has to succeed, and return its standard output."""
    line, _, target = command.text.partition(" > ")
    words = shlex.split(line)
    if words[0] == "ppi":
        capsys.readouterr()
        code = main(words[1:])
        captured = capsys.readouterr()
        output, errors = captured.out, captured.err
    else:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        code, output, errors = done.returncode, done.stdout, done.stderr
    assert code == 0, f"{command.text}: exit code {code}: {errors}"
    if target:
        Path(target).write_text(output, encoding="utf-8")
        return ""
    return output


@pytest.mark.parametrize("page", ["curator.md", "researcher.md"])
def test_tutorial_prints_what_it_shows(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    commands = commands_of((TUTORIALS / page).read_text(encoding="utf-8"))
    assert commands
    for command in commands:
        output = output_of(command, capsys)
        if command.shown:
            assert _CHECKER.check_output(command.shown, output, _FLAGS), f"$ {command.text}\n{output}"


def test_commands_and_what_is_shown_below_them():
    page = "text\n```console\n$ ppi a\none\n...\n$ ppi b > f\n```\n```sh\nppi c\n```\n"
    assert commands_of(page) == [Command("ppi a", "one\n...\n"), Command("ppi b > f", "")]


def test_a_command_that_fails_is_told(capsys):
    with pytest.raises(AssertionError, match=r"exit code 1: .*no-such-file"):
        output_of(Command("ppi corpus stats no-such-file", ""), capsys)
