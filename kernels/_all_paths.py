"""Rows of the all-paths kernel's feature matrix for many candidates at once, compiled.

First the labels of a candidate's vertices are written as numbers.  W of the dependency subgraph comes from
:mod:`kernels._token_walks`; in the linear one W_ij = w^(j - i) for j > i.  G = L W L^T (sum) or its maximum form is
collected in a dense matrix over the labels of the one candidate, which are some sixty to a hundred, so that it stays in
the fast cache.  Candidates of one sentence have most label pairs in common: the column of a pair is looked up once per
sentence and kept in a memo.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels._token_walks import analyse_parse, fill_token_walks
from kernels.compiling import compiled, inlined
from kernels.labels import N_MARKS
from kernels.vocabulary import find_column

#: Marks (:data:`kernels.labels.MARKS`) of the dependency subgraph, then the first and last of the linear one.
PLAIN, IN_PATH, FIRST_PLACE, UNPLACED = 0, 1, 2, 5
#: Labels that a token can have at most: text, lemma, part of speech; or three roles.
TOKEN_LABELS = 3
#: The roles are the bases 0, 1 and 2 (:data:`kernels.labels.ROLES`).
N_ROLES = 3
#: Marks that occur in one subgraph and one run: "" and IP; B, M and A; or only L.
_SUBGRAPH_MARKS = 3
_NOT_LOOKED_UP, _UNKNOWN = -2, -1


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
        number = base * N_MARKS + mark  # as in :mod:`kernels.labels`
        if local_of[number] < 0:  # first met in this candidate
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
    # names are replaced by PROT1, PROT2 or PROT [Airola2008, "Graph encoding of sentence structure"]
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
    # only what was set is reset: the table has an entry for every label of the vocabulary
    for a in range(n_local):
        local_of[dependency.numbers[a]] = -1
    for a in range(n_linear):
        local_of[linear.numbers[a]] = -1
    return n_local, n_linear


class WalkSettings(NamedTuple):
    """Parameters of the kernel: the edge weights are at most 1, and entries of W below ``floor`` are left out."""

    in_path_weight: float
    other_weight: float
    linear_weight: float
    floor: float
    use_max: bool
    blind_pos: bool
    mark_path: bool
    mark_place: bool


class Rows(NamedTuple):
    """A CSR matrix that is being filled: row p ends at ``indptr[p + 1]``."""

    indptr: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]


class Progress(NamedTuple):
    """The first candidate not done, the number of keys, and why it stopped there.

    ``needed`` is the space that the candidate may need for entries and keys, or 0 if its sum over walks diverges.
    """

    candidate: int
    n_keys: int
    needed: int


class _Memo(NamedTuple):
    """Columns of the label pairs of one subgraph of one sentence: a square of ``side`` rows, flat.

    A label's row is _SUBGRAPH_MARKS times ``index_of`` its base in the sentence, plus the place of its mark.
    """

    columns: NDArray[np.int32]
    index_of: NDArray[np.int64]
    side: int


@inlined
def _collect(G, n_local, labels, n_labels, source, target, value, use_max):
    """Add ``value`` to, or raise to it, the cells of all pairs of a label of the source with one of the target."""
    # G_ij = sum_kl L_ik W_kl L_jl or max_kl L_ik W_kl L_jl [erratum of Airola2008, eqs. 1, 2]: value is one W_kl, L is
    # 0 or 1, and W is not negative, so that the maximum over G's zeros is that over the pairs of vertices
    for a in range(n_labels[source]):
        row = labels[source, a] * n_local
        for b in range(n_labels[target]):
            cell = row + labels[target, b]
            if use_max:
                G[cell] = max(G[cell], value)
            else:
                G[cell] += value


@compiled
def _dependency_cells(S, parse, weights, vertex_labels, G, n_local, settings):
    """Collect W of the dependency subgraph, by the four equations of :mod:`kernels._token_walks`."""
    n_tokens, n_arcs = len(parse.first) - 1, len(parse.arcs)
    first, arcs, dependents = parse.first, parse.arcs, parse.dependents
    labels, n_labels = vertex_labels.of_vertex, vertex_labels.counts
    floor, use_max = settings.floor, settings.use_max
    # The entries of S that are not 0, row by row: most tokens reach few others.
    reached = np.empty((n_tokens, n_tokens), np.int32)
    n_reached = np.zeros(n_tokens, np.int64)
    for i in range(n_tokens):
        for j in range(n_tokens):
            reached[i, n_reached[i]] = j
            n_reached[i] += S[i, j] > 0.0
    for source in range(n_tokens + n_arcs):
        # A walk from an arc goes on from its dependent: W[arc d, .] = w_d S[dep d, .].
        # Tokens are the vertices before n_tokens, arcs those from there on.
        row = source if source < n_tokens else dependents[source - n_tokens]
        scale = 1.0 if source < n_tokens else weights[source - n_tokens]
        for r in range(n_reached[row]):
            j = reached[row, r]
            walks = scale * S[row, j]
            value = walks - 1.0 if source == j else walks  # W = S - I: no walk of length 0
            if value > 0.0 and value >= floor:
                _collect(G, n_local, labels, n_labels, source, j, value, use_max)
            for x in range(first[j], first[j + 1]):  # W[., arc e] = S[., gov e] w_e
                value = walks * weights[arcs[x]]
                if value > 0.0 and value >= floor:
                    _collect(G, n_local, labels, n_labels, source, n_tokens + arcs[x], value, use_max)


@compiled
def _linear_cells(n_tokens, powers, vertex_labels, G, n_local, settings):
    """Collect W of the linear subgraph: weight^(j - i) between tokens i < j.

    Far pairs come first and the weight is at most 1, so the last value written to a cell is its maximum.
    """
    # A has the weight on its superdiagonal and nothing else, so that A^d has only weight^d, on the dth one: the Neumann
    # series ends by itself, and W = (I - A)^-1 - I [Airola2008] is read off it.
    labels, n_labels = vertex_labels.of_vertex, vertex_labels.counts
    for distance in range(n_tokens - 1, 0, -1):
        value = powers[distance]
        if not (value > 0.0 and value >= settings.floor):
            continue
        for i in range(n_tokens - distance):
            j = i + distance
            if settings.use_max:
                for a in range(n_labels[i]):
                    row = labels[i, a] * n_local
                    for b in range(n_labels[j]):
                        G[row + labels[j, b]] = value
            else:
                _collect(G, n_local, labels, n_labels, i, j, value, settings.use_max)


@compiled
def _index_bases(words, types, index_of, bases, n_bases):
    """Number the distinct words, types and roles of one sentence; ``bases`` lists those of the one before."""
    for b in range(n_bases):
        index_of[bases[b]] = -1
    n_bases = N_ROLES
    for b in range(N_ROLES):
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


@compiled
def _emit(G, numbers, n_local, memo, lookup, n_keys, output, n_out):
    """Append the cells of G that are not zero to the row, and clear them: G is all zeros between candidates."""
    # numbers[a] is the label that row and column a of G stand for: n_local^2 cells, flat, are the whole of G
    column_memo, columns, values = memo.columns, output.columns, output.values
    table, keys, grow = lookup.table, lookup.keys, lookup.grow
    memo_rows = np.empty(n_local, np.int64)
    for a in range(n_local):
        # a label's row of the memo: its base, numbered within the sentence, and its mark, within the subgraph
        mark = numbers[a] % N_MARKS
        place = mark if mark < FIRST_PLACE else (mark - FIRST_PLACE) % _SUBGRAPH_MARKS
        memo_rows[a] = _SUBGRAPH_MARKS * memo.index_of[numbers[a] // N_MARKS] + place
    for a in range(n_local):
        high = np.uint64(numbers[a]) << np.uint64(32)  # of the key source << 32 | target
        row = memo_rows[a] * memo.side
        for b in range(n_local):
            value = G[a * n_local + b]
            if value != 0.0:
                G[a * n_local + b] = 0.0
                column = column_memo[row + memo_rows[b]]
                if column == _NOT_LOOKED_UP:
                    new, n_keys = find_column(high | np.uint64(numbers[b]), table, keys, n_keys, grow)
                    column = column_memo[row + memo_rows[b]] = np.int32(new)
                if column != _UNKNOWN:
                    columns[n_out], values[n_out] = column, value
                    n_out += 1
    return n_keys, n_out


@compiled
def _max_sizes(sentence_of, token_offsets, arc_offsets):
    """Most tokens, and most arcs, of a sentence."""
    n_max, a_max = 1, 0
    for s in sentence_of:
        n_max = max(n_max, token_offsets[s + 1] - token_offsets[s])
        a_max = max(a_max, arc_offsets[s + 1] - arc_offsets[s])
    return n_max, a_max


@compiled
def append_rows(sentences, labels, candidates, scales, powers, settings, lookup, output, progress):
    """Append rows of candidates to a CSR matrix, from where ``progress`` stands, while there is space for them.

    Parameters
    ----------
    sentences, labels, candidates
        Those of a :class:`~kernels.scoring.Batch`, the labels as :class:`~kernels._all_paths.SentenceLabels`.
    scales
        What multiplies the dependency weights of each candidate.
    powers
        Those of the linear weight, from the zeroth on, as many as a sentence has tokens.
    settings, lookup, output, progress
        :class:`WalkSettings`, :class:`~kernels.vocabulary.Lookup`, :class:`Rows`, :class:`Progress`.

    Returns
    -------
    The new :class:`Progress`.
    """
    start, n_keys = progress.candidate, progress.n_keys
    n_max, a_max = _max_sizes(candidates.sentence_of[start:], sentences.token_offsets, sentences.arc_offsets)
    width = TOKEN_LABELS * n_max + a_max  # the most distinct labels of a candidate
    dependency = VertexLabels(
        np.empty((n_max + a_max, TOKEN_LABELS), np.int32), np.empty(n_max + a_max, np.int64), np.empty(width, np.int64)
    )
    linear = VertexLabels(
        np.empty((n_max, TOKEN_LABELS), np.int32), np.empty(n_max, np.int64), np.empty(width, np.int64)
    )
    local_of = np.full(labels.n_bases * N_MARKS, -1, np.int32)
    S, G, weights = np.zeros((n_max, n_max)), np.zeros(1), np.empty(a_max)
    index_of, bases, n_bases = np.full(labels.n_bases, -1, np.int64), np.empty(width + N_ROLES, np.int64), 0
    dependency_columns, linear_columns, side = np.empty(1, np.int32), np.empty(1, np.int32), 0
    parse = analyse_parse(sentences.governors[:0], sentences.dependents[:0], 0)
    previous = -1
    n_out = output.indptr[start]
    for p in range(start, len(candidates.sentence_of)):
        s = candidates.sentence_of[p]
        candidate = candidate_at(sentences, labels, candidates, p)
        n_tokens, n_arcs = len(candidate.roles), len(candidate.types)
        if s != previous:  # candidates of one sentence share its components and columns
            arcs = slice(sentences.arc_offsets[s], sentences.arc_offsets[s + 1])
            parse = analyse_parse(sentences.governors[arcs], sentences.dependents[arcs], n_tokens)
            n_bases = _index_bases(candidate.words, candidate.types, index_of, bases, n_bases)
            side, previous = _SUBGRAPH_MARKS * n_bases, s
            if side * side > len(linear_columns):
                dependency_columns = np.empty(side * side, np.int32)
                linear_columns = np.empty(side * side, np.int32)
            dependency_columns[: side * side] = _NOT_LOOKED_UP
            linear_columns[: side * side] = _NOT_LOOKED_UP
        n_local, n_linear = label_vertices(candidate, settings, dependency, linear, local_of)
        # both edges of an arc have its weight [Airola2008: 0.9 on the shortest paths, 0.3 elsewhere]
        for a in range(n_arcs):
            on_path = candidate.arc_on_path[a]
            weights[a] = scales[p] * (settings.in_path_weight if on_path else settings.other_weight)

        # No row has more entries, or new keys, than there are pairs of labels.  Nothing of the candidate is written
        # yet, so that it can start again once there is space, or its weights are scaled.
        needed = n_local * n_local + n_linear * n_linear
        if n_out + needed > len(output.columns) or (lookup.grow and n_keys + needed > len(lookup.keys)):
            return Progress(p, n_keys, needed)
        if max(n_local, n_linear) ** 2 > len(G):
            G = np.zeros(max(n_local, n_linear) ** 2)
        if n_arcs > 0:
            if not fill_token_walks(parse, weights, S):
                return Progress(p, n_keys, 0)
            _dependency_cells(S, parse, weights, dependency, G, n_local, settings)
            memo = _Memo(dependency_columns, index_of, side)
            n_keys, n_out = _emit(G, dependency.numbers, n_local, memo, lookup, n_keys, output, n_out)
        _linear_cells(n_tokens, powers, linear, G, n_linear, settings)
        memo = _Memo(linear_columns, index_of, side)
        n_keys, n_out = _emit(G, linear.numbers, n_linear, memo, lookup, n_keys, output, n_out)
        output.indptr[p + 1] = n_out
    return Progress(len(candidates.sentence_of), n_keys, 0)
