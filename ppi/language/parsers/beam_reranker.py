"""Reranks the trees in the beam of a spaCy parser by a trained model.

The parser builds a tree by a sequence of moves and scores each move.  Trained greedily, it normally takes the best
move each time; with a beam it keeps the ``width`` best sequences.  Different sequences can build the same tree, so a
beam holds fewer trees than its width.

spaCy's own beam (``cfg["beam_width"]`` above 1) adds up the raw scores of the moves.  For a network trained move by
move these are comparable only among the moves of one state, and the sums prefer sequences through states whose scores
happen to be large.  Here a move counts by its log-probability, log softmax over all moves, which is what the network
was trained to give, and a sequence by their sum.  On CRAFT's development articles the first tree of the raw beam is
clearly worse than the greedy parser's, which in three sentences of ten is not in the beam at all; by log-probabilities
the most probable one is about as good as the greedy one, which is nearly always there.  On some articles it is worse:
probabilities of moves say little about states that greedy training has never seen.  So the greedy tree comes first, and
then the others by their probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import log_softmax

from kernels import TreeParts, Trees
from ppi.core import (
    MissingModelError,
    ModelFileError,
    check_fields,
    json_field_types,
    raise_as_model_file_error,
    read_archive,
    write_archive,
)
from ppi.language.shipped_pipeline import RERANKER_FILE
from ppi.language.word_clusters import load_word_clusters

#: The label of a token without a head.
ROOT = "ROOT"
#: Marks the label of an arc that was lifted to make the tree projective (Nivre and Nilsson 2005).
_LIFTED_MARK = "||"
#: Probabilities below this would have an infinite cost.
_MIN_PROBABILITY = 1e-300
#: How much more than the last of a beam a tree costs that is not in it.
_COST_OUTSIDE_BEAM = 1.0

#: The beam's probabilities are raised to these powers before trees are compared with the others: sharp to flat.
_POWERS = (1.0, 0.5, 0.0)
N_PARSER_FEATURES = 3 + 2 * len(_POWERS)

FORMAT = "ppi-beam-reranker"
FORMAT_VERSION = 1
#: Sequences of moves that are kept while a sentence is parsed to be reranked, and the share of the best one's
#: probability that they need: on articles set aside the best tree is hardly worse for that, and a quarter of the time
#: is saved.
BEAM_WIDTH, BEAM_DENSITY = 8, 0.03
#: Sentences whose beams advance together; those of like length waste no steps.
_BATCH_SENTENCES = 128

_Arc = tuple[int, int, str]  # head, child, label


class BeamTrees(NamedTuple):
    """The different trees of a sentence: the greedy parser's, then the others of its beam, the most probable first.

    Parameters
    ----------
    words, tags
        Of the tokens.
    heads : ndarray of int16, shape (n_trees, n_tokens)
        The place of each token's head, -1 for a root.
    labels : ndarray of int16, shape (n_trees, n_tokens)
        Places of the labels in ``names``.
    costs : ndarray of shape (n_trees,)
        -log of the share that the tree's best sequence has of the probability of its beam; of a greedy tree that is
        not in the beam, a little more than that of the last.
    names
        The labels that there are.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: NDArray[np.int16]
    labels: NDArray[np.int16]
    costs: NDArray[np.float64]
    names: tuple[str, ...]

    def arcs(self, tree: int) -> Iterator[_Arc]:
        """Head, child and label of each token that has a head."""
        for child, (head, label) in enumerate(zip(self.heads[tree].tolist(), self.labels[tree].tolist())):
            if head >= 0:
                yield head, child, self.names[label]


def beam_trees(
    parser: Any, docs: Sequence[Any], *, width: int, max_trees: int, density: float = 0.0
) -> Iterator[BeamTrees]:
    """For each document its greedy tree and those of its beam, up to ``max_trees``.

    A sentence of n words costs about 2 n steps of ``width`` states, and once more of one state.

    Parameters
    ----------
    parser
        spaCy's component; it is not changed.
    docs
        Tokenized, with the tensors and tags of the components before the parser; each is taken as one sentence, though
        a tree may have several roots.
    density
        Sequences whose probability is less than this share of the best one's are given up: where the parser is sure,
        the beam is narrow.
    """
    names = [ROOT, *(label.partition(_LIFTED_MARK)[0] for label in parser.labels)]
    label_ids = {name: index for index, name in enumerate(dict.fromkeys(names))}
    multiword_docs = [doc for doc in docs if len(doc) > 1]
    beams = iter(_search(parser, multiword_docs, width, density) if multiword_docs else ())
    greedy_docs = [doc.copy() for doc in multiword_docs]
    parser.set_annotations(greedy_docs, parser.predict(greedy_docs))
    greedy_iterator = iter(greedy_docs)
    for doc in docs:
        # a single word needs no parser (and its tree, having no arc, would be left out of the beam's list)
        is_single_word = len(doc) == 1
        parses = [] if is_single_word else parser.moves.get_beam_parses(next(beams))
        arcs = [] if is_single_word else [(t.head.i, t.i, t.dep_) for t in next(greedy_iterator) if t.head.i != t.i]
        yield _collect_distinct_trees(parses, arcs, doc, label_ids, max_trees)


