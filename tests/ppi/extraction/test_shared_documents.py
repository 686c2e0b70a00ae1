"""Documents that corpora share."""

from hypothesis import given
from hypothesis import strategies as st

from corpora import Document, Sentence
from ppi.extraction.examples import MIN_SHARED_WORDS, find_shared_documents

WORDS = ["a", "b", "c"]


def plain_shared(documents, others):
    """By the definition: every stretch of words of a sentence is one of some text."""
    texts = [" ".join(sentence.text.lower().split()) for other in others for sentence in other.sentences]
    found = set()
    for document in documents:
        for sentence in document.sentences:
            words = sentence.text.lower().split()
            stretches = [" ".join(words[at : at + MIN_SHARED_WORDS]) for at in range(len(words) - MIN_SHARED_WORDS + 1)]
            if stretches and all(any(f" {each} " in f" {text} " for text in texts) for each in stretches):
                found.add(document.id)
    return found


@given(st.data())
def test_shared_with_equals_its_definition(data):
    text = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
    documents = st.lists(st.lists(text, min_size=1, max_size=2), max_size=3)
    made = [
        [
            Document(f"d{n}", tuple(Sentence(f"s{n}.{k}", words) for k, words in enumerate(texts)))
            for n, texts in enumerate(data.draw(documents))
        ]
        for _ in range(2)
    ]
    assert find_shared_documents(*made) == plain_shared(*made)
