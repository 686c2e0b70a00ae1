"""Label-pair features of the all-paths kernel for many candidates at once, compiled.

Walks in the dependency subgraph go token -> arc -> token ..., so the sum over all walks is known once it is known
between tokens.  With B_ij = sum over arcs i -> j of (weight of the arc's two edges)^2 and S = (I - B)^-1,

    W[token i, token j] = S_ij - [i = j]          W[token i, arc e] = S[i, gov e] w_e
    W[arc d, token j]   = w_d S[dep d, j]         W[arc d, arc e]   = w_d S[dep d, gov e] w_e

S comes from back-substitution over the strongly connected components, last first: a component of one token
without a self-loop costs one addition of rows for each arc, a larger one a small dense elimination.  I - B is an
M-matrix, so the elimination needs no pivoting, and all its pivots are positive exactly if the spectral radius is
below 1: the check of convergence costs nothing extra.

In the linear subgraph W_ij = w^(j - i) for j > i.

G = L W L^T (sum) or its maximum form is collected in a dense matrix over the labels of the one candidate, which
are some sixty to a hundred, so that it stays in the cache.
"""

from __future__ import annotations

import numba
import numpy as np

#: An elimination pivot at or below this means a spectral radius of 1 or more, as near as rounding can tell.
PIVOT_FLOOR = 1e-12
_MARKS = 6  # kernels.labels.N_MARKS
_IN_PATH, _PLAIN, _UNPLACED, _FIRST_PLACE = 1, 0, 5, 2


@numba.njit(cache=True)
def components(governors, dependents, n_tokens):
    """Strongly connected components, sinks first (Tarjan, without recursion).

    Returns the tokens ordered by component and where each component starts.
    """
    first_arc = np.zeros(n_tokens + 1, np.int64)
    for g in governors:
        first_arc[g + 1] += 1
    first_arc = np.cumsum(first_arc)
    fill = first_arc[:-1].copy()
    targets = np.empty(len(governors), np.int64)
    for a in range(len(governors)):
        targets[fill[governors[a]]] = dependents[a]
        fill[governors[a]] += 1

    number = np.full(n_tokens, -1, np.int64)
    low = np.zeros(n_tokens, np.int64)
    on_stack = np.zeros(n_tokens, np.bool_)
    next_arc = first_arc[:-1].copy()
    stack, calls = np.empty(n_tokens, np.int64), np.empty(n_tokens, np.int64)
    order, starts = np.empty(n_tokens, np.int64), np.empty(n_tokens + 1, np.int64)
    counter = height = depth = n_ordered = n_components = 0
    for root in range(n_tokens):
        if number[root] >= 0:
            continue
        calls[0], depth = root, 1
        number[root] = low[root] = counter
        counter += 1
        stack[height], on_stack[root] = root, True
        height += 1
        while depth > 0:
            v = calls[depth - 1]
            if next_arc[v] < first_arc[v + 1]:
                u = targets[next_arc[v]]
                next_arc[v] += 1
                if number[u] < 0:
                    number[u] = low[u] = counter
                    counter += 1
                    stack[height], on_stack[u] = u, True
                    height += 1
                    calls[depth] = u
                    depth += 1
                elif on_stack[u]:
                    low[v] = min(low[v], number[u])
                continue
            depth -= 1
            if depth > 0:
                low[calls[depth - 1]] = min(low[calls[depth - 1]], low[v])
            if low[v] == number[v]:
                starts[n_components] = n_ordered
                n_components += 1
                u = -1
                while u != v:
                    height -= 1
                    u = stack[height]
                    on_stack[u] = False
                    order[n_ordered] = u
                    n_ordered += 1
    starts[n_components] = n_ordered
    return order, starts[: n_components + 1]


@numba.njit(cache=True)
def token_walks(governors, dependents, weights, n_tokens, order, starts, S):
    """Fill S[:n, :n] with (I - B)^-1; False if the sum over walks diverges."""
    S[:n_tokens, :n_tokens] = 0.0
    component = np.empty(n_tokens, np.int64)
    for c in range(len(starts) - 1):
        for k in range(starts[c], starts[c + 1]):
            component[order[k]] = c
    first_arc = np.zeros(n_tokens + 1, np.int64)
    for g in governors:
        first_arc[g + 1] += 1
    first_arc = np.cumsum(first_arc)
    fill = first_arc[:-1].copy()
    arcs = np.empty(len(governors), np.int64)
    for a in range(len(governors)):
        arcs[fill[governors[a]]] = a
        fill[governors[a]] += 1

    position = np.empty(n_tokens, np.int64)
    for c in range(len(starts) - 1):
        members = order[starts[c] : starts[c + 1]]
        size = len(members)
        cyclic = size > 1
        for k in range(size):
            position[members[k]] = k
        M = np.zeros((size, size))
        for k in range(size):
            i = members[k]
            M[k, k] += 1.0
            S[i, i] += 1.0
            for x in range(first_arc[i], first_arc[i + 1]):
                a = arcs[x]
                j = dependents[a]
                if component[j] == c:
                    M[k, position[j]] -= weights[a] * weights[a]
                    cyclic = True
                else:
                    S[i, :n_tokens] += weights[a] * weights[a] * S[j, :n_tokens]
        if cyclic and not _eliminate(M, members, S, n_tokens):
            return False
    return True


