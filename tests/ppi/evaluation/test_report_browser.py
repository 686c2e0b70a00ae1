"""The pages of a report in a real browser: on a screen and on a telephone, with hostile text, by axe's rules."""

import pytest
import relation_files
from axe import violations
from waiting import WAIT_SECONDS
from web_browser import chromium
from word_model import WordModel

from ppi.evaluation.corpus_evaluation import load_gold
from ppi.evaluation.reports.report import write_report
from ppi.evaluation.trained_models.model_evaluation import evaluate_model
from ppi.evaluation.trained_models.training_overlap import TrainingOverlap

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pages")
    text = relation_files.PUBTATOR.replace("form a complex.", f"form {HOSTILE}")
    text = text.replace("66\t73\tCofilin", f"{66 + len(HOSTILE) - 10}\t{73 + len(HOSTILE) - 10}\tCofilin")
    kept = [line for line in text.splitlines() if not line.startswith(("1\t94", "1\t1", "1\tAss", "1\t6", "1\t10"))]
    path = relation_files.pubtator(made, text="\n".join(kept) + "\n")
    seen = TrainingOverlap(frozenset("2"), {"<b>X": 1}, ("Y",))
    result = evaluate_model(
        "<i>genes", load_gold(path), WordModel(), model="m<b>.zip", parser="shipped", training_overlap=seen
    )
    write_report([result], made / "report")
    return made / "report"


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.mark.parametrize("name", ["report", "errors"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_fit_run_nothing_and_can_be_used_by_everybody(browser, folder, name, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_default_timeout(1000 * WAIT_SECONDS)
    complaints, asked = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    address = (folder / f"{name}.html").as_uri()
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("script, img[onerror], i, h2 > b").count() == 0
    assert "<i>genes" in page.inner_text("h2")
    if name == "report":
        assert page.locator("figure img").count() == 4
        assert page.evaluate("[...document.images].every(one => one.naturalWidth > 100)")
        page.click("summary")
        assert page.locator("dd").first.is_visible()
    else:
        assert HOSTILE in page.inner_text("main")
    assert violations(page) == []
    assert complaints == []
    assert [url for url in asked if not url.startswith("data:image/png")] == [address]
    page.close()
