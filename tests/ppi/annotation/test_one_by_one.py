"""A batch that fails is done one by one, once, and the one that fails alone is known."""

import pytest

from ppi.annotation.settings import map_isolating_errors


def halves(calls):
    def function(numbers):
        calls.append(list(numbers))
        if any(number % 2 for number in numbers):
            raise ArithmeticError("odd")
        return [number // 2 for number in numbers]

    return function


def test_what_works_together_is_done_together():
    calls = []
    found = map_isolating_errors(halves(calls), [2, 4], errors=ArithmeticError, on_error=pytest.fail)
    assert (found, calls) == ([(2, 1), (4, 2)], [[2, 4]])


def test_otherwise_each_is_done_alone():
    calls, failed = [], []
    found = map_isolating_errors(
        halves(calls), [2, 3, 4], errors=ArithmeticError, on_error=lambda *what: failed.append(what)
    )
    assert found == [(2, 1), (4, 2)]
    assert calls == [[2, 3, 4], [2], [3], [4]]
    assert [(item, str(error)) for item, error in failed] == [(3, "odd")]


def test_a_single_one_is_not_tried_twice():
    calls, failed = [], []
    assert (
        map_isolating_errors(halves(calls), [3], errors=ArithmeticError, on_error=lambda *what: failed.append(what))
        == []
    )
    assert (calls, len(failed)) == ([[3]], 1)


def test_nothing_is_not_worth_a_call():
    assert map_isolating_errors(pytest.fail, [], errors=Exception, on_error=pytest.fail) == []


def test_other_errors_are_raised_at_once():
    calls = []
    with pytest.raises(ArithmeticError):
        map_isolating_errors(halves(calls), [2, 3], errors=KeyError, on_error=pytest.fail)
    assert calls == [[2, 3]]


def test_an_answer_for_each_is_expected():
    with pytest.raises(ValueError, match="zip"):
        map_isolating_errors(lambda items: [1], [1, 2], errors=KeyError, on_error=pytest.fail)
