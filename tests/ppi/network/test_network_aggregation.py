"""Mentions merged into pairs, against a slow twin that keeps everything."""

from collections import defaultdict

import annotated
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Document, Entity, Sentence
from ppi.annotation import AnnotatedDocument, Interaction
from ppi.core import UsageError
from ppi.grounding import name_key, protein_key
from ppi.network.aggregation import build_network
from ppi.network.combining import combine_papers

NAMES = ["TNF-α", "TNF alpha", "p53", "P53", "actin", "Actin", "MDM2"]
GROUNDED = {"MDM2": ("ncbigene:4193",), "p53": ("ncbigene:7157",), "actin": ("ncbigene:60", "ncbigene:71")}


def mention(id: str, name: str, start: int, grounded: bool) -> Entity:
    identifiers = GROUNDED.get(name, ()) if grounded else ()
    return Entity(id, name, ((start, start + len(name)),), "protein", identifiers)


@st.composite
def papers(draw):
    """Documents of sentences with pairs of a few names, grounded or not."""
    made = []
    for number in range(draw(st.integers(0, 4))):
        id = draw(st.sampled_from(["a", "b", "10022882"])) + str(number % 2)
        sentences, found = [], []
        for index in range(draw(st.integers(1, 3))):
            sentence_id = f"{id}.{number}.s{index}"
            names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4))
            text, entities = "", []
            for place, name in enumerate(names):
                entities.append(mention(f"{sentence_id}.e{place}", name, len(text), draw(st.booleans())))
                text += name + " "
            sentence = Sentence(sentence_id, text, tuple(entities))
            sentences.append(sentence)
            for first in range(len(entities)):
                for second in range(first + 1, len(entities)):
                    probability = draw(st.floats(0, 1))
                    ends = (entities[first].id, entities[second].id)
                    found.append(annotated.interaction(id, sentence, *ends, probability))
        made.append(AnnotatedDocument(Document(id, tuple(sentences)), tuple(found)))
    return made


def ends_of(interaction: Interaction) -> tuple[str, ...]:
    keys = [protein_key(entity) for entity in interaction.proteins]
    return tuple(sorted(keys, key=lambda key: ("name:" in key, key)))


def naive(many, min_probability: float, min_papers: int):
    """Straight from the definition, with every mention kept."""
    held: dict[tuple[str, str], list[Interaction]] = defaultdict(list)
    for each in many:
        for interaction in each.interactions:
            ends = ends_of(interaction)
            if interaction.probability >= min_probability and ends[0] != ends[1]:
                held[ends].append(interaction)
    edges = {}
    for ends, mentions in held.items():
        best: dict[str, float] = defaultdict(float)
        for interaction in mentions:
            best[interaction.document] = max(best[interaction.document], interaction.probability)
        if len(best) >= min_papers:
            probability = combine_papers(best.values())
            sentences = {(interaction.document, interaction.sentence_id) for interaction in mentions}
            edges[ends] = (probability, len(best), len(sentences), len(mentions))
    return edges


@given(papers(), st.floats(0, 1), st.integers(1, 2))
def test_edges_are_those_of_the_definition(many, min_probability, min_papers):
    network = build_network(many, min_probability=min_probability, min_papers=min_papers)
    expected = naive(many, min_probability, min_papers)
    assert {(edge.source, edge.target) for edge in network.edges} == expected.keys()
    for edge in network.edges:
        probability, *counts = expected[edge.source, edge.target]
        assert edge.probability == pytest.approx(probability, abs=1e-12)
        assert [edge.papers, edge.sentences, edge.mentions] == counts
    assert set(network.proteins) == {key for ends in expected for key in ends}


@given(papers(), st.integers(0, 3))
def test_evidence_is_the_most_probable_mention_of_the_most_probable_sentences(many, most):
    network = build_network(many, min_probability=0.0, most_evidence=most)
    best: dict[tuple, float] = {}
    for each in many:
        for interaction in each.interactions:
            ends = ends_of(interaction)
            sentence = (ends, interaction.document, interaction.sentence_id)
            best[sentence] = max(best.get(sentence, 0.0), interaction.probability)
    for edge in network.edges:
        expected = sorted((p for (ends, *_), p in best.items() if ends == (edge.source, edge.target)), reverse=True)
        assert [interaction.probability for interaction in edge.evidence] == expected[:most]
        places = [(interaction.document, interaction.sentence_id) for interaction in edge.evidence]
        assert len(set(places)) == len(places)


@given(papers())
def test_edges_are_ranked_and_documents_and_interactions_give_the_same_network(many):
    network = build_network(many, min_probability=0.0)
    ranks = [(-edge.probability, -edge.papers, -edge.sentences, edge.source, edge.target) for edge in network.edges]
    assert ranks == sorted(ranks)
    loose = build_network((each for one in many for each in one.interactions), min_probability=0.0)
    assert loose == network


