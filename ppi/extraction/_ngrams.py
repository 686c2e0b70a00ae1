"""N-grams of candidates as 64-bit hashes, counted, compiled: along the sentence and along the shortest paths.

The hash of a name is folded over its words, so that n-grams need no strings:  h <- mix(h xor hash(word)).
"""

from __future__ import annotations

import numba
import numpy as np

from kernels.vocabulary import mix

_REGIONS = 3


@numba.njit(inline="always")
def fold(state, word):
    """The hash of what ``state`` stands for, followed by the word."""
    return mix((state ^ word) + np.uint64(0x9E3779B97F4A7C15))


@numba.njit(cache=True)
def fold_names(starts, offsets, words):
    """The hash of each name: its start, then its words, which are flat and cut at ``offsets``."""
    hashes = np.empty(len(starts), np.uint64)
    for i in range(len(starts)):
        state = starts[i]
        for j in range(offsets[i], offsets[i + 1]):
            state = fold(state, words[j])
        hashes[i] = state
    return hashes


@numba.njit(cache=True)
def weigh(indptr, columns, values, weights):
    """For each row <w, x> and <x, x>; a column of -1 has no weight."""
    n_rows = len(indptr) - 1
    products, squares = np.zeros(n_rows), np.zeros(n_rows)
    for row in range(n_rows):
        for at in range(indptr[row], indptr[row + 1]):
            value = values[at]
            squares[row] += value * value
            if columns[at] >= 0:
                products[row] += value * weights[columns[at]]
    return products, squares


@numba.njit(cache=True)
def weigh_counts(indptr, columns, counts, weights):
    """As :func:`weigh`, of whole counts, which are added up in the order of the columns.

    Rows come in the order of their hashes, which differs between processes, and so would the last bits of the sums.
    """
    n_rows = len(indptr) - 1
    products, squares = np.zeros(n_rows), np.zeros(n_rows)
    known = np.empty(1024, np.int64)
    for row in range(n_rows):
        known = _room(known, indptr[row + 1] - indptr[row])
        n_known = 0
        for at in range(indptr[row], indptr[row + 1]):
            squares[row] += counts[at] * counts[at]
            if columns[at] >= 0:
                known[n_known] = np.int64(columns[at]) << 32 | np.int64(counts[at])
                n_known += 1
        for one in np.sort(known[:n_known]):
            products[row] += np.float64(one & 0xFFFFFFFF) * weights[one >> 32]
    return products, squares


@numba.njit(cache=True)
def _room(array, needed):
    if needed <= len(array):
        return array
    larger = np.empty(max(needed, 2 * len(array)), array.dtype)
    larger[: len(array)] = array
    return larger


@numba.njit(inline="always")
def _append_counts(found, n_found, keys, counts, n_out):
    """The distinct ones of the first ``n_found`` hashes and how often each occurs."""
    ordered = np.sort(found[:n_found])
    at = 0
    while at < n_found:
        end = at + 1
        while end < n_found and ordered[end] == ordered[at]:
            end += 1
        keys[n_out], counts[n_out] = ordered[at], end - at
        n_out += 1
        at = end
    return n_out


@numba.njit(cache=True)
def context_counts(
    sentence_of, token_offsets, words, pair_offsets, roles, places, role_words, starts, shortest, longest
):
    """N-grams of the words of each region: (indptr, hashes, counts), a row a candidate.

    ``words`` has a row for each kind over the tokens of all sentences, ``starts`` a hash for (kind, region).
    """
    n_pairs, n_kinds = len(sentence_of), words.shape[0]
    indptr = np.zeros(n_pairs + 1, np.int64)
    keys, counts = np.empty(1024, np.uint64), np.empty(1024, np.float64)
    found, region = np.empty(1024, np.uint64), np.empty(16, np.uint64)
    n_out = 0
    for p in range(n_pairs):
        t0, r0 = token_offsets[sentence_of[p]], pair_offsets[p]
        n_tokens = pair_offsets[p + 1] - r0
        found = _room(found, n_kinds * (longest - shortest + 1) * n_tokens)
        region = _room(region, n_tokens)
        n_found = 0
        for kind in range(n_kinds):
            for place in range(_REGIONS):
                length = 0
                for t in range(n_tokens):
                    if places[r0 + t] == place:
                        role = roles[r0 + t]
                        region[length] = role_words[role] if role else words[kind, t0 + t]
                        length += 1
                for first in range(length):
                    state = starts[kind, place]
                    for last in range(first, min(first + longest, length)):
                        state = fold(state, region[last])
                        if last - first + 1 >= shortest:
                            found[n_found] = state
                            n_found += 1
        keys, counts = _room(keys, n_out + n_found), _room(counts, n_out + n_found)
        n_out = _append_counts(found, n_found, keys, counts, n_out)
        indptr[p + 1] = n_out
    return indptr, keys[:n_out], counts[:n_out]


@numba.njit(cache=True)
def _path_steps(governors, dependents, on_path, roles, token_on_path, arc_views, level, steps, views):
    """Walk along the shortest paths from PROT1 on.

    Fills ``level``, how far along each token lies (-1: off the paths), and lists the arcs that lead one level on:
    ``steps`` (from, to) with the arc's view in that direction.  Returns how many there are.
    """
    reached = 0
    for t in range(len(level)):
        level[t] = 0 if token_on_path[t] and roles[t] & 1 else -1
        reached += level[t] == 0
    depth = n_steps = 0
    while reached > 0:
        reached = 0
        for a in range(len(governors)):
            if on_path[a]:
                for way in range(2):
                    here = governors[a] if way == 0 else dependents[a]
                    there = dependents[a] if way == 0 else governors[a]
                    if level[here] == depth and (level[there] < 0 or level[there] == depth + 1):
                        reached += level[there] < 0
                        level[there] = depth + 1
                        steps[n_steps, 0], steps[n_steps, 1], views[n_steps] = here, there, arc_views[way, a]
                        n_steps += 1
        depth += 1
    return n_steps


