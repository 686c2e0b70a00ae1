import pytest
from lab.benchmarks import start

from ppi.core import PpiError


def test_every_wait_is_measured_and_the_answer_is_there():
    figures = list(start.run(scale=0.1))
    assert [figure.bar for figure in figures] == [0.15, 1.0, 10, 2.5]
    assert all(figure.same_answer and figure.value > 0 and figure.better == "lower" for figure in figures)


def test_a_process_that_fails_is_told_of(tmp_path):
    with pytest.raises(PpiError, match="no such thing"):
        start._run(tmp_path, "sys.exit('no such thing')")
