"""Validation names the file, the line and the id of every problem."""

import json
import warnings

import pytest

from corpora.validation import find_problems

REPEATED = {
    "turku": '<corpus>\n<document id="d"/>\n<document id="d"/>\n</corpus>',
    "bioc-xml": "<collection>\n<document><id>d</id></document>\n<document><id>d</id></document>\n</collection>",
    "bioc-json": '{"passages":[],"id":"x"}\n{"passages":[],"id":"d"}\n{"passages":[],"id":"d"}\n',
    "pubmed": "<PubmedArticleSet>\n<PubmedArticle><PMID>d</PMID></PubmedArticle>\n"
    "<PubmedArticle><PMID>d</PMID></PubmedArticle>\n</PubmedArticleSet>",
    "jsonl": '{"id":"c"}\n{"id":"d"}\n{"id":"d"}\n',
    "pubtator": "d|t|a\n\nd|t|a\n",
}


@pytest.mark.parametrize("format", REPEATED)
def test_the_line_of_a_repeated_document(tmp_path, format):
    path = tmp_path / "file"
    path.write_text(REPEATED[format])
    (problem,) = find_problems(path, format)
    assert (problem.path, problem.line, problem.id) == (str(path), 3, "d")


def test_the_line_of_a_repeated_document_in_a_treebank(tmp_path):
    path = tmp_path / "file.conllu"
    row = "1\tab\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text("".join(f"# newdoc id = d\n# sent_id = {number}\n{row}" for number in (1, 2)))
    (problem,) = find_problems(path)
    assert (problem.line, problem.id) == (5, "d")


def test_ids_of_strangers_stay_on_one_printable_line(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text(json.dumps({"id": "d", "sentences": [{"id": "s\n\x1b[31m\ud800", "text": "x", "offset": -1}]}))
    (problem,) = find_problems(path)
    assert (
        str(problem).encode().endswith(rb"'s\n\x1b[31m\ud800': expected an offset from 0 to 9007199254740992, got -1")
    )


def test_lines_are_right_beyond_what_libxml2_keeps(tmp_path):
    path = tmp_path / "long.xml"
    problems = """<document id="d">
<sentence id="s" text="ab">
<entity id="e" text="ab" charOffset="5-6"/>
<pair id="p" e1="e" e2="none"/>
</sentence>
</document>"""
    for before in (0, 65_000, 65_530, 70_000):
        path.write_text("<corpus>" + "\n" * before + problems + "</corpus>")
        found = [(problem.id, problem.line - before) for problem in find_problems(path, "turku")]
        assert found == [("e", 3), ("p", 4)]


def test_warnings_of_the_caller_are_not_swallowed(tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_text('{"id":1}\n{"id":"a"}\n{"id":2}\n{"id":"b"}\n')
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for problem in find_problems(path):
            warnings.warn(f"mine {problem.line}", stacklevel=1)
    assert [str(warning.message) for warning in caught] == ["mine 1", "mine 3"]
