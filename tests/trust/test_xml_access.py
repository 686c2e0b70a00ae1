"""XML that names addresses and files: reading it opens neither."""

import threading
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import corpora

TEXT = "Profilin binds actin."
BODIES = {
    "turku": f'<corpus source="x"><document id="d"><sentence id="s" text="{TEXT}"/></document></corpus>',
    "bioc-xml": "<collection><source/><date/><key/><document><id>d</id><passage><offset>0</offset>"
    f"<text>{TEXT}</text></passage></document></collection>",
    "pubmed": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>"
    f"{TEXT}</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
}
ROOTS = {"turku": "corpus", "bioc-xml": "collection", "pubmed": "PubmedArticleSet"}


@pytest.fixture
def server():
    """Its address, and what it was asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<!ENTITY a 'secret'>")

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", asked
        served.shutdown()


def texts(path, format):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corpora.LossWarning)
        return [sentence.text for document in corpora.read(path, format) for sentence in document.sentences]


@pytest.mark.parametrize("format", BODIES)
@pytest.mark.parametrize(
    "prologue",
    [
        '<!DOCTYPE {root} SYSTEM "{address}/x.dtd">',
        '<!DOCTYPE {root} PUBLIC "-//NLM//DTD PubMedArticle//EN" "{address}/pubmed.dtd">',
        '<?xml-stylesheet type="text/xsl" href="{address}/x.xsl"?>',
    ],
)
def test_documents_that_name_a_grammar_are_read_without_it(tmp_path, server, format, prologue):
    address, asked = server
    path = tmp_path / "file.xml"
    path.write_text(prologue.format(root=ROOTS[format], address=address) + BODIES[format])
    assert texts(path, format) == [TEXT]
    assert asked == []


@pytest.mark.parametrize("format", BODIES)
@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a SYSTEM "{address}/x">',
        '<!ENTITY a SYSTEM "{file}">',
        '<!ENTITY % a SYSTEM "{address}/x"> %a;',
        '<!ENTITY % a SYSTEM "{file}"> %a;',
    ],
)
def test_entities_from_elsewhere_are_refused(tmp_path, server, format, declaration):
    address, asked = server
    secret = tmp_path / "secret"
    secret.write_text("secret")
    declared = declaration.format(address=address, file=secret.as_uri())
    path = tmp_path / "file.xml"
    path.write_text(f"<!DOCTYPE {ROOTS[format]} [{declared}]>" + BODIES[format].replace("binds", "&a;"))
    with pytest.raises(corpora.CorpusError, match=r"expected (XML without entity declarations|well-formed XML)"):
        texts(path, format)
    assert asked == []


@pytest.mark.parametrize("format", BODIES)
def test_inclusions_are_not_followed(tmp_path, server, format):
    address, asked = server
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{address}/x" parse="text"/>'
    path = tmp_path / "file.xml"
    path.write_text(BODIES[format].replace("</", include + "</", 1))
    try:
        found = texts(path, format)
    except corpora.CorpusError:
        found = []
    assert "secret" not in "".join(found)
    assert asked == []
