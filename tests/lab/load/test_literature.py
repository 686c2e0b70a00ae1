"""Articles out of paragraphs, the run that is killed on the way, and the sample that a reader judges."""

from __future__ import annotations

import json

from lab.load.literature.__main__ import main
from lab.load.literature.articles import BLOCK, Article, articles, write_bioc

import corpora

DOI = "DOI: http://dx.doi.org/10.7554/eLife.{}.001"


def test_an_article_begins_with_the_abstract_before_its_doi():
    text = ["End of another.", "Abstract one.", DOI.format("00003"), "", "Body.", "Abstract two.", DOI.format("00005")]
    assert list(articles(text)) == [
        Article("block-0", ["End of another."]),
        Article("eLife.00003", ["Abstract one.", "Body."]),
        Article("eLife.00005", ["Abstract two."]),
    ]


def test_paragraphs_that_no_doi_tells_apart_are_blocks_and_none_is_lost():
    text = [f"Paragraph {number}." for number in range(2 * BLOCK + 1)]
    found = list(articles(text))
    assert [len(article.paragraphs) for article in found] == [BLOCK, BLOCK, 1]
    assert [paragraph for article in found for paragraph in article.paragraphs] == text
    assert len({article.id for article in found}) == 3


def test_what_is_written_is_read_back(tmp_path):
    path = tmp_path / "articles.bioc.xml"
    told = write_bioc([Article("a<b", ["Profilin & actin bind.", "p < 0.05 was seen."])], path)
    (document,) = corpora.read(path, "bioc-xml")
    assert document.id == "a<b"
    assert [sentence.text for sentence in document.sentences] == ["Profilin & actin bind.", "p < 0.05 was seen."]
    assert told == (1, 9)


def test_a_run_that_is_killed_is_finished(tmp_path, capsys):
    text = tmp_path / "text.txt"
    lines = [line for number in range(14) for line in ("RAD51 binds BRCA2.", DOI.format(f"{number:05}"))]
    text.write_text("\n".join(lines))
    assert main(["--work", str(tmp_path), "--text", str(text), "--chunk", "1", "--kills", "1"]) == 0
    told = json.loads((tmp_path / "course.json").read_text())
    assert (told["documents"], told["interactions"], told["failures listed"]) == (14, 14, 0)
    assert len(told["seconds"]) == len(told["killed_at"]) + 1
    capsys.readouterr()
    assert main(["--work", str(tmp_path), "--sample", "5"]) == 0
    table = capsys.readouterr().out.splitlines()
    # five of three bands are two of the first, and the others are empty
    assert len(table) == 4
    assert all("RAD51 -- BRCA2, binding" in row for row in table[2:])
