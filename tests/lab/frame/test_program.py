"""Programs behind scripts/: one line for what is wrong, and nothing hidden that is our own fault."""

import pytest
from lab.frame.program import run_program
from lab.papers import paper5

from ppi.errors import UsageError


def test_an_error_of_ours_is_one_line(capsys):
    assert paper5.main(["--corpora", "no-such-corpus"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("scripts/reproduce_paper5: expected a file or the name of a corpus, got 'no-such-corpus'")
    assert err.count("\n") == 1


def test_the_exit_code_is_that_of_the_work(capsys):
    def refuse():
        raise UsageError("expected more")

    assert (run_program("p", lambda: 3), run_program("p", refuse)) == (3, 1)
    assert capsys.readouterr().err == "p: expected more\n"


def test_other_errors_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run_program("p", lambda: 1 // 0)
