"""The parse-ranking experiments of the articles, on candidates of Link Grammar and of the shipped parser's beam.

With workers the choice of kernel tries its parameters, and the part extraction evaluates its corpora, side by side.
The learners that are compared and the part basis are timed, so they come one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from lab.frame.cache import OutOfTime
from lab.frame.experiment import Experiment, Findings, OwnPage, RunSettings
from lab.papers.parse_ranking.comparison import Sizes
from lab.papers.parse_ranking.page import paragraphs
from lab.papers.parse_ranking.parts import basis_vectors, compared, extracted
from lab.papers.parse_ranking.pictures import pictures
from ppi.core import UsageError

PARTS = ("link-grammar", "beam", "basis", "extraction")
TINY = Sizes(train=12, test=10, more=16, parses=3, folds=2)


@dataclass(frozen=True)
class Options:
    """What is run: parts, of :data:`PARTS`, with how many sentences, and which parses the part basis has.

    ``more`` are the training sentences of the largest runs.  Parts that are not run stay as they are in the result.
    """

    parts: tuple[str, ...] = PARTS
    train: int = Sizes.train
    test: int = Sizes.test
    more: int = Sizes.more
    basis_from: str = "link-grammar"

    def __post_init__(self) -> None:
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown or not self.parts:
            raise UsageError(f"expected parts among {list(PARTS)}, at least one, got {list(self.parts)}")
        if self.basis_from not in PARTS[:2]:
            raise UsageError(f"expected basis_from to be one of {list(PARTS[:2])}, got {self.basis_from!r}")


def run(settings: RunSettings) -> Findings:
    """The parts asked for, and those of the kept result; without time for all, what there is."""
    options: Options = settings.options
    sizes = TINY if settings.tiny else Sizes(options.train, options.test, options.more)
    compute: dict[str, Callable[[], dict[str, Any]]] = {
        "link-grammar": partial(compared, "link-grammar", sizes, settings),
        "beam": partial(compared, "beam", sizes, settings),
        "basis": partial(basis_vectors, options.basis_from, sizes, settings, folds=2 if settings.tiny else 10),
        "extraction": partial(extracted, settings),
    }
    kept = settings.kept.points if settings.kept is not None and settings.kept.tiny == settings.tiny else {}
    points: dict[str, Any] = {}
    unfinished: list[str] = []
    for part in PARTS:
        if part not in options.parts:
            points |= {part: kept[part]} if part in kept else {}
            continue
        settings.progress(part)
        try:
            points[part] = compute[part]()
        except OutOfTime:
            unfinished.append(part)
        else:
            unfinished += points[part]["unfinished"]
    return Findings(points=points, unfinished=unfinished)


EXPERIMENT = Experiment(
    name="parse-ranking",
    title="Parse ranking",
    source="Pahikkala et al. 2009, Table 2; Pahikkala et al. 2007, Table 8; Tsivtsivadze et al. 2008, Table 1; Paper "
    "III, Fig. 1, Tables 1 and 2; on candidates of our own.",
    protocol="See the page; everything drawn at random has its own seed.",
    run=run,
    pictures=pictures,
    options=Options(),
    page=OwnPage("parse_ranking.md", paragraphs),
)
