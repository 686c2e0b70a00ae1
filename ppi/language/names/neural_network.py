"""The neural network of the name finder in plain numpy: an encoder, decoders of names, and a classifier of their kinds.

**Encoder.**  A token is the concatenation x of the embeddings of its word, its shape and its place in a known name with
the largest responses of convolution filters over its characters.  In each direction of a bidirectional LSTM (Hochreiter
and Schmidhuber, 1997, with forget gates)

    i, f, o = sigmoid(W x_t + U h_{t-1} + b),   g = tanh(...),   c_t = f c_{t-1} + i g,   h_t = o tanh(c_t),

and a token in context is tanh(M [h forward, h backward] + m).  Sequences of all lengths run side by side: sorted by
length, so that those still running are always the first rows.

**Decoder.**  The best legal sequence of labels: the Viterbi path of a linear-chain conditional random field (Lafferty,
McCallum and Pereira, 2001).  Labels are O and, for each type of name, B, I, L (begin, inside, last) and U (a name of
one token).  The score of a sequence is the sum of each token's score for its label and of each step's transition score;
steps that break a name are not allowed.

**Classifier.**  A name x is the mean of its words' vectors beside that of its last word, which is most often the head
("IL-2 promoter"); its kind is the one with the largest of ``weights @ x + bias`` (softmax regression, trained with the
encoder fixed), summed over all places where a text has the name: one name has one sense in a text (Gale, Church and
Yarowsky, 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ppi.language.entity_kinds import KINDS
from ppi.language.names.token_features import LISTS, UNKNOWN, WHOLE, Vocabulary

FloatArray = NDArray[np.float32]

#: Tokens encoded at once: enough for matrix products to be efficient, little enough to stay in cache.
MAX_BLOCK_TOKENS = 4096
#: Words whose vectors are remembered, at less than a kilobyte each; then the memory is emptied.
MAX_CACHED_VECTORS = 20_000
#: Order of the labels of a type.
_BEGIN, _INSIDE, _LAST, _WHOLE = range(4)


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

    def run(self, terms: Sequence[tuple[FloatArray, NDArray[np.intp]]], rows: Sequence[NDArray[np.intp]]) -> FloatArray:
        """Hidden states of all tokens.

        W x + b of each token is the sum of ``terms``: tables, and the row of each token in them.  ``rows[t]`` are the
        tokens that come at step t, longest sequence first.
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
            for table, of_token in terms:
                gates += np.take(table, of_token[tokens], axis=0, out=term_buffer[:running], mode="clip")
            np.tanh(gates, out=gates)
            # with t = tanh(z/2), sigmoid(z) = (1 + t) / 2: the halves are taken once, at the end of each line
            gates[:, : 2 * units] += 1
            gates[:, 3 * units :] += 1
            candidate = gates[:, 2 * units : 3 * units]
            memory, state = memory[:running], state[:running]
            memory *= gates[:, units : 2 * units]
            candidate *= gates[:, :units]
            memory += candidate
            memory *= 0.5
            np.tanh(memory, out=state)
            state *= gates[:, 3 * units :]
            state *= 0.5
            hidden[tokens] = state
        return hidden


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
        self._vector_cache: dict[str, FloatArray] = {}
        self._directions: list[tuple[LstmDirection, FloatArray, FloatArray]] = []  # weights of words; terms of places
        places = self.weights["places"]
        width = places.shape[1]  # the last of a token's inputs
        for name in ("forward", "backward"):
            side = LstmDirection.from_trained(
                self.weights[f"{name}_inputs"], self.weights[f"{name}_recurrent"], self.weights[f"{name}_bias"]
            )
            word_weights = np.ascontiguousarray(side.inputs[:-width])
            self._directions.append((side, word_weights, places @ side.inputs[-width:] + side.bias))

    def encode(
        self, sentences: Sequence[Sequence[str]], places: Sequence[Sequence[int]]
    ) -> Iterator[tuple[int, FloatArray]]:
        """In some order each sentence's number and its tokens in context.

        Sentences must not be empty.  O(tokens * (inputs + units) * units), and little memory beyond a block.
        """
        for block in _split_blocks(list(map(len, sentences))):
            words = [word for index in block for word in sentences[index]]
            lengths = np.array([len(sentences[index]) for index in block])
            starts = np.cumsum(lengths) - lengths
            running = [starts[lengths > step] for step in range(lengths[0])]
            forward = [tokens + step for step, tokens in enumerate(running)]
            last = starts + lengths - 1
            backward = [last[: len(tokens)] - step for step, tokens in enumerate(running)]
            # x is the word's vector followed by that of its place in a known name: of W x + b the word's part is
            # computed for each distinct word, the other, with b, for each of the few places
            number = {word: index for index, word in enumerate(dict.fromkeys(words))}
            vectors, of_token = self._word_vectors(list(number)), np.array([number[word] for word in words])
            of_place = np.concatenate([places[index] for index in block])
            hidden = [
                side.run([(vectors @ word_weights, of_token), (place_terms, of_place)], rows)
                for (side, word_weights, place_terms), rows in zip(self._directions, (forward, backward))
            ]
            outputs = np.tanh(np.hstack(hidden) @ self.weights["mix"].T + self.weights["mix_bias"])
            yield from zip(block, np.split(outputs, starts[1:]))

    def _word_vectors(self, words: Sequence[str]) -> FloatArray:
        """The context-free vector of each word; those that were met before are remembered."""
        vectors = {word: self._vector_cache.get(word) for word in words}
        if missing := [word for word, vector in vectors.items() if vector is None]:
            parts = [
                self.weights["words"][self.vocabulary.word_ids(missing)],
                self.weights["shapes"][self.vocabulary.shape_ids(missing)],
                self._character_features(self.vocabulary.character_ids(missing)),
            ]
            new = {word: vector.copy() for word, vector in zip(missing, np.hstack(parts))}
            vectors.update(new)
            if len(self._vector_cache) + len(new) > MAX_CACHED_VECTORS:
                self._vector_cache.clear()  # other threads have their vectors already
            self._vector_cache.update(new)
        return np.array(list(vectors.values()))

    def _character_features(self, characters: NDArray[np.int32]) -> FloatArray:
        """The largest response of each filter over a word's characters, at least 0."""
        filters = self.weights["filters"]
        width = filters.shape[1]
        margin = width // 2
        embeddings = self.weights["characters"][np.pad(characters, ((0, 0), (margin, margin)))]
        windows = np.lib.stride_tricks.sliding_window_view(embeddings, width, axis=1)  # (words, places, depth, width)
        flat = windows.transpose(0, 1, 3, 2).reshape(len(characters), characters.shape[1], -1)
        responses = flat @ filters.reshape(len(filters), -1).T
        features: FloatArray = np.maximum(responses.max(axis=1) + self.weights["filter_bias"], 0)
        return features


