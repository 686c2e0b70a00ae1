"""What all verbs share: exit codes, one-line errors, and which stream says what."""

import os
import subprocess
import sys
import warnings

import pytest

from ppi.cli import main
from ppi.cli import network as network_verb
from ppi.core import MissingExtraError, RunError, UsageError


def raising(error):
    def run(args):
        raise error

    return run


@pytest.fixture
def verb(monkeypatch):
    """Puts something else in the place of a verb's work."""
    return lambda run: monkeypatch.setattr(network_verb, "run", run)


def test_what_is_no_verb_says_where_it_is(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["bench", "training"])
    assert caught.value.code == 2
    assert "got 'bench', which is none; try: scripts/bench NAME, in a checkout" in capsys.readouterr().err


class TestErrors:
    @pytest.mark.parametrize(
        ("error", "code"),
        [
            (UsageError("expected a, got b"), 2),
            (RunError("expected a, got b"), 1),
            (MissingExtraError("expected", "a"), 1),
        ],
    )
    def test_ours_are_one_line_and_an_exit_code(self, verb, capsys, error, code):
        verb(raising(error))
        assert main(["network", "x"]) == code
        out, err = capsys.readouterr()
        assert (out, err) == ("", f"ppi: error: {error}\n")

    def test_errors_of_packages_in_use_are_ours(self, verb, capsys):
        from corpora import CorpusError
        from kernels import KernelError
        from learners import LearnerError

        for error in (CorpusError("no corpus"), KernelError("no kernel"), LearnerError("no learner")):
            verb(raising(error))
            assert main(["network", "x"]) == 1
            assert capsys.readouterr().err == f"ppi: error: {error}\n"

    def test_others_are_bugs_and_keep_their_trace(self, verb):
        verb(raising(ValueError("a bug")))
        with pytest.raises(ValueError, match="a bug"):
            main(["network", "x"])

    def test_debug_shows_the_trace_and_the_line(self, verb, capsys):
        verb(raising(RunError("expected a, got b")))
        assert main(["network", "x", "--debug"]) == 1
        err = capsys.readouterr().err
        assert err.startswith("Traceback")
        assert err.endswith("ppi: error: expected a, got b\n")

    def test_debug_shows_the_trace_of_a_bug(self, verb, capsys):
        verb(raising(ValueError("a bug")))
        assert main(["network", "x", "--debug"]) == 1
        assert "ppi: error: a bug" in capsys.readouterr().err

    def test_ctrl_c(self, verb, capsys):
        verb(raising(KeyboardInterrupt()))
        assert main(["network", "x"]) == 130
        assert capsys.readouterr().err == "ppi: interrupted; nothing half-written is left\n"


def test_warnings_are_one_line_on_standard_error(verb, capsys):
    def run(args):
        warnings.warn("expected a, got b", stacklevel=1)
        return 0

    verb(run)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(["network", "x"]) == 0
    assert capsys.readouterr() == ("", "ppi: warning: expected a, got b\n")


def test_a_reader_that_leaves_is_no_error():
    command = "import sys; from ppi.cli import main; sys.exit(main())"
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as output:
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{command}", "corpus", "stats", "sample"],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["annotate"], "the following arguments are required: INPUT"),
        (["annotate", "x", "--to", "docx"], "invalid choice: 'docx'"),
        (["annotate", "x", "--min-probability", "high"], "invalid float value: 'high'"),
        (["annotate", "x", "--workers", "2", "--scheduler", "tcp://a:1"], "not allowed with argument"),
        (["network", "x", "--to", "html5"], "invalid choice: 'html5'"),
        (["export", "x", "--to", "docx"], "invalid choice: 'docx'"),
        (
            ["annotate", "x", "--columns", "Abstract"],
            "expected ROLE=NAME,... with roles id, title, text, got 'Abstract'",
        ),
        (["annotate", "x", "--columns", "id=1"], "expected a column for the text (text=NAME) or title, got 'id=1'"),
        (["annotate", "x", "--columns", "id=1,text=Abstract"], "expected names or numbers of columns, got both"),
        (["annotate", "x", "--sort", "name"], "invalid choice: 'name'"),
        (["parse", "x", "--dependencies", "deep"], "invalid choice: 'deep'"),
        (["rank-parses", "x", "--generator", "oracle"], "invalid choice: 'oracle'"),
        (["serve", "--port", "http"], "invalid int value: 'http'"),
    ],
)
def test_arguments_that_are_none_are_usage_errors(capsys, arguments, message):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert message in err
