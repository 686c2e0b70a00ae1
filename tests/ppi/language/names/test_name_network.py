"""The encoder over many sentences at once is the encoder's definition, a token at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from name_models import UNITS, random_name_model

from ppi.language.names import neural_network as network_module
from ppi.language.names.token_features import MAX_WORD_CHARACTERS, word_shape

MODEL = random_name_model()
WORD = st.sampled_from(["Raf", "raf", "p53", "binds", "", "Unheard-of", "x" * 100, "β"])
WORDS = st.lists(WORD, min_size=1, max_size=7)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def spelling(word, weights, vocabulary):
    """Each filter's largest response over the windows of the padded word, rectified."""
    numbers = [0, *vocabulary.character_ids([word])[0], 0]
    windows = [weights["characters"][numbers[start : start + 3]] for start in range(MAX_WORD_CHARACTERS)]
    responses = [[(filter * window).sum() for filter in weights["filters"]] for window in windows]
    return np.maximum(np.max(responses, axis=0) + weights["filter_bias"], 0)


def lstm(vectors, inputs, recurrent, bias):
    state, memory, states = np.zeros(UNITS), np.zeros(UNITS), []
    for x in vectors:
        i, f, g, o = np.split(inputs @ x + recurrent @ state + bias, 4)
        memory = sigmoid(f) * memory + sigmoid(i) * np.tanh(g)
        state = sigmoid(o) * np.tanh(memory)
        states.append(state)
    return states


def encode_one(words, places):
    w, vocabulary = MODEL.weights, MODEL.vocabulary
    x = [
        np.concatenate(
            [
                w["words"][vocabulary.word_ids([word])[0]],
                w["shapes"][vocabulary.shape_ids([word])[0]],
                spelling(word, w, vocabulary),
                w["places"][place],
            ]
        )
        for word, place in zip(words, places)
    ]
    forward = lstm(x, *(w[f"forward_{part}"] for part in ("inputs", "recurrent", "bias")))
    backward = lstm(x[::-1], *(w[f"backward_{part}"] for part in ("inputs", "recurrent", "bias")))[::-1]
    hidden = np.hstack([forward, backward])
    return np.tanh(hidden @ w["mix"].T + w["mix_bias"])


@settings(max_examples=40)
@given(st.lists(WORDS, min_size=1, max_size=6), st.integers(1, 12))
def test_many_sentences_at_once_are_each_sentence_alone(sentences, block):
    places = [MODEL.gazetteer.find_places(words) for words in sentences]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network_module, "MAX_BLOCK_TOKENS", block)
        encoded = list(MODEL.encoder.encode(sentences, places))
    assert sorted(number for number, *_ in encoded) == list(range(len(sentences)))
    for number, vector in encoded:
        np.testing.assert_allclose(vector, encode_one(sentences[number], places[number]), atol=2e-5)


def test_shapes_do_not_grow_with_the_word():
    assert word_shape("A" * 1000 + "b1") == "AAAa0"
