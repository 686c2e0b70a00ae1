"""Judging in a real browser: by keyboard and mouse, undo, ranking, what next, files; accessible, also on a phone."""

import json
import os

import pytest
from axe import violations
from curated import HOSTILE, judged_server, write_run
from waiting import wait_until
from web_browser import chromium, open_page, until, until_still

from ppi.server.curation.store import Curation

pytest.importorskip("duckdb")
#: Where screenshots go, if somebody wants to look.
SHOTS = os.environ.get("PPI_SHOTS")


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with judged_server(write_run(tmp_path_factory.mktemp("run"))) as found:
        yield found


@pytest.fixture
def served(server):
    """The server, with nothing judged."""
    _, curation = server
    curation.path.unlink(missing_ok=True)
    return server


def opened(browser, address, path="/database?protein=RAD51&show=sentences", **options):
    return open_page(browser, address, path=path, ready="#curation:not([hidden])", **options)


def shot(page, name):
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def be(page, name="Ada"):
    page.fill("#curator", name)
    page.press("#curator", "Tab")


def pressed(page):
    return page.evaluate("[...document.querySelectorAll('.found [aria-pressed=true]')].map(one => one.dataset.verdict)")


def order(page):
    return page.evaluate("[...document.querySelectorAll('.found > li')].map(li => li.dataset.pair)")


def test_from_search_to_ten_judgements_by_keyboard_and_an_export(browser, served, tmp_path):
    address, curation = served
    with opened(browser, address, "/database") as page:
        # search, protein page, pair page
        page.fill("#protein", "RAD51")
        page.press("#protein", "Enter")
        page.wait_for_selector(".pairs a.pair")
        page.click(".called a")
        page.wait_for_selector("text=All its sentences")
        page.click("a.pair >> text=TP53")
        page.wait_for_selector(".found > li .verdicts")
        assert page.locator(".found > li").count() == 1
        page.go_back()
        page.click("text=All its sentences")
        page.wait_for_selector(".found > li .verdicts")
        be(page)
        page.wait_for_selector("#ranking:not([hidden])[aria-busy=false]")
        before = order(page)
        assert len(before) == 13
        # ten sentences by keyboard alone: Tab into the list, then keys
        page.locator(".found > li").first.focus()
        for number in range(10):
            page.keyboard.press("1" if number % 3 else "2")
            until(page, f"document.getElementById('judged-count').textContent.startsWith('{number + 1} row')")
        until(page, "document.getElementById('ranking-summary').textContent.includes('10 judgements')")
        assert order(page) != before
        assert sorted(pressed(page)) == ["right"] * 6 + ["wrong"] * 4
        assert "0.500 against 0.900" in page.inner_text("#ranking-summary")
        assert "→" in page.inner_text("#changes li >> nth=0")
        assert page.locator("#estimates tbody tr").count() == 1
        shot(page, "judged-wide")
        # the file
        page.select_option("#judgement-format", "indra")
        with page.expect_download() as download:
            page.click("#save-judgements")
        download.value.save_as(tmp_path / "judgements.json")
        assert len(json.loads((tmp_path / "judgements.json").read_text())) == 10
        # still there when the page is opened again
        page.reload()
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 10")
    assert len(Curation(curation.path).state.rows) == 10


def test_keys_move_undo_and_comment(browser, served):
    address, curation = served
    with opened(browser, address) as page:
        be(page)
        first = page.locator(".found > li").first
        first.focus()
        page.keyboard.press("1")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 1")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("k")
        page.keyboard.press("u")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 0")
        assert "is taken back" in page.inner_text("#curation-status")
        page.keyboard.press("2")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 1")
        page.keyboard.press("ArrowUp")
        judged = page.locator(".found > li.judged")
        judged.focus()
        page.keyboard.press("c")
        page.keyboard.type("1 u 2: a comment, no keys")
        page.keyboard.press("Enter")
        assert kept_by(curation, lambda said: said.comment == "1 u 2: a comment, no keys").verdict == "wrong"


