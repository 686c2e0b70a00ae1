"""What every experiment offers, and what it is given to run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from lab.frame.cache import Cache
from lab.frame.crew import Crew
from lab.frame.result import Check, Result, Table
from ppi.core import UsageError

T = TypeVar("T")
R = TypeVar("R")


def _silent(text: str) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class RunSettings:
    """What a run is given.

    ``tiny`` asks for a version that ends in seconds and shows that everything works; its figures mean nothing.
    ``progress`` is called with a line of text now and then.  ``crew`` does what can be done side by side; what is timed
    is always done here, one after the other.  ``cache`` keeps what long experiments have finished.  ``options`` are of
    the experiment's own kind (:attr:`Experiment.options`), and ``kept`` is its result of an earlier run, if there is
    one.
    """

    corpora: Path | None = None
    tiny: bool = False
    seed: int = 0
    progress: Callable[[str], None] = _silent
    crew: Crew = field(default_factory=Crew)
    cache: Cache = field(default_factory=Cache)
    options: Any = None
    kept: Result | None = None

    def map(self, function: Callable[[T], R], tasks: Sequence[T], *, what: str) -> list[R]:
        """``[function(task) for task in tasks]`` by the crew, whose progress is told in ``what``, such as "folds"."""
        return self.crew.map(function, tasks, done=lambda count: self.progress(f"{count} of {len(tasks)} {what}"))

    def file(self, name: str) -> Path:
        """The data file of that name, anywhere below the folder of the corpora."""
        if self.corpora is None:
            raise UsageError(f"expected PPI_CORPORA to name the folder that holds {name}, got nothing; set it")
        found = sorted(self.corpora.rglob(name))
        if not found:
            raise UsageError(f"expected {name!r} somewhere below {str(self.corpora)!r}, got none; check PPI_CORPORA")
        return found[0]


@dataclass(frozen=True)
class Findings:
    """What an experiment's ``run`` hands back; the frame adds seed and seconds.

    ``unfinished`` names what was left for another run, for want of time; the cache has the rest.
    """

    tables: list[Table] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    points: dict[str, Any] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Picture:
    """One figure of the page: ``draw`` fills an empty matplotlib figure of ``size`` inches.

    ``file`` is where it is kept, seen from the page; by default ``figures/EXPERIMENT-NAME.svg``.
    """

    name: str
    caption: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (6.0, 4.0)
    file: str | None = None


@dataclass(frozen=True)
class OwnPage:
    """A page for one experiment alone: its file, and from a result its paragraphs, the first being the heading."""

    file: str
    paragraphs: Callable[[Result], list[str]]


def _no_pictures(result: Result) -> list[Picture]:
    return []


def _no_remarks(result: Result) -> list[str]:
    return []


@dataclass(frozen=True)
class Experiment:
    """One published experiment.

    Parameters
    ----------
    name
        What ``scripts/reproduce`` calls it.
    title
        Its heading on the page.
    source
        The paper, with the tables and figures that are reproduced.
    protocol
        Data, split, what is chosen how and on what; a paragraph for the reader.
    data
        Files that have to be below the folder of the corpora.
    run
        Does the work.
    pictures, remarks
        From a result (which may have been read from disk): the figures, and what a reader has to know.  Where a figure
        of ours deviates, ``remarks`` says why.
    options
        A frozen dataclass with the defaults of what ``--set NAME=VALUE`` may change; None: nothing.
    page
        Where the experiment is shown, if not with the others.
    """

    name: str
    title: str
    source: str
    protocol: str
    run: Callable[[RunSettings], Findings]
    data: Sequence[str] = ()
    pictures: Callable[[Result], list[Picture]] = _no_pictures
    remarks: Callable[[Result], list[str]] = _no_remarks
    options: Any = None
    page: OwnPage | None = None


def perform(experiment: Experiment, settings: RunSettings) -> Result:
    """Run the experiment on one BLAS thread and time it."""
    from threadpoolctl import threadpool_limits

    options = experiment.options if settings.options is None else settings.options
    start, cpu_start = time.perf_counter(), settings.crew.cpu_seconds()
    with threadpool_limits(limits=1):
        found = experiment.run(replace(settings, options=options))
    return Result(
        experiment.name,
        settings.seed,
        settings.tiny,
        round(time.perf_counter() - start, 1),
        found.tables,
        checks=found.checks,
        points=found.points,
        cpu_seconds=round(settings.crew.cpu_seconds() - cpu_start, 1),
        options={} if options is None else asdict(options),
        unfinished=found.unfinished,
    )
