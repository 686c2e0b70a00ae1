"""The trees in the beam of a spaCy parser, as arrays.

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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

#: The label of a token without a head.
ROOT = "ROOT"
#: Marks the label of an arc that was lifted to make the tree projective (Nivre and Nilsson 2005).
_LIFTED_MARK = "||"
#: Probabilities below this would have an infinite cost.
_MIN_PROBABILITY = 1e-300
#: How much more than the last of a beam a tree costs that is not in it.
_COST_OUTSIDE_BEAM = 1.0

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
    """For each document its greedy tree and those of its beam, up to ``most``.

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
    label_ids = {name: place for place, name in enumerate(dict.fromkeys(names))}
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
