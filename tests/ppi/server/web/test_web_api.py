"""What the API answers, right and wrong."""

import gzip
import json

import pytest
from web_annotator import WebAnnotator

from corpora import LARGEST_OFFSET
from ppi.annotation import from_json
from ppi.export import FORMATS
from ppi.server.web import jobs
from ppi.server.web.jobs import UPLOAD_FORMATS, decompress, read_upload, safe_name
from ppi.server.web.limits import Limits

TEXT = "RAD51 binds BRCA2 and TP53. Nothing here.\n\nMDM2 inhibits TP53."
PUBTATOR = b"17|t|RAD51 binds BRCA2.\n17|a|It does.\n17\t0\t5\tRAD51\tGene\t5888\n17\t12\t17\tBRCA2\tGene\t675\n"


def annotate(client, **request):
    answer = client.post("/api/annotate", json=request)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names_of(document):
    return [tuple(protein["text"] for protein in one["proteins"]) for one in document["interactions"]]


def refused(answer, status, code):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == code
    assert problem["status"] == status
    assert "Traceback" not in answer.text
    return problem["detail"]


def test_text_gives_sentences_names_and_pairs(client):
    (document,) = annotate(client, text=TEXT)["documents"]
    assert [sentence["text"] for sentence in document["sentences"]] == [
        "RAD51 binds BRCA2 and TP53.",
        "Nothing here.",
        "MDM2 inhibits TP53.",
    ]
    for sentence in document["sentences"]:
        assert TEXT[sentence["offset"] :].startswith(sentence["text"])
    assert names_of(document) == [("RAD51", "BRCA2"), ("RAD51", "TP53"), ("BRCA2", "TP53"), ("MDM2", "TP53")]
    proteins = [entity["protein"] for sentence in document["sentences"] for entity in sentence["entities"]]
    assert proteins == ["name:rad51", "name:brca2", "name:tp53", "name:mdm2", "name:tp53"]


def test_min_probability_leaves_out_pairs(client):
    (document,) = annotate(client, text=TEXT, min_probability=0.9)["documents"]
    assert names_of(document) == [("RAD51", "BRCA2"), ("MDM2", "TP53")]


def test_given_names_are_used_and_no_others(client):
    text = "the first and the second and RAD51"
    entities = [{"start": 4, "end": 9, "identifiers": ["ncbigene:1"]}, {"start": 18, "end": 24}]
    (document,) = annotate(client, documents=[{"id": "d", "text": text, "entities": entities}])["documents"]
    assert names_of(document) == [("first", "second")]
    assert document["sentences"][0]["entities"][0]["protein"] == "ncbigene:1"


def test_a_source_sent_back_gives_the_same_answer(client):
    first = annotate(client, text=TEXT)["documents"]
    assert annotate(client, documents=[first[0]["source"]])["documents"] == first


def test_evidence_of_a_pair_adds_up_to_its_score(client):
    (document,) = annotate(client, text=TEXT)["documents"]
    pair = document["interactions"][1]
    request = {"document": document["source"], "pair": pair["pair"], "min_probability": pair["probability"]}
    answer = client.post("/api/evidence", json=request).json()
    assert {key: answer[key] for key in pair} == pair
    why = answer["evidence"]
    total = why["intercept"] + why["other_features"] + sum(one["value"] for one in why["features"])
    assert total == pytest.approx(pair["score"])
    assert all(one["value"] > 0 for one in why["up"])
    assert all(one["value"] < 0 for one in why["down"])
    assert sum(one["share"] for one in why["up"] + why["down"]) == pytest.approx(1.0)
    assert why["svg"].startswith("<svg")


def test_evidence_of_a_pair_that_is_not_there(client):
    request = {"document": {"id": "d", "text": "RAD51 binds BRCA2."}, "pair": "nonsense"}
    assert "'nonsense'" in refused(client.post("/api/evidence", json=request), 404, "no-such-pair")


def test_interactions_have_the_shape_of_json_lines(client):
    """One encoder: the API's interactions read back as those of a file, and hold the same."""
    request = {"documents": [{"id": "PMID:12345", "text": TEXT}], "explain": True}
    (document,) = annotate(client, **request)["documents"]
    lines = client.post("/api/export?format=jsonl", json=request).text.splitlines()
    own = {"keys", "reasons", "up", "down", "path_svg"}
    for found, line in zip(document["interactions"], map(json.loads, lines), strict=True):
        assert from_json(found) == from_json(line)
        assert found["keys"] == [f"name:{protein['text'].lower()}" for protein in found["proteins"]]
        found["evidence"] = {name: value for name, value in found["evidence"].items() if name not in own}
        assert {name: value for name, value in found.items() if name not in own} == line


