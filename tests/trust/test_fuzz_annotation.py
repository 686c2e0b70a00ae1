"""Any text, with any mentions: what comes back stands exactly where it says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import Document, Entity, Sentence, text_at
from ppi.annotation import Annotator
from ppi.language import parse_documents

PIECES = st.sampled_from(
    ["Profilin", "binds", "actin.", " ", "\n", "\n\n", "IL-2/IL-4", "p53-Mdm2", "(", ").", "\u00a0", "\u200b",
     "e\u0301", "\U0001f9ec", "\ud800", "\x00", "\ufeff", "\u202e", "\u2028", "\ufb01", "\u0130",
     "β-catenin", "A", "ß", "5'-"]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=25).map("".join)


@st.composite
def texts_with_mentions(draw, *, most=4):
    text, spans = draw(TEXTS), []
    for _ in range(draw(st.integers(0, most)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        spans.append((start, min(start + draw(st.integers(1, 12)), len(text))))
    return text, list(dict.fromkeys(spans))  # one that is given twice is refused


@pytest.fixture(scope="module")
def annotator():
    return Annotator(min_probability=0.0)


@given(texts_with_mentions(), st.booleans())
@settings(max_examples=80)
def test_interactions_of_given_mentions(annotator, case, explain):
    text, spans = case
    for found in annotator.annotate(text, entities=spans, explain=explain):
        assert text[found.offset : found.offset + len(found.sentence)] == found.sentence
        for protein in found.proteins:
            assert text_at(found.sentence, protein.spans) == protein.text
            assert {(start + found.offset, end + found.offset) for start, end in protein.spans} <= set(spans)
        assert 0 <= found.probability <= 1


@given(st.lists(TEXTS, max_size=4))
@settings(max_examples=60)
def test_names_that_are_found(annotator, texts):
    documents = [Document(f"d{n}", (Sentence("s", text),)) for n, text in enumerate(texts)]
    annotated = list(annotator.annotate_documents(documents))
    assert [each.document.id for each in annotated] == [document.id for document in documents]
    for text, each in zip(texts, annotated, strict=True):
        for sentence in each.document.sentences:
            assert text[sentence.offset : sentence.offset + len(sentence.text)] == sentence.text
            for entity in sentence.entities:
                assert text_at(sentence.text, entity.spans) == entity.text != ""


@given(texts_with_mentions())
@settings(max_examples=80)
def test_the_shipped_parser_keeps_every_mention(case):
    text, spans = case
    entities = tuple(Entity(f"e{n}", text[start:end], ((start, end),)) for n, (start, end) in enumerate(spans))
    document = Document("d", (Sentence("s", text, entities),))
    (parsed,) = parse_documents([document], split=True)
    found = {}
    for sentence in parsed.sentences:
        assert text[sentence.offset : sentence.offset + len(sentence.text)] == sentence.text
        for entity in sentence.entities:
            ((start, end),) = entity.spans
            found[entity.id] = (start + sentence.offset, end + sentence.offset)
        for token in sentence.parses[0].tokens:
            assert sentence.text[token.start : token.end] == token.text
            # no token lies across the border of a mention
            borders = {bound for entity in sentence.entities for span in entity.spans for bound in span}
            assert not any(token.start < bound < token.end for bound in borders)
    assert found == {f"e{n}": span for n, span in enumerate(spans)}