def _search(parser: Any, docs: Sequence[Any], width: int, density: float) -> Any:
    """The final beams of all documents."""
    from spacy.pipeline._parser_internals._beam_utils import BeamBatch

    batch = BeamBatch(parser.moves, parser.moves.init_batch(docs), None, width, density=density)
    model = parser.model.predict(docs)
    while not batch.is_done and (states := batch.get_unfinished_states()):
        batch.advance(np.ascontiguousarray(log_softmax(model.predict(states), axis=1), dtype=np.float32))
    model.clear_memory()
    return batch


def _collect_distinct_trees(
    parses: Sequence[tuple[float, list[_Arc]]], greedy: list[_Arc], doc: Any, label_ids: dict[str, int], max_trees: int
) -> BeamTrees:
    """The greedy tree and the different ones of the beam; the best sequence of each decides on its cost."""
    greedy_tree = _make_tree(greedy, len(doc), label_ids)
    trees, costs = {greedy_tree.tobytes(): greedy_tree}, dict[bytes, float]()
    for probability, arcs in parses:
        if any(_LIFTED_MARK in label for _, _, label in arcs):
            arcs = _deprojectivize(arcs, doc)
        tree = _make_tree(arcs, len(doc), label_ids)
        if (key := tree.tobytes()) in trees or len(trees) < max_trees:
            trees.setdefault(key, tree)
            costs.setdefault(key, 0.0 - math.log(max(probability, _MIN_PROBABILITY)))
    costs.setdefault(greedy_tree.tobytes(), max(costs.values()) + _COST_OUTSIDE_BEAM if costs else 0.0)
    stacked = np.stack(list(trees.values()))
    return BeamTrees(
        tuple(token.text for token in doc),
        tuple(token.tag_ for token in doc),
        np.ascontiguousarray(stacked[:, 0]),
        np.ascontiguousarray(stacked[:, 1]),
        np.array([costs[key] for key in trees]),
        tuple(label_ids),
    )


def _make_tree(arcs: list[_Arc], n_tokens: int, label_ids: dict[str, int]) -> NDArray[np.int16]:
    """Heads and labels, one row each."""
    tree = np.zeros((2, n_tokens), dtype=np.int16)
    tree[0] = -1
    for head, child, label in arcs:
        tree[0, child], tree[1, child] = head, label_ids.setdefault(label, len(label_ids))
    return tree


def _deprojectivize(arcs: list[_Arc], doc: Any) -> list[_Arc]:
    """The arcs with those that were lifted back where they belong."""
    from spacy.pipeline._parser_internals.nonproj import deprojectivize
    from spacy.tokens import Doc

    heads, labels = list(range(len(doc))), [ROOT] * len(doc)
    for head, child, label in arcs:
        heads[child], labels[child] = head, label
    tree = deprojectivize(Doc(doc.vocab, words=[token.text for token in doc], heads=heads, deps=labels))
    return [(token.head.i, token.i, token.dep_) for token in tree if token.head.i != token.i]


