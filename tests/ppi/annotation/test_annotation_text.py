from hypothesis import given
from hypothesis import strategies as st

from corpora.types import text_at
from ppi.annotation.text import document_of_text

PIECES = st.lists(st.sampled_from(["A binds B.", "\n", " ", "\n\n", "\t", "C", "\r\n", ". "]), max_size=20)


@st.composite
def texts_with_spans(draw):
    text = "".join(draw(PIECES))
    spans = []
    if text:
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(text) - 1))
            spans.append((start, draw(st.integers(start + 1, len(text)))))
    return text, spans


@given(texts_with_spans())
def test_passages_stand_where_they_say_and_hold_every_mention(case):
    text, spans = case
    document = document_of_text(text, spans)
    found = []
    for sentence in document.sentences:
        assert text[sentence.offset : sentence.offset + len(sentence.text)] == sentence.text
        for entity in sentence.entities:
            assert text_at(sentence.text, entity.spans) == entity.text
            found.extend((start + sentence.offset, end + sentence.offset) for start, end in entity.spans)
    assert sorted(found) == sorted(spans)


@given(texts_with_spans())
def test_nothing_but_white_space_lies_between_passages(case):
    text, spans = case
    sentences = document_of_text(text, spans).sentences
    inside = {at for each in sentences for at in range(each.offset, each.offset + len(each.text))}
    assert not "".join(text[at] for at in range(len(text)) if at not in inside).strip()


def test_paragraphs_are_passages():
    document = document_of_text("One.\n \nTwo\nlines.\n\n\nThree.")
    assert [sentence.text for sentence in document.sentences] == ["One.", "Two\nlines.", "Three."]


def test_a_mention_over_a_blank_line_joins_paragraphs():
    (sentence,) = document_of_text("alpha\n\nbeta", [(3, 9)]).sentences
    assert sentence.text == "alpha\n\nbeta"
