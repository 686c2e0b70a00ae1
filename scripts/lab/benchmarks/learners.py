"""Every learner's figures: the RLS shortcuts, then the rankers."""

from collections.abc import Iterator

from lab.benchmarks import _learners_ranking, _learners_rls
from lab.benchmarks.figure import Figure


def run(scale: float = 1.0) -> Iterator[Figure]:
    """The rows of both halves."""
    yield from _learners_rls.run(scale)
    yield from _learners_ranking.run(scale)
