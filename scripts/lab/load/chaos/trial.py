"""A chaos trial: an undisturbed run, one with faults, and what differs."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from lab.load.chaos.comparing import Comparison, compare
from lab.load.chaos.faults import STOPPED, Faults
from lab.load.chaos.watching import Coordinator, Setting
from ppi.core import RunError

#: Starts that a run may need after the last fault.
_LAST_STARTS = 5


@dataclass
class Outcome:
    """What a trial found."""

    faults: Counter[str]
    missed: Counter[str]
    parts: int
    parts_made: int
    starts: int
    seconds: float
    wrong: list[str]
    comparison: Comparison
    undisturbed_seconds: float

    @property
    def is_good(self) -> bool:
        """Whether nothing differs, nothing is missing, and nothing else was wrong."""
        return not (self.wrong or self.comparison.rows_that_differ or self.comparison.missing)


def whole_trial(
    setting: Setting, work: Path, *, faults: int, seed: int, minutes: float, say: Callable[[str], None]
) -> Outcome:
    """The undisturbed run (taken up, if it was begun before), then the disturbed one."""
    began = time.monotonic()
    quiet = Coordinator(setting, work / "undisturbed", work)
    _finish(quiet)
    undisturbed_seconds = time.monotonic() - began
    say(f"undisturbed: {undisturbed_seconds:.0f} s")
    run = Coordinator(setting, work / "disturbed", work)
    began = time.monotonic()
    injected, missed, wrong = _disturb(run, work, faults, seed, minutes * 60, len(_parts(quiet)), say)
    _finish(run)
    return Outcome(
        faults=injected,
        missed=missed,
        parts=len(_parts(run)),
        parts_made=run.parts_done(),
        starts=run.starts,
        seconds=time.monotonic() - began,
        wrong=wrong,
        comparison=compare(run.folder, quiet.folder),
        undisturbed_seconds=undisturbed_seconds,
    )


def _disturb(
    run: Coordinator, work: Path, faults: int, seed: int, seconds: float, parts: int, say: Callable[[str], None]
) -> tuple[Counter[str], Counter[str], list[str]]:
    """Faults of all kinds in turn, in an order of chance, a few finished parts apart, until the time is over."""
    generator = random.Random(seed)
    source = Faults(run, generator, work)
    kinds = source.kinds()
    dearest, *others = kinds
    rounds = (name for _ in count() for name in generator.sample(others, len(others)))
    schedule = [dearest, *islice(rounds, faults - 1)]
    injected, missed = Counter[str](), Counter[str]()
    apart = max(1, parts // (faults + 1))
    began = time.monotonic()
    run.start()
    for name in schedule:
        if time.monotonic() - began > seconds:
            say("the time is over; no more faults")
            break
        _let_finish(run, apart, source)
        counted = injected if kinds[name]() else missed
        counted[name] += 1
        say(f"{time.monotonic() - began:6.0f} s, {run.parts_done()} parts made: {name}")
    return injected, missed, source.wrong


def _let_finish(run: Coordinator, parts: int, faults: Faults) -> None:
    """Wait until so many parts more are finished; a run that has only now noticed the last fault is started again."""
    done = run.parts_done()
    while run.until(lambda: run.parts_done() >= done + parts or None) is None:
        code, said = run.wait()
        if code == 0:
            return
        if STOPPED not in said.splitlines()[-1]:
            faults.wrong.append(f"the run ended by itself with {code}: {said.splitlines()[-1]!r}")
        run.start()


def _finish(run: Coordinator) -> None:
    """Start the run until it has done everything.

    Raises
    ------
    RunError
        If it does not get there.
    """
    for _ in range(_LAST_STARTS):
        run.start()
        code, said = run.wait()
        if code == 0:
            return
    raise RunError(f"expected a run that ends well, got {code}: {said[-500:]}")


def _parts(run: Coordinator) -> list[Path]:
    return list((run.folder / "parts").iterdir())
