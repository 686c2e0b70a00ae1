"""The fold of a log: what holds; against replaying the clicks one after another."""

import random

from hypothesis import given
from hypothesis import strategies as st
from judged import ids, judgement, logs

from ppi.server.curation.consensus import fold_judgements
from ppi.server.curation.judgement import Judgement, Undo


def replayed(events):
    """By definition: a pile for each row and curator; what was taken back is taken out of it, the top holds.

    A file may tell of an undo before the judgement that it takes back (merged clocks differ), so undos come last.
    """
    piles = {}
    ordered = sorted(events.items(), key=lambda entry: (entry[1].time, entry[0]))
    for id, event in ordered:
        if isinstance(event, Judgement):
            piles.setdefault((event.row, event.curator), []).append(id)
    for _, event in ordered:
        if isinstance(event, Undo):
            for (_, curator), pile in piles.items():
                if curator == event.curator and event.judgement in pile:
                    pile.remove(event.judgement)
    return {key: pile[-1] for key, pile in piles.items() if pile}


@given(logs())
def test_the_fold_is_the_top_of_each_pile(log):
    events = ids(log)
    state = fold_judgements(events)
    assert {(kept.judgement.row, kept.judgement.curator): kept.id for kept in state} == replayed(events)


@given(logs(), st.randoms())
def test_the_order_of_the_lines_does_not_matter(log, dice: random.Random):
    events = ids(log)
    shuffled = list(events.items())
    dice.shuffle(shuffled)
    assert fold_judgements(dict(shuffled)) == fold_judgements(events)
    assert list(fold_judgements(dict(shuffled))) == list(fold_judgements(events))


def test_what_undoing_takes_back():
    state = fold_judgements(
        ids([judgement(of=0, seconds=1), judgement(of=1, seconds=2), judgement(of=2, curator="Bob", seconds=3)])
    )
    assert state.latest("Ada").judgement.interaction.names == ("Cofilin", "LIMK1")
    assert state.latest("Eve") is None
    assert state.curators == ["Ada", "Bob"]
    assert state.verdicts == {"right": 3}


class TestSettled:
    def test_one_curator_settles_alone(self):
        settled, divided = fold_judgements(ids([judgement("wrong", of=0)])).resolve()
        assert ([each.verdict for each in settled], divided) == (["wrong"], 0)

    def test_the_divided_settle_nothing(self):
        state = fold_judgements(ids([judgement("wrong"), judgement("right", curator="Bob")]))
        assert state.resolve() == ([], 1)
        settled, divided = state.resolve("Bob")
        assert ([each.verdict for each in settled], divided) == (["right"], 0)
        assert state.resolve("Eve") == ([], 0)

    def test_more_than_half_settle(self):
        said = [
            judgement("wrong"),
            judgement("right", curator="Bob"),
            judgement("not a protein", curator="Eve", seconds=1),
        ]
        settled, divided = fold_judgements(ids(said)).resolve()
        assert ([each.verdict for each in settled], divided) == (["not a protein"], 0)

    def test_of_those_who_agree_the_most_frequent_verdict_holds(self):
        said = [
            judgement("wrong type", of=1, curator="Ada", type="binding"),
            judgement("wrong type", of=1, curator="Bob", type="binding"),
            judgement("right", of=1, curator="Eve", seconds=9),
        ]
        ((one,), divided) = fold_judgements(ids(said)).resolve()
        assert (one.verdict_type, one.curator, divided) in {("binding", "Ada", 0), ("binding", "Bob", 0)}
