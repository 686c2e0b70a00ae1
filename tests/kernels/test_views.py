"""The networkx view and the drawing of a candidate graph."""

import xml.etree.ElementTree as ET

import numpy as np
from hypothesis import given
from kernel_twins import make_sentence, naive_graph, sentences

from corpora import Document, Sentence
from kernels.all_paths import AllPathsFeatures
from kernels.attribution import Vertex
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.draw import to_svg
from kernels.views import labelled_graph, to_networkx


@given(sentences())
def test_labelled_graph_is_the_definition(sentence):
    features = AllPathsFeatures(in_path_weight=0.5, other_weight=0.2, on_divergence="scale", scaled_radius=0.999)
    for graph in candidate_graphs([Document("d", (sentence,))]):
        view = labelled_graph(graph, features)
        (labels, A), (linear_labels, B) = naive_graph(sentence, graph.pair, in_path=0.5, other=0.2)
        assert [set(some) for some in view.labels] == labels + linear_labels
        radius = np.abs(np.linalg.eigvals(A)).max(initial=0.0)
        if radius < 0.99:
            whole = np.block([[A, np.zeros((len(A), len(B)))], [np.zeros((len(B), len(A))), B]])
            np.testing.assert_allclose(view.adjacency(), whole)


def test_networkx_view(binding):
    view = to_networkx(candidate_graph(binding, binding.pairs[0]))
    assert view.number_of_nodes() == 5 + 3 + 5
    assert view.number_of_edges() == 6 + 4
    binds, nsubj = Vertex("dependency", "token", 1), Vertex("dependency", "arc", 0)
    assert view.nodes[binds]["labels"] == ("text:binds@IP", "pos:VBZ@IP")
    assert view.nodes[binds]["token"] == "1"
    assert view.nodes[nsubj]["on_path"]
    assert view.edges[binds, nsubj]["weight"] == 0.9
    assert view.edges[Vertex("linear", "token", 0), Vertex("linear", "token", 1)]["weight"] == 0.9
    assert not view.nodes[Vertex("linear", "token", 1)]["on_path"]


def texts(svg):
    root = ET.fromstring(svg)
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_drawing_shows_words_arcs_and_roles(binding):
    graph = candidate_graph(binding, binding.pairs[0])
    svg = to_svg(graph)
    shown = texts(svg)
    for text in ("binds", "nsubj", "dobj", "prep_near", "PROT1", "PROT2", "PROT", "VBZ"):
        assert text in shown
    assert svg.count("stroke-width='2.6'") == 2  # the two arcs on the path
    assert svg == to_svg(graph)


def test_drawing_names_a_role_once_under_a_run_of_words():
    sentence = make_sentence(["a", "b", "c"], (), [[0, 1], [2]])
    assert texts(to_svg(candidate_graph(sentence, sentence.pairs[0]))).count("PROT1") == 1


def test_drawing_escapes_what_comes_from_the_corpus():
    sentence = make_sentence(["<b>&'\"", "x\x01y", "B"], [(0, 1, "<&>"), (1, 1, "loop")], [[0], [2]])
    shown = texts(to_svg(candidate_graph(sentence, sentence.pairs[0])))
    assert "<b>&'\"" in shown
    assert "<&>" in shown
    assert "x y" in shown


@given(sentences())
def test_drawing_is_well_formed_for_any_graph(sentence):
    for graph in candidate_graphs([Document("d", (sentence,))]):
        ET.fromstring(to_svg(graph))


def test_drawing_without_words():
    sentence = make_sentence(["x"], (), [[0], [0]])
    blank = Sentence("s", " ", tuple(e.__class__(e.id, " ", ((0, 1),)) for e in sentence.entities), sentence.pairs)
    graph = candidate_graph(blank, blank.pairs[0])
    assert graph.base.n_tokens == 0
    assert texts(to_svg(graph)) == []
    assert AllPathsFeatures().fit_transform([graph]).shape == (1, 0)
