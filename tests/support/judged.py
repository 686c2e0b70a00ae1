"""Judgements made by hand, and strategies for logs of several curators."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import annotated
from hypothesis import strategies as st

from ppi.extraction import VERDICTS
from ppi.server import Judgement, JudgementLine, Undo, encode_line, format_time

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
#: binding; modification, second on first; regulations; the last two denied and supposed
TYPED = annotated.typed().interactions


def at(seconds: float) -> str:
    return format_time(START + timedelta(seconds=seconds))


def judgement(verdict="right", *, of=0, curator="Ada", seconds=0.0, **more) -> Judgement:
    return Judgement(verdict, TYPED[of], curator, at(seconds), **more)


def fitting(interaction) -> list[str]:
    """The verdicts that can be given of an interaction."""
    fits = {"wrong type": interaction.type is not None, "wrong direction": interaction.directed}
    return [verdict for verdict in VERDICTS if fits.get(verdict, True)]


def ids(events) -> dict:
    """The events by the ids that their lines have."""
    return {JudgementLine(0, encode_line(event)).id: event for event in events}


class Clock:
    """A clock that moves by a second each time somebody looks."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@st.composite
def logs(draw) -> list[Judgement | Undo]:
    """Up to twenty clicks of two curators on three rows; some take back what they, or the other, said."""
    events: list[Judgement | Undo] = []
    for number in range(draw(st.integers(0, 20))):
        curator = draw(st.sampled_from(["Ada", "Bob"]))
        told = [(id, event) for id, event in ids(events).items() if isinstance(event, Judgement)]
        # times may coincide and go back, as they do in merged files
        seconds = draw(st.integers(0, 5)) if draw(st.booleans()) else number
        if told and draw(st.integers(0, 3)) == 0:
            events.append(Undo(draw(st.sampled_from(told))[0], curator, at(seconds)))
        else:
            verdict = draw(st.sampled_from(["right", "wrong", "wrong direction", "not a protein"]))
            events.append(judgement(verdict, of=draw(st.integers(1, 3)), curator=curator, seconds=seconds))
    return events
