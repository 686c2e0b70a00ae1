"""Help: every command has it, and it waits for none of the slow packages."""

import subprocess
import sys

import pytest

from ppi.cli.program import build_parser, main

SLOW = ("numpy", "scipy", "spacy", "networkx", "sklearn", "numba", "pyarrow", "fastapi", "distributed", "threadpoolctl")
PROGRAM = """
import contextlib, io, sys
from ppi.cli import main
for command in sys.argv[2:]:
    with contextlib.redirect_stdout(io.StringIO()) as text, contextlib.suppress(SystemExit):
        main([*command.split(), "--help"])
    assert text.getvalue().startswith("usage: ppi"), command
    loaded = [name for name in sys.argv[1].split(",") if name in sys.modules]
    if loaded:
        sys.exit(f"ppi {command} --help imports {loaded}")
"""


def commands(parser, path=""):
    """Every command, the groups included."""
    yield path
    for action in parser._subparsers._group_actions if parser._subparsers else ():
        for name, child in action.choices.items():
            yield from commands(child, f"{path} {name}".strip())


def test_there_are_verbs():
    names = set(commands(build_parser()))
    assert {"", "annotate", "corpus", "corpus convert", "export", "network", "parse", "rank-parses", "serve"} <= names


def test_help_imports_no_slow_package():
    """One process for all of them: what the first imports would be found after the first."""
    program = f"import sys; sys.path[:0] = {sys.path!r}\n{PROGRAM}"
    command = [sys.executable, "-c", program, ",".join(SLOW), *commands(build_parser())]
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize("command", list(commands(build_parser())))
def test_help_is_on_standard_output_and_says_what_the_command_is_for(capsys, command):
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--help"])
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    assert out.startswith(f"usage: ppi {command}".strip())
    assert "--help" in out


def test_the_version(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("ppi ")
