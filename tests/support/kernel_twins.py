"""Sentences made by hand and at random, and the slow twins of the kernels, straight from the definitions."""

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from corpora import Dependency, DependencyGraph, Entity, Pair, Sentence, Token, text_at


def make_sentence(words, arcs=(), entities=(), *, pos=None, lemmas=None, parser="p"):
    """Words joined by spaces; ``entities`` are lists of word indices or of (start, end) character spans."""
    text = " ".join(words)
    tokens, at = [], 0
    for n, word in enumerate(words):
        tag = pos[n] if pos else "NN"
        lemma = lemmas[n] if lemmas else None
        tokens.append(Token(str(n), at, at + len(word), word, pos=tag, lemma=lemma))
        at += len(word) + 1
    found = []
    for n, where in enumerate(entities):
        spans = tuple((tokens[w].start, tokens[w].end) if isinstance(w, int) else tuple(w) for w in where)
        found.append(Entity(f"e{n}", text_at(text, spans), spans))
    pairs = [Pair(f"p{n}", first.id, second.id, label=True) for n, (first, second) in enumerate(combinations(found, 2))]
    dependencies = tuple(Dependency(str(g), str(d), kind) for g, d, kind in arcs)
    graph = DependencyGraph(parser, "t", tuple(tokens), dependencies if parser else ())
    return Sentence("s", text, tuple(found), tuple(pairs), (graph,))


@st.composite
def sentences(draw, *, max_words=7, max_arcs=9):
    """Sentences with cycles, self-loops and parallel arcs; entities overlap, have gaps or cover no token."""
    words = draw(st.lists(st.sampled_from(["a", "bb", "a-b", "NN"]), min_size=1, max_size=max_words))
    pos = draw(st.lists(st.sampled_from(["NN", "VB", None]), min_size=len(words), max_size=len(words)))
    place = st.integers(0, len(words) - 1)
    kinds = st.sampled_from(["nsubj", "dobj", "NN"])
    arcs = draw(st.lists(st.tuples(place, place, kinds), max_size=max_arcs))
    length = len(" ".join(words))
    span = st.tuples(st.integers(0, length - 1), st.integers(1, 4)).map(
        lambda one: (one[0], min(one[0] + one[1], length))
    )
    entities = draw(st.lists(st.lists(span, min_size=1, max_size=2), min_size=2, max_size=4))
    return make_sentence(words, arcs, entities, pos=pos)


def naive_candidate(sentence, pair):
    """Roles (sets of names), places, and what is on the shortest paths, from the definition, with networkx."""
    graph = sentence.parses[0]
    tokens = graph.tokens

    def covered(entity):
        return {t for t, token in enumerate(tokens) for a, b in entity.spans if token.start < b and a < token.end}

    both = [(entity.start, entity.end, n, entity) for n, entity in enumerate(sentence.entities)]
    first, second = sorted(one for one in both if one[3].id in (pair.e1, pair.e2))
    first, second = first[3], second[3]
    roles = [set() for _ in tokens]
    for t in range(len(tokens)):
        if t in covered(first):
            roles[t].add("PROT1")
        if t in covered(second):
            roles[t].add("PROT2")
        if not roles[t] and any(t in covered(entity) for entity in sentence.entities):
            roles[t].add("PROT")
    start, end = min(first.start, second.start), max(first.end, second.end)
    places = ["B" if token.end <= start else "A" if token.start >= end else "M" for token in tokens]

    number = {token.id: t for t, token in enumerate(tokens)}
    undirected = nx.Graph()
    undirected.add_nodes_from(range(len(tokens)))
    for a, arc in enumerate(graph.dependencies):
        undirected.add_edge(number[arc.governor], ("arc", a))
        undirected.add_edge(("arc", a), number[arc.dependent])
    paths = [
        path
        for u in covered(first)
        for v in covered(second)
        if nx.has_path(undirected, u, v)
        for path in nx.all_shortest_paths(undirected, u, v)
    ]
    shortest = min((len(path) for path in paths), default=0)
    on_path = {vertex for path in paths if len(path) == shortest for vertex in path}
    return roles, places, on_path, (shortest - 1) // 2 if paths else -1


def naive_graph(sentence, pair, *, in_path=0.9, other=0.3, linear=0.9, kinds=("text", "pos", "dependency")):
    """Labels (sets of strings) and the dense adjacency matrices of the two subgraphs."""
    graph = sentence.parses[0]
    roles, places, on_path, _ = naive_candidate(sentence, pair)
    n, arcs = len(graph.tokens), graph.dependencies
    number = {token.id: t for t, token in enumerate(graph.tokens)}

    def token_labels(t, mark):
        token = graph.tokens[t]
        found = {f"role:{role}{mark}" for role in roles[t]}
        if not found and "text" in kinds:
            found.add(f"text:{token.text}{mark}")
        if not roles[t] and "lemma" in kinds:
            found.add(f"lemma:{token.lemma or token.text.lower()}{mark}")
        if "pos" in kinds and token.pos is not None:
            found.add(f"pos:{token.pos}{mark}")
        return found

    labels = [token_labels(t, "@IP" if t in on_path else "") for t in range(n)]
    A = np.zeros((n + len(arcs), n + len(arcs)))
    for a, arc in enumerate(arcs):
        weight = in_path if ("arc", a) in on_path else other
        mark = "@IP" if ("arc", a) in on_path else ""
        labels.append({f"dependency:{arc.type}{mark}"} if "dependency" in kinds else set())
        A[number[arc.governor], n + a] = weight
        A[n + a, number[arc.dependent]] = weight
    B = np.zeros((n, n))
    for t in range(n - 1):
        B[t, t + 1] = linear
    return [(labels, A), ([token_labels(t, f"@{places[t]}") for t in range(n)], B)]


def naive_features(sentence, pair, *, variant="max", floor=0.0, scaled_radius=None, **options):
    """G as {"label -> label": value}: W = (I - A)^-1 - I and loops over all vertices and labels."""
    G = {}
    for labels, A in naive_graph(sentence, pair, **options):
        if scaled_radius is not None and len(A):
            radius = np.abs(np.linalg.eigvals(A)).max()
            A = A * (scaled_radius / radius) if radius >= 1 - 1e-12 else A
        W = np.linalg.inv(np.eye(len(A)) - A) - np.eye(len(A))
        for k in range(len(A)):
            for j in range(len(A)):
                if W[k, j] < max(floor, 1e-14):
                    continue
                for first in labels[k]:
                    for second in labels[j]:
                        name = f"{first} -> {second}"
                        old = G.get(name, 0.0)
                        G[name] = max(old, W[k, j]) if variant == "max" else old + W[k, j]
    return G


def rows_as_dicts(features, X):
    """Each row of a matrix of named features as {name: value}."""
    names = features.get_feature_names_out()
    return [
        dict(zip(names[X.indices[X.indptr[i] : X.indptr[i + 1]]], X.data[X.indptr[i] : X.indptr[i + 1]]))
        for i in range(X.shape[0])
    ]