def _split_blocks(lengths: Sequence[int]) -> list[list[int]]:
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
    weights: FloatArray
    bias: FloatArray
    steps: FloatArray

    def scores(self, vectors: FloatArray) -> FloatArray:
        """Each token's score for each label."""
        return vectors @ self.weights.T + self.bias

    def names(self, scores: FloatArray) -> list[tuple[int, int, int]]:
        """Start and end, in tokens, and type of the names in one sentence; O(tokens * labels^2)."""
        path = find_best_path(scores, self.steps)
        names = []
        start = 0
        for index, label in enumerate(path):
            tag = (label - 1) % 4 if label else None
            if tag in (_BEGIN, _WHOLE):
                start = index
            if tag in (_LAST, _WHOLE):
                names.append((start, index + 1, (label - 1) // 4))
        return names


def find_best_path(scores: FloatArray, steps: FloatArray) -> list[int]:
    """The labels of highest total score for one sentence: ``scores`` are (tokens, labels), steps as in a decoder."""
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


class NameSpan(NamedTuple):
    """Start and end of a name in a text's words, and its kind, one of :data:`~ppi.language.entity_kinds.KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, eq=False)
class KindClassifier:
    """Trained weights, a row and a bias for each of :data:`~ppi.language.entity_kinds.KINDS`."""

    weights: FloatArray
    bias: FloatArray

    def scores(self, vectors: FloatArray, spans: Sequence[tuple[int, int]]) -> FloatArray:
        """The score of each kind, one row per span of a sentence with these vectors."""
        if not spans:
            return np.empty((0, len(KINDS)), dtype=np.float32)
        return span_features(vectors, spans) @ self.weights.T + self.bias


def span_features(vectors: FloatArray, spans: Sequence[tuple[int, int]]) -> FloatArray:
    """What :class:`KindClassifier` looks at, one row per span: (spans, 2 * width)."""
    return np.array([np.concatenate([vectors[start:end].mean(axis=0), vectors[end - 1]]) for start, end in spans])


def check_weights(
    weights: Mapping[str, NDArray[Any]], vocabulary: Vocabulary, decoders: Sequence[Decoder], classifier: KindClassifier
) -> None:
    """Raise a ValueError unless the weights fit the vocabulary and each other."""
    (n_filters, filter_width, _), (width, both_units) = weights["filters"].shape, weights["mix"].shape
    units = both_units // 2
    rows = {name: len(getattr(vocabulary, name)) + UNKNOWN + 1 for name in ("words", "shapes", "characters")}
    rows["places"] = 1 + WHOLE * len(LISTS)
    expected: dict[str, tuple[int, ...]] = {name: (n_rows, weights[name].shape[1]) for name, n_rows in rows.items()}
    n_inputs = n_filters + sum(expected[name][1] for name in ("words", "shapes", "places"))
    expected |= {"filters": (n_filters, filter_width, expected["characters"][1]), "filter_bias": (n_filters,)}
    for side in ("forward", "backward"):
        parts = {"inputs": (4 * units, n_inputs), "recurrent": (4 * units, units), "bias": (4 * units,)}
        expected |= {f"{side}_{part}": shape for part, shape in parts.items()}
    expected |= {"mix": (width, 2 * units), "mix_bias": (width,)}
    expected |= {"kinds": (len(KINDS), 2 * width), "kind_bias": (len(KINDS),)}
    arrays = {**weights, "kinds": classifier.weights, "kind_bias": classifier.bias}
    for number, decoder in enumerate(decoders):
        labels = 1 + 4 * len(decoder.types)
        parts = {"weights": (labels, width), "bias": (labels,), "steps": (labels + 1, labels + 1)}
        expected |= {f"{part}_{number}": shape for part, shape in parts.items()}
        arrays |= {f"{part}_{number}": getattr(decoder, part) for part in parts}
    if misfits := [name for name, shape in expected.items() if arrays[name].shape != shape]:
        raise ValueError(f"expected weights that fit the vocabulary and each other, got others: {', '.join(misfits)}")
