"""Embedding each distinct word once gives what embedding every token gives."""

import numpy as np
import pytest
import spacy
from spacy.attrs import NORM, ORTH
from spacy.tokens import Doc

from ppi.language.shipped_pipeline import MODEL_DIRECTORY, load_shipped_uncached
from ppi.language.spacy_components import find_distinct_tokens, share_word_embeddings

TEXTS = [
    "BRCA1 binds p53, and p53 doesn't bind BRCA1 unless BRCA1 binds MDM2.",
    "",
    "p53 binds MDM2.\n\nMDM2 was not bound by p53 (p < 0.05).",
]


@pytest.fixture(scope="module")
def plain():
    return spacy.load(MODEL_DIRECTORY)


def test_every_token_gets_the_vector_that_the_plain_encoder_gives_it(plain):
    nlp = load_shipped_uncached()
    docs = [nlp.make_doc(text) for text in TEXTS]
    fast = nlp.get_pipe("tok2vec").predict(docs)
    slow = plain.get_pipe("tok2vec").predict([plain.make_doc(text) for text in TEXTS])
    assert [len(rows) for rows in fast] == [len(doc) for doc in docs]
    for one, other in zip(fast, slow):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_only_distinct_words_are_embedded(plain):
    nlp = spacy.load(MODEL_DIRECTORY)
    embed = nlp.get_pipe("tok2vec").model.get_ref("embed")
    share_word_embeddings(nlp)
    seen = []
    predict = embed._func
    embed._func = lambda model, docs, is_train: seen.extend(map(len, docs)) or predict(model, docs, is_train)
    docs = [nlp.make_doc(text) for text in TEXTS]
    nlp.get_pipe("tok2vec").predict(docs)
    assert seen == [len({(token.text, token.norm_) for doc in docs for token in doc})]


def test_words_of_different_normal_form_are_distinct(plain):
    doc = Doc(plain.vocab, words=["ca", "ca", "ca"])
    doc[2].norm_ = "can"
    distinct, of_token = find_distinct_tokens([doc])
    assert distinct.tolist() == doc.to_array([ORTH, NORM])[[0, 2][:: 1 if of_token[0] == 0 else -1]].tolist()
    assert of_token[0] == of_token[1] != of_token[2]


def test_nothing_to_embed(plain):
    nlp = load_shipped_uncached()
    assert [len(doc) for doc in nlp.pipe(["", ""])] == [0, 0]
