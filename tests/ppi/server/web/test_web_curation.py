"""Curation over the web: what is kept, refused and told; by a real server, with a fake model."""

import io
import json
import zipfile

import httpx
import pytest
from curated import HOSTILE, judged_server, write_run
from waiting import WAIT_SECONDS

import corpora
from ppi.server.curation.store import Curation

pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def server(run):
    with judged_server(run) as (address, curation), httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
        yield client, curation


@pytest.fixture
def served(server):
    """The server, with nothing judged."""
    _, curation = server
    curation.path.unlink(missing_ok=True)
    return server


def rows(client, **query):
    answer = client.get("/api/database/search", params={"protein": "RAD51", "show": "sentences", **query})
    assert answer.status_code == 200
    return answer.json()["sentences"]


def key(row):
    return {name: row[name] for name in ("document", "pair", "words")}


def judge(client, row, verdict="right", *, curator="Ada", **more):
    return client.post("/api/curation/judge", json={**key(row), "verdict": verdict, "curator": curator, **more})


def test_a_judgement_that_was_answered_is_on_the_disk(served):
    client, curation = served
    first, second, *_ = rows(client)
    answer = judge(client, first, comment="sure")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["judged"], told["judgement"]["verdict"], told["judgement"]["comment"]) == (1, "right", "sure")
    assert told["row"] == [told["judgement"]]
    assert list(Curation(curation.path).events) == [told["judgement"]["id"]]
    judge(client, second, "not a protein", mention=2, curator="Bob")
    status = client.get("/api/curation").json()
    assert (status["rows"], status["curators"], status["needs_token"]) == (2, {"Ada": 1, "Bob": 1}, False)
    assert status["verdicts"]["not a protein"] == 1


def test_undo_takes_back_the_last_or_the_one_named(served):
    client, curation = served
    first, second, *_ = rows(client)
    id = judge(client, first).json()["judgement"]["id"]
    judge(client, second, "wrong")
    answer = client.post("/api/curation/undo", json={"curator": "Ada"}).json()
    assert (answer["judgement"]["verdict"], answer["row"], answer["judged"]) == ("wrong", [], 1)
    assert client.post("/api/curation/undo", json={"curator": "Bob", "judgement": id}).status_code == 409
    assert client.post("/api/curation/undo", json={"curator": "Ada", "judgement": id}).status_code == 200
    again = client.post("/api/curation/undo", json={"curator": "Ada"})
    assert (again.status_code, again.json()["code"]) == (409, "nothing-to-undo")
    assert list(Curation(curation.path).state) == []


