"""Roles, places and shortest paths of all the candidates of one sentence, compiled."""

from __future__ import annotations

import numpy as np

from kernels.compiling import compiled

#: Bits of a token's role; a token of both entities of the pair has both bits.
PROT1, PROT2, PROT = 1, 2, 4
#: Where a token stands in the text, seen from the pair.
BEFORE, MIDDLE, AFTER = 0, 1, 2
N_PLACES = 3


@compiled
def pair_roles(covered, first, second):
    """One row of role bits per pair of entity rows; the pair's own entities hide the others."""
    n_pairs, n_tokens = len(first), covered.shape[1]
    roles = np.zeros((n_pairs, n_tokens), np.uint8)
    for p in range(n_pairs):
        for t in range(n_tokens):
            role = 0
            if covered[first[p], t]:
                role |= PROT1
            if covered[second[p], t]:
                role |= PROT2
            if role == 0:
                for e in range(covered.shape[0]):
                    if covered[e, t]:
                        role = PROT
                        break
            roles[p, t] = role
    return roles


@compiled
def _fill_distances(governors, dependents, sources, distance):
    """Arcs between each token and the nearest source, directions ignored; -1 if none can be reached.

    Relaxing all arcs once per level costs O(arcs * path length); the paths of a sentence are short.
    """
    for t in range(len(distance)):
        distance[t] = 0 if sources[t] else -1
    level, changed = 0, True
    while changed:  # all tokens at most ``level`` arcs away have their distance
        changed = False
        for a in range(len(governors)):
            g, d = governors[a], dependents[a]
            if distance[g] == level and distance[d] < 0:
                distance[d] = level + 1
                changed = True
            elif distance[d] == level and distance[g] < 0:
                distance[g] = level + 1
                changed = True
        level += 1


@compiled
def shortest_paths(governors, dependents, covered, first, second):
    """Tokens and arcs on any shortest undirected path between the two entities, and its length in arcs.

    An entity of several tokens is a set: the shortest of the paths between any of its tokens and any of the
    other's count.  The length is 0 for entities that share a token, -1 if there is no path.
    """
    n_pairs, n_tokens, n_arcs = len(first), covered.shape[1], len(governors)
    on_tokens = np.zeros((n_pairs, n_tokens), np.bool_)
    on_arcs = np.zeros((n_pairs, n_arcs), np.bool_)
    lengths = np.full(n_pairs, -1, np.int64)
    table = np.empty((covered.shape[0], n_tokens), np.int64)
    for e in range(covered.shape[0]):
        _fill_distances(governors, dependents, covered[e], table[e])
    for p in range(n_pairs):
        from_first, from_second = table[first[p]], table[second[p]]
        # the length is the least d1(t) + d2(t) over all tokens t; a token or arc is on a shortest path exactly if it
        # attains it
        shortest = -1
        for t in range(n_tokens):
            if from_first[t] >= 0 and from_second[t] >= 0:
                through = from_first[t] + from_second[t]
                if shortest < 0 or through < shortest:
                    shortest = through
        lengths[p] = shortest
        if shortest < 0:
            continue
        for t in range(n_tokens):
            reached = from_first[t] >= 0 and from_second[t] >= 0
            on_tokens[p, t] = reached and from_first[t] + from_second[t] == shortest
        for a in range(n_arcs):
            g, d = governors[a], dependents[a]
            if from_first[g] >= 0 and from_second[g] >= 0:
                down = from_first[g] + 1 + from_second[d] == shortest
                up = from_first[d] + 1 + from_second[g] == shortest
                on_arcs[p, a] = down or up
    return on_tokens, on_arcs, lengths
