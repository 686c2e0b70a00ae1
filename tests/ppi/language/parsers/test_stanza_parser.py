"""Conversion from Stanza, on real Stanza Documents built from CoNLL-U: no model is needed."""

import importlib.util

import pytest

from ppi.core import MissingExtraError
from ppi.language.parsers.lookup import get_parser
from ppi.language.parsing import parse

TEXT = "p53 binds MDM2 in cells. It doesn't act."
CONLLU = """\
# text = p53 binds MDM2 in cells.
1	p53	p53	NOUN	NN	Number=Sing	2	nsubj	_	start_char=0|end_char=3
2	binds	bind	VERB	VBZ	_	0	root	_	start_char=4|end_char=9
3	MDM2	MDM2	NOUN	NN	_	2	obj	_	start_char=10|end_char=14
4	in	in	ADP	IN	_	5	case	_	start_char=15|end_char=17
5	cells	cell	NOUN	NNS	_	2	obl	_	SpaceAfter=No|start_char=18|end_char=23
6	.	.	PUNCT	.	_	2	punct	_	start_char=23|end_char=24

# text = It doesn't act.
1	It	it	PRON	PRP	_	4	nsubj	_	start_char=25|end_char=27
2-3	doesn't	_	_	_	_	_	_	_	start_char=28|end_char=35
2	does	do	AUX	VBZ	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	act	act	VERB	VB	_	0	root	_	start_char=36|end_char=39
5	.	.	PUNCT	.	_	4	punct	_	start_char=39|end_char=40

"""


@pytest.mark.skipif(importlib.util.find_spec("stanza") is not None, reason="Stanza is installed")
def test_without_stanza_the_error_names_the_extra():
    with pytest.raises(MissingExtraError, match=r"'stanza'.*ppi-miner\[stanza\]"):
        get_parser("stanza")


@pytest.fixture(scope="module")
def parser():
    pytest.importorskip("stanza", reason="Stanza (extra 'stanza') is not installed")
    from stanza.utils.conll import CoNLL

    from ppi.language.parsers.external import StanzaParser

    return StanzaParser(lambda text: CoNLL.conll2doc(input_str=CONLLU), name="stanza-test")


def test_a_real_document_becomes_sentences(parser):
    first, second = parse(TEXT, parser, dependencies="both")
    assert first.text == "p53 binds MDM2 in cells."
    assert second.offset == 25
    basic = first.parse("stanza-test")
    assert [(token.text, token.pos, token.upos, token.lemma) for token in basic.tokens[:2]] == [
        ("p53", "NN", "NOUN", "p53"),
        ("binds", "VBZ", "VERB", "bind"),
    ]
    assert basic.roots == ("2",)
    assert ("2", "5", "obl:in") in [
        (arc.governor, arc.dependent, arc.type) for arc in first.parse("stanza-test-enhanced").dependencies
    ]


def test_words_of_a_multiword_token_share_its_characters(parser):
    _, second = parse(TEXT, parser, dependencies="basic")
    tokens = second.parse().tokens
    assert [(token.text, token.start, token.end) for token in tokens[1:3]] == [("does", 3, 10), ("n't", 3, 10)]


def test_a_missing_package_is_an_error_that_says_how_to_get_it():
    pytest.importorskip("stanza", reason="Stanza (extra 'stanza') is not installed")
    from ppi.core import MissingModelError

    with pytest.raises(MissingModelError, match=r"no-such-package.*stanza\.download"):
        get_parser("stanza:no-such-package")
