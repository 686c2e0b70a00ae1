import dataclasses

import networkx as nx
import pytest
from document_strategies import documents
from hypothesis import given

from corpora.errors import CorpusError, FormatError, ValidationError
from corpora.types import (
    ConceptRelation,
    Dependency,
    DependencyGraph,
    Document,
    Entity,
    MultiwordToken,
    Pair,
    Relation,
    Sentence,
    Token,
)

TOKENS = (Token("1", 0, 8, "Profilin"), Token("2", 9, 14, "binds"), Token("3", 15, 20, "actin"))
ARCS = (Dependency("2", "1", "nsubj"), Dependency("2", "3", "dobj"))
TEXT = "Profilin binds actin"


def sentence(**changes) -> Sentence:
    parts = {
        "id": "s",
        "text": TEXT,
        "entities": (Entity("e1", "Profilin", ((0, 8),)), Entity("e2", "actin", ((15, 20),))),
        "pairs": (Pair("p", "e1", "e2", True),),
        "parses": (DependencyGraph("gold", "words", TOKENS, ARCS, ("2",)),),
    }
    return Sentence(**{**parts, **changes})


def test_types_are_immutable():
    with pytest.raises(dataclasses.FrozenInstanceError):
        sentence().text = "other"


def test_equal_contents_are_equal_and_hash_alike():
    assert sentence() == sentence()
    assert hash(sentence()) == hash(sentence())
    assert sentence(text=TEXT + ".") != sentence()


def test_order_of_arcs_does_not_matter():
    turned = DependencyGraph("gold", "words", TOKENS, ARCS[::-1], ("2",))
    assert turned == sentence().parses[0]


def test_label_none_is_not_false():
    assert Pair("p", "a", "b", None) != Pair("p", "a", "b", False)


def test_discontinuous_entity_is_its_pieces_joined_by_a_space():
    entity = Entity("e", "Profilin actin", ((0, 8), (15, 20)))
    assert sentence(entities=(entity,), pairs=()).entity("e") is entity
    assert (entity.start, entity.end) == (0, 20)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"entities": (Entity("e1", "profilin", ((0, 8),)),), "pairs": ()}, "expected the text 'profilin' at"),
        ({"entities": (Entity("e1", "x", ((19, 21),)),), "pairs": ()}, "inside the 20 characters of sentence 's'"),
        ({"entities": (Entity("e1", "x", ((3, 3),)),), "pairs": ()}, "inside the 20 characters"),
        ({"entities": (Entity("e1", "x", ()),), "pairs": ()}, "has no span"),
        (
            {"entities": (Entity("e1", "actin", ((15, 20),)),) * 2, "pairs": ()},
            "unique entity ids, got this one 2",
        ),
        ({"pairs": (Pair("p", "e1", "e9", True),)}, "expected an entity of sentence 's', got 'e9'"),
        ({"pairs": (Pair("p", "e1", "e2"),) * 2}, "unique pair ids"),
        ({"text": "Profilin", "entities": (), "pairs": ()}, "tokens inside the 8 characters"),
        ({"offset": -1}, "offset from 0 to 9007199254740992, got -1"),
        ({"parses": (DependencyGraph("p", "t", TOKENS),) * 2}, "unique parse ids"),
    ],
)
def test_sentence_refuses_contradictions(changes, message):
    with pytest.raises(ValidationError, match=message):
        sentence(**changes)


def test_validation_error_lists_every_problem():
    with pytest.raises(ValidationError, match=r"and 2 more") as caught:
        sentence(entities=(Entity("e1", "x", ((0, 99),)),), pairs=(Pair("p", "e8", "e9"),))
    assert [problem.id for problem in caught.value.problems] == ["e1", "p", "p"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("p", "t", TOKENS, (Dependency("2", "7", "dobj"),)), "token '7': dependency 'dobj' from '2' to '7'"),
        (("p", "t", TOKENS, (), ("9",)), "names a token that is missing"),
        (("p", "t", TOKENS, (), (), (MultiwordToken("1", "9", "x"),)), "names a token that is missing"),
        (("p", "t", TOKENS * 2), "unique token ids"),
        (("p", "t", (Token("1", 5, 5, ""),)), "0 <= start < end"),
        ((None, "t", TOKENS, ARCS), "dependencies without a parser's name"),
    ],
)
def test_graph_refuses_contradictions(arguments, message):
    with pytest.raises(ValidationError, match=message):
        DependencyGraph(*arguments)


def test_document_refuses_repeated_ids_and_dangling_relations():
    with pytest.raises(ValidationError, match="unique sentence ids"):
        Document("d", (Sentence("s", "a"), Sentence("s", "b")))
    with pytest.raises(ValidationError, match="unique entity ids"):
        Document("d", tuple(Sentence(id, "ab", (Entity("e", "a", ((0, 1),)),)) for id in "st"))
    with pytest.raises(ValidationError, match="entity or identifier of document 'd', got 'x'"):
        Document("d", (), (Relation("r", "binds", (("a", "x"),)),))
    with pytest.raises(ValidationError, match=r"r: expected two identifiers, got '5216' and ' '"):
        Document("d", concept_relations=(ConceptRelation("r", "binds", "5216", " "),))
    with pytest.raises(ValidationError, match="unique relation ids"):
        Document("d", (), (Relation("r", "t", ()),), concept_relations=(ConceptRelation("r", "binds", "1", "2"),))


def test_parse_is_found_by_name():
    assert sentence().parse().parser == "gold"
    with pytest.raises(CorpusError, match=r"a parse named 'other', got \['gold'\]"):
        sentence().parse("other")
    two = sentence(parses=tuple(DependencyGraph(name, "words", TOKENS) for name in ("a", "b")))
    with pytest.raises(CorpusError, match=r"exactly one parse, got \['a', 'b'\]"):
        two.parse()


def test_networkx_view_keeps_parallel_arcs_and_self_loops():
    arcs = (*ARCS, Dependency("2", "3", "xobj"), Dependency("1", "1", "dep"))
    graph = DependencyGraph("gold", "words", TOKENS, arcs).to_networkx()
    assert graph.number_of_edges("2", "3") == 2
    assert list(nx.selfloop_edges(graph)) == [("1", "1")]
    assert graph.nodes["3"]["text"] == "actin"


@given(documents())
def test_json_round_trip(document):
    assert Document.from_json(document.to_json()) == document


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "expected a JSON object for a Document, got \\[\\]"),
        ({}, "expected the field 'id'"),
        ({"id": 3}, "expected str for Document.id, got 3"),
        ({"id": "d", "colour": 1}, "got 'colour'"),
        ({"id": "d", "sentences": "s"}, "expected a list for Document.sentences"),
        ({"id": "d", "sentences": [{"id": "s", "text": "a", "offset": True}]}, "expected int for Sentence.offset"),
        ({"id": "d", "infons": [["a"]]}, "expected 2 items for Document.infons"),
    ],
)
def test_json_of_the_wrong_shape_is_refused(value, message):
    with pytest.raises(FormatError, match=message):
        Document.from_json(value)
