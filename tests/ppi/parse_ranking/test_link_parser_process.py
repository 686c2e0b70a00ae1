"""A crash, a hang or nonsense costs one sentence; a program that is not there is an error that says what to install."""

import stat
import sys
import warnings
from pathlib import Path

import pytest

from ppi.core import MissingProgramError
from ppi.parse_ranking.link_grammar import LinkGrammar

FAKE = Path(__file__).parents[2] / "support" / "fake_link_parser.py"


@pytest.fixture
def fake(tmp_path):
    program = tmp_path / "link-parser"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{FAKE}"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def numbers(generator, sentences, max_candidates=5):
    return [len(each.candidates) for each in generator.candidates(sentences, max_candidates=max_candidates)]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("CRASH", "crashed: 1"),
        ("EXIT", "crashed: 1"),
        ("HANG", "took too long: 1"),
        ("TIMER", "took too long: 1"),
        ("GARBLE", "garbled: 1"),
        ("BYTES", "garbled: 1"),
        ("LIES", "garbled: 1"),
    ],
)
def test_a_failure_costs_its_sentence_only(fake, word, kind):
    generator = LinkGrammar(program=fake, hard_timeout=3)
    with pytest.warns(UserWarning, match=kind):
        assert numbers(generator, ["a b c", f"a {word} c", "d e f", "g h"]) == [1, 0, 1, 1]


def test_failures_in_a_row_and_at_the_end(fake):
    generator = LinkGrammar(program=fake, hard_timeout=3)
    with pytest.warns(UserWarning, match="crashed: 3"):
        assert numbers(generator, ["CRASH x", "CRASH y", "a b", "CRASH z"]) == [0, 0, 1, 0]


def test_no_linkage_is_no_failure(fake):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert numbers(LinkGrammar(program=fake), ["a NOTHING", "a b"]) == [0, 1]


def test_a_sentence_longer_than_the_program_reads_is_not_sent(fake):
    with pytest.warns(UserWarning, match="sentence too long: 1"):
        assert numbers(LinkGrammar(program=fake), ["x" * 2045, "x" * 2044, "a b"]) == [0, 1, 1]


def test_as_many_linkages_as_wanted_in_the_programs_order(fake):
    (found,) = LinkGrammar(program=fake).candidates(["a THREE c"], max_candidates=2)
    assert [(each.place, each.cost) for each in found.candidates] == [(0, 0.5), (1, 1.5)]
    assert numbers(LinkGrammar(program=fake), ["a THREE c", "a b"]) == [3, 1]


def test_a_program_that_is_not_there_names_the_packages(tmp_path):
    generator = LinkGrammar(program=str(tmp_path / "nowhere"))
    with pytest.raises(MissingProgramError, match="install the Debian packages link-grammar and link-grammar-dict"):
        list(generator.candidates(["a b"], max_candidates=1))


def test_a_program_that_does_not_start_names_the_packages(fake, monkeypatch):
    monkeypatch.setenv("FAKE_LINK_PARSER", "does not start")
    with pytest.raises(
        MissingProgramError, match="to start, got: it crashed and said 'no dictionary'; install the Debian"
    ):
        list(LinkGrammar(program=fake).candidates(["a b"], max_candidates=1))


def test_stopping_early_stops_the_program(fake):
    stream = LinkGrammar(program=fake).candidates(["a b", "c d"], max_candidates=1)
    assert next(stream).candidates
    stream.close()
    with pytest.raises(StopIteration):
        next(stream)