def kept_by(curation, holds):
    """The one judgement that is kept, as soon as that holds of it; the page reports it a moment later."""

    def find():
        state = list(Curation(curation.path).state)
        return state[0].judgement if len(state) == 1 and holds(state[0].judgement) else None

    return wait_until(find)


def test_mouse_types_and_mentions(browser, served):
    address, curation = served
    with opened(browser, address, "/database?protein=Cofilin&text=phosphorylated&show=sentences") as page:
        be(page, HOSTILE)
        page.click(".found >> text=wrong direction")
        kept_by(curation, lambda said: said.verdict == "wrong direction")
        page.click(".found >> text=wrong type")
        page.wait_for_selector(".judge-more select")
        page.select_option(".judge-more select", "binding")
        assert kept_by(curation, lambda said: said.type == "binding").curator == HOSTILE
        page.click(".found >> text=not a protein")
        page.wait_for_selector(".judge-more select >> text=LIMK1", state="attached")
        page.select_option(".judge-more select", "2")
        kept_by(curation, lambda said: said.verdict == "not a protein" and said.mention == 2)
        page.click("#undo")
        until(page, "document.querySelector('#curation-status').textContent.includes('taken back')")
        kept_by(curation, lambda said: said.verdict == "not a protein" and said.mention is None)


def test_nobody_judges_without_a_name(browser, served):
    address, curation = served
    with opened(browser, address) as page:
        page.click(".found [data-verdict=right] >> nth=0")
        assert "Say who you are" in page.inner_text("#curation-error")
        assert page.evaluate("document.activeElement.id") == "curator"
    assert not curation.path.exists()


def test_what_to_judge_next(browser, served):
    address, _ = served
    with opened(browser, address, "/database/curate") as page:
        page.wait_for_selector(".found > li .verdicts")
        assert page.inner_text("[aria-current=true]") == "the top of the list"
        top = order(page)
        page.click("text=what would change the list most")
        page.wait_for_selector(".ways-to-choose [aria-current=true] >> text=change")
        page.wait_for_selector(".found > li .verdicts")
        assert order(page) != top
        be(page)
        page.locator(".found > li").first.focus()
        page.keyboard.press("1")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 1")
        judged = page.evaluate("document.querySelector('.found .judged').dataset.pair")
        page.reload()
        page.wait_for_selector(".judged-list li")
        assert judged not in order(page)


def test_the_token_is_asked_for(browser, tmp_path):
    with (
        judged_server(write_run(tmp_path), token="open sesame") as (address, curation),
        opened(browser, address) as page,
    ):
        assert page.is_visible("#token")
        until(page, "document.getElementById('curation-error').textContent.includes('token')")
        page.fill("#token", "open sesame")
        page.press("#token", "Enter")
        page.wait_for_load_state()
        page.wait_for_selector(".found > li .verdicts")
        be(page)
        page.locator(".found > li").first.focus()
        page.keyboard.press("1")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 1")
        assert len(Curation(curation.path).state.rows) == 1


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", ["/database?protein=RAD51&show=sentences", "/database/curate"])
def test_accessible_and_not_wider_than_the_page(browser, served, width, path):
    address, _ = served
    with opened(browser, address, path, viewport={"width": width, "height": 844}) as page:
        page.wait_for_selector(".found > li .verdicts")
        be(page)
        page.locator(".found > li").first.focus()
        page.keyboard.press("1")
        page.keyboard.press("5")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 2")
        until(page, "document.getElementById('ranking-summary').textContent.includes('2 judgements')")
        page.wait_for_selector("#ranking[aria-busy=false]")
        until_still(page)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        shot(page, f"{'next' if 'curate' in path else 'rows'}-{width}")


def test_markup_stays_text(browser, served):
    address, _ = served
    with opened(browser, address) as page:
        be(page, HOSTILE)
        row = page.locator(f".found > li[data-document={json.dumps(HOSTILE)}]")
        row.focus()
        page.keyboard.press("2")
        until(page, "document.querySelectorAll('.found [aria-pressed=true]').length === 1")
        be(page, "Bob")
        until(
            page,
            "document.querySelector('.judge-others').closest('ol').textContent.includes('onerror=alert(1)>: wrong')",
        )
        assert page.locator(".found img").count() == 0