TYPED = "LIMK1 phosphorylates CFL1, typed. MDM2 may inhibit TP53. RAD51 does not bind BRCA2. RAD51 binds TP53."


def test_interactions_say_how_and_doubtful_ones_come_only_if_asked_for(client):
    (document,) = annotate(client, text=TYPED)["documents"]
    assert names_of(document) == [("LIMK1", "CFL1"), ("RAD51", "TP53")]
    first, second = document["interactions"]
    assert (first["type"], first["kind"], second["type"]) == ("modification", "phosphorylation", "binding")
    assert [first["agent"], first["target"]] == [protein["id"] for protein in first["proteins"]]
    assert not {"agent", "sign", "negated"} & second.keys()
    (document,) = annotate(client, text=TYPED, include_negated=True)["documents"]
    assert [one.get("negated") for one in document["interactions"]] == [None, True, None]
    (document,) = annotate(client, text=TYPED, include_hedged=True, types=["regulation"])["documents"]
    assert [(one["sign"], one["hedged"]) for one in document["interactions"]] == [("negative", True)]


def test_files_take_the_same_choices(client):
    choices = {"types": ["binding", "regulation"], "include_negated": "true"}
    answer = client.post("/api/annotate/file", files={"file": ("a.txt", TYPED.encode())}, data=choices)
    (document,) = answer.json()["documents"]
    assert names_of(document) == [("RAD51", "BRCA2"), ("RAD51", "TP53")]
    refused(client.post("/api/annotate", json={"text": TYPED, "types": ["friendship"]}), 422, "invalid")


def test_the_evidence_of_a_doubtful_pair_can_be_asked_for(client):
    (document,) = annotate(client, text=TYPED, include_negated=True)["documents"]
    denied = document["interactions"][1]
    answer = client.post("/api/evidence", json={"document": document["source"], "pair": denied["pair"]}).json()
    assert answer["negated"] is True
    assert answer["evidence"]["reasons"][0] == "“binds” stands on the path between them"


def test_no_other_pair_is_explained_than_the_one_that_is_asked_for():
    """Nor do the limits of evidence for all count it as one of many."""

    class Counting(WebAnnotator):
        explained = 0

        def _evidence(self, *arguments):
            Counting.explained += 1
            return super()._evidence(*arguments)

    document = {"id": "d", "text": "RAD51, BRCA2, TP53, MDM2 and ATM2."}
    request = {"document": {**document, "entities": None}, "pair": "d.s0.0.p7", "min_probability": 0.0}
    answer = json.loads(jobs.evidence(Counting(), request, Limits(explained=3)))
    assert answer["pair"] == "d.s0.0.p7"
    assert Counting.explained == 1


def test_explain_adds_the_evidence_of_every_pair(client):
    (document,) = annotate(client, text=TEXT, explain=True)["documents"]
    assert all("svg" in one["evidence"] for one in document["interactions"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"RAD51 binds BRCA2."),
        ("a.unknown", b"RAD51 binds BRCA2."),
        ("a.pubtator", PUBTATOR),
        ("a", PUBTATOR),
        ("a.txt.gz", gzip.compress(b"RAD51 binds BRCA2.", mtime=0)),
        ("a.txt.gz", gzip.compress(b"RAD51 binds ", mtime=0) + gzip.compress(b"BRCA2.", mtime=0) + bytes(7)),
        ("a.xml", b"<collection><document><id>1</id><passage><offset>0</offset><text>RAD51 binds BRCA2.</text>"
         b"</passage></document></collection>"),
        ("a.xml", b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>RAD51 binds "
         b"BRCA2.</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"),
        ("a.json", json.dumps({"documents": [{"id": "1", "infons": {}, "passages": [
            {"offset": 0, "infons": {}, "text": "RAD51 binds BRCA2.", "annotations": [], "relations": []}],
            "relations": []}], "source": "", "date": "", "key": "", "infons": {}}).encode()),
        ("a.jsonl", b'{"id": "1", "sentences": [{"id": "1.s0", "text": "RAD51 binds BRCA2."}]}\n'),
    ],
)  # fmt: skip
def test_uploads_of_every_kind(client, name, content):
    answer = client.post("/api/annotate/file", files={"file": (name, content)})
    assert answer.status_code == 200, answer.text
    (document,) = answer.json()["documents"]
    assert names_of(document) == [("RAD51", "BRCA2")]


def test_names_in_an_upload_are_used(client):
    answer = client.post("/api/annotate/file", files={"file": ("a.pubtator", PUBTATOR)}).json()
    (document,) = answer["documents"]
    assert document["id"] == "17"
    assert [entity["identifiers"] for entity in document["sentences"][0]["entities"]] == [["5888"], ["675"]]


