"""Tables 1 to 5 of the all-paths graph kernel article, ours beside theirs.

A. Airola, S. Pyysalo, J. Bjorne, T. Pahikkala, F. Ginter, T. Salakoski. All-paths graph kernel for protein-protein
interaction extraction with evaluation of cross-corpus learning. BMC Bioinformatics 9(Suppl 11):S2, 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import corpora
from corpora.folds import document_folds, make_folds, read_folds
from lab.frame.cache import Part
from lab.frame.experiment import Experiment, Findings, OwnPage, RunSettings
from lab.frame.page import markdown_table
from lab.frame.result import Result, Table
from lab.papers.paper5_published import CORPORA, PUBLISHED_CROSS_VALIDATION, TITLES, published_cell
from ppi.evaluation.cross_corpus import CrossCorpusCell, corpus_names, cross_corpus, ranks
from ppi.evaluation.cross_validation import Evaluation, Settings, evaluate_repeatedly

#: An AUC further below the published one is not called close.
CLOSE = 3.0


@dataclass(frozen=True)
class Options:
    """What is run: corpora by name or file, seeds of the folds, and the settings of the extractor."""

    corpora: tuple[str, ...] = CORPORA
    seeds: tuple[int, ...] = (0, 1, 2)
    variant: str = "max"
    learner: str = "sparse-rls"


def run(settings: RunSettings) -> Findings:
    """Cross-validation of each corpus, then all pairs of corpora; each corpus is kept as soon as it is done."""
    options: Options = _options(settings)
    extractor = Settings(kernel="all-paths", variant=options.variant, learner=options.learner)
    files = {name: corpora.find(name) for name in options.corpora}
    parts = [
        Part(
            f"paper5 {name}",
            {"corpus": path, "folds": published_folds(name, path), "seeds": options.seeds, "settings": extractor},
            partial(_cross_validated, name, extractor, options.seeds),
        )
        for name, path in files.items()
    ]
    settings.progress(f"cross-validation of {', '.join(files)}")
    found, unfinished = settings.cache.finished(parts, crew=settings.crew)
    if unfinished:
        return Findings(unfinished=[*unfinished, "paper5 cross-corpus"])
    settings.progress("cross-corpus")
    across = Part(
        "paper5 cross-corpus",
        {"corpora": files, "settings": extractor},
        partial(_crossed, options.corpora, extractor, settings),
    )
    crossed, unfinished = settings.cache.finished([across])
    if unfinished:
        return Findings(unfinished=unfinished)
    results = dict(zip(files, found, strict=True))
    (cells,) = crossed
    points = {"settings": asdict(extractor), "cross_validation": results, "cross_corpus": cells}
    shown = [CrossCorpusCell(**cell) for cell in cells]
    tables = [table_1(results), *(cross_corpus_table(shown, measure) for measure in TITLES)]
    return Findings(tables, points=points)


def _options(settings: RunSettings) -> Options:
    """A tiny run has one seed and two small corpora, unless others were asked for."""
    if settings.tiny and settings.options == Options():
        return Options(corpora=("HPRD50", "LLL"), seeds=(0,))
    return settings.options


def published_folds(name: str, path: Path) -> Path | None:
    """The file of published folds, where it is beside the corpus."""
    folds = path.parent / f"{name}-10fold.tsv"
    return folds if folds.exists() else None


def cross_validate_corpus(name: str, *, settings: Settings, seeds: Sequence[int]) -> list[Evaluation]:
    """A result for each seed; AImed on its published folds, where that file is beside the corpus."""
    path = corpora.find(name)
    documents = corpora.load(path)
    published = published_folds(name, path)
    if published is not None:
        folds = [document_folds(documents, read_folds(published), path=published)]
    else:
        folds = [make_folds(documents, 10, seed=seed) for seed in seeds]
    return evaluate_repeatedly(name, documents, settings, folds=folds)


def _cross_validated(name: str, settings: Settings, seeds: Sequence[int]) -> list[dict[str, Any]]:
    runs = cross_validate_corpus(name, settings=settings, seeds=seeds)
    return [{**run.summary(), "parser": run.parser, "written_by": run.written_by} for run in runs]


def _crossed(names: Sequence[str], extractor: Settings, settings: RunSettings) -> list[dict[str, Any]]:
    documents = {name: corpora.load(name) for name in names}
    cells = cross_corpus(documents, extractor, workers=settings.crew.workers, scheduler=settings.crew.scheduler)
    return [cell.to_dict() for cell in cells]


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
    """One of Tables 2 to 5; the AUC has its rank among the training corpora beside it."""
    tests, trains = corpus_names(cells), list(dict.fromkeys(cell.train for cell in cells))
    values = {(cell.train, cell.test): 100 * getattr(cell, measure) for cell in cells}
    place = ranks(cells) if measure == "auc" else {}
    ours: list[list[Any]] = [[values.get((train, test)) for test in tests] for train in trains]
    for i, train in enumerate(trains):
        for j, test in enumerate(tests):
            if (train, test) in place:
                ours[i][j] = f"{ours[i][j]:.1f} ({place[train, test]:g})"
    published = [[published_cell(measure, train, test) for test in tests] for train in trains]
    return Table(TITLES[measure], trains, tests, ours, published, digits=1, corner="trained on")


def paragraphs(result: Result) -> list[str]:
    """All five tables."""
    settings, points = result.points["settings"], result.points
    first = next(iter(points["cross_validation"].values()))[0]
    parts = [
        "# All-paths graph kernel: the published tables, ours beside theirs",
        f"Kernel `{settings['kernel']}` (`{settings['variant']}`), learner `{settings['learner']}`, parse "
        f"`{first['parser']}`, {first['written_by']}. Percentages. AImed on the published folds, the others on folds "
        "made from the seeds (mean of seeds). Published figures in lines of their own or in square brackets.",
    ]
    for table in result.tables:
        parts += [f"## {table.title}", markdown_table(table)]
    gaps = [
        100 * cell["auc"] - published
        for cell in points["cross_corpus"]
        if (published := published_cell("auc", cell["train"], cell["test"])) is not None
    ]
    close = sum(gap >= -CLOSE for gap in gaps)
    return [*parts, f"{close} of {len(gaps)} AUC cells are within {CLOSE:g} points of Table 2 or above it."]


EXPERIMENT = Experiment(
    name="paper5",
    title="All-paths graph kernel",
    source="Airola, Pyysalo, Björne, Pahikkala, Ginter, Salakoski: All-paths graph kernel for protein-protein "
    "interaction extraction with evaluation of cross-corpus learning. BMC Bioinformatics 9(Suppl 11):S2, 2008: "
    "Tables 1 to 5.",
    protocol="Ten folds of whole documents (AImed: the published ones), regparam and threshold chosen inside each "
    "training part; across corpora, documents that two corpora share are left out of training.",
    run=run,
    options=Options(),
    page=OwnPage("paper5.md", paragraphs),
)
