"""Markup in every place that a stranger can fill: it is text to the page, and nothing else."""

import json

import pytest
from web_browser import until

PAYLOADS = [
    "<script>window.broken=1</script>",
    "<img src=x onerror=window.broken=1>",
    "<svg onload=window.broken=1><script>window.broken=1</script></svg>",
    "</title></text><script>window.broken=1</script>",
    '\'"><iframe srcdoc="<script>parent.broken=1</script>">',
    "javascript:window.broken=1//]]>&lt;b&gt;&#60;",
]


def document(payload):
    """Markup as name, sentence, ids, type and identifier."""
    text = f"{payload} binds BRCA2."
    names = [(payload, 0), ("BRCA2", len(payload) + 7)]
    entities = [
        {
            "id": f"{payload}{n}",
            "text": name,
            "spans": [[start, start + len(name)]],
            "type": payload,
            "identifiers": [f"{payload}{n}"],
        }
        for n, (name, start) in enumerate(names)
    ]
    return {"id": payload, "sentences": [{"id": payload, "text": text, "entities": entities}]}


def nothing_happened(page):
    assert page.evaluate("window.broken") is None
    for tag in ("iframe", "script:not([src])", "img:not([src^='data:image/svg+xml'])", "b"):
        assert page.locator(tag).count() == 0, tag


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_in_text_names_ids_and_file_names_stays_text(page, payload, tmp_path):
    name = f"{payload.replace('/', '')}.jsonl"
    content = json.dumps(document(payload)) + "\n" + json.dumps({**document(payload), "id": "other"}) + "\n"
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": content.encode()})
    page.wait_for_selector("#table tbody tr")
    assert page.inner_text("#table button.pair >> nth=0") == f"{payload} – BRCA2"
    assert page.inner_text("#documents h3 >> nth=0") == payload
    assert page.inner_text("#documents p >> nth=0") == f"{payload} binds BRCA2."
    nothing_happened(page)
    page.click("#table button.pair >> nth=0")
    until(page, "document.querySelector('#evidence img') && document.querySelector('#evidence img').naturalWidth > 0")
    assert page.inner_text("#evidence-heading").startswith(f"{payload} – BRCA2")
    nothing_happened(page)


def test_markup_in_pasted_text_and_in_errors_stays_text(page):
    page.fill("#text", " ".join(PAYLOADS))
    page.click("#annotate")
    page.wait_for_selector("#results:not([hidden])")
    assert page.inner_text("#documents p") == " ".join(PAYLOADS)
    nothing_happened(page)
    page.select_option("#format", "jsonl")
    for payload in PAYLOADS:
        file = {"name": f"{payload}.txt", "mimeType": "text/plain", "buffer": f'{{"id": "{payload}"'.encode()}
        page.set_input_files("#file", file)
        until(page, "!document.querySelector('#error').hidden")
        nothing_happened(page)
        page.evaluate("document.querySelector('#error').hidden = true")


def test_scripts_in_a_drawing_do_not_run(page):
    """Even if a drawing were hostile: as an image it can do nothing."""
    hostile = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' onload='parent.broken=1'>" + (
        "<script>parent.broken=1</script><image href='http://127.0.0.1:9/x.png'/></svg>"
    )

    def with_hostile_drawing(route):
        answer = route.fetch()
        content = answer.json()
        content["evidence"]["svg"] = content["evidence"]["path_svg"] = hostile
        route.fulfill(response=answer, json=content)

    page.route("**/api/evidence", with_hostile_drawing)
    page.fill("#text", "RAD51 binds BRCA2.")
    page.click("#annotate")
    page.click("#table button.pair")
    until(page, "document.querySelector('#evidence img') && document.querySelector('#evidence img').naturalWidth === 9")
    nothing_happened(page)