def test_an_upload_in_a_named_format(client):
    answer = client.post(
        "/api/annotate/file", files={"file": ("a.txt", b"RAD51 a.\nTP53 b.\n")}, data={"format": "text-lines"}
    )
    assert [document["id"] for document in answer.json()["documents"]] == ["a-1", "a-2"]


def test_what_contradicts_itself_is_left_out_with_a_remark(client):
    broken = PUBTATOR + b"\n18|t|Other.\n18|a|Text.\n18\t0\t5\tWrong\tGene\t1\n"
    answer = client.post("/api/annotate/file", files={"file": ("a.pubtator", broken)}).json()
    assert [document["id"] for document in answer["documents"]] == ["17", "18"]
    assert answer["documents"][1]["sentences"][0]["entities"] == []
    assert "'Wrong'" in answer["warnings"][0]


@pytest.mark.parametrize(
    ("name", "content", "status", "code", "detail"),
    [
        ("a.xml", b"<collection><document>", 422, "cannot-read", "well-formed XML"),
        ("a.xml", b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><collection>&e;</collection>', 422,
         "cannot-read", "entity declarations"),
        ("a.ann", b"T1\tProtein 0 5\tRAD51\n", 422, "unknown-format", "'brat'"),
        ("a.pubtator", b"\n\n", 422, "no-documents", "'a.pubtator'"),
        ("a.txt", b"\xff\xfe\xfa", 422, "cannot-read", "UTF-8"),
        ("a.txt.gz", gzip.compress(b"RAD51", mtime=0)[:-9], 422, "cannot-read", "gzip"),
        ("a.txt.gz", gzip.compress(b"RAD51", mtime=0) * 2 + b"rest", 422, "cannot-read", "gzip"),
        ("a.txt.gz", gzip.compress(b"MEK", mtime=0) + gzip.compress(b"ERK", mtime=0)[:-9], 422, "cannot-read", "gzip"),
    ],
)  # fmt: skip
def test_uploads_that_cannot_be_read(client, name, content, status, code, detail):
    answer = client.post("/api/annotate/file", files={"file": (name, content)})
    assert detail in refused(answer, status, code)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..", "a/../b", "C:\\x.txt", "\x00"])
def test_file_names_reach_no_file(client, name):
    answer = client.post("/api/annotate/file", files={"file": (name, b"RAD51 binds BRCA2.")})
    assert answer.status_code == 200
    assert "root:" not in answer.text


@pytest.mark.parametrize("format", FORMATS)
def test_export_in_every_format(client, format):
    request = {"text": f"{TEXT} It is typed.", "explain": True}
    answer = client.post("/api/export", params={"format": format}, json=request)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == FORMATS[format].media_type
    name = f"interactions{FORMATS[format].download_suffix}"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert len(answer.content) > 20


def test_export_keeps_what_is_probable(client):
    answer = client.post("/api/export?format=csv", json={"text": TEXT, "min_probability": 0.9})
    assert len(answer.text.splitlines()) == 1 + 2


def test_export_in_an_unknown_format(client):
    assert "'docx'" in refused(client.post("/api/export?format=docx", json={"text": "x"}), 422, "unknown-format")


