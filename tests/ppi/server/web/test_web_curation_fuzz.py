"""The routes of curation against their description: whatever is sent, no error that is not in it."""

import httpx
import hypothesis
import pytest
import schemathesis
from curated import judged_server, write_run
from hypothesis import HealthCheck
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from waiting import WAIT_SECONDS

pytest.importorskip("duckdb")
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 10


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with judged_server(write_run(tmp_path_factory.mktemp("run"))) as (address, _):
        yield address


def test_answers_are_as_described(server):
    described = schemathesis.openapi.from_dict(httpx.get(f"{server}/openapi.json", timeout=WAIT_SECONDS).json())
    operations = [found.ok() for found in described.get_all_operations()]
    curation = [operation for operation in operations if operation.path.startswith("/api/curation")]
    assert len(curation) == 8
    for operation in curation:
        for mode in GenerationMode:
            if mode is GenerationMode.NEGATIVE and operation.path == "/api/curation":
                continue  # takes nothing that could be wrong

            @hypothesis.settings(
                max_examples=EXAMPLES,
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def check(case):
                case.call_and_validate(base_url=server, checks=CHECKS, timeout=WAIT_SECONDS)

            check()


@pytest.mark.parametrize("text", ["\\ud800", "\\u0000", "\\u202e", "%00"])
@pytest.mark.parametrize("field", ["document", "pair", "words", "curator", "comment"])
def test_strange_characters_are_kept_or_refused(server, text, field):
    with httpx.Client(base_url=server, timeout=WAIT_SECONDS) as client:
        query = {"protein": "RAD51", "show": "sentences"}
        row = client.get("/api/database/search", params=query).json()["sentences"][0]
        fields = {name: row[name] for name in ("document", "pair", "words")} | {"curator": "Ada", "comment": ""}
        # as JSON spells it, which Python's own encoder would not send
        body = "{" + ", ".join(f'"{name}": "{text if name == field else value}"' for name, value in fields.items())
        body += ', "verdict": "right"}'
        answer = client.post("/api/curation/judge", content=body.encode(), headers={"content-type": "application/json"})
        assert answer.status_code in (200, 404, 409, 422), answer.text
        assert client.get("/api/curation/judgements").status_code == 200
        for format in ("jsonl", "bioc-xml", "bioc-json", "brat", "indra"):
            assert client.get("/api/curation/export", params={"format": format}).status_code == 200