@numba.njit(cache=True)
def _eliminate(M, members, S, n_tokens):
    """Replace the rows ``members`` of S by M^-1 times them; False at a pivot that is not positive."""
    size = len(members)
    for k in range(size):
        if not M[k, k] > PIVOT_FLOOR:
            return False
        for i in range(k + 1, size):
            factor = M[i, k] / M[k, k]
            if factor != 0.0:
                M[i, k:] -= factor * M[k, k:]
                S[members[i], :n_tokens] -= factor * S[members[k], :n_tokens]
    for k in range(size - 1, -1, -1):
        S[members[k], :n_tokens] /= M[k, k]
        for i in range(k):
            S[members[i], :n_tokens] -= M[i, k] * S[members[k], :n_tokens]
    return True


@numba.njit(inline="always")
def _collect(G, stride, rows, columns, value, use_max):
    for a in rows:
        if a < 0:
            continue
        for b in columns:
            if b < 0:
                continue
            cell = a * stride + b
            if use_max:
                if value > G[cell]:
                    G[cell] = value
            else:
                G[cell] += value


@numba.njit(cache=True)
def _token_bases(words, role, blind_pos, out):
    """Base label numbers of a token: two for its words or roles, one for its part of speech; -1 is none."""
    out[:] = words
    if role != 0:
        out[0] = out[1] = -1
        if role & 1:
            out[0] = 0
        if role & 2:
            out[1] = 1
        if role & 4:
            out[0] = 2
        if blind_pos:
            out[2] = -1


@numba.njit(inline="always")
def _local(number, local_of, numbers, n_local):
    """Index of a label among those of this candidate, a new one if need be."""
    if local_of[number] < 0:
        local_of[number] = n_local
        numbers[n_local] = number
        n_local += 1
    return local_of[number], n_local


@numba.njit(cache=True)
def _emit(G, numbers, n_local, local_of, keys, values, n_out):
    """Append the cells of G that are not zero to the output, and clear G and local_of."""
    if n_out + n_local * n_local > len(keys):
        capacity = 2 * len(keys) + n_local * n_local
        new_keys, new_values = np.empty(capacity, np.uint64), np.empty(capacity)
        new_keys[:n_out], new_values[:n_out] = keys[:n_out], values[:n_out]
        keys, values = new_keys, new_values
    for a in range(n_local):
        high = np.uint64(numbers[a]) << np.uint64(32)
        for b in range(n_local):
            cell = a * n_local + b
            if G[cell] != 0.0:
                keys[n_out] = high | np.uint64(numbers[b])
                values[n_out] = G[cell]
                n_out += 1
                G[cell] = 0.0
        local_of[numbers[a]] = -1
    return keys, values, n_out


@numba.njit(cache=True)
def _dependency_cells(S, n_tokens, governors, dependents, weights, tokens, arcs, G, n_local, use_max, floor):
    """Collect W of the dependency subgraph; tokens (n, 3) and arcs (n,) are local label indices."""
    n_arcs = len(governors)
    for source in range(n_tokens + n_arcs):
        if source < n_tokens:
            row, scale, rows = S[source], 1.0, tokens[source]
        else:
            a = source - n_tokens
            row, scale, rows = S[dependents[a]], weights[a], arcs[a : a + 1]
        for j in range(n_tokens):
            value = scale * row[j]
            if source == j:
                value = row[j] - 1.0
            if value > 0.0 and value >= floor:
                _collect(G, n_local, rows, tokens[j], value, use_max)
        for e in range(n_arcs):
            value = scale * row[governors[e]] * weights[e]
            if value > 0.0 and value >= floor:
                _collect(G, n_local, rows, arcs[e : e + 1], value, use_max)


@numba.njit(cache=True)
def _linear_cells(n_tokens, powers, tokens, G, n_local, use_max, floor):
    """Collect W of the linear subgraph: weight^(j - i) between tokens i < j."""
    for i in range(n_tokens):
        for j in range(i + 1, n_tokens):
            value = powers[j - i]
            if value > 0.0 and value >= floor:
                _collect(G, n_local, tokens[i], tokens[j], value, use_max)


