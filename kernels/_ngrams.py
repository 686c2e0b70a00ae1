"""N-grams of candidates as 64-bit hashes, counted, compiled: along the sentence and along the shortest paths.

The hash of a name is folded over its words, so that n-grams need no strings:  h <- mix(h xor hash(word)).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compiling import compiled, inlined
from kernels.sentence_graphs import N_PLACES, PROT1
from kernels.vocabulary import GOLDEN, mix


class Orders(NamedTuple):
    """The lengths of n-grams that count."""

    shortest: int
    longest: int


class Counts(NamedTuple):
    """Distinct n-grams and how often each occurs; those of candidate p begin at ``indptr[p]``."""

    indptr: NDArray[np.int64]
    keys: NDArray[np.uint64]
    counts: NDArray[np.float64]


class ContextWords(NamedTuple):
    """Hashes: of the words of all sentences, one row per kind; of what stands for each combination of roles; and of
    what the names of n-grams start with, by kind and region.
    """

    hashes: NDArray[np.uint64]
    roles: NDArray[np.uint64]
    starts: NDArray[np.uint64]


class PathViews(NamedTuple):
    """Hashes of what tokens (one row per kind), arcs (forwards and backwards) and roles are seen as along a path.

    ``blind`` says in which kinds roles stand for tokens; ``start`` is the hash that names start with, ``lengths`` that
    of the name of each candidate's path length.
    """

    tokens: NDArray[np.uint64]
    roles: NDArray[np.uint64]
    blind: NDArray[np.bool_]
    arcs: NDArray[np.uint64]
    lengths: NDArray[np.uint64]
    start: np.uint64


class _Paths(NamedTuple):
    """The shortest paths of a candidate: how far from PROT1 each token lies (-1: off the paths), and the steps.

    A step is an arc that leads one level on: the tokens at its two ends, and its view in that direction.
    """

    level: NDArray[np.int64]
    ends: NDArray[np.int64]
    views: NDArray[np.uint64]


class _WorkLists(NamedTuple):
    """Lists that grow: n-grams that go on with a token (the token, its place in the n-gram) and their hashes so far,
    and the hashes of complete ones.
    """

    waiting: NDArray[np.int64]
    states: NDArray[np.uint64]
    grams: NDArray[np.uint64]


@inlined
def fold(state, word):
    """The hash of what ``state`` stands for, followed by the word."""
    return mix((state ^ word) + GOLDEN)


def fold_names(starts: NDArray[np.uint64], offsets: NDArray[np.int64], words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hash of each name: its start, then its words, which are flat and cut at ``offsets``; all names at a time."""
    hashes, lengths = starts.copy(), np.diff(offsets)
    for position in range(lengths.max(initial=0)):
        longer = np.flatnonzero(lengths > position)
        hashes[longer] = fold(hashes[longer], words[offsets[longer] + position])
    return hashes


@compiled
def _ensure_capacity(array, needed):
    """The array, or a larger one that begins with it."""
    if needed <= len(array):
        return array
    larger = np.empty(max(needed, 2 * len(array)), array.dtype)
    for i in range(len(array)):  # written out, as below: assigning a slice would take as long to compile as all of this
        larger[i] = array[i]
    return larger


@inlined
def _append_counts(grams, n_grams, keys, counts, n_out):
    """The distinct ones of the first ``n_grams`` hashes and how often each occurs."""
    # equal hashes stand side by side once they are sorted: ordered[at:end] are those of one n-gram
    ordered = np.sort(grams[:n_grams])
    at = 0
    while at < n_grams:
        end = at + 1
        while end < n_grams and ordered[end] == ordered[at]:
            end += 1
        keys[n_out], counts[n_out] = ordered[at], end - at
        n_out += 1
        at = end
    return n_out


