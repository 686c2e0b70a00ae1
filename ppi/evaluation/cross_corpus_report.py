"""Cross-corpus results as tables and heat maps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from corpora.source import atomic_folder
from ppi.evaluation.cross_corpus import CrossCorpusCell, corpus_names, ranks
from ppi.evaluation.markdown import table

MEASURES = {
    "auc": "AUC",
    "f_training_threshold": "F, threshold from the training corpus",
    "f_best_threshold": "F, best threshold on the test corpus (an upper bound)",
    "f_class_share": "F, threshold from the test corpus's class share",
    "f_zero_threshold": "F, threshold zero",
}


def markdown_tables(cells: Sequence[CrossCorpusCell]) -> str:
    """One table per measure, training corpora as rows; the AUC table also has ranks."""
    tests = corpus_names(cells)
    trains = list(dict.fromkeys(cell.train for cell in cells))
    place = ranks(cells)
    parts = []
    for measure, title in MEASURES.items():
        values = {(cell.train, cell.test): getattr(cell, measure) for cell in cells}
        with_ranks = measure == "auc"
        header = ["trained on", *tests, *(["mean rank"] if with_ranks else [])]
        rows = []
        for train in trains:
            row = [train]
            for test in tests:
                value = values.get((train, test))
                rank = place.get((train, test))
                shown = "-" if value is None else f"{100 * value:.1f}"
                row.append(f"{shown} ({rank:g})" if with_ranks and rank is not None else shown)
            if with_ranks:
                own = [rank for (name, _), rank in place.items() if name == train]
                row.append(f"{sum(own) / len(own):.2f}" if own else "-")
            rows.append(row)
        parts.append(f"**{title}**\n\n{table(header, rows)}")
    return "\n\n".join(parts)


def write_cross_corpus_report(cells: Sequence[CrossCorpusCell], folder: str | Path) -> None:
    """Write ``cross-corpus.json``, ``cross-corpus.md`` and one heat map per measure."""
    from ppi.evaluation.plots import plot_heat_map

    tests = corpus_names(cells)
    with atomic_folder(folder) as made:
        text = json.dumps([cell.to_dict() for cell in cells], indent=1)
        (made / "cross-corpus.json").write_text(text, encoding="utf-8")
        images = "\n".join(f"![{title}]({measure}.png)" for measure, title in MEASURES.items())
        page = f"# Cross-corpus evaluation\n\n{markdown_tables(cells)}\n\n{images}\n"
        (made / "cross-corpus.md").write_text(page, encoding="utf-8")
        for measure, title in MEASURES.items():
            values = {(cell.train, cell.test): getattr(cell, measure) for cell in cells}
            plot_heat_map(values, tests, title, made / f"{measure}.png")
