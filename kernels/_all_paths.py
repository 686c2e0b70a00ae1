"""Rows of the all-paths kernel's feature matrix for many candidates at once, compiled.

W of the dependency subgraph comes from :mod:`kernels._token_walks`; in the linear one W_ij = w^(j - i) for j > i.
G = L W L^T (sum) or its maximum form is collected in a dense matrix over the labels of the one candidate, which
are some sixty to a hundred, so that it stays in the fast cache.  Candidates of one sentence have most label pairs
in common: the column of a pair is looked up once for each sentence and kept in ``memo``.
"""

from __future__ import annotations

import numba
import numpy as np

from kernels._token_walks import components, outgoing, token_walks
from kernels.vocabulary import find_column

_MARKS = 6  # kernels.labels.N_MARKS
_PLAIN, _IN_PATH, _FIRST_PLACE, _UNPLACED = 0, 1, 2, 5
_NOT_ASKED, _UNKNOWN = -2, -1


@numba.njit(inline="always")
def _collect(G, n_local, labels, n_labels, source, target, value, use_max):
    """Add ``value`` to, or raise to it, the cells of all pairs of a label of the source with one of the target."""
    for a in range(n_labels[source]):
        row = labels[source, a] * n_local
        for b in range(n_labels[target]):
            cell = row + labels[target, b]
            if use_max:
                G[cell] = max(G[cell], value)
            else:
                G[cell] += value


@numba.njit(inline="always")
def _add_label(base, mark, labels, n_labels, local_of, numbers, n_local):
    """Append a label, if there is one, to a vertex's list of indices among the candidate's labels."""
    if base >= 0:
        number = base * _MARKS + mark
        if local_of[number] < 0:
            local_of[number] = n_local
            numbers[n_local] = number
            n_local += 1
        labels[n_labels] = local_of[number]
        n_labels += 1
    return n_labels, n_local


@numba.njit(inline="always")
def _label_token(words, role, mark, blind_pos, labels, local_of, numbers, n_local):
    """Label a token with its words, or its roles instead, and its part of speech."""
    n = 0
    if role == 0:
        n, n_local = _add_label(words[0], mark, labels, n, local_of, numbers, n_local)
        n, n_local = _add_label(words[1], mark, labels, n, local_of, numbers, n_local)
    for bit in range(3):
        if role & (1 << bit):
            n, n_local = _add_label(bit, mark, labels, n, local_of, numbers, n_local)
    if role == 0 or not blind_pos:
        n, n_local = _add_label(words[2], mark, labels, n, local_of, numbers, n_local)
    return n, n_local


@numba.njit(cache=True)
def _dependency_cells(S, dependents, first, arcs, weights, labels, n_labels, G, n_local, use_max, floor):
    """Collect W of the dependency subgraph; the labels of arcs come after those of tokens."""
    n_tokens, n_arcs = len(first) - 1, len(arcs)
    reached = np.empty((n_tokens, n_tokens), np.int32)
    n_reached = np.zeros(n_tokens, np.int64)
    for i in range(n_tokens):
        for j in range(n_tokens):
            reached[i, n_reached[i]] = j
            n_reached[i] += S[i, j] > 0.0
    for source in range(n_tokens + n_arcs):
        # A walk from an arc goes on from its dependent.
        row = source if source < n_tokens else dependents[source - n_tokens]
        scale = 1.0 if source < n_tokens else weights[source - n_tokens]
        for r in range(n_reached[row]):
            j = reached[row, r]
            walks = scale * S[row, j]
            value = walks - 1.0 if source == j else walks
            if value > 0.0 and value >= floor:
                _collect(G, n_local, labels, n_labels, source, j, value, use_max)
            for x in range(first[j], first[j + 1]):
                value = walks * weights[arcs[x]]
                if value > 0.0 and value >= floor:
                    _collect(G, n_local, labels, n_labels, source, n_tokens + arcs[x], value, use_max)


@numba.njit(cache=True)
def _linear_cells(n_tokens, powers, labels, n_labels, G, n_local, use_max, floor):
    """Collect W of the linear subgraph: weight^(j - i) between tokens i < j.

    Far pairs come first and the weight is at most 1, so the last value written to a cell is its maximum.
    """
    for distance in range(n_tokens - 1, 0, -1):
        value = powers[distance]
        if not (value > 0.0 and value >= floor):
            continue
        for i in range(n_tokens - distance):
            j = i + distance
            if use_max:
                for a in range(n_labels[i]):
                    row = labels[i, a] * n_local
                    for b in range(n_labels[j]):
                        G[row + labels[j, b]] = value
            else:
                _collect(G, n_local, labels, n_labels, i, j, value, use_max)


