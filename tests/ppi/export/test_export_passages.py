"""Passages that were split come back whole: splitting itself is that of ppi.language, with a parser of five lines."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from corpora import Document, Entity, Sentence, Token
from ppi.export.document_formats import MAX_GAP_CHARACTERS, join_passages, join_sentences
from ppi.language import ParsedSentence, parse_documents


class FullStops:
    """Sentences end at full stops, tokens there and at white space."""

    name = tokenizer = "full stops"

    def parse(self, requests):
        for request in requests:
            tokens = [
                Token(str(number), found.start(), found.end(), found[0])
                for number, found in enumerate(re.finditer(r"[^\s.]+\.?", request.text))
            ]
            sentences, begun = [], []
            for token in tokens:
                begun.append(token)
                if token.text.endswith("."):
                    sentences.append(ParsedSentence(tuple(begun)))
                    begun = []
            yield [*sentences, *([ParsedSentence(tuple(begun))] if begun else [])]


GAPS = st.sampled_from(["", " ", "  ", "\n", " \n "])


@st.composite
def passages(draw):
    """A document of passages, whose words are mentions here and there."""
    made, offset = [], draw(st.integers(0, 3))
    for number in range(draw(st.integers(1, 3))):
        text, entities = "", []
        for index in range(draw(st.integers(1, 8))):
            word = draw(st.sampled_from(["actin", "binds", "β-catenin.", "p53.", "it"]))
            text += draw(GAPS) * bool(text)
            if draw(st.booleans()):
                entities.append(Entity(f"d.s{number}.e{index}", word, ((len(text), len(text) + len(word)),)))
            text += word
        kind = (("type", draw(st.sampled_from(["title", "abstract"]))),)
        made.append(Sentence(f"d.s{number}", text, tuple(entities), offset=offset, infons=kind))
        offset += len(text) + draw(st.integers(1, 3))
    return Document("d", tuple(made))


def with_spaces(text: str) -> str:
    return re.sub(r"\s", " ", text)


@given(passages())
def test_split_passages_come_back_whole(document):
    (split,) = parse_documents([document], FullStops(), split=True, dependencies="basic")
    whole = join_passages(split)
    assert [replace(each, text=with_spaces(each.text)) for each in whole.sentences] == [
        replace(each, text=with_spaces(each.text)) for each in document.sentences
    ]


@given(passages())
def test_one_text_has_every_mention_at_its_place_in_the_document(document):
    whole = join_sentences(document.sentences, "d")
    for sentence in document.sentences:
        for entity in sentence.entities:
            assert whole.text[sentence.offset + entity.start : sentence.offset + entity.end] == entity.text
    assert {entity.id: entity.start for entity in whole.entities} == {
        entity.id: sentence.offset + entity.start for sentence in document.sentences for entity in sentence.entities
    }


def test_texts_that_overlap_or_lie_too_far_apart_are_not_joined():
    first = Sentence("a", "One.")
    assert join_sentences((first, Sentence("b", "Two.", offset=2)), "d") is None
    assert join_sentences((first, Sentence("b", "Two.", offset=5 + MAX_GAP_CHARACTERS)), "d") is None
    assert join_sentences((Sentence("b", "Two.", offset=10**12),), "d") is None
    assert join_sentences((), "d") is None
