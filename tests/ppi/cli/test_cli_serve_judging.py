"""A run served by the verb itself, with the model that ships: the token, a judgement, the ranking."""

import json
import re
import signal
import subprocess
import sys

import httpx
import pytest
from curated import write_run

from ppi.cli.serve import needs_token
from ppi.server import HEAD, Curation, curation_path

pytest.importorskip("duckdb")


def test_who_needs_a_token():
    assert not needs_token("127.0.0.1", [])
    assert not needs_token("localhost", [])
    assert needs_token("127.0.0.1", ["lab.example"])
    assert needs_token("0.0.0.0", [])


def test_a_run_is_judged_with_the_token_that_was_shown(tmp_path):
    run = write_run(tmp_path)
    path = curation_path(run)
    path.write_bytes(HEAD + b'{"judgement": {"verd')  # somebody was killed here before
    command = [sys.executable, "-c", "import sys; from ppi.cli import main; sys.exit(main())"]
    options = ["serve", str(run), "--port", "0", "--workers", "1", "--allow-host", "lab.example", "--seconds", "120"]
    with subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True) as process:
        try:
            said = ""
            while "open http" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            assert "a crash cut short line 2; passed over" in said
            token = re.search(r"judging needs the token (\S+)", said)[1]
            address = re.search(r"open (http\S+)/database", said)[1]
            judge_and_rank(address, token)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    curation = Curation(path)
    assert [kept.judgement.verdict for kept in curation.state] == ["wrong"]
    assert curation.torn == [2]


def judge_and_rank(address, token):
    with httpx.Client(base_url=address, timeout=120) as client:
        query = {"protein": "RAD51", "show": "sentences"}
        rows = client.get("/api/database/search", params=query).json()["sentences"]
        keys = [{name: row[name] for name in ("document", "pair", "words")} for row in rows]
        body = {**keys[0], "verdict": "wrong", "curator": "Ada"}
        assert client.post("/api/curation/judge", json=body).status_code == 403
        client.headers["X-Curation-Token"] = token
        assert client.post("/api/curation/judge", json=body).status_code == 200
        ranked = client.post("/api/curation/rank", json={"rows": keys})
        assert ranked.status_code == 200, ranked.text
        answer = ranked.json()
        assert (answer["judged"], len(answer["rows"])) == (1, len(keys))
        by_pair = {row["pair"]: row for row in answer["rows"]}
        judged = by_pair[keys[0]["pair"]]
        assert judged["after"]["probability"] < judged["before"]["probability"]
        assert "interaction" in [each["output"] for each in answer["estimates"]]
        chosen = client.get("/api/curation/next", params={"way": "change", "count": 3})
        assert chosen.status_code == 200, chosen.text
        assert keys[0]["pair"] not in json.dumps([row["pair"] for row in chosen.json()["sentences"]])