@numba.njit(cache=True)
def _index_bases(words, types, index_of, bases, n_bases):
    """Number the distinct words, types and roles of one sentence; ``bases`` lists those of the one before."""
    for b in range(n_bases):
        index_of[bases[b]] = -1
    n_bases = 3
    for b in range(3):
        bases[b] = index_of[b] = b
    for base in words.ravel():
        if base >= 0 and index_of[base] < 0:
            index_of[base] = n_bases
            bases[n_bases] = base
            n_bases += 1
    for base in types:
        if base >= 0 and index_of[base] < 0:
            index_of[base] = n_bases
            bases[n_bases] = base
            n_bases += 1
    return n_bases


@numba.njit(cache=True)
def _emit(G, numbers, n_local, index_of, memo, side, vocabulary, n_keys, columns, values, n_out):
    """Append the cells of G that are not zero to the row, and clear G.

    ``memo`` is a square of ``side`` columns, indexed by 3 times the word's number in the sentence plus the mark's
    number in the subgraph.
    """
    table, keys, grow = vocabulary
    places = np.empty(n_local, np.int64)
    for a in range(n_local):
        mark = numbers[a] % _MARKS
        places[a] = 3 * index_of[numbers[a] // _MARKS] + (mark if mark < _FIRST_PLACE else (mark - 2) % 3)
    for a in range(n_local):
        high = np.uint64(numbers[a]) << np.uint64(32)
        row = places[a] * side
        for b in range(n_local):
            value = G[a * n_local + b]
            if value != 0.0:
                G[a * n_local + b] = 0.0
                column = memo[row + places[b]]
                if column == _NOT_ASKED:
                    found, n_keys = find_column(high | np.uint64(numbers[b]), table, keys, n_keys, grow)
                    column = memo[row + places[b]] = np.int32(found)
                if column != _UNKNOWN:
                    columns[n_out], values[n_out] = column, value
                    n_out += 1
    return n_keys, n_out


@numba.njit(cache=True)
def _widest(sentence_of, token_offsets, arc_offsets):
    """Most tokens, and most arcs, of a sentence."""
    n_max, a_max = 1, 0
    for s in sentence_of:
        n_max = max(n_max, token_offsets[s + 1] - token_offsets[s])
        a_max = max(a_max, arc_offsets[s + 1] - arc_offsets[s])
    return n_max, a_max


@numba.njit(cache=True)
def _forget(numbers, n_local, local_of):
    for a in range(n_local):
        local_of[numbers[a]] = -1


@numba.njit(cache=True)
def append_rows(sentences, pairs, start, n_bases, weighting, marking, vocabulary, output):
    """Append the rows of the candidates from ``start`` on to a CSR matrix while there is room for them.

    Parameters
    ----------
    sentences
        (token_offsets, words (N, 3), arc_offsets, governors, dependents, types): flat arrays cut at the offsets.
    pairs
        (sentence, token_offsets, roles, places, token_on_path, arc_offsets, arc_on_path, scale); ``scale``
        multiplies the dependency weights of a candidate.
    weighting
        (in_path, other, linear, floor, use_max), the weights at most 1.
    marking
        (blind_pos, mark_path, mark_place).
    vocabulary
        (table, keys, n_keys, grow).
    output
        (indptr, columns, values); row p of the matrix ends at indptr[p + 1].

    Returns
    -------
    The first candidate not done, the number of keys, and why it stopped there: the room that the candidate may
    need for entries and keys, or 0 if its sum over walks diverges.
    """
    token_offsets, words, arc_offsets, all_governors, all_dependents, all_types = sentences
    sentence_of, role_offsets, roles, places, token_on_path, flag_offsets, arc_on_path, scales = pairs
    in_path, other, linear, floor, use_max = weighting
    blind_pos, mark_path, mark_place = marking
    table, keys, n_keys, grow = vocabulary
    lookup = (table, keys, grow)
    indptr, columns, values = output
    n_max, a_max = _widest(sentence_of[start:], token_offsets, arc_offsets)
    width = 3 * n_max + a_max
    S, G = np.zeros((n_max, n_max)), np.zeros(1)
    # Labels of the two subgraphs differ in their marks, so one table finds the place of both.
    local_of = np.full(n_bases * _MARKS, -1, np.int32)
    numbers, linear_numbers = np.empty(width, np.int64), np.empty(3 * n_max, np.int64)
    labels, n_labels = np.empty((n_max + a_max, 3), np.int32), np.empty(n_max + a_max, np.int64)
    linear_labels, n_linear_labels = np.empty((n_max, 3), np.int32), np.empty(n_max, np.int64)
    powers = linear ** np.arange(n_max).astype(np.float64)
    weights = np.empty(a_max)
    index_of, sentence_bases, n_sentence = np.full(n_bases, -1, np.int64), np.empty(width + 3, np.int64), 0
    dependency_memo, linear_memo, side = np.empty(1, np.int32), np.empty(1, np.int32), 0
    previous = -1
    n_out = indptr[start]
    first, arcs = outgoing(all_governors[:0], 0)
    order, starts, component = components(all_dependents[:0], first, arcs)
    for p in range(start, len(sentence_of)):
        s = sentence_of[p]
        t0, a0, r0, f0 = token_offsets[s], arc_offsets[s], role_offsets[p], flag_offsets[p]
        n_tokens, n_arcs = token_offsets[s + 1] - t0, arc_offsets[s + 1] - a0
        dependents = all_dependents[a0 : a0 + n_arcs]
        if s != previous:  # candidates of one sentence share its components and columns
            first, arcs = outgoing(all_governors[a0 : a0 + n_arcs], n_tokens)
            order, starts, component = components(dependents, first, arcs)
            n_sentence = _index_bases(
                words[t0 : t0 + n_tokens], all_types[a0 : a0 + n_arcs], index_of, sentence_bases, n_sentence
            )
            side, previous = 3 * n_sentence, s
            if side * side > len(linear_memo):
                dependency_memo, linear_memo = np.empty(side * side, np.int32), np.empty(side * side, np.int32)
            dependency_memo[: side * side] = _NOT_ASKED
            linear_memo[: side * side] = _NOT_ASKED

        n_local = n_linear = 0
        for t in range(n_tokens):
            mark = _IN_PATH if token_on_path[r0 + t] and mark_path else _PLAIN
            n_labels[t], n_local = _label_token(
                words[t0 + t], roles[r0 + t], mark, blind_pos, labels[t], local_of, numbers, n_local
            )
            mark = _FIRST_PLACE + places[r0 + t] if mark_place else _UNPLACED
            n_linear_labels[t], n_linear = _label_token(
                words[t0 + t], roles[r0 + t], mark, blind_pos, linear_labels[t], local_of, linear_numbers, n_linear
            )
        for a in range(n_arcs):
            on_path, v = arc_on_path[f0 + a], n_tokens + a
            weights[a] = scales[p] * (in_path if on_path else other)
            mark = _IN_PATH if on_path and mark_path else _PLAIN
            n_labels[v], n_local = _add_label(all_types[a0 + a], mark, labels[v], 0, local_of, numbers, n_local)
        _forget(numbers, n_local, local_of)
        _forget(linear_numbers, n_linear, local_of)

        needed = n_local * n_local + n_linear * n_linear
        if n_out + needed > len(columns) or (grow and n_keys + needed > len(keys)):
            return p, n_keys, needed
        if max(n_local, n_linear) ** 2 > len(G):
            G = np.zeros(max(n_local, n_linear) ** 2)
        if n_arcs > 0:
            if not token_walks(dependents, weights, first, arcs, order, starts, component, S):
                return p, n_keys, 0
            _dependency_cells(S, dependents, first, arcs, weights, labels, n_labels, G, n_local, use_max, floor)
            n_keys, n_out = _emit(
                G, numbers, n_local, index_of, dependency_memo, side, lookup, n_keys, columns, values, n_out
            )
        _linear_cells(n_tokens, powers, linear_labels, n_linear_labels, G, n_linear, use_max, floor)
        n_keys, n_out = _emit(
            G, linear_numbers, n_linear, index_of, linear_memo, side, lookup, n_keys, columns, values, n_out
        )
        indptr[p + 1] = n_out
    return len(sentence_of), n_keys, 0