@numba.njit(cache=True)
def label_pairs(sentences, pairs, n_bases, in_path, other, linear, use_max, floor, blind_pos, mark_path, mark_place):
    """Label pairs and values of each candidate.

    ``sentences`` is (token_offsets, words (N, 3), arc_offsets, governors, dependents, types) and ``pairs`` is
    (sentence, token_offsets, roles, places, token_on_path, arc_offsets, arc_on_path, scale): flat arrays, cut at the
    offsets.  ``scale`` multiplies the dependency weights of a candidate.

    Returns indptr, keys ``source << 32 | target`` (label numbers), values, and whether each candidate diverged;
    one that did has no dependency features.
    """
    token_offsets, words, arc_offsets, all_governors, all_dependents, all_types = sentences
    sentence_of, role_offsets, roles, places, token_on_path, flag_offsets, arc_on_path, scales = pairs
    n_pairs = len(sentence_of)
    n_max, a_max = 1, 0
    for s in range(len(token_offsets) - 1):
        n_max = max(n_max, token_offsets[s + 1] - token_offsets[s])
        a_max = max(a_max, arc_offsets[s + 1] - arc_offsets[s])
    widest = 3 * n_max + a_max
    S = np.zeros((n_max, n_max))
    G = np.zeros(widest * widest)
    local_of = np.full(n_bases * _MARKS, -1, np.int64)
    numbers = np.empty(widest, np.int64)
    tokens, arcs = np.empty((n_max, 3), np.int64), np.empty(a_max, np.int64)
    bases = np.empty(3, np.int64)
    powers = linear ** np.arange(n_max).astype(np.float64)
    weights = np.empty(a_max)
    indptr = np.zeros(n_pairs + 1, np.int64)
    diverged = np.zeros(n_pairs, np.bool_)
    keys, values, n_out = np.empty(4096 * (n_pairs + 1) // 2, np.uint64), np.empty(4096 * (n_pairs + 1) // 2), 0
    previous = -1
    order, starts = np.empty(0, np.int64), np.zeros(1, np.int64)
    for p in range(n_pairs):
        s = sentence_of[p]
        t0, a0, r0, f0 = token_offsets[s], arc_offsets[s], role_offsets[p], flag_offsets[p]
        n_tokens, n_arcs = token_offsets[s + 1] - t0, arc_offsets[s + 1] - a0
        governors, dependents = all_governors[a0 : a0 + n_arcs], all_dependents[a0 : a0 + n_arcs]
        if s != previous:  # candidates of one sentence share its components
            order, starts = components(governors, dependents, n_tokens)
            previous = s

        n_local = 0
        for a in range(n_arcs):
            on_path = arc_on_path[f0 + a]
            weights[a] = scales[p] * (in_path if on_path else other)
            base = all_types[a0 + a]
            arcs[a] = -1
            if base >= 0:
                mark = _IN_PATH if on_path and mark_path else _PLAIN
                arcs[a], n_local = _local(base * _MARKS + mark, local_of, numbers, n_local)
        for t in range(n_tokens):
            _token_bases(words[t0 + t], roles[r0 + t], blind_pos, bases)
            mark = _IN_PATH if token_on_path[r0 + t] and mark_path else _PLAIN
            for k in range(3):
                tokens[t, k] = -1
                if bases[k] >= 0:
                    tokens[t, k], n_local = _local(bases[k] * _MARKS + mark, local_of, numbers, n_local)
        if n_arcs > 0:
            if token_walks(governors, dependents, weights[:n_arcs], n_tokens, order, starts, S):
                _dependency_cells(
                    S, n_tokens, governors, dependents, weights, tokens, arcs, G, n_local, use_max, floor
                )
            else:
                diverged[p] = True
        keys, values, n_out = _emit(G, numbers, n_local, local_of, keys, values, n_out)

        n_local = 0
        for t in range(n_tokens):
            _token_bases(words[t0 + t], roles[r0 + t], blind_pos, bases)
            mark = _FIRST_PLACE + places[r0 + t] if mark_place else _UNPLACED
            for k in range(3):
                tokens[t, k] = -1
                if bases[k] >= 0:
                    tokens[t, k], n_local = _local(bases[k] * _MARKS + mark, local_of, numbers, n_local)
        _linear_cells(n_tokens, powers, tokens, G, n_local, use_max, floor)
        keys, values, n_out = _emit(G, numbers, n_local, local_of, keys, values, n_out)
        indptr[p + 1] = n_out
    return indptr, keys[:n_out].copy(), values[:n_out].copy(), diverged
