"""Tables 1 to 5 and Figure 3 of the all-paths graph kernel article, ours beside theirs.

A. Airola, S. Pyysalo, J. Bjorne, T. Pahikkala, F. Ginter, T. Salakoski. All-paths graph kernel for protein-protein
interaction extraction with evaluation of cross-corpus learning. BMC Bioinformatics 9(Suppl 11):S2, 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import corpora
from corpora import document_folds, make_folds, read_folds
from lab.frame.cache import Part
from lab.frame.experiment import Experiment, Findings, OwnPage, Picture, RunSettings
from lab.frame.page import figure_file, markdown_table
from lab.frame.result import Result
from lab.papers.paper5_published import CORPORA, TITLES, published_cell
from lab.papers.paper5_tables import (
    cross_corpus_table,
    curve_remark,
    curve_table,
    draw_curves,
    table_1,
    threshold_summary,
)
from ppi.evaluation import CrossCorpusCell, Evaluation, cross_corpus, evaluate_repeatedly, learning_curve
from ppi.extraction import Settings

#: An AUC further below the published one is not called close.
CLOSE = 3.0


@dataclass(frozen=True)
class Options:
    """What is run: corpora by name or file, seeds of the folds, draws of a curve, and the settings of the extractor."""

    corpora: tuple[str, ...] = CORPORA
    seeds: tuple[int, ...] = (0, 1, 2)
    curve_repeats: int = 5
    variant: str = "max"
    learner: str = "sparse-rls"


def run(settings: RunSettings) -> Findings:
    """Cross-validation and learning curve of each corpus, then all pairs of corpora; each part is kept once done."""
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
    curves = [
        Part(
            f"paper5 learning curve {name}",
            {"corpus": path, "repeats": options.curve_repeats, "settings": extractor},
            partial(_curve, name, extractor, options.curve_repeats),
        )
        for name, path in files.items()
    ]
    settings.progress(f"cross-validation and learning curves of {', '.join(files)}")
    found, unfinished = settings.cache.finished([*parts, *curves], crew=settings.crew)
    if unfinished:
        return Findings(unfinished=[*unfinished, "paper5 cross-corpus"])
    settings.progress("cross-corpus")
    across = Part(
        "paper5 cross-corpus, four thresholds",
        {"corpora": files, "settings": extractor},
        partial(_crossed, options.corpora, extractor, settings),
    )
    crossed, unfinished = settings.cache.finished([across])
    if unfinished:
        return Findings(unfinished=unfinished)
    results, drawn = dict(zip(files, found[: len(files)])), dict(zip(files, found[len(files) :]))
    (cells,) = crossed
    points = {"settings": asdict(extractor), "cross_validation": results, "cross_corpus": cells, "curves": drawn}
    shown = [CrossCorpusCell(**cell) for cell in cells]
    tables = [table_1(results), *(cross_corpus_table(shown, measure) for measure in TITLES), curve_table(drawn)]
    return Findings(tables, points=points)


def _options(settings: RunSettings) -> Options:
    """A tiny run has one seed and two small corpora, unless others were asked for."""
    if settings.tiny and settings.options == Options():
        return Options(corpora=("HPRD50", "LLL"), seeds=(0,), curve_repeats=1)
    options: Options = settings.options
    return options


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


def _curve(name: str, settings: Settings, repeats: int) -> list[dict[str, Any]]:
    """The points, with the digits that the table has: what is said of them is then what a reader finds."""
    points = learning_curve(name, corpora.load(name), settings, repeats=repeats)
    return [
        {"pairs": round(point.pairs), "auc": round(point.auc, 3), "std": round(point.std, 3), "repeats": point.repeats}
        for point in points
    ]


def _crossed(names: Sequence[str], extractor: Settings, settings: RunSettings) -> list[dict[str, Any]]:
    documents = {name: corpora.load(name) for name in names}
    cells = cross_corpus(documents, extractor, workers=settings.crew.workers, scheduler=settings.crew.scheduler)
    return [cell.to_dict() for cell in cells]


def paragraphs(result: Result) -> list[str]:
    """All five tables, and the figure."""
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
    (picture,) = pictures(result)
    return [
        *parts,
        f"![Learning curves]({figure_file(result, picture)})",
        f"*{picture.caption}*",
        curve_remark(points["curves"]),
        threshold_summary([CrossCorpusCell(**cell) for cell in points["cross_corpus"]]),
        f"{close} of {len(gaps)} AUC cells are within {CLOSE:g} points of Table 2 or above it.",
    ]


def pictures(result: Result) -> list[Picture]:
    """Figure 3."""
    caption = (
        "Learning curves of the five corpora: half of the folds are the test set, documents of the others are added in "
        "a random order; bands are one standard deviation over draws."
    )
    return [Picture("learning-curves", caption, partial(draw_curves, curves=result.points["curves"]))]


EXPERIMENT = Experiment(
    name="paper5",
    title="All-paths graph kernel",
    source="Airola, Pyysalo, Björne, Pahikkala, Ginter, Salakoski: All-paths graph kernel for protein-protein "
    "interaction extraction with evaluation of cross-corpus learning. BMC Bioinformatics 9(Suppl 11):S2, 2008: "
    "Tables 1 to 5, Figure 3.",
    protocol="Ten folds of whole documents (AImed: the published ones), regparam and threshold chosen inside each "
    "training part; across corpora, documents that two corpora share are left out of training.",
    run=run,
    pictures=pictures,
    options=Options(),
    page=OwnPage("paper5.md", paragraphs),
)