def test_formats_and_health(client):
    formats = client.get("/api/formats").json()
    assert [each["name"] for each in formats["input"]] == list(UPLOAD_FORMATS)
    assert [each["name"] for each in formats["output"]] == list(FORMATS)
    assert formats["limits"]["body_bytes"] == 5_000_000
    health = client.get("/api/health").json()
    assert health["status"] == "ok"
    assert (health["workers"], health["idle"], health["waiting"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("request_json", "detail"),
    [
        ({}, "either `text` or `documents`"),
        ({"text": "a", "documents": []}, "at least 1 item"),
        ({"text": ""}, "at least 1 character"),
        ({"text": "a", "misspelt": 1}, "misspelt"),
        ({"text": "a", "min_probability": 2}, "less than or equal to 1"),
        ({"text": "a", "entities": [{"start": 3, "end": 1}]}, "start < end"),
        ({"documents": [{"id": "1"}]}, "either `text` or `sentences`"),
        ({"documents": [{"id": "1", "text": "a"}, {"id": "1", "text": "b"}]}, "different ids"),
    ],
)
def test_requests_that_are_not_as_described(client, request_json, detail):
    assert detail in refused(client.post("/api/annotate", json=request_json), 422, "invalid")


@pytest.mark.parametrize(
    ("document", "detail"),
    [
        ({"id": "1", "text": "RAD51", "entities": [{"start": 2, "end": 9}]}, "inside the 5 characters"),
        ({"id": "1", "sentences": [{"text": "no id"}]}, "'id'"),
        ({"id": "1", "sentences": [{"id": "s", "text": "x", "entities": "no list"}]}, "a list"),
    ],
)
def test_documents_that_contradict_themselves(client, document, detail):
    assert detail in refused(client.post("/api/annotate", json={"documents": [document]}), 422, "cannot-read")


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff", b'{"text": ' + b"9" * 10_000 + b"}"])
def test_bodies_that_are_not_json(client, body):
    answer = client.post("/api/annotate", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["status"] == 400


def test_half_a_surrogate_pair_is_refused_or_survives(client):
    answer = client.post(
        "/api/annotate", content=b'{"text": "RAD51 \\ud800 BRCA2"}', headers={"content-type": "application/json"}
    )
    assert answer.status_code in (200, 422)


def test_an_unknown_page_and_method(client):
    refused(client.get("/nothing"), 404, "invalid")
    refused(client.get("/static/../app.py"), 404, "invalid")
    refused(client.get("/api/annotate"), 405, "invalid")


def test_the_description_and_its_page_work_offline(client):
    description = client.get("/openapi.json").json()
    assert set(description["paths"]) == {
        "/api/annotate", "/api/annotate/file", "/api/evidence", "/api/export", "/api/formats", "/api/health",
    }  # fmt: skip
    page = client.get("/docs").text
    for path in description["paths"]:
        assert f"<code>{path}</code>" in page
    assert "<script" not in page
    assert "//" not in page.replace("http://127.0.0.1:8000/api/annotate", "")


def test_unpacking_stops_at_the_limit():
    bomb = gzip.compress(b"0" * 50_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(Exception, match="at most 1,000 bytes after unpacking"):
        decompress(bomb, 1000)


def test_a_second_document_of_an_id_is_left_out_with_a_remark():
    documents, remarks = read_upload(PUBTATOR + b"\n" + PUBTATOR, "a.pubtator", max_bytes=10_000)
    assert len(documents) == 1
    assert "again" in remarks[0]


def test_safe_names_are_short_and_printable():
    assert safe_name("x" * 500 + ".txt").endswith(".txt")
    assert len(safe_name("x" * 500 + ".txt")) == 100
    assert safe_name("a\u202eb\n.txt") == "a_b_.txt"


@pytest.mark.parametrize("path", ["/api/annotate", "/api/evidence", "/api/export?format=csv"])
@pytest.mark.parametrize("type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "x", None])
def test_another_content_type_than_json(client, path, type):
    headers = {} if type is None else {"content-type": type}
    answer = client.post(path, content=b'{"text": "RAD51"}', headers=headers)
    assert "expected the content type application/json" in refused(answer, 415, "content-type")


@pytest.mark.parametrize("type", ["application/json", "Application/JSON; charset=utf-8", "application/ld+json"])
def test_json_under_its_names(client, type):
    answer = client.post("/api/annotate", content=b'{"text": "RAD51"}', headers={"content-type": type})
    assert answer.status_code == 200


@pytest.mark.parametrize("type", ["application/json", "application/x-www-form-urlencoded", None])
def test_another_content_type_than_a_form(client, type):
    headers = {} if type is None else {"content-type": type}
    answer = client.post("/api/annotate/file", content=b"file=RAD51", headers=headers)
    assert "expected the content type multipart/form-data" in refused(answer, 415, "content-type")


@pytest.mark.parametrize("offset", [10**40, 2**63, -1])
@pytest.mark.parametrize("format", FORMATS)
def test_offsets_that_no_document_has(client, offset, format):
    sentence = {"id": "s", "text": "RAD51 binds BRCA2.", "offset": offset}
    answer = client.post(f"/api/export?format={format}", json={"documents": [{"id": "d", "sentences": [sentence]}]})
    assert "expected an offset from 0 to" in refused(answer, 422, "cannot-read")


@pytest.mark.parametrize("format", FORMATS)
def test_the_largest_offset_can_be_exported(client, format):
    names = [{"id": "a", "text": "RAD51", "spans": [[0, 5]]}, {"id": "b", "text": "BRCA2", "spans": [[12, 17]]}]
    sentence = {"id": "s", "text": "RAD51 binds BRCA2.", "offset": LARGEST_OFFSET, "entities": names}
    answer = client.post(f"/api/export?format={format}", json={"documents": [{"id": "d", "sentences": [sentence]}]})
    assert answer.status_code == 200, answer.text
