"""The API against its own description: whatever is sent, no error that is not in it."""

import json

import httpx
import hypothesis
import pytest
import schemathesis
from byte_sources import with_other_value
from event_documents import event_corpus
from hypothesis import HealthCheck
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ppi.export import FORMATS
from ppi.server.web.app import create_app
from ppi.server.web.jobs import UPLOAD_FORMATS

EXAMPLES = 25
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
OPERATIONS = [
    found.ok() for found in schemathesis.openapi.from_dict(create_app(annotator=object).openapi()).get_all_operations()
]
#: Beginnings of files in each format, to be damaged.
SEEDS = [
    b"17|t|RAD51 binds BRCA2.\n17|a|It does.\n17\t0\t5\tRAD51\tGene\t5888\n",
    b"<collection><document><id>1</id><passage><offset>0</offset><text>RAD51</text></passage></document></collection>",
    b'{"documents": [{"id": "1", "passages": [{"offset": 0, "text": "RAD51 and TP53"}]}]}',
    b'{"id": "1", "sentences": [{"id": "s", "text": "RAD5", "entities": [{"id": "e", "text": "R", "spans":[[0,1]]}]}]}',
]


def _damaged(seed):
    """The seed with a piece cut out and something else put in."""
    place = st.integers(0, len(seed))
    return st.builds(
        lambda start, length, new: seed[:start] + new + seed[start + length :],
        place,
        st.integers(0, 5),
        st.binary(max_size=3),
    )


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_answers_are_as_described(address, operation, mode):
    if mode is GenerationMode.NEGATIVE and operation.method == "get":
        pytest.skip("takes nothing that could be wrong")

    statuses = []

    @hypothesis.settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        answer = case.call_and_validate(base_url=address, checks=CHECKS)
        statuses.append(answer.status_code)

    check()
    if mode is GenerationMode.POSITIVE and not operation.path.startswith("/api/evidence"):  # of a pair nobody can guess
        assert 200 in statuses, "nothing got through"


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(
    text=st.text(st.sampled_from("AB1 .\n\t<>&\"'α😀é\u202e\x00\ud800"), min_size=1, max_size=40),
    format=st.sampled_from(sorted(FORMATS)),
)
def test_strange_texts_are_annotated_and_exported_or_refused(client, text, format):
    body = json.dumps({"text": text, "explain": True}).encode()
    headers = {"content-type": "application/json"}
    annotated = client.post("/api/annotate", content=body, headers=headers)
    assert annotated.status_code in (200, 422), annotated.text
    exported = client.post("/api/export", params={"format": format}, content=body, headers=headers)
    assert exported.status_code in (200, 422), exported.text
    for document in annotated.json().get("documents", ()):
        for sentence in document["sentences"]:
            assert text[sentence["offset"] :].startswith(sentence["text"])


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(
    content=st.binary(max_size=200) | st.sampled_from(SEEDS).flatmap(_damaged),
    name=st.text(max_size=20) | st.sampled_from(["a.xml", "a.json", "a.jsonl", "a.pubtator", "a.txt.gz"]),
    format=st.sampled_from(["auto", *UPLOAD_FORMATS]),
)
def test_strange_files_are_read_or_refused(client, content, name, format):
    answer = client.post(
        "/api/annotate/file",
        files={"file": (name.encode("utf-8", "replace").decode(), content)},
        data={"format": format},
    )
    assert answer.status_code in (200, 400, 422), answer.text


DOCUMENT = json.dumps(event_corpus("a", 1)[0].with_parses(()).to_json())
BODIES = {
    "/api/annotate": f'{{"documents": [{DOCUMENT}], "min_probability": 0.1, "explain": false, "types": ["binding"]}}',
    "/api/export?format=jsonl": f'{{"documents": [{DOCUMENT}], "explain": true, "include_negated": true}}',
    "/api/export?format=parquet": f'{{"documents": [{DOCUMENT}]}}',
    "/api/evidence": f'{{"document": {DOCUMENT}, "pair": "a0.0.p0", "min_probability": 0}}',
}


@pytest.mark.parametrize("path", BODIES)
def test_documents_with_any_value_in_them(client, path):
    headers = {"content-type": "application/json"}
    assert client.post(path, content=BODIES[path], headers=headers).status_code == 200

    @hypothesis.settings(max_examples=100, deadline=None)
    @hypothesis.given(with_other_value(BODIES[path]))
    def check(body):
        answer = client.post(path, content=json.dumps(body).encode(), headers=headers)
        assert answer.status_code in (200, 400, 404, 413, 422), answer.text
        assert answer.status_code == 200 or answer.json()["code"] != "failed"

    check()


def test_a_document_with_events_comes_back_as_it_can_be_sent(client):
    upload = client.post("/api/annotate/file", files={"file": ("a.jsonl", DOCUMENT.encode())}).json()
    (document,) = upload["documents"]
    assert document["source"] == json.loads(DOCUMENT)
    asked = {"document": document["source"], "pair": document["interactions"][0]["pair"]}
    assert client.post("/api/evidence", json=asked).status_code == 200


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "X"]),
    path=st.sampled_from(
        ["/", "/docs", "/static/", "/api/health", "/api/formats", "/api/annotate", "/api/export", "/x"]
    )
    | st.text(st.sampled_from("/.%2eaé?#&=\\"), max_size=20).map("/{}".format),
    type=st.none()
    | st.sampled_from(["application/json", "multipart/form-data", "multipart/form-data; boundary=x", "x/y"]),
    content=st.binary(max_size=80) | st.sampled_from([b"{}", b"[]", b"null", b"--x\r\n\r\n--x--", b"1" * 5000]),
)
def test_any_request_gets_an_answer_that_is_no_failure(client, method, path, type, content):
    headers = {} if type is None else {"content-type": type}
    try:
        answer = client.request(method, path, content=content, headers=headers)
    except httpx.InvalidURL:
        hypothesis.reject()
    assert answer.status_code < 500, answer.text
    assert "content-security-policy" in answer.headers
