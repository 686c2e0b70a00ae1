"""The API of a run's database: what it answers, what it refuses, and strange requests."""

import json
from contextlib import contextmanager

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from small_database import TYPED, annotated
from waiting import WAIT_SECONDS, wait_until
from web_annotator import WebAnnotator
from web_server import serving

import ppi
from ppi.export import FORMATS
from ppi.server.web.app import create_app
from ppi.server.web.limits import Limits

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@contextmanager
def database_server(path, **options):
    with (
        ppi.open_run(path) as run,
        serving(WebAnnotator, database=run, **options) as address,
        httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("database") / "found.parquet"
    ppi.write(annotated(), path)
    return path


@pytest.fixture(scope="module")
def client(path):
    with database_server(path) as client:
        yield client


def get(client, path, status=200, **values):
    answer = client.get(path, params=values)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_what_there_is(client):
    run = get(client, "/api/database")
    assert (run["name"], run["interactions"], run["proteins"], run["parts"]) == ("found.parquet", 7, 5, 1)
    assert (run["first_year"], run["last_year"], run["problem"]) == (1999, 2004, None)


def test_suggestions(client):
    (found,) = get(client, "/api/database/suggest", text="rad")
    assert (found["name"], found["protein"]["key"], found["protein"]["partners"]) == ("RAD51", "ncbigene:5888", 2)


def test_pairs_and_sentences(client):
    pairs = get(client, "/api/database/search", protein="rad-51")
    assert (pairs["count"], pairs["pages"], pairs["sentences"]) == (1, 1, [])
    (pair,) = pairs["pairs"]
    assert (pair["papers"], pair["sentences"], pair["best"]["year"]) == (2, 3, 1999)
    assert [protein["key"] for protein in pairs["proteins"]] == ["ncbigene:5888"]
    found = get(client, "/api/database/search", protein="rad51", show="sentences", include_negated="true")
    assert found["count"] == 4
    first = found["sentences"][0]
    assert (first["document"], first["pair"], first["pubmed"]) == ("10000001", "10000001.s0.p0", "10000001")
    assert first["keys"] == ["ncbigene:5888", "ncbigene:675"]
    several = get(client, "/api/database/search", type=["binding", "regulation"])
    assert several["count"] == 2


def test_pages_of_a_protein_and_of_a_pair(client):
    page = get(client, "/api/database/protein", key="ncbigene:7157")
    assert {each["type"]: (each["count"], each["papers"], each["sentences"]) for each in page["types"]} == {
        "modification": (1, 1, 1),
        "regulation": (1, 1, 1),
    }
    network = get(client, "/api/database/network", key="ncbigene:4193", steps=2)
    assert {protein["label"] for protein in network["proteins"]} == {"MDM2", "TP53", "ATM"}
    pair = get(client, "/api/database/pair", first="ncbigene:4193", second="ncbigene:7157")
    assert pair["count"] == 2
    assert [each.get("hedged", False) for each in pair["sentences"]] == [False, True]
    assert [(each["hedged"], each["papers"]) for each in pair["pairs"]] == [(1, 1)]


def test_evidence_on_demand(client):
    body = {"document": "10000001", "pair": "10000001.s0.p0"}
    answer = client.post("/api/database/evidence", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["evidence"]["path"] == "binds -nsubj-> RAD51, binds -dobj-> BRCA2"
    assert client.post("/api/database/evidence", json={**body, "pair": "x"}).json()["code"] == "not-in-run"


@pytest.mark.parametrize("format", FORMATS)
def test_downloads(client, path, format):
    answer = client.get("/api/database/export", params={"format": format, "protein": "TP53"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].endswith(f'"interactions{FORMATS[format].download_suffix}"')
    with ppi.open_run(path) as run:
        found = run.search("TP53")
        if format not in ("parquet", "xlsx", "html"):  # which hold times, or what the annotator says
            from ppi.export import dumps

            texts = FORMATS[format].needs_texts
            assert answer.content == dumps(found.documents(texts=texts), format)


@pytest.mark.parametrize(
    ("address", "status", "code", "text"),
    [
        ("search?protein=RDA51", 404, "not-in-run", "similar: RAD51"),
        ("protein?key=nobody", 404, "not-in-run", "expected a protein of the run"),
        ("pair?first=ncbigene:675&second=nobody", 404, "not-in-run", "expected a protein of the run"),
        ("search?partner=TP53", 422, "cannot-read", "expected a protein beside the partner"),
        ("search?min_probability=7", 422, "invalid", "min_probability"),
        ("search?page=100000", 422, "invalid", "page"),
        ("search?prtein=x", 422, "invalid", "prtein"),
        ("search?text=" + "x" * 301, 422, "invalid", "text"),
        ("network?key=ncbigene:675&steps=9", 422, "invalid", "steps"),
        ("export?format=exe", 422, "unknown-format", "expected one of"),
        ("suggest", 422, "invalid", "text"),
    ],
)
def test_problems_are_json(client, address, status, code, text):
    answer = client.get(f"/api/database/{address}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert text in answer.json()["detail"]
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_file_of_too_many_interactions_is_refused(path):
    with database_server(path, limits=Limits(workers=1, pairs=4)) as client:
        problem = get(client, "/api/database/export", 413, format="csv")
        assert "expected at most 4 interactions in a file" in problem["detail"]
        assert client.get("/api/database/export", params={"format": "csv", "protein": "MDM2"}).status_code == 200


def test_without_a_run_there_is_no_database(address):
    for path in ("/database", "/api/database", "/database/pair"):
        assert httpx.get(f"{address}{path}", timeout=WAIT_SECONDS).status_code == 404
    assert b"/database" not in httpx.get(address, timeout=WAIT_SECONDS).content


def test_what_is_finished_meanwhile_is_found_and_what_is_damaged_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("ppi.server.web.database_api.REFRESH_SECONDS", 0.05)
    ppi.write(annotated(TYPED[:2]), tmp_path / "a.parquet")
    with database_server(tmp_path) as client:
        assert get(client, "/api/database")["interactions"] == 2
        ppi.write(annotated(TYPED[2:]), tmp_path / "b.parquet")
        wait_until(lambda: get(client, "/api/database")["interactions"] == 7)
        (tmp_path / "c.parquet").write_bytes(b"PAR1")
        wait_until(lambda: "c.parquet" in (get(client, "/api/database")["problem"] or ""))
        assert get(client, "/api/database/search")["count"] == 3


def operations():
    found = schemathesis.openapi.from_dict(create_app(annotator=object, database=object()).openapi())
    return [each.ok() for each in found.get_all_operations() if "/database" in each.ok().path]


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.label)
def test_answers_are_as_described(client, operation):
    @hypothesis.settings(
        max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @hypothesis.given(case=operation.as_strategy())
    def check(case):
        case.call_and_validate(base_url=str(client.base_url).rstrip("/"), checks=CHECKS)

    check()


NASTY = st.one_of(
    st.text(st.sampled_from("AB1'\";-%_$()<>&\x00α😀\ud800 "), min_size=1, max_size=20),
    st.sampled_from(["' OR 1=1 --", "'; DROP TABLE edge; --", "<script>x</script>", "$protein_0", "RAD51"]),
)


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(
    path=st.sampled_from(["search", "suggest", "protein", "network", "pair", "export"]),
    values=st.dictionaries(
        st.sampled_from(["protein", "partner", "text", "key", "first", "second", "format", "type", "page", "order"]),
        NASTY,
    ),
)
def test_strange_requests_are_answered_or_refused(client, path, values):
    named = {name: value.encode("utf-8", "replace").decode() for name, value in values.items()}
    answer = client.get(f"/api/database/{path}", params=named)
    assert answer.status_code in (200, 404, 413, 422), answer.text
    json.loads(answer.content) if answer.status_code != 200 else None
    assert get(client, "/api/database")["interactions"] == 7


@hypothesis.settings(max_examples=30, deadline=None)
@hypothesis.given(document=NASTY, pair=NASTY)
def test_strange_pairs_have_no_evidence(client, document, pair):
    body = json.dumps({"document": document, "pair": pair}).encode()
    answer = client.post("/api/database/evidence", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (404, 422), answer.text