def test_papers_are_counted_by_pubmed_id_where_there_is_one():
    interaction = annotated.profilin().interactions[0]
    other = Interaction(**{**vars(interaction), "document": "again"})
    assert build_network([interaction, other]).edges[0].papers == 2
    assert build_network([(interaction, "10022882"), (other, "10022882")]).edges[0].papers == 1


def test_labels_are_symbols_or_the_commonest_spelling():
    network = build_network([annotated.profilin()])
    assert network.proteins["ncbigene:5216"].label == "PFN1"
    assert network.proteins["ncbigene:5216"].taxid == "9606"
    assert network.proteins["name:actin"].label == "actin"
    assert network.proteins["name:actin"].identifier is None


def test_names_are_never_taken_for_identifiers_of_other_mentions():
    one = Entity("e", "p53", ((0, 3),), identifiers=("ncbigene:7157",))
    assert protein_key(one) != protein_key(Entity("e", "p53", ((0, 3),)))
    assert protein_key(Entity("e", "actin", ((0, 5),), identifiers=("a", "b"))) == "name:actin"


@given(st.text(st.characters(), min_size=1))
def test_every_name_has_a_key(name):
    assert name_key(name)


def test_networkx_graph_has_plain_attributes():
    graph = build_network([annotated.profilin()]).to_networkx()
    assert isinstance(graph, nx.Graph)
    assert graph.edges["ncbigene:5216", "name:actin"]["probability"] == 0.93
    for attributes in [*(a for _, a in graph.nodes(data=True)), *(a for *_, a in graph.edges(data=True))]:
        assert all(isinstance(value, str | int | float) for value in attributes.values())


def test_limits_are_checked():
    with pytest.raises(UsageError, match=r"expected a probability from 0 to 1, got 1\.5"):
        build_network([], min_probability=1.5)
    with pytest.raises(UsageError, match="expected min_papers >= 1"):
        build_network([], min_papers=0)


def test_memory_holds_no_mentions_but_the_best():
    """A pair in one paper, mentioned over and over, keeps its three best sentences."""
    base = annotated.profilin().interactions[0]
    many = (
        Interaction(**{**vars(base), "sentence_id": f"s{number}", "probability": 0.5 + (number % 100) / 250})
        for number in range(5000)
    )
    (edge,) = build_network(many).edges
    assert (edge.sentences, edge.papers, len(edge.evidence)) == (5000, 1, 3)


def test_types_and_directions_are_edges_of_their_own():
    network = build_network([annotated.typed()], include_hedged=True)
    found = {(edge.source, edge.relation, edge.target, edge.directed) for edge in network.edges}
    assert found == {
        ("name:actin", "binds", "name:profilin", False),
        ("name:limk1", "phosphorylates", "name:cofilin", True),
        ("name:rhoa", "activates", "name:mdia1", True),
        ("name:gelsolin", "inhibits", "name:actin", True),
        ("name:rhoa", "regulates", "name:cofilin", True),
        ("name:limk1", "modifies", "name:actin", True),
    }
    assert {edge.probability for edge in network.edges} == {0.6}  # of the type, not of any interaction


def test_what_is_denied_supports_no_edge_and_what_is_supposed_only_if_asked():
    stated = {edge.relation for edge in build_network([annotated.typed()]).edges}
    assert stated == {"binds", "phosphorylates", "activates", "inhibits", "regulates"}
    assert "name:mdm2" not in build_network([annotated.typed()], include_hedged=True).proteins


def test_the_same_type_is_merged_over_papers_and_opposite_directions_are_not():
    base = annotated.typed().interactions[2]
    again = Interaction(**{**vars(base), "document": "other"})
    turned = Interaction(**{**vars(base), "document": "third", "agent": base.target, "target": base.agent})
    edges = build_network([base, again, turned]).edges
    assert [(edge.source, edge.target, edge.papers) for edge in edges] == [
        ("name:rhoa", "name:mdia1", 2),
        ("name:mdia1", "name:rhoa", 1),
    ]
    assert edges[0].probability == pytest.approx(combine_papers([0.6, 0.6]))


def test_networkx_graph_of_types_is_directed_and_keeps_every_edge():
    network = build_network([annotated.typed()], include_hedged=True)
    graph = network.to_networkx()
    assert graph.is_directed()
    assert graph.is_multigraph()
    assert graph.number_of_edges() == len(network.edges)
    (attributes,) = graph.get_edge_data("name:limk1", "name:cofilin").values()
    assert (attributes["type"], attributes["kind"], attributes["directed"]) == ("modification", "phosphorylation", True)
