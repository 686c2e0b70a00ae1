"""Dependency trees by their parts, for ranking the trees of one sentence.

A tree is the sum of its parts, each a column of its own (hashed): a linear model over parts is a model of trees.

==========  ============================================================================================================
templates   of
==========  ============================================================================================================
1 - 12      an arc: label and direction with distance, tags, words, word clusters and the ending of the dependent
13          a root with the tags beside it
14 - 17     an arc with the tags around its two ends [McDonald2005]
18 - 21     what lies between its ends: each tag, and how many commas, verbs and conjunctions
22          brackets that an arc goes into or out of
30 - 33     the phrase below a token: how long it is, what stands at its ends and follows
40 - 44     two neighbouring dependents on one side of a head
50 - 53     a token, its head, and the head of that
54 - 57     the two words that a preposition joins
60 - 64     conjuncts: whether words, endings and clusters are the same, how their phrases begin and how long they are
70 - 75     the frame of a token: labels of all its dependents, with its tag, word and cluster
==========  ============================================================================================================

Trees of one sentence share most of their parts, and what all of them share says nothing about their order.  The row of
a tree is therefore the difference to the row of the sentence's first tree: a ranking loss, which only knows differences
within a sentence, is the same, and the rows are many times sparser.

.. [McDonald2005] R. McDonald, K. Crammer, F. Pereira. Online large-margin training of dependency parsers. ACL 2005.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels._tree_parts import (
    CLOSING,
    COMMA,
    CONJUNCTION,
    MAX_PARTS_PER_TOKEN,
    OPENING,
    VERB,
    LabelCodes,
    TokenCodes,
    tree_rows,
    tree_scores,
)
from kernels.compiling import expect
from kernels.errors import ParameterError

_DIGITS = re.compile(r"\d+")
_ENDING = 3  # letters
_STEPS = 1000  # of a token in a tree: about fifty parts, each of a few values that are mixed by calls
_KINDS = {",": COMMA, "CC": CONJUNCTION, "-LRB-": OPENING, "-RRB-": CLOSING}
_BRACKETS = {"(": OPENING, "[": OPENING, "{": OPENING, ")": CLOSING, "]": CLOSING, "}": CLOSING}


class Trees(NamedTuple):
    """The trees of one sentence.

    Parameters
    ----------
    words, tags, clusters
        Of each token: its form, its part of speech (Penn Treebank), and a word that stands for it and its like.
    heads : ndarray of int16, shape (n_trees, n_tokens)
        The place of each token's head, -1 for a root.
    labels : ndarray of int, shape (n_trees, n_tokens)
        Places of the arcs' labels in ``names``.
    names
        The labels that there are.
    """

    words: Sequence[str]
    tags: Sequence[str]
    clusters: Sequence[str]
    heads: NDArray[np.int16]
    labels: NDArray[np.integer]
    names: Sequence[str]


@dataclass(frozen=True)
class TreeParts:
    """Parts of trees as hashed columns.  A tree of n tokens costs O(n (d + b)), for depth d and b tokens between ends.

    Parameters
    ----------
    n_features
        How many columns there are: a power of 2.
    punctuation, conjunct, preposition
        The labels of these in the trees' scheme.

    Examples
    --------
    >>> import numpy as np
    >>> trees = Trees(["A", "binds", "B"], ["NN", "VBZ", "NN"], ["a", "binds", "b"],
    ...     np.array([[1, -1, 1], [1, -1, 0]], dtype=np.int16), np.array([[1, 0, 2], [1, 0, 2]]),
    ...     ["ROOT", "nsubj", "dobj"])
    >>> rows = TreeParts(n_features=2**16).rows([trees])
    >>> rows.shape, rows[0].nnz
    ((2, 65536), 0)
    """

    n_features: int = 2**20
    punctuation: str = "punct"
    conjunct: str = "conj"
    preposition: str = "prep"

    def __post_init__(self) -> None:
        n = self.n_features
        if not isinstance(n, int) or isinstance(n, bool) or n < 2 or n & (n - 1):
            raise ParameterError(f"expected n_features to be a power of 2, got {n!r}")

    def scores(self, trees: Trees, weights: NDArray[np.float32]) -> NDArray[np.float64]:
        """The sum of the weights of each tree's parts, counted as often as they come."""
        if weights.shape != (self.n_features,):
            raise ParameterError(f"expected {self.n_features} weights, got an array of shape {weights.shape}")
        scores = np.zeros(len(trees.heads))
        expect(_STEPS * trees.heads.size)
        tree_scores(_tokens(trees), self._special_label_codes(), trees.heads, _label_codes(trees), weights, scores)
        return scores

    def rows(self, sentences: Iterable[Trees]) -> sp.csr_matrix:
        """One row per tree, in order: how often each part comes, less how often it comes in the sentence's first."""
        columns, values, lengths = [], [], [np.zeros(1, dtype=np.int64)]
        for trees in sentences:
            capacity = 2 * MAX_PARTS_PER_TOKEN * trees.heads.size
            own_columns, own_values = np.empty(capacity, dtype=np.int32), np.empty(capacity, dtype=np.float32)
            ends = np.zeros(len(trees.heads), dtype=np.int64)
            expect(_STEPS * trees.heads.size)
            codes = _tokens(trees), self._special_label_codes(), trees.heads, _label_codes(trees)
            tree_rows(*codes, self.n_features, own_columns, own_values, ends)
            filled = ends[-1] if len(ends) else 0
            columns.append(own_columns[:filled].copy())
            values.append(own_values[:filled].astype(np.float32))
            lengths.append(np.diff(ends, prepend=0))
        ends = np.cumsum(np.concatenate(lengths))
        if not columns:
            return sp.csr_matrix((0, self.n_features), dtype=np.float32)
        data, indices = np.concatenate(values), np.concatenate(columns)
        return sp.csr_matrix((data, indices, ends), shape=(len(ends) - 1, self.n_features))

    def _special_label_codes(self) -> LabelCodes:
        return LabelCodes(_code(self.punctuation), _code(self.conjunct), _code(self.preposition))


def _tokens(trees: Trees) -> TokenCodes:
    words = [_DIGITS.sub("0", word.lower()) for word in trees.words]
    return TokenCodes(
        _codes(words),
        _codes(trees.tags),
        _codes([tag[:2] for tag in trees.tags]),
        _codes(trees.clusters),
        _codes([word[-_ENDING:] for word in words]),
        np.array([_kind(word, tag) for word, tag in zip(trees.words, trees.tags)], dtype=np.uint8),
    )


def _kind(word: str, tag: str) -> int:
    return _BRACKETS.get(word) or _KINDS.get(tag) or (VERB if tag.startswith("VB") or tag == "MD" else 0)


def _label_codes(trees: Trees) -> NDArray[np.uint64]:
    codes: NDArray[np.uint64] = _codes(trees.names)[trees.labels]
    return codes


def _codes(texts: Sequence[str]) -> NDArray[np.uint64]:
    return np.array([_code(text) for text in texts], dtype=np.uint64)


@lru_cache(maxsize=2**17)
def _code(text: str) -> np.uint64:
    """A number for a text; different texts have different numbers but for one in four billion pairs."""
    return np.uint64(crc32(text.encode("utf-8", "surrogatepass")) + (1 << 32))  # none of the small ones