@compiled
def context_counts(sentences, candidates, words, orders):
    """Count the n-grams of the words of each region: one row per candidate, flat in :class:`Counts`.

    ``sentences`` and ``candidates`` are those of a :class:`~kernels.scoring.Batch`.
    """
    n_pairs, n_kinds = len(candidates.sentence_of), words.hashes.shape[0]
    indptr = np.zeros(n_pairs + 1, np.int64)
    keys, counts = np.empty(1024, np.uint64), np.empty(1024, np.float64)
    grams, region = np.empty(1024, np.uint64), np.empty(16, np.uint64)
    n_out = 0
    for p in range(n_pairs):
        # t0: where the sentence's words begin, which its candidates share; r0: where the pair's own arrays do
        t0, r0 = sentences.token_offsets[candidates.sentence_of[p]], candidates.token_offsets[p]
        n_tokens = candidates.token_offsets[p + 1] - r0
        # at each token starts at most one n-gram of each length
        grams = _ensure_capacity(grams, n_kinds * (orders.longest - orders.shortest + 1) * n_tokens)
        region = _ensure_capacity(region, n_tokens)
        n_grams = 0
        for kind in range(n_kinds):
            for place in range(N_PLACES):
                # the blinded words of the region, as if they stood side by side
                length = 0
                for t in range(n_tokens):
                    if candidates.places[r0 + t] == place:
                        role = candidates.roles[r0 + t]
                        region[length] = words.roles[role] if role else words.hashes[kind, t0 + t]
                        length += 1
                # an n-gram's hash is that of the one shorter by a word, folded once more
                for first in range(length):
                    state = words.starts[kind, place]
                    for last in range(first, min(first + orders.longest, length)):
                        state = fold(state, region[last])
                        if last - first + 1 >= orders.shortest:
                            grams[n_grams] = state
                            n_grams += 1
        keys, counts = _ensure_capacity(keys, n_out + n_grams), _ensure_capacity(counts, n_out + n_grams)
        n_out = _append_counts(grams, n_grams, keys, counts, n_out)
        indptr[p + 1] = n_out
    return Counts(indptr, keys[:n_out], counts[:n_out])


@compiled
def _walk_paths(sentences, candidates, p, arc_views):
    """Walk along the shortest paths of candidate ``p`` from PROT1 on, one level of distance after the other."""
    # breadth first over the arcs that are on some shortest path; each is a step once, in the direction away from PROT1
    s, r0, f0 = candidates.sentence_of[p], candidates.token_offsets[p], candidates.arc_offsets[p]
    a0, n_arcs = sentences.arc_offsets[s], sentences.arc_offsets[s + 1] - sentences.arc_offsets[s]
    level = np.empty(candidates.token_offsets[p + 1] - r0, np.int64)
    ends, views = np.empty((2 * n_arcs, 2), np.int64), np.empty(2 * n_arcs, np.uint64)
    reached = 0
    for t in range(len(level)):
        level[t] = 0 if candidates.token_on_path[r0 + t] and candidates.roles[r0 + t] & PROT1 else -1
        reached += level[t] == 0
    depth = n_steps = 0
    while reached > 0:  # all tokens up to ``depth`` steps from PROT1 have their level
        reached = 0
        for a in range(n_arcs):
            if candidates.arc_on_path[f0 + a]:
                for way in range(2):
                    governor, dependent = sentences.governors[a0 + a], sentences.dependents[a0 + a]
                    here = governor if way == 0 else dependent
                    there = dependent if way == 0 else governor
                    # an arc of a shortest path leads one level on; parallel ones are steps of their own
                    if level[here] == depth and (level[there] < 0 or level[there] == depth + 1):
                        reached += level[there] < 0
                        level[there] = depth + 1
                        ends[n_steps, 0], ends[n_steps, 1], views[n_steps] = here, there, arc_views[way, a0 + a]
                        n_steps += 1
        depth += 1
    return _Paths(level, ends[:n_steps], views[:n_steps])


