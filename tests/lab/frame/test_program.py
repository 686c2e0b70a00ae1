"""Programs behind scripts/: one line for what is wrong, and nothing hidden that is our own fault."""

import pytest
from lab.frame.program import run_program
from lab.papers.__main__ import main

from learners import LearnerError
from ppi.core import UsageError


def test_an_error_of_ours_is_one_line(capsys):
    assert main(["paper5", "--tiny", "--set", 'corpora=["no-such-corpus"]']) == 1
    err = capsys.readouterr().err
    assert err.startswith("scripts/reproduce: expected a file or the name of a corpus, got 'no-such-corpus'")
    assert err.count("\n") == 1


@pytest.mark.parametrize("kind", [UsageError, LearnerError])
def test_the_exit_code_is_that_of_the_work(kind, capsys):
    def refuse():
        raise kind("expected more")

    assert (run_program("p", lambda: 3), run_program("p", refuse)) == (3, 1)
    assert capsys.readouterr().err == "p: expected more\n"


def test_other_errors_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run_program("p", lambda: 1 // 0)
