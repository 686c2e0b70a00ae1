"""F against gold, by hand, and against the definition written out."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Dependency, DependencyGraph, Token
from ppi.parse_ranking.candidate_parses import CandidateParse, CandidateSet, align_units, goodness, with_goodness


def graph(text, pieces, links, name="x"):
    """A parse of ``text`` cut into ``pieces`` (which follow each other), links being (governor, dependent, type)."""
    tokens, position = [], 0
    for number, piece in enumerate(pieces):
        start = text.index(piece, position)
        position = start + len(piece)
        tokens.append(Token(str(number), start, position, piece))
    arcs = tuple(Dependency(str(governor), str(dependent), type) for governor, dependent, type in links)
    return DependencyGraph(name, name, tuple(tokens), arcs)


TEXT = "Active NF-kappaB binds DNA ."
GOLD = graph(
    TEXT,
    ["Active", "NF", "-", "kappaB", "binds", "DNA", "."],
    [
        (3, 0, "amod"),
        (3, 1, "compound"),
        (3, 2, "punct"),
        (4, 3, "nsubj"),
        (4, 5, "dobj"),
        (4, 6, "punct"),
    ],
)


def test_gold_against_itself():
    assert goodness(GOLD, GOLD) == 1
    assert goodness(GOLD, GOLD, labelled=True) == 1


def test_direction_and_type_count_only_when_labelled():
    turned = graph(
        TEXT, [token.text for token in GOLD.tokens], [(0, 3, "A"), (1, 3, "B"), (4, 3, "nsubj"), (5, 4, "O")]
    )
    assert goodness(turned, GOLD) == 1
    assert goodness(turned, GOLD, labelled=True) == pytest.approx(2 * 1 / (4 + 4))


def test_a_gold_dependency_inside_a_merged_token_is_missing():
    # NF-kappaB is one token: three gold dependencies between units, one (compound) hidden inside
    merged = graph(TEXT, ["Active", "NF-kappaB", "binds", "DNA", "."], [(0, 1, "A"), (1, 2, "Ss"), (2, 3, "Os")])
    assert goodness(merged, GOLD) == pytest.approx(2 * 3 / (3 + 3 + 1))


def test_a_link_inside_a_split_token_counts_neither_way():
    pieces = ["Act", "ive", "NF", "-", "kappaB", "binds", "DNA", "."]
    split = graph(TEXT, pieces, [(0, 1, "X"), (1, 4, "A"), (2, 4, "G"), (4, 5, "Ss"), (5, 6, "Os")])
    assert goodness(split, GOLD) == 1


def test_tokens_cut_differently_on_both_sides_are_one_unit():
    gold = graph("ab cd", ["a", "b", "cd"], [(2, 0, "x"), (0, 1, "y")])
    other = graph("ab cd", ["ab", "c", "d"], [(0, 1, "L"), (1, 2, "M")])
    # units {a b | ab} and {cd | c d}: x is found, y hidden, M inside a unit
    assert goodness(other, gold) == pytest.approx(2 * 1 / (1 + 1 + 1))


def test_punctuation_is_left_out_on_both_sides():
    links = [(0, 3, "A"), (1, 3, "G"), (3, 4, "S"), (4, 5, "O"), (5, 6, "Xp"), (2, 3, "Y")]
    assert goodness(graph(TEXT, [token.text for token in GOLD.tokens], links), GOLD) == 1


def test_a_word_merged_with_punctuation_still_counts():
    merged = graph(
        TEXT, ["Active", "NF", "-kappaB", "binds", "DNA ."], [(0, 2, "A"), (1, 2, "G"), (2, 3, "S"), (3, 4, "O")]
    )
    assert goodness(merged, GOLD) == 1


def test_skipped_words_are_missing():
    skipped = graph(TEXT, [token.text for token in GOLD.tokens], [(3, 4, "S"), (4, 5, "O")])
    assert goodness(skipped, GOLD) == pytest.approx(2 * 2 / (4 + 2))
    assert goodness(graph(TEXT, ["binds"], []), GOLD) == 0


def test_nothing_to_find_and_nothing_found():
    word = graph("Cells", ["Cells"], [])
    assert goodness(word, word) == 1


def test_two_links_between_the_same_words_are_one():
    twice = graph("a b", ["a", "b"], [(0, 1, "A"), (0, 1, "B")])
    assert goodness(twice, graph("a b", ["a", "b"], [(1, 0, "x")])) == 1


def test_each_candidate_of_a_set():
    candidates = CandidateSet("1", TEXT, (CandidateParse(GOLD, 0), CandidateParse(graph(TEXT, ["Active"], []), 1)))
    assert with_goodness(candidates, GOLD).goodness == (1.0, 0.0)
    assert candidates.goodness is None


# -- plainly ----------------------------------------------------------------------------------------------------


def connected(tokens):
    """For each token the set of tokens it is connected with by shared characters, by repeated search."""
    groups = [{index} for index in range(len(tokens))]
    changed = True
    while changed:
        changed = False
        for first, second in product(range(len(tokens)), repeat=2):
            share = tokens[first].start < tokens[second].end and tokens[second].start < tokens[first].end
            if share and groups[first] != groups[second]:
                union = groups[first] | groups[second]
                for index in union:
                    groups[index] = union
                changed = True
    return [frozenset(group) for group in groups]


def slow_goodness(candidate, gold, labelled):
    tokens = [*gold.tokens, *candidate.tokens]
    groups = connected(tokens)
    gold_of = {token.id: groups[index] for index, token in enumerate(gold.tokens)}
    candidate_of = {token.id: groups[len(gold.tokens) + index] for index, token in enumerate(candidate.tokens)}

    def is_mark(id):
        return any(arc.dependent == id and arc.type == "punct" for arc in gold.dependencies)

    def ignored(group):
        members = [gold.tokens[index].id for index in group if index < len(gold.tokens)]
        return bool(members) and all(is_mark(id) for id in members)

    def counted(graph, of):
        return [
            (of[arc.governor], of[arc.dependent], arc.type)
            for arc in graph.dependencies
            if arc.type != "punct" and not ignored(of[arc.governor]) and not ignored(of[arc.dependent])
        ]

    def between(links):
        if labelled:
            return {link for link in links if link[0] != link[1]}
        return {frozenset(link[:2]) for link in links if link[0] != link[1]}

    wanted, found = counted(gold, gold_of), counted(candidate, candidate_of)
    hidden = sum(first == second for first, second, _ in wanted)
    right = len(between(wanted) & between(found))
    precision = right / len(between(found)) if found and between(found) else 0
    recall = right / (len(between(wanted)) + hidden) if wanted else 0
    if not between(found) and not between(wanted) and not hidden:
        return 1
    return 2 * precision * recall / (precision + recall) if right else 0


@st.composite
def parses(draw, types):
    length = 12
    cuts = sorted(draw(st.sets(st.integers(0, length), min_size=2, max_size=8)))
    spans = [span for span in pairwise(cuts) if draw(st.integers(0, 4))]
    tokens = tuple(Token(str(number), start, end, "x") for number, (start, end) in enumerate(spans))
    ends = st.integers(0, max(len(tokens) - 1, 0)).map(str)
    arcs = st.builds(Dependency, ends, ends, st.sampled_from(types))
    links = draw(st.lists(arcs, max_size=10)) if tokens else []
    return DependencyGraph("x", "x", tokens, tuple(links))


@given(parses(["a", "b", "Xp"]), parses(["a", "b", "punct"]), st.booleans())
def test_fast_equals_the_definition(candidate, gold, labelled):
    assert goodness(candidate, gold, labelled=labelled) == pytest.approx(slow_goodness(candidate, gold, labelled))


@given(parses(["a"]), parses(["a"]))
def test_units_are_the_connected_tokens(first, second):
    numbers = [number for side in align_units(first.tokens, second.tokens) for number in side]
    groups = connected([*first.tokens, *second.tokens])
    for one, two in product(range(len(numbers)), repeat=2):
        assert (numbers[one] == numbers[two]) == (groups[one] == groups[two])
    assert sorted(set(numbers)) == list(range(len(set(numbers))))


@given(parses(["a", "b"]), parses(["a", "b"]))
def test_labelled_is_never_above_unlabelled_when_arcs_are_single(candidate, gold):
    def single(graph):
        kept = {frozenset((arc.governor, arc.dependent)): arc for arc in graph.dependencies}
        return DependencyGraph("x", "x", graph.tokens, tuple(kept.values()))

    first, second = single(candidate), single(gold)
    if [(t.start, t.end) for t in first.tokens] == [(t.start, t.end) for t in second.tokens]:
        assert goodness(first, second, labelled=True) <= goodness(first, second)
    assert 0 <= goodness(first, second) <= 1
