import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from lab.frame.page import own_page
from lab.frame.result import Result
from lab.papers import paper5
from lab.papers.__main__ import main
from lab.papers.paper5_published import PUBLISHED_CROSS_CORPUS, TITLES, published_difference

import corpora
from ppi.evaluation import CrossCorpusCell

DOCS = Path(__file__).parents[3] / "docs"


def test_published_tables_are_complete():
    for table in PUBLISHED_CROSS_CORPUS.values():
        assert [[value is None for value in row] for row in table] == [[i == j for j in range(5)] for i in range(5)]


def test_a_tiny_run_makes_all_tables_and_the_figure(tmp_path, capsys, monkeypatch):
    documents = corpora.load("sample")
    for name, part in (("AImed", documents[:10]), ("LLL", documents[10:])):
        corpora.write(part, tmp_path / f"{name}.jsonl")
    rows = [f"{number % 3}\t{document.id}\n" for number, document in enumerate(documents[:10])]
    (tmp_path / "AImed-10fold.tsv").write_text("".join(rows))
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    arguments = ["paper5", "--set", 'corpora=["AImed", "LLL"]', "--set", "seeds=[0]"]
    assert main([*arguments, "--output", str(tmp_path / "out"), "--work", str(tmp_path / "work")]) == 0
    page = capsys.readouterr().out
    assert page == (tmp_path / "out" / "paper5.md").read_text()
    assert main([*arguments, "--tiny", "--workers", "2"]) == 0
    assert capsys.readouterr().out.replace("**A tiny run: the figures mean nothing.**\n\n", "") == page
    monkeypatch.setattr(paper5, "cross_validate_corpus", pytest.fail)  # what was finished is kept
    assert main([*arguments, "--output", str(tmp_path / "out"), "--work", str(tmp_path / "work")]) == 0
    assert capsys.readouterr().out == page
    for number in range(1, 6):
        assert f"## Table {number}" in page
    assert "## Threshold zero" in page
    assert "## Figure 3" in page
    assert (tmp_path / "out" / "figures" / "paper5-learning-curves.svg").exists()
    assert "| published | 52.9 | 61.8 | 56.4 |" in page
    assert "[77.8]" in page
    figures = json.loads((tmp_path / "out" / "results" / "paper5.json").read_text())["points"]
    assert len(figures["cross_validation"]["AImed"][0]["folds"]) == 3
    assert [(cell["train"], cell["test"]) for cell in figures["cross_corpus"]] == [("AImed", "LLL"), ("LLL", "AImed")]


def test_differences_are_the_published_ones():
    """Some of those printed in Tables 3 and 5."""
    printed = {("AImed", "BioInfer"): (22.2, 2.4), ("HPRD50", "LLL"): (22.4, 9.4), ("LLL", "AImed"): (0.7, 6.8)}
    for pair, (training, share) in printed.items():
        assert published_difference("f_training_threshold", *pair) == training
        assert published_difference("f_class_share", *pair) == share
    assert published_difference("f_zero_threshold", "AImed", "LLL") is None


def test_the_kept_page_is_what_its_figures_give():
    """The figures of docs/paper5.md, read back from its tables, give the page again."""
    text = (DOCS / "paper5.md").read_text(encoding="utf-8")
    tables = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line[:2] != "|-"]
        for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    ]
    first, *crossed, curves = tables
    summaries = {row[0]: [_summary(row)] for row in first[1:] if row[1] == "ours"}
    figures = defaultdict(lambda: {"f_zero_threshold": 0.0})
    for measure, (head, *rows) in zip(TITLES, crossed, strict=True):
        for row in rows:
            for test, cell in zip(head[1:], row[1:]):
                if cell != "-" and test not in ("Δ", "mean rank"):
                    figures[row[0], test][measure] = float(cell.split()[0]) / 100
    cells = [CrossCorpusCell(*pair, 0, 0, 1.0, **values) for pair, values in figures.items()]
    head, *rows = curves
    drawn = {}
    for at, name in enumerate(head[1:], start=1):
        drawn[name] = [_point(row[at]) for row in reversed(rows) if row[at] != "-"]
    points = {
        "settings": {"kernel": "all-paths", "variant": "max", "learner": "sparse-rls"},
        "cross_validation": summaries,
        "cross_corpus": [cell.to_dict() for cell in cells],
        "curves": drawn,
    }
    crossed_again = [paper5.cross_corpus_table(cells, measure) for measure in TITLES]
    shown = [paper5.table_1(summaries), *crossed_again, paper5.curve_table(drawn)]
    assert own_page(paper5.EXPERIMENT.page, Result("paper5", 0, False, 0.0, shown, points=points)) == text


def _point(cell):
    auc, std, pairs = re.fullmatch(r"([\d.]+)(?: ± ([\d.]+))? \((\d+)\)", cell).groups()
    repeats = 1 if std is None else 5
    return {"auc": float(auc) / 100, "std": float(std or 0) / 100, "pairs": int(pairs), "repeats": repeats}


def _summary(row):
    p, r, f, sd_f, auc, sd_auc, baseline_p, baseline_f = (float(cell) / 100 for cell in row[2:])
    return {
        "mean": {"precision": p, "recall": r, "f": f, "auc": auc},
        "std": {"f": sd_f, "auc": sd_auc},
        "baseline": {"precision": baseline_p, "f": baseline_f},
        "parser": "split_parse",
        "written_by": "ppi-miner 0.1.0",
    }
