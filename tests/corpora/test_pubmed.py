import gzip
import subprocess
import sys

import pytest

import corpora

ARTICLE = """<PubmedArticle><MedlineCitation><PMID Version="{version}">{pmid}</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2001</Year></PubDate></JournalIssue><Title>J Inv</Title></Journal>
<ArticleTitle>Profilin binds <i>actin</i><sub>2</sub>.</ArticleTitle>
<Abstract><AbstractText Label="AIM">To see\n   it.</AbstractText>
<AbstractText>Seen: {text}</AbstractText><AbstractText/></Abstract>
</Article></MedlineCitation><PubmedData/></PubmedArticle>"""
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE PubmedArticleSet SYSTEM "http://example.invalid/pubmed.dtd">\n<PubmedArticleSet>'

MEMORY_SCRIPT = """
import resource, sys
import corpora
count = sum(1 for _ in corpora.read(sys.argv[1]))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def article(pmid=1, version=1, text="yes"):
    return ARTICLE.format(pmid=pmid, version=version, text=text)


def write(path, articles):
    path.write_text(HEAD + "".join(articles) + "</PubmedArticleSet>", encoding="utf-8")
    return path


def test_title_and_abstract_sections_become_passages(tmp_path):
    (document,) = corpora.load(write(tmp_path / "a.xml", [article()]))
    assert (document.id, document.orig_id) == ("1", "1")
    assert document.infons == (("journal", "J Inv"), ("year", "2001"))
    assert [sentence.text for sentence in document.sentences] == [
        "Profilin binds actin2.",
        "To see it.",
        "Seen: yes",
    ]
    assert [sentence.offset for sentence in document.sentences] == [0, 23, 34]
    assert document.sentences[1].infons == (("type", "abstract"), ("label", "AIM"))


def test_a_later_version_is_a_document_of_its_own(tmp_path):
    found = corpora.load(write(tmp_path / "a.xml", [article(), article(version=2)]))
    assert [document.id for document in found] == ["1", "1.2"]


def test_a_citation_without_pmid_is_refused_with_its_line(tmp_path):
    broken = article().replace('<PMID Version="1">1</PMID>', "")
    with pytest.raises(corpora.FormatError, match=r"a.xml:3: expected a PMID in <PubmedArticle>"):
        corpora.load(write(tmp_path / "a.xml", [broken]))


def peak_memory(path) -> tuple[int, int]:
    result = subprocess.run(
        [sys.executable, "-c", MEMORY_SCRIPT, str(path)], capture_output=True, text=True, check=True
    )
    count, kilobytes = result.stdout.split()
    return int(count), int(kilobytes)


def test_30_000_citations_need_no_more_memory_than_300(tmp_path):
    filler = "word " * 200
    peaks = {}
    for count in (300, 30_000):
        path = tmp_path / f"{count}.xml.gz"
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
            file.write(HEAD)
            for number in range(count):
                file.write(article(number + 1, text=filler))
            file.write("</PubmedArticleSet>")
        found, peaks[count] = peak_memory(path)
        assert found == count
    # the ids of 30,000 documents are kept to refuse repeats; their 40 MB of text is not
    assert peaks[30_000] - peaks[300] < 12_000
