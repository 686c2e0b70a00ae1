"""The encoder of the name finder in plain numpy: characters by convolution, context by a bidirectional LSTM.

A token is the concatenation x of the embeddings of its word, its shape and its place in a known name with the largest
responses of convolution filters over its characters.  In each direction (Hochreiter and Schmidhuber,
1997, with forget gates)

    i, f, o = sigmoid(W x_t + U h_{t-1} + b),   g = tanh(...),   c_t = f c_{t-1} + i g,   h_t = o tanh(c_t),

and a token in context is tanh(M [h forward, h backward] + m).  Sequences of all lengths run side by side: sorted by
length, so that those still running are always the first rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ppi.language.entity_kinds import KINDS
from ppi.language.names.token_features import Vocabulary

FloatArray = NDArray[np.float32]

#: Tokens encoded at once: enough for matrix products to be efficient, little enough to stay in cache.
MAX_BLOCK_TOKENS = 4096
#: Words whose vectors are remembered, at less than a kilobyte each; then the memory is emptied.
MAX_CACHED_VECTORS = 20_000


class InputTerm(NamedTuple):
    """A row of ``table`` for each token."""

    table: FloatArray
    of_token: NDArray[np.intp]


@dataclass(frozen=True)
class LstmDirection:
    """One direction of the LSTM; rows of the gates in the order input, forget, candidate, output.

    ``from_trained`` turns sigmoid(z) = (1 + tanh(z/2)) / 2 into the one function tanh for all four gates.
    """

    inputs: FloatArray
    recurrent: FloatArray
    bias: FloatArray

    @classmethod
    def from_trained(cls, inputs: FloatArray, recurrent: FloatArray, bias: FloatArray) -> LstmDirection:
        """From weights (4 units, inputs), (4 units, units), (4 units,) as they were learned."""
        units = recurrent.shape[1]
        scale = np.full(4 * units, 0.5, dtype=np.float32)
        scale[2 * units : 3 * units] = 1.0
        return cls(
            np.ascontiguousarray((inputs * scale[:, None]).T),
            np.ascontiguousarray((recurrent * scale[:, None]).T),
            bias * scale,
        )

    def run(self, terms: Sequence[InputTerm], rows: Sequence[NDArray[np.intp]]) -> FloatArray:
        """Hidden states of all tokens.

        Parameters
        ----------
        parts
            What W x + b of each token is the sum of.
        rows
            ``rows[t]`` are the tokens that come at step t, longest sequence first.
        """
        units = self.recurrent.shape[0]
        n_sequences = len(rows[0])
        hidden = np.empty((sum(map(len, rows)), units), dtype=np.float32)
        state = np.zeros((n_sequences, units), dtype=np.float32)
        memory = np.zeros((n_sequences, units), dtype=np.float32)
        # written over at every step: arrays that are made anew cost as much as the arithmetic
        gate_buffer, term_buffer = np.empty((2, n_sequences, 4 * units), dtype=np.float32)
        for tokens in rows:
            running = len(tokens)
            gates = np.matmul(state[:running], self.recurrent, out=gate_buffer[:running])
            for term in terms:
                gates += np.take(term.table, term.of_token[tokens], axis=0, out=term_buffer[:running], mode="clip")
            np.tanh(gates, out=gates)
            candidate = gates[:, 2 * units : 3 * units]
            memory, state = memory[:running], state[:running]
            # with t = tanh(z/2), sigmoid(z) = (1 + t) / 2: the halves are taken once, at the end of each line
            memory *= _add_one(gates[:, units : 2 * units])
            candidate *= _add_one(gates[:, :units])
            memory += candidate
            memory *= 0.5
            np.tanh(memory, out=state)
            state *= _add_one(gates[:, 3 * units :])
            state *= 0.5
            hidden[tokens] = state
        return hidden


def _add_one(array: FloatArray) -> FloatArray:
    array += 1
    return array


class NameEncoder:
    """Word and context encoder with its trained weights.

    Parameters
    ----------
    weights
        ``words``, ``shapes``, ``characters``, ``places`` (embeddings), ``filters`` (filters, width, characters'
        width) and ``filter_bias``, ``forward_*`` and ``backward_*`` (``inputs``, ``recurrent``, ``bias``), ``mix``
        and ``mix_bias``.
    vocabulary
        What the rows of the embeddings stand for.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]], vocabulary: Vocabulary) -> None:
        self.weights = {name: np.asarray(array, dtype=np.float32) for name, array in weights.items()}
        self.vocabulary = vocabulary
        self._directions = [
            LstmDirection.from_trained(*(self.weights[f"{name}_{part}"] for part in ("inputs", "recurrent", "bias")))
            for name in ("forward", "backward")
        ]
        width = self.weights["places"].shape[1]  # the last of a token's inputs
        self._place_inputs = [self.weights["places"] @ side.inputs[-width:] + side.bias for side in self._directions]
        self._vector_cache: dict[str, FloatArray] = {}
        self._word_inputs = [np.ascontiguousarray(side.inputs[:-width]) for side in self._directions]

    def encode(
        self, sentences: Sequence[Sequence[str]], places: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int, FloatArray]]:
        """In some order each sentence's number and its tokens in context.

        Sentences must not be empty.  O(tokens * (inputs + units) * units), and little memory beyond a block.
        """
        for block in _blocks([len(sentence) for sentence in sentences]):
            vectors = self._encode_block([sentences[index] for index in block], [places[index] for index in block])
            yield from zip(block, vectors)

    def _encode_block(self, sentences: list[Sequence[str]], places: list[Sequence[int]]) -> list[FloatArray]:
        lengths = np.array([len(sentence) for sentence in sentences])
        starts = np.cumsum(lengths) - lengths
        running = [starts[lengths > step] for step in range(lengths[0])]
        forward = [tokens + step for step, tokens in enumerate(running)]
        last = starts + lengths - 1
        backward = [last[: len(tokens)] - step for step, tokens in enumerate(running)]
        terms = self._input_terms([word for sentence in sentences for word in sentence], np.concatenate(places))
        hidden = np.hstack(
            [
                side.run(direction_terms, rows)
                for side, direction_terms, rows in zip(self._directions, terms, (forward, backward))
            ]
        )
        outputs = np.tanh(hidden @ self.weights["mix"].T + self.weights["mix_bias"])
        return np.split(outputs, starts[1:])

    def _input_terms(self, words: Sequence[str], places: NDArray[Any]) -> Iterator[tuple[InputTerm, InputTerm]]:
        """For each direction what W x + b of every token is the sum of.

        x is the word's vector followed by that of its place in a known name: the word's part is computed for each
        distinct word, the other, with b, for each of the few places.
        """
        number = {word: index for index, word in enumerate(dict.fromkeys(words))}
        vectors, of_token = self._word_vectors(list(number)), np.array([number[word] for word in words])
        for of_words, of_places in zip(self._word_inputs, self._place_inputs):
            yield InputTerm(vectors @ of_words, of_token), InputTerm(of_places, places)

    def _word_vectors(self, words: Sequence[str]) -> FloatArray:
        """The context-free vector of each word; those that were met before are remembered."""
        vectors = {word: self._vector_cache.get(word) for word in words}
        if missing := [word for word, vector in vectors.items() if vector is None]:
            new = {word: vector.copy() for word, vector in zip(missing, self._new_word_vectors(missing))}
            vectors.update(new)
            if len(self._vector_cache) + len(new) > MAX_CACHED_VECTORS:
                self._vector_cache.clear()  # other threads have their vectors already
            self._vector_cache.update(new)
        return np.array(list(vectors.values()))

    def _new_word_vectors(self, words: Sequence[str]) -> FloatArray:
        weights, vocabulary = self.weights, self.vocabulary
        return np.hstack(
            [
                weights["words"][vocabulary.word_ids(words)],
                weights["shapes"][vocabulary.shape_ids(words)],
                self._character_features(vocabulary.character_ids(words)),
            ]
        )

    def _character_features(self, characters: NDArray[np.int32]) -> FloatArray:
        """The largest response of each filter over a word's characters, at least 0."""
        filters = self.weights["filters"]
        width = filters.shape[1]
        margin = width // 2
        embeddings = self.weights["characters"][np.pad(characters, ((0, 0), (margin, margin)))]
        windows = np.lib.stride_tricks.sliding_window_view(embeddings, width, axis=1)  # (words, places, depth, width)
        flat = windows.transpose(0, 1, 3, 2).reshape(len(characters), characters.shape[1], -1)
        responses = flat @ filters.reshape(len(filters), -1).T
        return np.maximum(responses.max(axis=1) + self.weights["filter_bias"], 0)


