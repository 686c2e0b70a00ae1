"""The parses of Docs: those that the pipeline made, without white space, and only where they are wanted."""

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.attrs import SENT_START
from spacy.tokens import Doc

import ppi
from corpora import Document, Entity, Sentence
from ppi.language.parsers.doc_parser import DocParser
from ppi.language.parsers.interface import PairFilter, Request
from ppi.language.parsing import parse_documents

VOCAB = spacy.blank("en").vocab


def slow_sentences(doc):
    """The slow reference, from the definition: climb from each word to the next word above it, in its sentence."""
    for sent in doc.sents:
        words = [token for token in sent if not token.is_space]
        ids = {token.i: str(number) for number, token in enumerate(words, start=1)}
        arcs, roots = set(), []
        for token in words:
            above = token
            while above.head.i != above.i:
                above = above.head
                if not above.is_space:
                    break
            if above.is_space or above.i == token.i:
                roots.append(ids[token.i])
            else:
                arcs.add((ids[above.i], ids[token.i], token.dep_ or "dep"))
        if words:
            yield [(token.text, token.idx) for token in words], arcs, roots


def sentences(doc, **wanted):
    (found,) = DocParser([doc], name="p").parse([Request(doc.text, **wanted)])
    return found


@st.composite
def docs(draw):
    """Any trees over words and white space, two sentences at most."""
    words, heads, deps = [], [], []
    for first in range(draw(st.integers(1, 2))):
        size = draw(st.integers(1, 6))
        begin = len(words)
        words += [draw(st.sampled_from(["Ras", "binds", ".", "\n", "  ", "MEK"])) for _ in range(size)]
        root = draw(st.integers(0, size - 1))
        order = [root, *draw(st.permutations([at for at in range(size) if at != root]))]
        tree = {root: root} | {at: draw(st.sampled_from(order[:place])) for place, at in enumerate(order) if place}
        heads += [begin + tree[at] for at in range(size)]
        deps += ["ROOT" if tree[at] == at else f"d{first}" for at in range(size)]
    return Doc(VOCAB, words=words, spaces=[False] * len(words), heads=heads, deps=deps)


@given(docs())
def test_sentences_are_those_of_the_definition(doc):
    expected = list(slow_sentences(doc))
    found = sentences(doc)
    assert [[(token.text, token.start) for token in each.tokens] for each in found] == [words for words, *_ in expected]
    assert [each.roots for each in found] == [tuple(roots) for *_, roots in expected]
    arcs = [{(arc.governor, arc.dependent, arc.type) for arc in each.dependencies} for each in found]
    assert arcs == [arcs for _, arcs, _ in expected]


def test_the_parse_is_the_one_that_the_parser_gives():
    text = "STAT5 is phosphorylated by JAK2. Bad binds Bcl-XL but not Bax."
    nlp = ppi.load_pipeline()
    whole = Document("d", (Sentence("s", text),))
    (expected,) = parse_documents([whole], "shipped", split=True)
    (found,) = parse_documents([whole], DocParser([nlp(text)], name="shipped"), split=True)
    assert found == expected


def parsed(text, heads):
    deps = ["ROOT" if head == at else "dep" for at, head in enumerate(heads)]
    return Doc(VOCAB, words=text.split(), heads=heads, deps=deps)


def test_sentences_without_two_names_need_no_graph():
    doc = parsed("Ras binds MEK Ras binds it", [1, 1, 1, 4, 4, 4])
    wanted = PairFilter(lambda type: True, name_starts=(0, 10, 14))
    both, one = sentences(doc, pair_filter=wanted)
    assert len(both.tokens) == 3
    assert (one.tokens, one.unparsed_span) == ((), (14, 26))


def test_a_name_over_the_end_of_a_sentence_joins_both():
    doc = parsed("Ras binds MEK Ras binds it", [1, 1, 1, 4, 4, 4])
    entities = (Entity("a", "Ras", ((0, 3),)), Entity("b", "MEK Ras", ((10, 17),)))
    whole = Document("d", (Sentence("s", doc.text, entities),))
    (found,) = parse_documents([whole], DocParser([doc], name="p"), split=True, pairs_of=lambda entity: True)
    (sentence,) = found.sentences
    assert len(sentence.parse().tokens) == 6
    assert sentence.entities == entities


@pytest.mark.parametrize("words", [[], ["\n", " "]])
def test_no_words_make_no_sentence(words):
    doc = Doc(VOCAB, words=words, heads=[0] * len(words), deps=["ROOT", "dep"][: len(words)])
    assert sentences(doc) == []


def test_a_head_in_another_sentence_is_none():
    """Whoever sets boundaries by hand may cut a tree."""
    doc = parsed("Ras binds MEK", [1, 1, 1])
    doc.from_array([SENT_START], np.array([1, 0, 1], dtype="uint64"))
    first, second = sentences(doc)
    assert [len(each.tokens) for each in (first, second)] == [2, 1]
    assert (second.roots, second.dependencies) == (("1",), ())