@compiled
def _path_grams(paths, token_views, start, orders, work):  # noqa: C901 - compiled as one loop
    """The hashes of all n-grams of tokens and arcs in turn, along the paths: the work lists, and how many they hold.

    A token has several views (one per kind) and a path may branch, so that one n-gram of places gives many of hashes.
    """
    level, ends, arc_views = paths.level, paths.ends, paths.views
    waiting, states, grams = work.waiting, work.states, work.grams
    shortest, longest = orders.shortest, orders.longest
    n_steps = len(ends)
    n_waiting = n_grams = 0
    needed = len(level) + n_steps
    while len(states) < needed:
        waiting, states = _double_rows(waiting), _ensure_capacity(states, 2 * len(states))
    # an n-gram begins with a token ...
    for t in range(len(level)):
        if level[t] >= 0:
            waiting[n_waiting, 0], waiting[n_waiting, 1], states[n_waiting] = t, 1, start
            n_waiting += 1
    # ... or with an arc, and goes on with the token that it leads to
    for s in range(n_steps):
        state = fold(start, arc_views[s])
        grams = _ensure_capacity(grams, n_grams + 1)
        if shortest <= 1:
            grams[n_grams] = state
            n_grams += 1
        if longest > 1:
            waiting[n_waiting, 0], waiting[n_waiting, 1], states[n_waiting] = ends[s, 1], 2, state
            n_waiting += 1
    # Every n-gram ends once: it is taken from the list with each view of its next token, counted, and put back
    # longer by that token and each arc that leads on.  Levels only grow, so that the walk ends.
    while n_waiting > 0:
        n_waiting -= 1
        t, number, state = waiting[n_waiting, 0], waiting[n_waiting, 1], states[n_waiting]
        for kind in range(token_views.shape[0]):
            here = fold(state, token_views[kind, t])
            grams = _ensure_capacity(grams, n_grams + 1 + n_steps)
            if number >= shortest:
                grams[n_grams] = here
                n_grams += 1
            if number == longest:
                continue
            for s in range(n_steps):
                if ends[s, 0] == t:
                    ahead = fold(here, arc_views[s])
                    if number + 1 >= shortest:
                        grams[n_grams] = ahead
                        n_grams += 1
                    if number + 1 < longest:
                        if n_waiting == len(states):
                            waiting, states = _double_rows(waiting), _ensure_capacity(states, 2 * len(states))
                        waiting[n_waiting, 0], waiting[n_waiting, 1] = ends[s, 1], number + 2
                        states[n_waiting] = ahead
                        n_waiting += 1
    return _WorkLists(waiting, states, grams), n_grams


@compiled
def _double_rows(waiting):
    larger = np.empty((2 * len(waiting), 2), np.int64)
    for i in range(len(waiting)):
        larger[i, 0], larger[i, 1] = waiting[i, 0], waiting[i, 1]
    return larger


@compiled
def _blind_views(views, tokens, roles):
    """What the tokens of one candidate are seen as: its roles instead of words, where they are blinded."""
    token_views = views.tokens[:, tokens].copy()
    for kind in range(len(token_views)):
        for t in range(len(roles)):
            if roles[t] and views.blind[kind]:
                token_views[kind, t] = views.roles[kind, roles[t]]
    return token_views


@compiled
def path_counts(sentences, candidates, views, orders):
    """Count the n-grams along the shortest paths, and the path's length: one row per candidate, as :class:`Counts`.

    ``sentences`` and ``candidates`` are those of a :class:`~kernels.scoring.Batch`.
    """
    n_pairs = len(candidates.sentence_of)
    indptr = np.zeros(n_pairs + 1, np.int64)
    keys, counts = np.empty(1024, np.uint64), np.empty(1024, np.float64)
    work = _WorkLists(np.empty((256, 2), np.int64), np.empty(256, np.uint64), np.empty(1024, np.uint64))
    n_out = 0
    for p in range(n_pairs):
        s = candidates.sentence_of[p]
        roles = candidates.roles[candidates.token_offsets[p] : candidates.token_offsets[p + 1]]
        tokens = slice(sentences.token_offsets[s], sentences.token_offsets[s + 1])
        paths = _walk_paths(sentences, candidates, p, views.arcs)
        work, n_grams = _path_grams(paths, _blind_views(views, tokens, roles), views.start, orders, work)
        grams = _ensure_capacity(work.grams, n_grams + 1)
        grams[n_grams] = views.lengths[p]
        n_grams += 1
        keys, counts = _ensure_capacity(keys, n_out + n_grams), _ensure_capacity(counts, n_out + n_grams)
        n_out = _append_counts(grams, n_grams, keys, counts, n_out)
        indptr[p + 1] = n_out
    return Counts(indptr, keys[:n_out], counts[:n_out])
