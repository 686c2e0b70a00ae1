"""Pages of reports in HTML and Markdown: what they say, and that nothing of a corpus is taken for more than text."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import relation_files
from word_model import WordModel

from ppi.evaluation.corpus_evaluation import load_gold
from ppi.evaluation.error_analysis import Mistake, OutputMetrics
from ppi.evaluation.model_metrics import ThresholdMetrics
from ppi.evaluation.reports import html_report, markdown
from ppi.evaluation.reports.markdown import Glossary, Heading, Link, MistakeList, Paragraph, Pictures, Table
from ppi.evaluation.reports.report import format_mistakes, metrics_table, write_report
from ppi.evaluation.trained_models.model_evaluation import evaluate_model
from ppi.evaluation.trained_models.training_overlap import TrainingOverlap

HOSTILE = "<script>alert(1)</script>\"'`&|*[x](javascript:1)\n# y"


class Elements(HTMLParser):
    """Every element and attribute, and the text between them."""

    def __init__(self, page):
        super().__init__()
        self.names, self.attributes, self.words = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)


def hostile_blocks():
    mistake = Mistake(
        HOSTILE, HOSTILE, "p", False, 1.0, None, (HOSTILE,), ("<script>", "x"), (((0, 8),), ((9, 14),)), HOSTILE
    )
    return [
        Heading(HOSTILE, 1),
        Paragraph(HOSTILE, warning=True),
        Glossary(HOSTILE, [(HOSTILE, HOSTILE)]),
        Table([HOSTILE, "n"], [[HOSTILE, 1]], HOSTILE),
        Link("errors", HOSTILE),
        MistakeList([mistake]),
        MistakeList([]),
    ]


def test_hostile_text_stays_text(tmp_path):
    page = html_report.render_page(HOSTILE, hostile_blocks(), tmp_path)
    found = Elements(page)
    assert "script" not in found.names
    assert not any(name.startswith("on") for name, _ in found.attributes)
    assert {value for name, value in found.attributes if name in ("href", "src")} == {"errors.html"}
    assert sum("alert(1)" in words for words in found.words) >= 7
    written = markdown.render_page(hostile_blocks())
    assert "<script" not in written
    assert "\n# y" not in written
    assert "](javascript" not in written.replace("\\](javascript", "")


def test_words_of_a_corpus_have_no_meaning_in_markdown():
    assert markdown.escape_text("a *b* _c_ [d](e) `f` #g <h> | ~i~ \\ \n\n- k") == (
        "a \\*b\\* \\_c\\_ \\[d\\](e) &#96;f&#96; \\#g &lt;h&gt; \\| \\~i\\~ \\\\ - k"
    )


def test_nothing_is_loaded_and_the_policy_says_so(tmp_path):
    (tmp_path / "x.png").write_bytes(b"\x89PNG")
    page = html_report.render_page("t", [Pictures([("x.png", "roc", "A curve")])], tmp_path)
    assert 'src="data:image/png;base64,iVBORw=="' in page
    assert "default-src 'none'; img-src data:; style-src 'sha256-" in page
    assert not re.search(r"(src|href)=[\"'](https?:|//)", page)
    assert "@import" not in page
    assert "url(" not in page


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    gold = load_gold(relation_files.pubtator(folder))
    result = evaluate_model(
        "genes",
        gold,
        WordModel(),
        model="words<b>.zip",
        parser="shipped",
        training_overlap=TrainingOverlap(frozenset("2"), {"X": 1}),
    )
    write_report([result], folder / "report")
    return result, folder / "report"


def test_a_report_of_a_model_says_what_a_reader_needs(report):
    _, folder = report
    names = {path.name for path in folder.iterdir()}
    plots = {f"genes-{kind}.png" for kind in ("roc", "pr", "scores", "calibration")}
    assert names == {"report.json", "report.md", "report.html", "errors.md", "errors.html"} | plots
    for name in ("report.md", "report.html"):
        page = (folder / name).read_text()
        for words in (
            "words&lt;b",
            "trained on X",
            "probability of 0.50",
            "Parses by",
            "1 of 3 documents are in corpora that the model was trained on",
            "genes, unseen",
            "genes, by document",
            "Association",
            "Calibration: the bins of the diagram",
            "expected calibration error",
            "Negatives: 2 pairs of names",
        ):
            assert words in page, (name, words)
    assert "<b>.zip" not in (folder / "report.html").read_text()
    errors = (folder / "errors.html").read_text()
    assert '<mark title="Profilin">Profilin</mark> and <mark title="actin">actin</mark> form a complex.' in errors
    assert "**Profilin and actin** (probability 0.12, Bind)" in (folder / "errors.md").read_text()


def test_types_that_both_know_have_a_row_of_their_own(report):
    result, _ = report
    half = ThresholdMetrics("0.5", 4, 3, 0.75, 0.5, 0.6)
    rows = [OutputMetrics("binding", 9, 6, 0.5, 0.625, half, 0.125), OutputMetrics("sign", 3, 1, accuracy=1.0)]
    lines = metrics_table([replace(result, outputs=rows)]).splitlines()
    assert [line.split() for line in lines if "binding" in line] == [
        ["genes,", "binding", "9", "6", "0.5", "4", "75.0", "50.0", "60.0", "50.0", "62.5", "0.125"]
    ]
    assert not any("sign" in line for line in lines)


def test_the_terminal_has_a_line_for_each_threshold_and_the_worst_mistakes(report):
    result, _ = report
    lines = metrics_table([result]).splitlines()
    assert lines[0].split() == [
        "corpus",
        "pairs",
        "positive",
        "at",
        "called",
        "P",
        "R",
        "F",
        "AP",
        "AUC",
        "ECE",
        "co-occ",
        "F",
    ]
    assert lines[1].split()[:8] == ["genes", "7", "5", "threshold", "3", "100.0", "60.0", "75.0"]
    assert lines[4].split() == ["0.9", "0", "-", "0.0", "0.0"]
    assert lines[5].startswith("genes, unseen")
    assert lines[9].split() == ["genes,", "by", "document", "5", "3", "threshold", "2", "100.0", "66.7", "80.0", "66.7"]
    assert format_mistakes(result).splitlines() == [
        "genes: missed:",
        "  Profilin / actin (probability 0.12, Bind): Profilin and actin form a complex.",
        "  Emerin / lamin (probability 0.12, Association): Emerin and lamin.",
    ]