def test_states_and_the_list(served):
    client, _ = served
    shown = rows(client)
    judge(client, shown[0], "right", curator="Ada")
    judge(client, shown[0], "wrong", curator="Bob")
    judge(client, shown[2], "wrong", curator="Ada")
    told = client.post("/api/curation/states", json={"rows": [key(row) for row in shown]}).json()
    assert [[each["verdict"] for each in row["judgements"]] for row in told][:4] == [
        ["right", "wrong"],
        [],
        ["wrong"],
        [],
    ]
    assert [row["pair"] for row in told] == [row["pair"] for row in shown]
    other = {**key(shown[0]), "words": "another"}
    assert client.post("/api/curation/states", json={"rows": [other]}).json()[0]["judgements"] == []
    listed = client.get("/api/curation/judgements").json()
    assert (listed["count"], [each["curator"] for each in listed["judgements"]]) == (3, ["Ada", "Bob", "Ada"])
    assert client.get("/api/curation/judgements", params={"curator": "Bob"}).json()["count"] == 1
    assert client.get("/api/curation/judgements", params={"page": 2}).json()["judgements"] == []


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"words": "of another sentence"}, 409, "changed"),
        ({"pair": "none"}, 404, "not-in-run"),
        ({"verdict": "perhaps"}, 422, "invalid"),
        ({"verdict": "wrong direction"}, 422, "cannot-judge"),
        ({"verdict": "wrong type", "type": "binding"}, 422, "cannot-judge"),
        ({"verdict": "right", "mention": 1}, 422, "cannot-judge"),
        ({"mention": 3}, 422, "invalid"),
        ({"curator": ""}, 422, "invalid"),
        ({"curator": "   "}, 422, "cannot-judge"),
        ({"curator": "x" * 101}, 422, "invalid"),
        ({"comment": "x" * 2001}, 422, "invalid"),
        ({"more": 1}, 422, "invalid"),
    ],
)
def test_what_is_refused_is_a_problem_and_leaves_no_line(served, changes, status, code):
    client, curation = served
    answer = client.post(
        "/api/curation/judge", json={**key(rows(client)[0]), "verdict": "right", "curator": "Ada", **changes}
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert not curation.path.exists()


def test_a_file_that_cannot_be_written_is_said(served):
    client, curation = served
    curation.path.mkdir()
    try:
        answer = judge(client, rows(client)[0])
    finally:
        curation.path.rmdir()
    assert (answer.status_code, answer.json()["code"]) == (500, "not-kept")


def test_limits_and_origins_hold_here_too(served):
    client, _ = served
    row = rows(client)[0]
    foreign = client.post(
        "/api/curation/judge",
        json={**key(row), "verdict": "right", "curator": "Ada"},
        headers={"origin": "https://elsewhere.example"},
    )
    assert (foreign.status_code, foreign.json()["code"]) == (403, "cross-site")
    assert client.post("/api/curation/judge", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.get("/api/curation", headers={"host": "evil.example"}).status_code == 421
    assert client.post("/api/curation/states", json={"rows": [key(row)] * 201}).status_code == 422
    assert client.get("/api/curation").headers["content-security-policy"].startswith("default-src 'none'")


def test_sql_and_markup_are_words(served):
    client, curation = served
    (row,) = [row for row in rows(client) if row["document"] == HOSTILE]
    answer = judge(client, row, "wrong", curator=HOSTILE, comment=HOSTILE)
    assert answer.status_code == 200
    assert answer.json()["judgement"]["curator"] == HOSTILE
    kept = next(iter(Curation(curation.path).state)).judgement
    assert (kept.row.document, kept.row.pair, kept.comment, kept.interaction.names[0]) == (HOSTILE,) * 4
    assert client.get("/api/curation/judgements", params={"curator": HOSTILE}).json()["count"] == 1
    ranked = client.post("/api/curation/rank", json={"rows": [key(row)]})
    assert ranked.json()["rows"][0]["document"] == HOSTILE
    assert client.get("/api/curation/next", params={"protein": HOSTILE}).status_code in (200, 404)
    assert len(rows(client)) == 13  # the table is still there


class TestToken:
    @pytest.fixture
    def guarded(self, run):
        with (
            judged_server(run, token="the token") as (address, _),
            httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client,
        ):
            yield client

    def test_nothing_is_judged_or_read_without_it(self, guarded):
        row = key(rows(guarded)[0])
        for headers in ({}, {"X-Curation-Token": "a token"}, {"X-Curation-Token": ""}, {"X-Curation-Token": "é"}):
            encoded = {name: value.encode() for name, value in headers.items()}
            for answer in (
                guarded.post("/api/curation/judge", json={**row, "verdict": "right", "curator": "A"}, headers=encoded),
                guarded.post("/api/curation/undo", json={"curator": "A"}, headers=encoded),
                guarded.post("/api/curation/states", json={"rows": [row]}, headers=encoded),
                guarded.post("/api/curation/rank", json={"rows": [row]}, headers=encoded),
                guarded.get("/api/curation/judgements", headers=encoded),
                guarded.get("/api/curation/next", headers=encoded),
                guarded.get("/api/curation/export", params={"format": "jsonl"}, headers=encoded),
            ):
                assert (answer.status_code, answer.json()["code"]) == (403, "token")
                assert "the token that the server showed" in answer.json()["detail"]

    def test_whoever_shows_it_judges(self, guarded):
        assert guarded.get("/api/curation").json()["needs_token"] is True
        guarded.headers["X-Curation-Token"] = "the token"
        assert judge(guarded, rows(guarded)[0]).status_code == 200


def test_ranking_changes_with_judgements(served):
    client, _ = served
    shown = rows(client)
    body = {"rows": [key(row) for row in shown]}
    before = client.post("/api/curation/rank", json=body).json()
    assert before["estimates"] == []
    assert all(row["before"] == row["after"] for row in before["rows"])
    judge(client, shown[0], "wrong")
    after = client.post("/api/curation/rank", json=body).json()
    assert (after["judged"], after["left_out"]) == (1, 0)
    last = after["rows"][-1]
    assert (last["pair"], last["after"]["place"], last["after"]["probability"]) == (shown[0]["pair"], len(shown), 0.01)
    assert [row["after"]["place"] for row in after["rows"]] == list(range(1, len(shown) + 1))
    (estimate,) = after["estimates"]
    assert (estimate["error_without"], estimate["error_leave_one_out"]) == (0.9, 0.5)


@pytest.mark.parametrize("way", ["top", "uncertain", "change"])
def test_what_to_judge_next_leaves_out_what_was_judged(served, way):
    client, _ = served
    first = client.get("/api/curation/next", params={"way": way, "count": 3, "protein": "RAD51"}).json()
    assert (first["way"], len(first["sentences"])) == (way, 3)
    for row in first["sentences"]:
        assert judge(client, row).status_code == 200
    second = client.get("/api/curation/next", params={"way": way, "count": 50, "protein": "RAD51"}).json()["sentences"]
    assert {row["pair"] for row in first["sentences"]} & {row["pair"] for row in second} == set()
    assert len(second) == 10
    assert client.get("/api/curation/next", params={"way": "any"}).status_code == 422
    assert client.get("/api/curation/next", params={"protein": "nobody"}).status_code == 404


def test_a_server_without_a_model_says_so(run):
    with (
        judged_server(run, relearner=None) as (address, _),
        httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client,
    ):
        assert client.get("/api/curation").json()["learns"] is False
        answer = client.post("/api/curation/rank", json={"rows": []})
        assert (answer.status_code, answer.json()["code"]) == (422, "cannot-learn")


def test_export(served, tmp_path):
    client, _ = served
    shown = rows(client)
    judge(client, shown[0], "right")
    judge(client, shown[1], "wrong")
    answer = client.get("/api/curation/export", params={"format": "jsonl"})
    assert answer.headers["content-disposition"] == 'attachment; filename="judgements.jsonl"'
    (tmp_path / "judged.jsonl").write_bytes(answer.content)
    documents = corpora.load(tmp_path / "judged.jsonl")
    assert [document.sentences[0].pairs[0].label for document in documents] == [True, False]
    assert [each["tag"] for each in client.get("/api/curation/export?format=indra").json()] == [
        "correct",
        "no_relation",
    ]
    names = zipfile.ZipFile(io.BytesIO(client.get("/api/curation/export?format=brat").content)).namelist()
    assert "h0.ann" in names
    assert json.loads(client.get("/api/curation/export?format=bioc-json").content)["documents"]
    assert client.get("/api/curation/export?format=csv").json()["code"] == "unknown-format"


def test_the_description_has_it(served):
    client, _ = served
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/curation", "/api/curation/judge", "/api/curation/undo", "/api/curation/rank"} <= set(paths)
    names = [one["name"] for one in paths["/api/curation/judge"]["post"]["parameters"]]
    assert [name.lower() for name in names] == ["x-curation-token"]
