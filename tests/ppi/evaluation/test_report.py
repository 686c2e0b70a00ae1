"""Reports of evaluations: the table, the page, the folder; figures made by hand."""

import json

import pytest

import corpora
from corpora import CorpusError
from ppi.core import ReportError
from ppi.evaluation.cross_validation.nested_cross_validation import (
    Evaluation,
    FoldScores,
    evaluate,
)
from ppi.evaluation.reports import markdown
from ppi.evaluation.reports.report import (
    COLUMNS,
    metrics_table,
    plot_stem,
    read_report,
    report_blocks,
    result_title,
    write_report,
)
from ppi.extraction import Settings

FOLDS = [
    FoldScores(0, 3, 10, 4, 0.125, 0.5, 0.5, 0.25, 1 / 3, 0.8, 0.4, 4 / 7),
    FoldScores(1, 2, 6, 2, 0.25, -0.125, 1.0, 0.75, 6 / 7, 0.6, 1 / 3, 0.5),
    FoldScores(2, 1, 4, 0, 0.5, 0.0, None, None, None, None, None, None),
]


def evaluation(corpus="Made", **options):
    pooled = {"precision": 0.7, "recall": 0.5, "f": 7 / 12, "f_interval": [0.4, 0.7]}
    pooled |= {"auc": 0.72, "auc_interval": [0.6, 0.8]}
    pairs = [
        {"document": f"d{row}", "pair": f"p{row}", "fold": row % 2, "label": row < 3, "score": s, "interacts": s > 0}
        for row, s in enumerate([1.0, -0.5, 0.5, -1.0, 0.25, -2.0])
    ]
    given = {"extra": {}, "fold_of": {"d0": 0}, "folds": FOLDS, "pairs": pairs, "pooled": pooled, **options}
    return Evaluation(corpus, Settings(), "hand", seconds={"read": 0.25, "total": 1.5}, **given)


def markdown_page(results):
    return markdown.render_page(report_blocks(results))


def test_the_table_is_figures_in_per_cent_in_columns():
    lines = [line.split("  ") for line in metrics_table([evaluation(), evaluation("A longer name")]).splitlines()]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert tuple(cells[0]) == COLUMNS
    figures = ["20", "6", "75.0", "50.0", "59.5", "37.0", "70.0", "14.1", "58.3", "72.0", "53.6"]
    assert cells[1] == ["Made", *figures]
    assert cells[2] == ["A longer name", *figures]
    text = metrics_table([evaluation(), evaluation("A longer name")]).splitlines()
    assert len({len(line) for line in text}) == 1


def test_a_seed_that_is_not_the_usual_one_is_in_the_name():
    assert [result_title(evaluation(seed=seed)) for seed in (None, 0, 7)] == ["Made", "Made", "Made, seed 7"]
    assert [plot_stem(evaluation(seed=seed)) for seed in (None, 0, 7)] == ["Made", "Made", "Made-seed7"]


def test_the_page_has_the_folds_and_a_dash_where_there_is_no_figure():
    page = markdown_page([evaluation(seed=7)])
    assert page.startswith("# Evaluation\n\nKernel `all-paths` (`max`), learner `sparse-rls`, parse `hand`, ppi-miner ")
    assert "\n## Made, seed 7\n" in page
    assert "| 0 | 3 | 10 | 4 | 0.125 | 0.500 | 50.0 | 25.0 | 33.3 | 80.0 |" in page
    assert "| 1 | 2 | 6 | 2 | 0.25 | -0.125 | 100.0 | 75.0 | 85.7 | 60.0 |" in page
    assert "| 2 | 1 | 4 | 0 | 0.5 | 0.000 | - | - | - | - |" in page
    assert "![roc](Made-seed7-roc.png)\n![pr](Made-seed7-pr.png)\n![scores](Made-seed7-scores.png)" in page
    assert "Seconds: read 0.2, total 1.5." in page
    assert "could start from" not in page


def test_the_page_names_extra_corpora():
    page = markdown_page([evaluation(extra={"More": 12, "Other": 3})])
    assert "Every fold could start from models of: More (12 pairs), Other (3 pairs); shared documents left out." in page


def test_a_report_has_the_plots_that_its_page_shows(tmp_path):
    results = [evaluation(), evaluation(seed=2)]
    write_report(results, tmp_path / "report")
    page = (tmp_path / "report" / "report.md").read_text()
    assert page == markdown_page(results)
    shown = {part.split(")")[0] for part in page.split("](")[1:]}
    pages = {"report.json", "report.md", "report.html", "errors.html"}
    assert {path.name for path in (tmp_path / "report").iterdir()} == shown | pages
    for name in shown - {"errors.md"}:
        assert (tmp_path / "report" / name).read_bytes().startswith(b"\x89PNG")


def test_what_is_written_is_read_again_from_the_folder_or_the_file(tmp_path):
    result = evaluate("sample", corpora.load("sample"), Settings(kernel="path", learner="rls"), n=3)
    write_report([result], tmp_path / "report")
    for path in (tmp_path / "report", tmp_path / "report" / "report.json", str(tmp_path / "report")):
        assert read_report(path) == [json.loads(json.dumps(result.to_dict()))]


def test_a_report_that_is_there_stays_as_it_is(tmp_path):
    write_report([evaluation()], tmp_path / "report")
    before = (tmp_path / "report" / "report.json").read_bytes()
    with pytest.raises(CorpusError, match="does not exist yet"):
        write_report([evaluation("Other")], tmp_path / "report")
    assert (tmp_path / "report" / "report.json").read_bytes() == before


@pytest.mark.parametrize("text", ["", "{", "nothing", '"text"', "{}", "[7]", '[{"corpus": "x"}]', "null"])
def test_what_is_no_report_is_refused_by_name(text, tmp_path):
    (tmp_path / "some.json").write_text(text)
    with pytest.raises(ReportError, match=r"some\.json: expected (an evaluation report|a list of evaluations)"):
        read_report(tmp_path / "some.json")


def test_a_report_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "report.json").write_bytes(b"\xff\xfe[\x00]\x00")
    with pytest.raises(ReportError, match=r"report\.json: expected an evaluation report"):
        read_report(tmp_path)


def test_a_folder_without_a_report_is_refused(tmp_path):
    with pytest.raises(ReportError, match=r"report\.json: expected an evaluation report, got: .*No such file"):
        read_report(tmp_path)
    with pytest.raises(ReportError, match="No such file"):
        read_report(tmp_path / "nowhere")
