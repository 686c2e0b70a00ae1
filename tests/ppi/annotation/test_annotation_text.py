import operator
import re

from hypothesis import given
from hypothesis import strategies as st

from corpora import text_at
from ppi.annotation.input_documents import document_of_text

PIECES = st.lists(st.sampled_from(["A binds B.", "\n", " ", "\n\n", "\t", "C", "\r\n", ". "]), max_size=20)


@st.composite
def texts_with_spans(draw):
    text = "".join(draw(PIECES))
    spans = []
    if text:
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(text) - 1))
            spans.append((start, draw(st.integers(start + 1, len(text)))))
    return text, list(dict.fromkeys(spans))


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


def plain_passages(text, spans):
    """From the definition: every blank line is compared with every mention, every mention with every passage."""
    gaps = [
        gap.span()
        for gap in re.finditer(r"\n[ \t\r\f\v]*\n\s*", text)
        if not any(start < gap.end() and gap.start() < end for start, end in spans)
    ]
    bounds = zip([0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(text)])
    for start, end in bounds:
        own = [(first - start, last - start) for first, last in spans if start <= first < end]
        if text[start:end].strip() or own:
            yield text[start:end], start, own


@given(texts_with_spans())
def test_passages_are_those_of_the_definition(case):
    text, spans = case
    found = [
        (each.text, each.offset, [span for entity in each.entities for span in entity.spans])
        for each in document_of_text(text, spans).sentences
    ]
    assert found == list(plain_passages(text, spans))


class Counted(int):
    """An offset that counts how often it is compared."""

    comparisons = 0

    def _counting(compare):
        def counted(self, other):
            Counted.comparisons += 1
            return compare(int(self), int(other))

        return counted

    __lt__, __le__, __gt__, __ge__ = map(_counting, (operator.lt, operator.le, operator.gt, operator.ge))
    __hash__ = int.__hash__


def test_names_in_many_paragraphs_are_not_compared_with_every_paragraph():
    counts = []
    for paragraphs in (100, 400):
        spans = [(Counted(16 * n + at), Counted(16 * n + at + 1)) for n in range(paragraphs) for at in (0, 8)]
        Counted.comparisons = 0
        document = document_of_text("A binds B here\n\n" * paragraphs, spans)
        assert [len(each.entities) for each in document.sentences] == [2] * paragraphs
        counts.append(Counted.comparisons)
    assert counts[1] < 4 * 1.6 * counts[0]  # n log n
