"""JATS: what becomes of an article."""

import gzip
import io
import tarfile

import pytest

import corpora
from corpora.errors import FormatError

ARTICLE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.3//EN" "JATS-archivearticle1-3.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML">
 <front>
  <journal-meta><journal-title-group><journal-title>Journal of Cells</journal-title></journal-title-group>
  </journal-meta>
  <article-meta>
   <article-id pub-id-type="pmid">10022882</article-id>
   <article-id pub-id-type="pmc">1234567</article-id>
   <article-id pub-id-type="doi">10.1000/182</article-id>
   <title-group><article-title>Profilin binds <italic>actin</italic><xref ref-type="fn">*</xref></article-title>
   </title-group>
   <contrib-group><contrib><name><surname>Holt</surname></name></contrib></contrib-group>
   <pub-date><year>1999</year></pub-date>
   <abstract><sec><title>Background</title><p>Cofilin binds Ca<sup>2+</sup>.</p></sec></abstract>
   <abstract abstract-type="graphical"><p>A picture.</p></abstract>
  </article-meta>
 </front>
 <body>
  <sec sec-type="intro"><title>What we know</title>
   <p>Profilin binds actin [<xref ref-type="bibr">1</xref>,<xref ref-type="bibr">2</xref>&#8211;<xref
    ref-type="bibr">5</xref>] and<sup><xref ref-type="bibr">6</xref>,<xref ref-type="bibr">7</xref></sup>
    PIP<sub>2</sub>
    (<xref ref-type="fig">Figure 1A</xref>), as <xref ref-type="bibr">Smith et al.</xref> say.
    <fig id="f1"><label>Figure 1</label><caption><title>Binding.</title><p>Profilin and actin.</p></caption>
    <graphic xlink:href="f1.jpg"/></fig></p>
   <p>At <inline-formula><alternatives><tex-math>$K_d$</tex-math><mml:math><mml:mi>K</mml:mi><mml:mo>=</mml:mo>
    <mml:mn>5</mml:mn></mml:math></alternatives></inline-formula> it is &alpha;-actin.</p>
   <disp-formula><mml:math><mml:mi>x</mml:mi></mml:math></disp-formula>
   <sec><title>Lists</title><list><list-item><p>First item.</p></list-item></list></sec>
  </sec>
  <sec><title>Materials and Methods</title>
   <table-wrap><label>Table 1</label><caption><p>Proteins used.</p></caption>
    <table><tr><td>ACTB</td></tr></table><table-wrap-foot><fn><p>Foot.</p></fn></table-wrap-foot></table-wrap>
   <p>We used <named-content>cells</named-content>.<fn><p>Bought.</p></fn></p>
  </sec>
 </body>
 <back><ack><p>Thanks.</p></ack><ref-list><ref><mixed-citation>Some paper.</mixed-citation></ref></ref-list></back>
 <floats-group><fig><label>Figure 2</label><caption><p>At the end.</p></caption></fig></floats-group>
 <sub-article><front-stub/><body><p>Review.</p></body></sub-article>
