"""What a model was trained on, for the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

from learners.metrics import auc
from ppi.extraction.examples import choose_parser
from ppi.extraction.outcomes import TrainedModel
from ppi.extraction.outputs import OUTPUTS, REGPARAMS
from ppi.extraction.preparation import PreparedCorpora, TrainingRows
from ppi.extraction.settings import Settings
from ppi.extraction.typed import CALIBRATED_OUTPUTS, TypedModel
from ppi.parsing.collapse import COLLAPSED_SUFFIX


def describe_training(
    model: TrainedModel,
    prepared: PreparedCorpora,
    rows: TrainingRows,
    settings: Settings,
    *,
    names: Sequence[str],
    starting_from: Sequence[str] = (),
) -> dict[str, Any]:
    """Counts, choices and held-out figures as plain JSON values.

    ``parser`` is whose parses were learned from: a model is meant for parses of that parser.
    """
    corpora = {name: prepared.examples[name] for name in names}
    facts: dict[str, Any] = {
        "documents": sum(len(np.unique(examples.documents)) for examples in corpora.values()),
        "pairs": len(rows),
        "positive": int(np.sum(rows.labels > 0)),
        "parser": _training_parser(prepared, names, settings),
        "extra": {name: len(prepared.examples[name]) for name in starting_from},
        "regparam": model.regparam,
    }
    facts["corpora"] = {
        name: {"pairs": len(examples), "positive": examples.n_positive} for name, examples in corpora.items()
    }
    if settings.learner == "ridge":
        facts["denied_left_out"] = {
            name: int(np.sum(~rows.trainable[rows.corpora == number])) for number, name in enumerate(names)
        }
    if settings.learner == "ridge" and len(names) > 1:
        facts["leave_corpus_out_auc"] = {
            name: auc(rows.labels[rows.corpora == number], model.held_out[rows.corpora == number])
            for number, name in enumerate(names)
        }
    else:
        facts["leave_document_out_auc"] = model.training_auc
    return facts


def describe_typed_training(
    model: TypedModel, prepared: PreparedCorpora, rows: TrainingRows, settings: Settings, *, names: Sequence[str]
) -> dict[str, Any]:
    """Counts by corpus and output, and average precision on corpora left out, as plain JSON values."""
    targets = rows.targets if rows.targets is not None else np.empty((len(rows), 0))
    corpora: dict[str, Any] = {}
    precision_by_output: dict[str, dict[str, float]] = {}
    for number, name in enumerate(names):
        in_corpus = rows.corpora == number
        corpora[name] = {"pairs": int(in_corpus.sum())} | {
            output: int(np.sum(targets[in_corpus, column] > 0))
            for column, output in enumerate(OUTPUTS)
            if not np.isnan(targets[in_corpus, column]).all()
        }
        for column, output in enumerate(OUTPUTS):
            is_scored = in_corpus & ~np.isnan(targets[:, column]) & ~np.isnan(model.held_out[:, column])
            if output in CALIBRATED_OUTPUTS and len(np.unique(targets[is_scored, column])) == 2:
                precision = average_precision_score(targets[is_scored, column] > 0, model.held_out[is_scored, column])
                precision_by_output.setdefault(output, {})[name] = float(precision)
    return {
        "documents": sum(len(np.unique(prepared.examples[name].documents)) for name in names),
        "pairs": len(rows),
        "positive": int(np.sum(rows.labels > 0)),
        "parser": _training_parser(prepared, names, settings),
        "corpora": corpora,
        "features": int(model.feature_mask.sum()),
        "regparam": {output: REGPARAMS[output] for output in OUTPUTS}
        if settings.regparam is None
        else settings.regparam,
        "leave_corpus_out_average_precision": precision_by_output,
        "share": _calibration_prevalence(rows, model),
    }


def _calibration_prevalence(rows: TrainingRows, model: TypedModel) -> float:
    """The share of pairs that interact among those calibrated on, each corpus counting the same."""
    is_scored = ~np.isnan(model.held_out[:, 0]) & ~np.isnan(rows.targets[:, 0])  # type: ignore[index]
    corpora = np.unique(rows.corpora[is_scored])
    return float(np.mean([np.mean(rows.labels[is_scored & (rows.corpora == corpus)] > 0) for corpus in corpora]))


def _training_parser(prepared: PreparedCorpora, names: Sequence[str], settings: Settings) -> str | None:
    documents = [document for name in names for document in prepared.documents[name]]
    parser_name = settings.parser or choose_parser(documents)
    return None if parser_name is None else parser_name.removesuffix(COLLAPSED_SUFFIX)
