"""The sum over all walks between the tokens of a parse, compiled.

Walks in the dependency subgraph go token -> arc -> token ..., so the sum over all walks is known once it is known
between tokens.  With B_ij = sum over arcs i -> j of w^2, w the weight of both edges of the arc, and S = (I - B)^-1,

    W[token i, token j] = S_ij - [i = j]          W[token i, arc e] = S[i, gov e] w_e
    W[arc d, token j]   = w_d S[dep d, j]         W[arc d, arc e]   = w_d S[dep d, gov e] w_e

S comes from back-substitution over the strongly connected components, last first: a component of one token
without a self-loop costs one addition of rows for each arc, a larger one a small dense elimination.  I - B is an
M-matrix, so the elimination needs no pivoting, and all its pivots are positive exactly if the spectral radius is
below 1: the check of convergence costs nothing extra.  These four blocks are W = (I - A)^-1 - I of the graph whose
vertices are tokens and arcs [Airola2008, "The all-paths graph kernel"], which has the spectral radius sqrt(rho(B)).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compiling import compiled, inlined

#: An elimination pivot at or below this means a spectral radius of 1 or more, as near as rounding can tell.
PIVOT_FLOOR = 1e-12


class Parse(NamedTuple):
    """The arcs of one sentence, grouped by governor and by strongly connected component.

    The arcs of token i are ``arcs[first[i]:first[i + 1]]``; the tokens of component c are
    ``order[starts[c]:starts[c + 1]]``, sinks first: an arc never leads to a later component.
    """

    dependents: NDArray[np.int32]
    first: NDArray[np.int64]
    arcs: NDArray[np.int64]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    component: NDArray[np.int64]


@compiled
def analyse_parse(governors, dependents, n_tokens):
    """The parse of a sentence of so many tokens."""
    first, arcs = _outgoing(governors, n_tokens)
    order, starts, component = _components(dependents, first, arcs)
    return Parse(dependents, first, arcs, order, starts, component)


@compiled
def _outgoing(governors, n_tokens):
    """Arcs grouped by governor: those of token i are ``arcs[first[i]:first[i + 1]]``."""
    # counting sort: the number of arcs of each governor, summed up, is where those of the next one begin
    first = np.zeros(n_tokens + 1, np.int64)
    for g in governors:
        first[g + 1] += 1
    for i in range(n_tokens):
        first[i + 1] += first[i]
    fill = first[:-1].copy()
    arcs = np.empty(len(governors), np.int64)
    for a in range(len(governors)):
        arcs[fill[governors[a]]] = a
        fill[governors[a]] += 1
    return first, arcs


@compiled
def _components(dependents, first, arcs):
    """Strongly connected components, sinks first (Tarjan, without recursion).

    Returns the tokens ordered by component, where each component starts, and the component of each token.
    """
    n_tokens = len(first) - 1
    number = np.full(n_tokens, -1, np.int64)
    low = np.zeros(n_tokens, np.int64)
    on_stack = np.zeros(n_tokens, np.bool_)
    next_arc = first[:-1].copy()
    stack, calls = np.empty(n_tokens, np.int64), np.empty(n_tokens, np.int64)
    order, starts = np.empty(n_tokens, np.int64), np.empty(n_tokens + 1, np.int64)
    component = np.empty(n_tokens, np.int64)
    counter = height = depth = n_ordered = n_components = 0
    # Invariants: ``calls`` is the path of the search, ``stack`` holds the tokens met whose component is not complete,
    # and low[v] <= number[v] is the least number reached from v over tokens on the stack; where they are equal, v is
    # the first token of its component, which is everything above it on the stack.
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
            # go on to the next token below v, if there is one
            if next_arc[v] < first[v + 1]:
                u = dependents[arcs[next_arc[v]]]
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
            # v is done: its caller reaches what it reaches
            depth -= 1
            if depth > 0:
                low[calls[depth - 1]] = min(low[calls[depth - 1]], low[v])
            if low[v] == number[v]:
                starts[n_components] = n_ordered
                u = -1
                while u != v:
                    height -= 1
                    u = stack[height]
                    on_stack[u] = False
                    order[n_ordered] = u
                    n_ordered += 1
                    component[u] = n_components
                n_components += 1
    starts[n_components] = n_ordered
    return order, starts[: n_components + 1], component


@inlined
def _add_row(matrix, i, factor, k, first, end):
    """matrix[i] += factor * matrix[k] from column ``first`` on; written out, which compiles ten times faster."""
    for j in range(first, end):
        matrix[i, j] += factor * matrix[k, j]


@compiled
def fill_token_walks(parse, weights, S):
    """Fill S[:n, :n] with (I - B)^-1; False if the sum over walks diverges."""
    n_tokens = len(parse.first) - 1
    for i in range(n_tokens):
        for j in range(n_tokens):
            S[i, j] = 0.0
    for c in range(len(parse.starts) - 1):
        members = parse.order[parse.starts[c] : parse.starts[c + 1]]
        cyclic = len(members) > 1  # or a self-loop, found below
        # S = I + B S, row by row: S_i = e_i + sum over arcs i -> j of w^2 S_j.  Components come sinks first, so that
        # rows of other components that an arc leads to are final; arcs within this one are left for its solution.
        for i in members:
            S[i, i] += 1.0
            for x in range(parse.first[i], parse.first[i + 1]):
                a = parse.arcs[x]
                j = parse.dependents[a]
                if parse.component[j] == c:
                    cyclic = True
                else:
                    _add_row(S, i, weights[a] * weights[a], j, 0, n_tokens)
        if cyclic and not _solve_component(c, members, parse, weights, S):
            return False
    return True


@compiled
def _solve_component(c, members, parse, weights, S):  # noqa: C901 - compiled as one loop
    """Multiply the rows ``members`` of S by (I - B restricted to them)^-1; False if a pivot is not positive."""
    # With c the members and o the others: S_c = (I_c + B_co S_o) + B_cc S_c, whose first part the rows hold already
    size, n_tokens = len(members), len(parse.first) - 1
    # M = I - B over the members
    M = np.zeros((size, size))
    for k in range(size):
        M[k, k] = 1.0
        for x in range(parse.first[members[k]], parse.first[members[k] + 1]):
            a = parse.arcs[x]
            if parse.component[parse.dependents[a]] == c:
                for q in range(size):
                    if members[q] == parse.dependents[a]:
                        M[k, q] -= weights[a] * weights[a]
    # M = L U in place, and S <- L^-1 S; the pivots of an M-matrix are positive exactly if the walks converge
    for k in range(size):
        if not M[k, k] > PIVOT_FLOOR:
            return False
        for i in range(k + 1, size):
            factor = M[i, k] / M[k, k]
            if factor != 0.0:
                _add_row(M, i, -factor, k, k, size)
                _add_row(S, members[i], -factor, members[k], 0, n_tokens)
    # S <- U^-1 S
    for k in range(size - 1, -1, -1):
        for j in range(n_tokens):
            S[members[k], j] /= M[k, k]
        for i in range(k):
            _add_row(S, members[i], -M[i, k], members[k], 0, n_tokens)
    return True
