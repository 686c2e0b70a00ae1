"""The tables and the figure of the all-paths graph kernel article, from what a run found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from lab.frame.result import Table
from lab.papers.paper5_published import (
    DIFFERENCES,
    PUBLISHED_CROSS_VALIDATION,
    PUBLISHED_MEAN_RANKS,
    TITLES,
    published_cell,
    published_difference,
)
from ppi.evaluation import ALL_BUT, CrossCorpusCell, corpus_names, ranks


def table_1(results: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    """Cross-validation, two rows per corpus: ours, and the published one where there is one."""
    rows, cells = [], []
    for name, runs in results.items():
        rows.append(name)
        cells.append(["ours", *_cross_validation_figures(runs)])
        if name in PUBLISHED_CROSS_VALIDATION:
            rows.append("")
            cells.append(["published", *PUBLISHED_CROSS_VALIDATION[name]])
    columns = ["", "P", "R", "F", "sd F", "AUC", "sd AUC", "co-occ P", "co-occ F"]
    return Table("Table 1: cross-validation", rows, columns, cells, digits=1, corner="corpus")


def _cross_validation_figures(summaries: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
    def average(part: str, measure: str) -> float:
        return 100 * fmean(summary[part][measure] for summary in summaries)

    return (
        *(average("mean", measure) for measure in ("precision", "recall", "f")),
        average("std", "f"),
        average("mean", "auc"),
        average("std", "auc"),
        average("baseline", "precision"),
        average("baseline", "f"),
    )


def cross_corpus_table(cells: Sequence[CrossCorpusCell], measure: str) -> Table:
    """One of Tables 2 to 5, or F with the threshold zero.

    The AUC has its rank among the training corpora beside it, an F with a threshold that could be used the difference
    from the best one's.
    """
    if measure == "auc":
        return _auc_table(cells)
    return _difference_table(cells, measure) if measure in DIFFERENCES else _plain_table(cells, measure)


def _names(cells: Sequence[CrossCorpusCell]) -> tuple[list[str], list[str]]:
    return list(dict.fromkeys(cell.train for cell in cells)), corpus_names(cells)


def _percent(cells: Sequence[CrossCorpusCell], measure: str) -> dict[tuple[str, str], float]:
    return {(cell.train, cell.test): 100 * getattr(cell, measure) for cell in cells}


def _auc_table(cells: Sequence[CrossCorpusCell]) -> Table:
    """With ranks, and their mean in the last column."""
    trains, tests = _names(cells)
    values, place = _percent(cells, "auc"), ranks(cells)
    ours: list[list[Any]] = [[values.get((train, test)) for test in tests] for train in trains]
    for i, train in enumerate(trains):
        for j, test in enumerate(tests):
            if (train, test) in place:
                ours[i][j] = f"{ours[i][j]:.1f} ({place[train, test]:g})"
        own = [rank for (name, _), rank in place.items() if name == train]
        ours[i].append(f"{fmean(own):g}" if own else None)
    published: list[list[Any]] = [[published_cell("auc", train, test) for test in tests] for train in trains]
    for row, train in zip(published, trains):
        row.append(PUBLISHED_MEAN_RANKS.get(train))
    return Table(TITLES["auc"], trains, [*tests, "mean rank"], ours, published, digits=1, corner="trained on")


def _plain_table(cells: Sequence[CrossCorpusCell], measure: str) -> Table:
    trains, tests = _names(cells)
    values = _percent(cells, measure)
    ours = [[values.get((train, test)) for test in tests] for train in trains]
    published = [[published_cell(measure, train, test) for test in tests] for train in trains]
    return Table(TITLES[measure], trains, tests, ours, published, digits=1, corner="trained on")


def _difference_table(cells: Sequence[CrossCorpusCell], measure: str) -> Table:
    """Two columns per test corpus: F, and how far it is below F with the best threshold, both as they are shown.

    The threshold zero is shown for the single corpora that the article has.
    """
    if measure == "f_zero_threshold":
        cells = _single(cells)
    trains, tests = _names(cells)
    values, best = _shown(cells, measure), _shown(cells, "f_best_threshold")
    ours: list[list[Any]] = []
    published: list[list[Any]] = []
    for train in trains:
        ours.append([])
        published.append([])
        for test in tests:
            pair = (train, test)
            ours[-1] += [values[pair], best[pair] - values[pair]] if pair in values else [None, None]
            published[-1] += [published_cell(measure, *pair), published_difference(measure, *pair)]
    columns = [column for test in tests for column in (test, "Δ")]
    return Table(TITLES[measure], trains, columns, ours, published, digits=1, corner="trained on")


def _single(cells: Sequence[CrossCorpusCell]) -> list[CrossCorpusCell]:
    return [cell for cell in cells if not cell.train.startswith(ALL_BUT)]


def _shown(cells: Sequence[CrossCorpusCell], measure: str) -> dict[tuple[str, str], float]:
    """Percentages with the one digit that tables have."""
    return {pair: round(value, 1) for pair, value in _percent(cells, measure).items()}


def threshold_summary(cells: Sequence[CrossCorpusCell]) -> str:
    """How the three thresholds that could be used compare with the best one, over pairs of corpora."""
    shown = {measure: _shown(_single(cells), measure) for measure in TITLES if measure != "auc"}
    means = {measure: fmean(values.values()) for measure, values in shown.items()}
    trained, zero = shown["f_training_threshold"], shown["f_zero_threshold"]
    worse = sum(zero[pair] < value for pair, value in trained.items())
    return (
        f"Mean F of the {len(trained)} pairs of corpora by threshold: best {means['f_best_threshold']:.1f}, class "
        f"share {means['f_class_share']:.1f}, training corpus {means['f_training_threshold']:.1f}, zero "
        f"{means['f_zero_threshold']:.1f}. Zero is worse than the training corpus's threshold for {worse} of them; the "
        'article says of it that it "yielded no better results", without figures.'
    )


def curve_table(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    """Fig. 3 in figures: AUC for the number of training documents, halved from row to row, and the pairs in them."""
    depth = max(len(points) for points in curves.values())
    rows = ["all"] + [f"1/{2**step}" for step in range(1, depth)]
    cells = [
        [_curve_cell(list(points)[-1 - step]) if step < len(points) else None for points in curves.values()]
        for step in range(depth)
    ]
    title = "Figure 3: learning curves, AUC ± its spread over draws (training pairs)"
    return Table(title, rows, list(curves), cells, digits=1, corner="of the training half")


def _curve_cell(point: Mapping[str, Any]) -> str:
    spread = f" ± {100 * point['std']:.1f}" if point["repeats"] > 1 else ""
    return f"{100 * point['auc']:.1f}{spread} ({point['pairs']:.0f})"


def draw_curves(figure: Any, curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Fig. 3: AUC against the number of training pairs, on a log scale."""
    from lab.frame.plots import COLOURS

    axes = figure.subplots()
    for (name, points), colour in zip(curves.items(), COLOURS):
        pairs = [point["pairs"] for point in points]
        values = [100 * point["auc"] for point in points]
        spread = [100 * point["std"] for point in points]
        axes.plot(pairs, values, marker="o", color=colour, label=name)
        low, high = ([v + sign * s for v, s in zip(values, spread)] for sign in (-1, 1))
        axes.fill_between(pairs, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.set_xscale("log")
    axes.set(xlabel="training pairs", ylabel="AUC, %")
    axes.legend()


def curve_remark(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The article's reading of its figure, put to ours."""
    small = [name for name in ("HPRD50", "LLL", "IEPA") if name in curves]
    if "BioInfer" not in curves or not small:  # a small run
        return "The article compares the three small corpora with BioInfer, which this run does not have."
    at_100 = {name: 100 * _interpolated(curves[name], 100) for name in small}
    bioinfer = 100 * _interpolated(curves["BioInfer"], 1000)
    above = sum(value > bioinfer for value in at_100.values())
    shown = ", ".join(f"{name} {value:.1f}" for name, value in at_100.items())
    return (
        "The article finds that the three small corpora are easier: with 100 training examples they exceed BioInfer "
        f"with ten times as many. Here, read off the curves: {shown} with 100, BioInfer {bioinfer:.1f} with 1,000, so "
        f"that it holds for {above} of {len(small)}."
    )


def _interpolated(points: Sequence[Mapping[str, Any]], pairs: float) -> float:
    """AUC at so many pairs, linear in the logarithm of their number."""
    import numpy as np

    sizes = np.log([point["pairs"] for point in points])
    return float(np.interp(np.log(pairs), sizes, [point["auc"] for point in points]))
