"""Parses of another tool, matched to our texts by their letters."""

import pytest

from corpora import Document, Entity, Sentence
from ppi.core import ParseError
from ppi.language.parsing import parse, parse_documents

FILE = """\
# sent_id = 1
1	IL-2	IL-2	NOUN	NN	_	5	nsubj	_	_
2	-LRB-	(	PUNCT	-LRB-	_	3	punct	_	_
3	p55	p55	NOUN	NN	_	1	appos	_	_
4	-RRB-	)	PUNCT	-RRB-	_	3	punct	_	_
5	binds	bind	VERB	VBZ	_	0	root	_	_
6	.	.	PUNCT	.	_	5	punct	_	_

# sent_id = 2
1	It	it	PRON	PRP	_	2	nsubj	_	_
2	acts	act	VERB	VBZ	_	0	root	_	_

"""


@pytest.fixture
def parser(tmp_path) -> str:
    path = tmp_path / "other.conllu"
    path.write_text(FILE, encoding="utf-8")
    return f"conllu:{path}"


def test_a_passage_is_found_sentence_by_sentence(parser):
    first, second = parse("IL-2  (p55) binds.\nIt acts", parser, dependencies="basic")
    assert first.text == "IL-2  (p55) binds."
    assert [token.text for token in first.parse().tokens] == ["IL-2", "(", "p55", ")", "binds", "."]
    assert second.offset == 19
    assert [(arc.governor, arc.type, arc.dependent) for arc in second.parse().dependencies] == [("2", "nsubj", "1")]


def test_tokens_are_cut_at_given_entities(parser):
    sentence = Sentence("s", "IL-2 (p55) binds.", (Entity("e", "IL", ((0, 2),)),))
    (parsed,) = next(parse_documents([Document("d", (sentence,))], parser, dependencies="basic")).sentences
    assert [token.text for token in parsed.parse().tokens][:3] == ["IL", "-2", "("]


def test_a_text_that_is_not_there_is_an_error(parser):
    with pytest.raises(ParseError, match=r"expected a parse of sentence 't0'.*other.conllu.*'Nobodysaid"):
        parse("Nobody said this.", parser)
    assert parse("", parser) == []
