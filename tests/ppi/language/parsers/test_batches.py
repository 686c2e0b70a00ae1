"""Documents a handful at a time."""

from hypothesis import given
from hypothesis import strategies as st

from corpora import Document, Sentence
from ppi.language.parsers.interface import MAX_BATCH_CHARACTERS, batch_by_length, batch_documents, count_characters


@given(st.lists(st.integers(0, 9)), st.integers(1, 4), st.integers(1, 12))
def test_nothing_is_lost_and_no_batch_is_larger_than_it_must_be(items, size, most):
    found = list(batch_by_length(items, size, lambda item: item, max_total=most))
    assert [item for batch in found for item in batch] == items
    for batch in found:
        assert 1 <= len(batch) <= size
        assert sum(batch[:-1]) < most
    for batch in found[:-1]:
        assert len(batch) == size or sum(batch) >= most


def test_no_document_is_read_before_it_is_needed():
    read = []

    def source():
        for number in range(10):
            read.append(number)
            yield [number]

    assert next(batch_by_length(source(), 3, len, max_total=100)) == [[0], [1], [2]]
    assert read == [0, 1, 2]


def test_a_long_document_ends_its_batch():
    long = Document("long", (Sentence("a", "x" * MAX_BATCH_CHARACTERS), Sentence("b", "yy")))
    short = Document("short", (Sentence("s", "x"),))
    assert count_characters(long) == MAX_BATCH_CHARACTERS + 2
    assert [[each.id for each in batch] for batch in batch_documents([short, long, short, short])] == [
        ["short", "long"],
        ["short", "short"],
    ]
