"""Collapsed dependencies: worked by hand, and properties over random trees."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Dependency, DependencyGraph, Token
from ppi.core import ParseError
from ppi.language.dependencies import collapse, detect_scheme


def graph_of(text: str) -> DependencyGraph:
    """``word/TAG/head/label`` for each token, head 0 being the root."""
    tokens, arcs, roots, position = [], [], [], 0
    for number, item in enumerate(text.split(), start=1):
        word, tag, head, label = item.rsplit("/", 3)
        tokens.append(Token(str(number), position, position + len(word), word, tag))
        position += len(word) + 1
        if head == "0":
            roots.append(str(number))
        else:
            arcs.append(Dependency(head, str(number), label))
    return DependencyGraph("test", "words", tuple(tokens), tuple(arcs), tuple(roots))


def arcs_of(text: str, **options) -> set[str]:
    collapsed = collapse(graph_of(text), **options)
    words = {token.id: token.text for token in collapsed.tokens}
    return {f"{arc.type}({words[arc.governor]}, {words[arc.dependent]})" for arc in collapsed.dependencies}


def test_preposition_becomes_an_arc_and_punctuation_goes():
    found = arcs_of("Binding/NN/0/root of/IN/1/prep actin/NN/2/pobj ././1/punct")
    assert found == {"prep_of(Binding, actin)"}
    assert "punct(Binding, .)" in arcs_of("Binding/NN/0/root ././1/punct", punctuation=True)


def test_clause_as_object_of_a_preposition_is_prepc():
    found = arcs_of("acts/VBZ/0/root by/IN/1/prep binding/VBG/2/pcomp actin/NN/3/dobj")
    assert found == {"prepc_by(acts, binding)", "dobj(binding, actin)"}


def test_agent_keeps_its_name():
    found = arcs_of("bound/VBN/0/root by/IN/1/agent actin/NN/2/pobj and/CC/3/cc cofilin/NN/3/conj")
    assert found == {"agent(bound, actin)", "agent(bound, cofilin)", "conj_and(actin, cofilin)"}


def test_two_word_preposition():
    found = arcs_of("fails/VBZ/0/root due/IN/1/prep to/IN/2/pcomp loss/NN/3/pobj")
    assert found == {"prep_due_to(fails, loss)"}


def test_modifier_of_a_preposition_moves_to_its_object():
    found = arcs_of("expressed/VBN/0/root mainly/RB/3/advmod in/IN/1/prep liver/NN/3/pobj")
    assert found == {"prep_in(expressed, liver)", "advmod(liver, mainly)"}


def test_stranded_preposition_is_left_alone():
    assert arcs_of("binds/VBZ/0/root to/IN/1/prep") == {"prep(binds, to)"}


@pytest.mark.parametrize(
    "chain",
    [
        "A/NN/7/nsubj ,/,/1/punct B/NN/1/conj ,/,/3/punct and/CC/3/cc C/NN/3/conj bind/VBP/0/root",
        "A/NN/7/nsubj ,/,/1/punct B/NN/1/conj ,/,/1/punct and/CC/1/cc C/NN/1/conj bind/VBP/0/root",
    ],
    ids=["chained", "all under the first"],
)
def test_list_gives_every_conjunct_the_governor(chain):
    expected = {"nsubj(bind, A)", "nsubj(bind, B)", "nsubj(bind, C)", "conj_and(A, B)", "conj_and(A, C)"}
    assert arcs_of(chain) == expected


def test_coordinated_prepositions_keep_their_own_names():
    found = arcs_of("found/VBN/0/root in/IN/1/prep liver/NN/2/pobj and/CC/2/cc on/IN/2/conj skin/NN/5/pobj")
    assert found == {"prep_in(found, liver)", "prep_on(found, skin)", "conj_and(liver, skin)"}


def test_as_well_as_is_and_and_but_not_is_negcc():
    found = arcs_of("A/NN/0/root as/RB/4/advmod well/RB/4/advmod as/IN/1/cc B/NN/1/conj")
    assert found == {"conj_and(A, B)"}
    found = arcs_of("A/NN/0/root but/CC/1/cc not/RB/4/neg B/NN/1/conj")
    assert found == {"conj_negcc(A, B)", "neg(B, not)"}


def test_second_verb_shares_the_subject_in_its_own_voice():
    found = arcs_of("A/NN/2/nsubj binds/VBZ/0/root B/NN/2/dobj and/CC/2/cc is/VBZ/6/auxpass inhibited/VBN/2/conj")
    assert {"nsubj(binds, A)", "nsubjpass(inhibited, A)", "conj_and(binds, inhibited)"} <= found


def test_relative_pronoun_gives_way_to_its_noun():
    found = arcs_of("factor/NN/0/root which/WDT/3/nsubj binds/VBZ/1/relcl DNA/NN/3/dobj")
    assert found == {
        "relcl(factor, binds)",
        "nsubj(binds, factor)",
        "ref(factor, which)",
        "dobj(binds, DNA)",
    }
    found = arcs_of("site/NN/0/root to/IN/5/prep which/WDT/2/pobj A/NN/5/nsubj binds/VBZ/1/relcl")
    assert {"prep_to(binds, site)", "ref(site, which)"} <= found


def test_subject_of_an_infinitive():
    found = arcs_of("A/NN/2/nsubj fails/VBZ/0/root to/TO/4/aux bind/VB/2/xcomp B/NN/4/dobj")
    assert "xsubj(bind, A)" in found
    found = arcs_of("A/NN/2/nsubj causes/VBZ/0/root B/NN/2/dobj to/TO/5/aux bind/VB/2/xcomp")
    assert "xsubj(bind, B)" in found
    assert "xsubj(bind, A)" not in found


def test_universal_dependencies_are_enhanced():
    found = arcs_of(
        "A/NN/6/nsubj:pass and/CC/3/cc B/NN/1/conj was/VBD/6/aux:pass mainly/RB/6/advmod found/VBN/0/root "
        "in/IN/8/case cells/NNS/6/obl"
    )
    assert {"obl:in(found, cells)", "case(cells, in)", "conj:and(A, B)", "cc(B, and)"} <= found
    assert "nsubj:pass(found, B)" in found


def test_universal_relative_clause_and_fixed_preposition():
    found = arcs_of("factor/NN/0/root that/WDT/3/nsubj binds/VBZ/1/acl:relcl DNA/NN/3/obj")
    assert {"nsubj(binds, factor)", "ref(factor, that)"} <= found
    found = arcs_of("fails/VBZ/0/root because/IN/4/case of/IN/2/fixed loss/NN/1/obl")
    assert "obl:because_of(fails, loss)" in found


def test_scheme_is_detected():
    assert detect_scheme(graph_of("binding/NN/0/root of/IN/1/prep actin/NN/2/pobj")) == "stanford"
    assert detect_scheme(graph_of("binding/NN/0/root of/IN/3/case actin/NN/1/nmod")) == "universal"
    done = collapse(graph_of("binding/NN/0/root of/IN/1/prep actin/NN/2/pobj"))
    assert detect_scheme(done) == "collapsed"
    assert collapse(done) is done
    assert done.parser == "test-enhanced"


def test_unknown_scheme_and_missing_parse_are_errors():
    with pytest.raises(ParseError, match=r"expected a scheme.*'penn'"):
        collapse(graph_of("a/NN/0/root"), scheme="penn")
    with pytest.raises(ParseError, match="tokenization without one"):
        collapse(DependencyGraph(None, "words", ()))


LABELS = st.sampled_from(
    [
        *("prep", "pobj", "pcomp", "conj", "cc", "nsubj", "nsubjpass", "dobj", "punct"),
        *("relcl", "agent", "xcomp", "aux", "auxpass", "amod", "advmod", "det"),
    ]
)
WORDS = st.sampled_from(["of", "to", "which", "and", "but", "not", "as", "well", "A", "B", "binds", "by"])
TAGS = st.sampled_from(["NN", "IN", "VBZ", "VBN", "CC", "WDT", "TO", "RB"])


@st.composite
def trees(draw) -> DependencyGraph:
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    tokens = tuple(Token(str(i), 9 * i, 9 * i + 3, draw(WORDS), draw(TAGS)) for i in range(size))
    arcs = tuple(
        Dependency(str(order[draw(st.integers(0, number - 1))]), str(order[number]), draw(LABELS))
        for number in range(1, size)
    )
    return DependencyGraph("random", "words", tokens, arcs, (str(order[0]),))


@given(trees(), st.sampled_from(["stanford", "universal"]))
def test_no_token_is_lost_and_what_has_arcs_stays_connected(graph, scheme):
    collapsed = collapse(graph, scheme=scheme)
    assert collapsed.tokens == graph.tokens
    assert collapsed.roots == graph.roots
    joined = nx.Graph((arc.governor, arc.dependent) for arc in collapsed.dependencies)
    assert nx.number_connected_components(joined) <= 1
    assert len(set(collapsed.dependencies)) == len(collapsed.dependencies)


@given(trees(), st.sampled_from(["stanford", "universal"]))
def test_only_function_words_can_lose_all_their_arcs(graph, scheme):
    collapsed = collapse(graph, scheme=scheme)
    left = {id for arc in collapsed.dependencies for id in (arc.governor, arc.dependent)}
    entering = {arc.dependent: arc.type for arc in graph.dependencies}
    function_words = {"prep", "agent", "cc", "punct", "pcomp", "conj", "advmod", "pobj"}
    for token in graph.tokens:
        if token.id not in left and token.id in entering:
            assert entering[token.id] in function_words


def arcs_at_random(ids):
    return st.lists(st.builds(Dependency, st.sampled_from(ids), st.sampled_from(ids), LABELS), max_size=14)


@given(st.integers(1, 6).flatmap(lambda size: st.tuples(st.just(size), arcs_at_random([*map(str, range(size))]))))
def test_general_graphs_with_cycles_and_self_loops_do_not_crash(case):
    size, arcs = case
    tokens = tuple(Token(str(i), 9 * i, 9 * i + 3, "of", "IN") for i in range(size))
    for scheme in ("stanford", "universal"):
        collapse(DependencyGraph("random", "words", tokens, tuple(arcs)), scheme=scheme)