</article>
"""
EXPECTED = [
    ("Profilin binds actin", "title", None, "TITLE"),
    ("Cofilin binds Ca2+.", "abstract", "Background", "ABSTRACT"),
    ("What we know", "heading", None, "INTRO"),
    ("Profilin binds actin and PIP2 (Figure 1A), as Smith et al. say.", "paragraph", "What we know", "INTRO"),
    ("Binding.", "caption", "What we know", "INTRO"),
    ("Profilin and actin.", "caption", "What we know", "INTRO"),
    ("At K=5 it is α-actin.", "paragraph", "What we know", "INTRO"),
    ("Lists", "heading", "What we know", "INTRO"),
    ("First item.", "paragraph", "What we know > Lists", "INTRO"),
    ("Materials and Methods", "heading", None, "METHODS"),
    ("Proteins used.", "caption", "Materials and Methods", "METHODS"),
    ("We used cells.", "paragraph", "Materials and Methods", "METHODS"),
    ("At the end.", "caption", None, None),
]


def load(tmp_path, text, **options):
    path = tmp_path / "a.nxml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(corpora.read(path, **options))


def passages(document):
    for sentence in document.sentences:
        infons = dict(sentence.infons)
        yield sentence.text, infons["type"], infons.get("section"), infons.get("section_type")


def test_an_article(tmp_path):
    (document,) = load(tmp_path, ARTICLE)
    assert list(passages(document)) == EXPECTED
    assert (document.id, document.orig_id) == ("PMC1234567", "PMID:10022882")
    assert dict(document.infons) == {"journal": "Journal of Cells", "year": "1999", "doi": "10.1000/182"}
    labels = [dict(sentence.infons).get("label") for sentence in document.sentences]
    assert [label for label in labels if label] == ["Figure 1", "Figure 1", "Table 1", "Figure 2"]
    ends = [sentence.offset + len(sentence.text) + 1 for sentence in document.sentences]
    assert [sentence.offset for sentence in document.sentences] == [0, *ends[:-1]]


def test_the_same_with_a_namespace_and_in_a_set(tmp_path):
    plain = ARTICLE.partition("<article ")[2].replace("&alpha;", "α")
    spaced = f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><record><metadata><article xmlns="jats" {plain}'
    (document,) = load(tmp_path, spaced + "</metadata></record></OAI-PMH>")
    assert list(passages(document)) == EXPECTED
    both = f"<pmc-articleset><article {plain}<article {plain.replace('1234567', '7654321')}</pmc-articleset>"
    assert [document.id for document in load(tmp_path, both)] == ["PMC1234567", "PMC7654321"]


@pytest.mark.parametrize(
    ("kept", "id", "orig_id"),
    [("pmid", "10022882", "PMID:10022882"), ("doi", "10.1000/182", None), ("none", "a", None)],
)
def test_ids(tmp_path, kept, id, orig_id):
    text = ARTICLE.replace('type="pmc"', 'type="other"')
    for kind in ("pmid", "doi"):
        if kind != kept:
            text = text.replace(f'type="{kind}"', 'type="other"')
    (document,) = load(tmp_path, text)
    assert (document.id, document.orig_id) == (id, orig_id)


def test_entities_of_a_stranger_are_refused(tmp_path):
    text = ARTICLE.replace('"JATS-archivearticle1-3.dtd">', '"a.dtd" [<!ENTITY alpha SYSTEM "file:///etc/passwd">]>')
    with pytest.raises(FormatError, match="expected XML without entity declarations"):
        load(tmp_path, text)


def test_what_is_cut_or_has_no_text(tmp_path):
    with pytest.raises(FormatError, match="expected well-formed XML"):
        load(tmp_path, ARTICLE[: len(ARTICLE) // 2])
    with pytest.raises(FormatError, match="expected an article with a title, abstract or body, got none"):
        load(tmp_path, "<article><front/></article>")


def test_a_package_of_pubmed_central_one_article_at_a_time(tmp_path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for number in (1, 2, 3):
            text = ARTICLE.replace("1234567", str(number)).encode() if number < 3 else b"<article>"
            for name, data in ((f"PMC/PMC{number}.xml", text), (f"PMC/{number}.jpg", b"\xff\xd8\xff")):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    path, notes, problems = tmp_path / "oa.tar.gz", [], []
    path.write_bytes(gzip.compress(packed.getvalue()))
    found = corpora.read(path, notes=notes, problems=problems)
    assert [document.id for document in found] == ["PMC1", "PMC2"]
    assert [problem.path for problem in problems] == [f"{path}/PMC/PMC3.xml"]
    assert notes == [
        f"{path}: 2 files read, some in 1 folder inside it; left out 3 that are no texts "
        "(PMC/1.jpg, PMC/2.jpg, PMC/3.jpg)"
    ]