def _blocks(lengths: Sequence[int]) -> list[list[int]]:
    """Sentences by falling length, in blocks of about :data:`MAX_BLOCK_TOKENS` tokens."""
    blocks: list[list[int]] = []
    size = MAX_BLOCK_TOKENS
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if size + lengths[index] > MAX_BLOCK_TOKENS:
            blocks.append([])
            size = 0
        blocks[-1].append(index)
        size += lengths[index]
    return blocks


# The best legal sequence of labels: a linear-chain conditional random field (Lafferty, McCallum and Pereira, 2001)
# and its Viterbi path.
#
# Labels are O and, for each type of name, B, I, L (begin, inside, last) and U (a name of one token).  The score of a
# sequence is the sum of each token's score for its label and of each step's transition score; steps that break a name are
# not allowed.

DecoderArray = NDArray[np.float32]

#: Order of the labels of a type.
_BEGIN, _INSIDE, _LAST, _WHOLE = range(4)


@dataclass(frozen=True, eq=False)
class Decoder:
    """One guideline's labels with their trained scores.

    Parameters
    ----------
    types
        Types of names, the wanted one first.
    weights, bias
        A token's scores are ``weights @ vector + bias``.
    steps
        Transition scores, with start and end as last row and column, legality included.
    """

    types: tuple[str, ...]
    weights: DecoderArray
    bias: DecoderArray
    steps: DecoderArray

    def scores(self, vectors: DecoderArray) -> DecoderArray:
        """Each token's score for each label."""
        return vectors @ self.weights.T + self.bias

    def names(self, scores: DecoderArray) -> list[tuple[int, int, int]]:
        """Start and end, in tokens, and type of the names in one sentence; O(tokens * labels^2)."""
        path = find_best_path(scores, self.steps)
        names = []
        start = 0
        for index, label in enumerate(path):
            place = (label - 1) % 4 if label else None
            if place in (_BEGIN, _WHOLE):
                start = index
            if place in (_LAST, _WHOLE):
                names.append((start, index + 1, (label - 1) // 4))
        return names


def find_best_path(scores: DecoderArray, steps: DecoderArray) -> list[int]:
    """The labels of highest total score for one sentence.

    Parameters
    ----------
    scores
        One row per token, one column per label.
    steps
        As in :class:`Decoder`.
    """
    if not len(scores):
        return []
    transitions = steps[:-1, :-1]
    total = steps[-1, :-1] + scores[0]
    back_pointers = np.empty(scores.shape, dtype=np.intp)
    path_scores = np.empty_like(transitions, dtype=total.dtype)
    for token_scores, origins in zip(scores[1:], back_pointers[1:]):
        np.add(total[:, None], transitions, out=path_scores)
        path_scores.argmax(axis=0, out=origins)
        total = path_scores.max(axis=0) + token_scores
    path = [int((total + steps[:-1, -1]).argmax())]
    for origins in back_pointers[:0:-1].tolist():
        path.append(origins[path[-1]])
    return path[::-1]


# What a name is the name of: a linear classifier over the encoder's vectors of its words.
#
# A name x is the mean of its words' vectors beside that of its last word, which is most often the head ("IL-2 promoter");
# its kind is the one with the largest of ``weights @ x + bias`` (softmax regression, trained with the encoder fixed),
# summed over all places where a text has the name: one name has one sense in a text (Gale, Church and Yarowsky, 1992).

ClassifierArray = NDArray[np.float32]


class NameSpan(NamedTuple):
    """Start and end of a name in a text's words, and its kind, one of :data:`~ppi.language.entity_kinds.KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, eq=False)
class KindClassifier:
    """Trained weights, a row and a bias for each of :data:`~ppi.language.entity_kinds.KINDS`."""

    weights: ClassifierArray
    bias: ClassifierArray

    def scores(self, vectors: ClassifierArray, spans: Sequence[tuple[int, int]]) -> ClassifierArray:
        """The score of each kind, one row per span of a sentence with these vectors."""
        if not spans:
            return np.empty((0, len(KINDS)), dtype=np.float32)
        return span_features(vectors, spans) @ self.weights.T + self.bias


def span_features(vectors: ClassifierArray, spans: Sequence[tuple[int, int]]) -> ClassifierArray:
    """What :class:`KindClassifier` looks at, one row per span: (spans, 2 * width)."""
    return np.array([np.concatenate([vectors[start:end].mean(axis=0), vectors[end - 1]]) for start, end in spans])
