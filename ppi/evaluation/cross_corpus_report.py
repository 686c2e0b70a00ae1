"""Cross-corpus results as tables and heat maps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from corpora.source import atomic_folder
from ppi.evaluation.cross_corpus import CrossCorpusCell, corpus_names, ranks
from ppi.evaluation.markdown import format_table

MEASURE_TITLES = {
    "auc": "AUC",
    "f_training_threshold": "F, threshold from the training corpus",
    "f_best_threshold": "F, best threshold on the test corpus (an upper bound)",
    "f_class_share": "F, threshold from the test corpus's class share",
    "f_zero_threshold": "F, threshold zero",
}


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
                value = values.get((train, test))
                rank = rank_by_corpora.get((train, test))
                cell_text = "-" if value is None else f"{100 * value:.1f}"
                row.append(f"{cell_text} ({rank:g})" if with_ranks and rank is not None else cell_text)
            if with_ranks:
                own_ranks = [rank for (name, _), rank in rank_by_corpora.items() if name == train]
                row.append(f"{sum(own_ranks) / len(own_ranks):.2f}" if own_ranks else "-")
            rows.append(row)
        parts.append(f"**{title}**\n\n{format_table(header, rows)}")
    return "\n\n".join(parts)


def write_cross_corpus_report(cells: Sequence[CrossCorpusCell], folder: str | Path) -> None:
    """Write ``cross-corpus.json``, ``cross-corpus.md`` and one heat map per measure."""
    from ppi.evaluation.plots import plot_heat_map

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
