"""Train on one corpus (or on all but one) and test on another; tables and heat maps [Airola2008, Tables 2 to 5].

F is given for four thresholds: the one chosen on the training corpus by leave-document-out, the best one on the test
corpus (an upper bound, not a result), the one that calls as many test pairs positive as there are, and zero, halfway
between the two labels that are regressed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from corpora import Document, atomic_folder
from learners import auc, best_threshold, scores_at
from ppi.core import TrainingError, map_parallel
from ppi.evaluation.records import JsonRecord
from ppi.evaluation.reports.markdown import format_table, percent
from ppi.extraction import PreparedCorpora, Settings, TrainedModel, TrainingRows, make_learner, prepare_corpora

#: The start of the name of the training set of all corpora but one.
ALL_BUT = "all but "
MEASURE_TITLES = {
    "auc": "AUC",
    "f_training_threshold": "F, threshold from the training corpus",
    "f_best_threshold": "F, best threshold on the test corpus (an upper bound)",
    "f_class_share": "F, threshold from the test corpus's class share",
    "f_zero_threshold": "F, threshold zero",
}


@dataclass(frozen=True)
class CrossCorpusCell(JsonRecord):
    """One training corpus (``all but TEST`` for the rest together) and one test corpus."""

    train: str
    test: str
    training_pairs: int
    shared_documents_left_out: int
    regparam: float
    auc: float
    f_training_threshold: float
    f_best_threshold: float
    f_class_share: float
    f_zero_threshold: float


def cross_corpus(
    documents: Mapping[str, Sequence[Document]],
    settings: Settings,
    *,
    all_but_one: bool = True,
    workers: int | None = None,
    scheduler: str | None = None,
) -> list[CrossCorpusCell]:
    """Every ordered pair of corpora and, with three or more, all others against each.

    Documents that a training corpus shares with the test corpus are left out of training.  Models are trained by
    ``workers`` processes or by the Dask cluster of ``scheduler``, as in :func:`~ppi.core.map_parallel`.
    """
    prepared = prepare_corpora(documents, settings)
    names = list(documents)
    jobs: list[tuple[tuple[str, ...], str]] = [((train,), test) for train in names for test in names if train != test]
    if all_but_one and len(names) > 2:
        jobs += [(tuple(name for name in names if name != test), test) for test in names]
    masks = [_select_unshared_rows(trains, test, prepared) for trains, test in jobs]
    # the same model serves every test corpus that shares nothing with it
    keys = [(trains, mask.tobytes()) for (trains, _), mask in zip(jobs, masks)]
    rows = {key: prepared.rows(trains).subset(mask) for key, (trains, _), mask in zip(keys, jobs, masks)}
    fitted_models = map_parallel(
        partial(_train, settings=settings), list(rows.values()), workers=workers, scheduler=scheduler
    )
    models = dict(zip(rows, fitted_models, strict=True))
    cells = []
    for key, (trains, test) in zip(keys, jobs):
        model = models[key]
        scores, positive = model.scores(prepared.features[test]), prepared.examples[test].labels > 0
        prevalence_threshold = np.sort(scores)[::-1][int(positive.sum()) - 1]
        cells.append(
            CrossCorpusCell(
                train=trains[0] if len(trains) == 1 else f"{ALL_BUT}{test}",
                test=test,
                training_pairs=len(rows[key]),
                shared_documents_left_out=_count_shared(trains, test, prepared),
                regparam=model.regparam,
                auc=auc(positive, scores),
                f_training_threshold=scores_at(positive, scores, model.threshold).f,
                f_best_threshold=best_threshold(positive, scores).f,
                f_class_share=scores_at(positive, scores, prevalence_threshold).f,
                f_zero_threshold=scores_at(positive, scores, 0.0).f,
            )
        )
    return cells


def corpus_names(cells: Sequence[CrossCorpusCell]) -> list[str]:
    """The corpora, in the order they were given."""
    return list(dict.fromkeys(cell.train for cell in cells if not cell.train.startswith(ALL_BUT)))


def ranks(cells: Sequence[CrossCorpusCell]) -> dict[tuple[str, str], float]:
    """The rank of each training corpus on each test corpus by AUC, 1 the best; all-but-one rows not counted."""
    rank_by_corpora = {}
    for test in dict.fromkeys(cell.test for cell in cells):
        rivals = [cell for cell in cells if cell.test == test and not cell.train.startswith(ALL_BUT)]
        for cell, rank in zip(rivals, rankdata([-cell.auc for cell in rivals]), strict=True):
            rank_by_corpora[cell.train, test] = float(rank)
    return rank_by_corpora


def _select_unshared_rows(trains: tuple[str, ...], test: str, prepared: PreparedCorpora) -> np.ndarray:
    """Which rows of the training corpora are of documents that the test corpus does not have.

    Raises
    ------
    TrainingError
        If these rows do not have pairs of both kinds, in two documents.
    """
    examples = [prepared.examples[train] for train in trains]
    documents = np.concatenate([part.documents for part in examples])
    labels = np.concatenate([part.labels for part in examples])
    leaking = [
        np.isin(part.documents, list(prepared.shared_document_ids(train, test)))
        for train, part in zip(trains, examples, strict=True)
    ]
    mask = ~np.concatenate(leaking)
    if len(np.unique(labels[mask])) < 2 or len(np.unique(documents[mask])) < 2:
        raise TrainingError(
            f"expected pairs of both kinds, of at least 2 documents, in {', '.join(trains)} to test on {test}, got "
            f"{int(mask.sum())} pairs: {_count_shared(trains, test, prepared)} documents are also in {test} and were "
            "left out; leave one of these corpora out"
        )
    return mask


def _count_shared(trains: Iterable[str], test: str, prepared: PreparedCorpora) -> int:
    return sum(len(prepared.shared_document_ids(train, test)) for train in trains)


def _train(rows: TrainingRows, settings: Settings) -> TrainedModel:
    # A copy, since rows keep the Gram matrix that they make: those of all tasks together would fill the memory.
    return make_learner(settings).train(replace(rows))


def render_markdown_tables(cells: Sequence[CrossCorpusCell]) -> str:
    """One table per measure, training corpora as rows; the AUC table also has ranks."""
    tests = corpus_names(cells)
    trains = list(dict.fromkeys(cell.train for cell in cells))
    rank_by_corpora = ranks(cells)
    parts = []
    for measure, title in MEASURE_TITLES.items():
        values = {(cell.train, cell.test): getattr(cell, measure) for cell in cells}
        with_ranks = measure == "auc"
        header = ["trained on", *tests, *(["mean rank"] if with_ranks else [])]
        rows = []
        for train in trains:
            row = [train]
            for test in tests:
                rank = rank_by_corpora.get((train, test))
                cell_text = percent(values.get((train, test)))
                row.append(f"{cell_text} ({rank:g})" if with_ranks and rank is not None else cell_text)
            if with_ranks:
                own_ranks = [rank for (name, _), rank in rank_by_corpora.items() if name == train]
                row.append(f"{sum(own_ranks) / len(own_ranks):.2f}" if own_ranks else "-")
            rows.append(row)
        parts.append(f"**{title}**\n\n{format_table(header, rows)}")
    return "\n\n".join(parts)


def write_cross_corpus_report(cells: Sequence[CrossCorpusCell], folder: str | Path) -> None:
    """Write ``cross-corpus.json``, ``cross-corpus.md`` and one heat map per measure."""
    from ppi.evaluation.reports.plots import plot_heat_map

    tests = corpus_names(cells)
    with atomic_folder(folder) as output_folder:
        text = json.dumps([cell.to_dict() for cell in cells], indent=1)
        (output_folder / "cross-corpus.json").write_text(text, encoding="utf-8")
        images = "\n".join(f"![{title}]({measure}.png)" for measure, title in MEASURE_TITLES.items())
        page = f"# Cross-corpus evaluation\n\n{render_markdown_tables(cells)}\n\n{images}\n"
        (output_folder / "cross-corpus.md").write_text(page, encoding="utf-8")
        for measure, title in MEASURE_TITLES.items():
            values = {(cell.train, cell.test): getattr(cell, measure) for cell in cells}
            plot_heat_map(values, tests, title, output_folder / f"{measure}.png")