@dataclass(frozen=True)
class BeamFeatures:
    """Hashed parts (:class:`~kernels.tree_parts.TreeParts`), and behind them the columns of the parser's judgement.

    The judgement of a tree is whether it is the greedy parser's, its cost above the least, the logarithm of that, and
    how many of its arcs and attachments the other trees share, weighed by their probabilities: a tree whose every arc
    is in most of the beam is the safest choice, even if another one is more probable as a whole.

    Parameters
    ----------
    n_features
        Columns of the parts: a power of 2.
    opinion
        The weight of the parser's judgement beside the parts: the larger, the less it is regularized.
    """

    n_features: int = 2**20
    opinion: float = 10.0

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.n_features + N_PARSER_FEATURES

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain JSON values."""
        return asdict(self)

    def rows(self, sentences: Sequence[BeamTrees]) -> sp.csr_matrix:
        """One row per tree, in order, as its difference to the first tree of the sentence."""
        parts = TreeParts(n_features=self.n_features).rows(to_trees(sentence) for sentence in sentences)
        if not sentences:
            return sp.csr_matrix((0, self.width), dtype=np.float32)
        parser_rows = np.concatenate([parser_features(sentence) for sentence in sentences])
        parser_rows = sp.csr_matrix((self.opinion * parser_rows).astype(np.float32))
        return sp.hstack([parts, parser_rows], format="csr", dtype=np.float32)

    def scores(self, sentence: BeamTrees, weights: NDArray[np.float32]) -> NDArray[np.float64]:
        """The score of each tree, but for a constant: its row times the weights, without making rows."""
        parts = TreeParts(n_features=self.n_features).scores(to_trees(sentence), weights[: self.n_features])
        return parts + self.opinion * (parser_features(sentence) @ weights[self.n_features :].astype(np.float64))


def to_trees(sentence: BeamTrees) -> Trees:
    """With the clusters of the words."""
    clusters = [load_word_clusters().of(word) for word in sentence.words]
    return Trees(sentence.words, sentence.tags, clusters, sentence.heads, sentence.labels, sentence.names)


def parser_features(sentence: BeamTrees) -> NDArray[np.float64]:
    """What the parser thinks of each tree, as differences to the first; shape (n_trees, N_PARSER_FEATURES)."""
    excess_costs = sentence.costs - sentence.costs.min()
    columns = [np.arange(len(excess_costs)) == 0, excess_costs, np.log1p(excess_costs)]
    same_head = sentence.heads[:, None, :] == sentence.heads[None, :, :]
    same_arc = same_head & (sentence.labels[:, None, :] == sentence.labels[None, :, :])
    heads, arcs = same_head.sum(axis=2), same_arc.sum(axis=2)  # (tree, other tree)
    for power in _POWERS:
        tree_weights = np.exp(-power * sentence.costs)
        tree_weights /= tree_weights.sum()
        columns += [heads @ tree_weights, arcs @ tree_weights]
    features: NDArray[np.float64] = np.column_stack(columns).astype(np.float64)
    features -= features[0].copy()
    return features


@dataclass(frozen=True, eq=False)
class Reranker:
    """Weights of the features of trees.

    Parameters
    ----------
    features
        How trees become numbers.
    weights
        One for each column of the features.
    facts
        What it was trained on and how good it is, for the record.
    """

    features: BeamFeatures
    weights: NDArray[np.float32]
    facts: dict[str, Any] = field(default_factory=dict)

    def scores(self, sentence: BeamTrees) -> NDArray[np.float64]:
        """The score of each tree; only differences within the sentence mean something."""
        return self.features.scores(sentence, self.weights)

    def find_best_tree(self, sentence: BeamTrees) -> int:
        """The place of the tree with the highest score, of equals the parser's own first.

        A sentence has one root: trees with more of them than others have no chance.
        """
        if len(sentence.costs) == 1:
            return 0
        roots = (sentence.heads < 0).sum(axis=1)
        return int(np.argmax(np.where(roots == roots.min(), self.scores(sentence), -np.inf)))

    def rerank_docs(self, parser: Any, docs: Sequence[Any], *, width: int = BEAM_WIDTH) -> list[tuple[BeamTrees, int]]:
        """For each sentence (as for :func:`beam_trees`) its trees and which of them is best."""
        order = sorted(range(len(docs)), key=lambda index: len(docs[index]))
        choices: dict[int, tuple[BeamTrees, int]] = {}
        for start in range(0, len(order), _BATCH_SENTENCES):
            indices = order[start : start + _BATCH_SENTENCES]
            beams = beam_trees(
                parser, [docs[index] for index in indices], width=width, max_trees=width, density=BEAM_DENSITY
            )
            for index, trees in zip(indices, beams, strict=True):
                choices[index] = (trees, self.find_best_tree(trees))
        return [choices[index] for index in range(len(docs))]

    def save(self, path: str | Path) -> None:
        """Write the model as a zip of JSON and plain arrays."""
        header = {"features": self.features.parameters(), "facts": self.facts}
        arrays = {"weights": self.weights.astype(np.float32)}
        write_archive(path, header, arrays, format=FORMAT, version_number=FORMAT_VERSION)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` wrote; nothing in the file can run code.

        Raises
        ------
        ModelFileError
            If the file is damaged, of another version, or no reranker.
        """
        header, arrays = read_archive(path, format=FORMAT, versions=[FORMAT_VERSION])
        with raise_as_model_file_error(path):
            check_fields(header, {"features": (dict,), "facts": (dict,)}, where="header")
            fields = check_fields(header["features"], json_field_types(BeamFeatures), where="features")
            features, weights = BeamFeatures(**fields), arrays["weights"]
            if weights.dtype.kind != "f" or len(weights) != features.width:
                raise ModelFileError(
                    f"{path}: expected {features.width} weights with fractions, got {len(weights)} of {weights.dtype}"
                )
            return cls(features, weights.astype(np.float32), dict(header["facts"]))

    @classmethod
    @lru_cache(maxsize=1)
    def load_shipped(cls) -> Reranker:
        """The one that comes with the package, read once per process.

        Raises
        ------
        MissingModelError
            If it is not there.
        """
        if not RERANKER_FILE.is_file():
            raise MissingModelError(
                "expected a trained reranker in the package, got none; reinstall it, or train one with "
                "scripts/train_parse_ranker"
            )
        return cls.load(RERANKER_FILE)
