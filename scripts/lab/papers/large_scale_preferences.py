"""Large-scale RankRLS from a million preferences, on made-up documents in the size of RCV1."""

from __future__ import annotations

from lab.frame.experiment import Experiment, Findings, RunSettings
from lab.papers.large_scale_methods import Problem, compare
from lab.papers.large_scale_report import (
    N_PREFERENCES,
    PROTOCOL,
    SOURCE,
    data_sizes,
    method_checks,
    method_tables,
    pictures_like,
    sample_preferences,
)
from lab.papers.large_scale_scores import grid, made_up, remarks

#: test error, training seconds, selection seconds of the methods 1, 2, 3 [Airola2010, Table 1]
PUBLISHED = ((0.01530, 226, 15295), (0.01621, 52, 78), (0.01530, 94, 1695))


def run(settings: RunSettings) -> Findings:
    """The three methods on pairs drawn from the training documents."""
    data = made_up(settings)
    n_preferences = 5000 if settings.tiny else N_PREFERENCES
    edges = sample_preferences(data.y_train, n_preferences, seed=settings.seed)
    outcome = compare(Problem(data, edges), grid(settings), settings.progress)
    title = f"Made-up documents of RCV1's size, learned from {n_preferences:,} preferences"
    points = {"preferences": outcome.curves, "sizes": data_sizes(data)}
    return Findings(method_tables(title, outcome, PUBLISHED), method_checks("preferences", outcome), points)


EXPERIMENT = Experiment(
    name="large-scale-preferences",
    title="Large-scale RankRLS: the size of RCV1, from a million preferences",
    source=SOURCE + "third part.",
    protocol="The same documents; 1,000,000 pairs of a relevant and an irrelevant training document drawn at random, "
    "learned from by (9). Grid 2^-10, 2^-9 .. 2^10. " + PROTOCOL,
    run=run,
    pictures=pictures_like("Fig. 2"),
    remarks=remarks,
)