@numba.njit(cache=True)
def _path_grams(start, shortest, longest, level, steps, step_views, n_steps, token_views, waiting, states, found):
    """The hashes of all stretches of up to ``longest`` tokens and arcs; (found, how many, the two work lists)."""
    n_waiting = n_found = 0  # stretches that go on with a token: (token, its step's number), and their hash so far
    needed = len(level) + n_steps
    while len(states) < needed:
        waiting, states = _longer(waiting), _room(states, 2 * len(states))
    for t in range(len(level)):
        if level[t] >= 0:
            waiting[n_waiting, 0], waiting[n_waiting, 1], states[n_waiting] = t, 1, start
            n_waiting += 1
    for s in range(n_steps):
        state = fold(start, step_views[s])
        found = _room(found, n_found + 1)
        if shortest <= 1:
            found[n_found] = state
            n_found += 1
        if longest > 1:
            waiting[n_waiting, 0], waiting[n_waiting, 1], states[n_waiting] = steps[s, 1], 2, state
            n_waiting += 1
    while n_waiting > 0:
        n_waiting -= 1
        t, number, state = waiting[n_waiting, 0], waiting[n_waiting, 1], states[n_waiting]
        for kind in range(token_views.shape[0]):
            here = fold(state, token_views[kind, t])
            found = _room(found, n_found + 1 + n_steps)
            if number >= shortest:
                found[n_found] = here
                n_found += 1
            if number == longest:
                continue
            for s in range(n_steps):
                if steps[s, 0] == t:
                    ahead = fold(here, step_views[s])
                    if number + 1 >= shortest:
                        found[n_found] = ahead
                        n_found += 1
                    if number + 1 < longest:
                        if n_waiting == len(states):
                            waiting, states = _longer(waiting), _room(states, 2 * len(states))
                        waiting[n_waiting, 0], waiting[n_waiting, 1] = steps[s, 1], number + 2
                        states[n_waiting] = ahead
                        n_waiting += 1
    return found, n_found, waiting, states


@numba.njit(cache=True)
def _longer(waiting):
    larger = np.empty((2 * len(waiting), 2), np.int64)
    larger[: len(waiting)] = waiting
    return larger


@numba.njit(cache=True)
def path_counts(sentences, pairs, role_views, lengths, start, shortest, longest):
    """N-grams along the shortest paths, and the path's length: (indptr, hashes, counts), a row a candidate.

    ``sentences`` is (token_offsets, views (kinds, N), blind (kinds), arc_offsets, governors, dependents,
    arc_views (2, M)), ``pairs`` (sentence, token_offsets, roles, token_on_path, arc_offsets, arc_on_path);
    ``role_views`` has a row for each kind, ``lengths`` the hash of each candidate's length.
    """
    token_offsets, all_views, blind, arc_offsets, all_governors, all_dependents, all_arc_views = sentences
    sentence_of, pair_offsets, all_roles, all_token_on_path, flag_offsets, all_on_path = pairs
    n_pairs, n_kinds = len(sentence_of), all_views.shape[0]
    indptr = np.zeros(n_pairs + 1, np.int64)
    keys, counts = np.empty(1024, np.uint64), np.empty(1024, np.float64)
    found, waiting, states = np.empty(1024, np.uint64), np.empty((256, 2), np.int64), np.empty(256, np.uint64)
    n_out = 0
    for p in range(n_pairs):
        s, r0 = sentence_of[p], pair_offsets[p]
        t0, a0, n_tokens = token_offsets[s], arc_offsets[s], pair_offsets[p + 1] - r0
        a1 = arc_offsets[s + 1]
        roles = all_roles[r0 : r0 + n_tokens]
        level = np.empty(n_tokens, np.int64)
        steps, step_views = np.empty((2 * (a1 - a0), 2), np.int64), np.empty(2 * (a1 - a0), np.uint64)
        n_steps = _path_steps(
            all_governors[a0:a1],
            all_dependents[a0:a1],
            all_on_path[flag_offsets[p] : flag_offsets[p + 1]],
            roles,
            all_token_on_path[r0 : r0 + n_tokens],
            all_arc_views[:, a0:a1],
            level,
            steps,
            step_views,
        )
        views = all_views[:, t0 : t0 + n_tokens].copy()
        for kind in range(n_kinds):
            for t in range(n_tokens):
                if roles[t] and blind[kind]:
                    views[kind, t] = role_views[kind, roles[t]]
        found, n_found, waiting, states = _path_grams(
            start, shortest, longest, level, steps, step_views, n_steps, views, waiting, states, found
        )
        found = _room(found, n_found + 1)
        found[n_found] = lengths[p]
        n_found += 1
        keys, counts = _room(keys, n_out + n_found), _room(counts, n_out + n_found)
        n_out = _append_counts(found, n_found, keys, counts, n_out)
        indptr[p + 1] = n_out
    return indptr, keys[:n_out], counts[:n_out]
