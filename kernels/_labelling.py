"""The labels of a candidate's vertices as numbers, compiled: step one of :mod:`kernels._all_paths`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compiling import compiled, inlined
from kernels.labels import N_MARKS

#: Marks (:data:`kernels.labels.MARKS`) of the dependency subgraph, then the first and last of the linear one.
PLAIN, IN_PATH, FIRST_PLACE, UNPLACED = 0, 1, 2, 5
#: Labels that a token can have at most: text, lemma, part of speech; or three roles.
TOKEN_LABELS = 3
#: The roles are the bases 0, 1 and 2 (:data:`kernels.labels.ROLES`).
N_ROLES = 3


class SentenceLabels(NamedTuple):
    """The bases (-1: none) of each token of all sentences, as text, lemma and part of speech, and of each arc."""

    words: NDArray[np.int64]
    types: NDArray[np.int64]
    n_bases: int


class Candidate(NamedTuple):
    """One candidate's part of the flat arrays."""

    words: NDArray[np.int64]
    types: NDArray[np.int64]
    roles: NDArray[np.uint8]
    places: NDArray[np.uint8]
    token_on_path: NDArray[np.bool_]
    arc_on_path: NDArray[np.bool_]


class VertexLabels(NamedTuple):
    """The labels of one subgraph of one candidate.

    Those of vertex v are ``of_vertex[v, : counts[v]]``, places in ``numbers``, which lists the distinct ones.
    """

    of_vertex: NDArray[np.int32]
    counts: NDArray[np.int64]
    numbers: NDArray[np.int64]


@compiled
def candidate_at(sentences, labels, candidates, p):
    """The slices of candidate ``p``."""
    s = candidates.sentence_of[p]
    tokens = slice(sentences.token_offsets[s], sentences.token_offsets[s + 1])
    arcs = slice(sentences.arc_offsets[s], sentences.arc_offsets[s + 1])
    token_slice = slice(candidates.token_offsets[p], candidates.token_offsets[p + 1])
    arc_slice = slice(candidates.arc_offsets[p], candidates.arc_offsets[p + 1])
    return Candidate(
        labels.words[tokens],
        labels.types[arcs],
        candidates.roles[token_slice],
        candidates.places[token_slice],
        candidates.token_on_path[token_slice],
        candidates.arc_on_path[arc_slice],
    )


@inlined
def _add_label(base, mark, labels, v, local_of, n_local):
    """Append a label, if there is one, to those of vertex ``v``; returns how many distinct ones there are."""
    if base >= 0:
        number = base * N_MARKS + mark
        if local_of[number] < 0:
            local_of[number] = n_local
            labels.numbers[n_local] = number
            n_local += 1
        labels.of_vertex[v, labels.counts[v]] = local_of[number]
        labels.counts[v] += 1
    return n_local


@inlined
def _label_token(words, role, mark, blind_pos, labels, v, local_of, n_local):
    """Label a token with its words, or its roles instead, and its part of speech."""
    labels.counts[v] = 0
    if role == 0:
        n_local = _add_label(words[0], mark, labels, v, local_of, n_local)
        n_local = _add_label(words[1], mark, labels, v, local_of, n_local)
    for bit in range(N_ROLES):
        if role & (1 << bit):
            n_local = _add_label(bit, mark, labels, v, local_of, n_local)
    if role == 0 or not blind_pos:
        n_local = _add_label(words[2], mark, labels, v, local_of, n_local)
    return n_local


@compiled
def label_vertices(candidate, settings, dependency, linear, local_of):
    """Label the vertices of both subgraphs: tokens, then arcs; returns how many distinct labels each subgraph has.

    ``local_of`` is -1 for every label before and after.  One such table serves both, whose labels differ in marks.
    """
    n_tokens = len(candidate.roles)
    n_local = n_linear = 0
    for t in range(n_tokens):
        words, role = candidate.words[t], candidate.roles[t]
        mark = IN_PATH if candidate.token_on_path[t] and settings.mark_path else PLAIN
        n_local = _label_token(words, role, mark, settings.blind_pos, dependency, t, local_of, n_local)
        mark = FIRST_PLACE + candidate.places[t] if settings.mark_place else UNPLACED
        n_linear = _label_token(words, role, mark, settings.blind_pos, linear, t, local_of, n_linear)
    for a in range(len(candidate.types)):
        mark = IN_PATH if candidate.arc_on_path[a] and settings.mark_path else PLAIN
        dependency.counts[n_tokens + a] = 0
        n_local = _add_label(candidate.types[a], mark, dependency, n_tokens + a, local_of, n_local)
    for a in range(n_local):
        local_of[dependency.numbers[a]] = -1
    for a in range(n_linear):
        local_of[linear.numbers[a]] = -1
    return n_local, n_linear
