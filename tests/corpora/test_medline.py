"""MEDLINE: what PubMed saves."""

import pytest

import corpora
from corpora.errors import FormatError

TWO = """
PMID- 10022882
DP  - 1999 Feb 9
TI  - Profilin binds
      actin.
AB  - BACKGROUND: Cofilin - which is small -
      binds actin. RESULTS: It does.
FAU - Holt, A
FAU - Koffer, B
      C
JT  - Journal of Cells
PMC - PMC12345

PMID- 10022883
OWN - NLM
TI  - No abstract here.
"""


def load(tmp_path, text, **options):
    path = tmp_path / "saved.nbib"
    path.write_text(text, encoding="utf-8")
    return list(corpora.read(path, **options))


def test_titles_and_abstracts_with_their_continuations(tmp_path):
    first, second = load(tmp_path, TWO)
    assert (first.id, first.orig_id) == ("10022882", "PMID:10022882")
    assert [sentence.text for sentence in first.sentences] == [
        "Profilin binds actin.",
        "BACKGROUND: Cofilin - which is small - binds actin. RESULTS: It does.",
    ]
    assert [dict(sentence.infons)["type"] for sentence in first.sentences] == ["title", "abstract"]
    assert [sentence.offset for sentence in first.sentences] == [0, 22]
    assert dict(first.infons) == {"journal": "Journal of Cells", "year": "1999", "pmcid": "PMC12345"}
    assert [sentence.text for sentence in second.sentences] == ["No abstract here."]


def test_windows_line_ends_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "saved.nbib"
    path.write_bytes(b"\xef\xbb\xbf" + TWO.strip().replace("\n", "\r\n").encode())
    assert [document.id for document in corpora.read(path)] == ["10022882", "10022883"]


def test_a_citation_that_is_none_is_named_and_the_others_are_read(tmp_path):
    damaged = TWO.replace("PMID- 10022882\n", "") + "\nPMID- 3\nno tag here\nTI  - lost\n\nPMID- 4\nTI  - Last.\n"
    with pytest.raises(FormatError, match=r"saved.nbib:2: expected a citation with 'PMID- ', got only \['DP', 'TI'"):
        load(tmp_path, damaged)
    problems = []
    assert [document.id for document in load(tmp_path, damaged, problems=problems)] == ["10022883", "4"]
    assert [problem.line for problem in problems] == [2, 18]
    assert "expected a line such as 'TI  - Title', got 'no tag here'" in problems[1].message
