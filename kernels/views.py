"""A candidate graph as other libraries and the definitions see it: labelled graph and networkx graph."""

from __future__ import annotations

import networkx as nx

from kernels.all_paths import AllPathsFeatures
from kernels.attribution import edge_weights, vertex_labels
from kernels.candidates import CandidateGraph
from kernels.labelled import LabelledGraph


def labelled_graph(graph: CandidateGraph, features: AllPathsFeatures | None = None) -> LabelledGraph:
    """The candidate as the kernel's definition has it: vertices with labels, weighted edges.

    Vertices are the tokens, the arcs, then the tokens of the linear subgraph; labels and weights are those of
    ``features`` (default: the article's).
    """
    features = AllPathsFeatures() if features is None else features
    n, a = graph.base.n_tokens, graph.base.n_arcs
    _, labels = vertex_labels(graph, features)
    weights = edge_weights(graph, features).tolist()
    governors, dependents = graph.base.governors.tolist(), graph.base.dependents.tolist()
    edges = [(governor, n + at) for at, governor in enumerate(governors)]
    edges += [(n + at, dependent) for at, dependent in enumerate(dependents)]
    edges += [(n + a + t, n + a + t + 1) for t in range(n - 1)]
    all_weights = [*weights, *weights, *[float(features.linear_weight)] * max(n - 1, 0)]
    return LabelledGraph([[str(label) for label in of_vertex] for of_vertex in labels], edges, weights=all_weights)


def to_networkx(graph: CandidateGraph, features: AllPathsFeatures | None = None) -> nx.DiGraph:
    """The candidate as a networkx graph.

    Nodes are :class:`~kernels.attribution.Vertex` tuples with ``labels``, ``on_path`` and, for tokens,
    ``token`` (the id); edges have ``weight``.
    """
    features = AllPathsFeatures() if features is None else features
    plain = labelled_graph(graph, features)
    vertices, _ = vertex_labels(graph, features)
    view = nx.DiGraph(pair=graph.pair.id, sentence=graph.sentence.id, path_length=graph.path_length)
    for vertex, labels in zip(vertices, plain.labels):
        flags = graph.token_on_path if vertex.kind == "token" else graph.arc_on_path
        on_path = vertex.subgraph == "dependency" and bool(flags[vertex.position])
        view.add_node(vertex, labels=labels, on_path=on_path)
        if vertex.kind == "token":
            view.nodes[vertex]["token"] = graph.tokens[vertex.position].id
    for source, target, weight in zip(plain.sources, plain.targets, plain.weights):
        view.add_edge(vertices[source], vertices[target], weight=float(weight))
    return view
