"""Drawings of networks: what is in them, where it stands, and that nothing of a name gets out of its place."""

import math
import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.network.drawing import MAX_LABEL_CHARS, _crosses, draw
from ppi.network.graph import Edge, Network, Protein

SVG = "{http://www.w3.org/2000/svg}"


def network(*ends, probability=0.5, labels=None, identifiers=()):
    """Edges written as ``A-B``, the first the most probable."""
    pairs = [tuple(sorted(each.split("-"))) for each in ends]
    keys = sorted({key for pair in pairs for key in pair})
    proteins = {
        key: Protein(key, (labels or {}).get(key, key), (key,), key if key in identifiers else None) for key in keys
    }
    return Network(proteins, tuple(Edge(*pair, probability, 1, 1, 1) for pair in pairs))


def places(drawing):
    """Where each protein stands."""
    circles = {}
    for node in ElementTree.fromstring(drawing).iter(f"{SVG}g"):
        circle = node.find(f"{SVG}circle")
        circles[node.get("data-key")] = (float(circle.get("cx")), float(circle.get("cy")))
    return circles


def size(drawing):
    root = ElementTree.fromstring(drawing)
    return float(root.get("width")), float(root.get("height"))


SHAPES = [
    ["A-B"],
    ["A-B", "B-C", "A-C"],
    ["A-B", "C-D", "E-F", "F-G"],
    ["A-B", "B-C", "C-D", "D-E", "E-F", "A-F"],
    [f"hub-{name}" for name in "ABCDEFGH"],
    [f"{one}-{other}" for one, other in combinations("ABCDE", 2)],
]


@pytest.mark.parametrize("ends", SHAPES)
def test_every_protein_has_a_place_of_its_own_inside_the_picture(ends):
    drawing = draw(network(*ends))
    where, (width, height) = places(drawing), size(drawing)
    assert set(where) == {key for each in ends for key in each.split("-")}
    for x, y in where.values():
        assert 0 < x < width
        assert 0 < y < height
    for one, other in combinations(where.values(), 2):
        assert math.dist(one, other) > 20


@pytest.mark.parametrize("ends", SHAPES)
def test_lines_join_the_proteins_that_they_are_of(ends):
    drawing = draw(network(*ends))
    where = places(drawing)
    lines = list(ElementTree.fromstring(drawing).iter(f"{SVG}line"))
    assert [(line.get("data-source"), line.get("data-target")) for line in lines] == [
        tuple(sorted(each.split("-"))) for each in ends
    ]
    for line in lines:
        start = (float(line.get("x1")), float(line.get("y1")))
        end = (float(line.get("x2")), float(line.get("y2")))
        assert (start, end) == (where[line.get("data-source")], where[line.get("data-target")])


@pytest.mark.parametrize("ends", SHAPES[:4])  # around a hub, and between five that are all joined, there is no room
def test_no_line_runs_through_a_name_and_all_names_are_inside(ends):
    drawing = draw(network(*ends))
    root = ElementTree.fromstring(drawing)
    left, top, width, height = map(float, root.get("viewBox").split())
    for node in root.iter(f"{SVG}g"):
        text = node.find(f"{SVG}text")
        x, y, wide = float(text.get("x")), float(text.get("y")), 7.0 * len(text.text)
        begin = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor")]
        assert left <= begin
        assert begin + wide <= left + width
        assert top <= y - 11
        assert y + 3 <= top + height
        for line in root.iter(f"{SVG}line"):
            ends_of = [(float(line.get(f"x{n}")), float(line.get(f"y{n}"))) for n in (1, 2)]
            assert not _crosses(tuple(ends_of), (begin, y - 11, begin + wide, y + 3))


def test_small_networks_are_small():
    assert max(size(draw(network(*(f"hub-{name}" for name in "ABCDEFG"))))) < 500


def test_what_is_left_out_is_said_above():
    drawing = draw(network("A-B", "B-C", "C-D"), most_edges=2)
    root = ElementTree.fromstring(drawing)
    (note,) = root.findall(f"{SVG}text")
    assert note.text == "The 2 best supported of 3 pairs are drawn."
    assert float(note.get("y")) < min(y for _, y in places(drawing).values()) - 20


def test_a_chain_lies_as_pages_do():
    where = places(draw(network("A-B", "B-C", "C-D", "D-E")))
    xs, ys = zip(*where.values())
    assert max(xs) - min(xs) > 2 * (max(ys) - min(ys))
    steps = [math.dist(where[one], where[other]) for one, other in pairwise("ABCDE")]
    assert max(steps) < 1.5 * min(steps)


def test_parts_stand_in_rows_with_the_largest_first():
    ends = ["A-B", "C-D", "E-F", "G-H", "I-J", "J-K"]
    where = places(draw(network(*ends), width=300))
    assert min(where, key=lambda key: where[key][1] + where[key][0]) in "IJK"
    assert len({where[key][1] for key in "ACEG"}) > 1
    wide = places(draw(network(*ends), width=5000))
    assert len({wide[key][1] for key in "ACEG"}) == 1


def test_a_protein_with_itself_is_a_loop():
    root = ElementTree.fromstring(draw(network("A-A", "A-B")))
    (loop,) = root.iter(f"{SVG}path")
    assert (loop.get("data-source"), loop.get("data-target")) == ("A", "A")
    assert len(list(root.iter(f"{SVG}line"))) == 1


def test_more_probable_lines_are_wider_and_darker():
    lines = [
        next(ElementTree.fromstring(draw(network("A-B", probability=probability))).iter(f"{SVG}line"))
        for probability in (0.1, 0.5, 1.0)
    ]
    for name in ("stroke-width", "stroke-opacity"):
        values = [float(line.get(name)) for line in lines]
        assert values == sorted(set(values))
    assert [line.get("data-probability") for line in lines] == ["0.1000", "0.5000", "1.0000"]


def test_nodes_grow_with_their_edges_and_names_alone_are_grey():
    root = ElementTree.fromstring(draw(network("A-B", "B-C", "B-D", identifiers="B")))
    circles = {node.get("data-key"): node.find(f"{SVG}circle") for node in root.iter(f"{SVG}g")}
    assert float(circles["B"].get("r")) > float(circles["A"].get("r")) == float(circles["C"].get("r"))
    assert circles["B"].get("fill") != circles["A"].get("fill") == circles["D"].get("fill")


def test_long_labels_are_cut_and_told_whole_in_the_title():
    label = "a very long name of some protein or other"
    root = ElementTree.fromstring(draw(network("A-B", labels={"A": label})))
    node = next(node for node in root.iter(f"{SVG}g") if node.get("data-key") == "A")
    shown = node.find(f"{SVG}text").text
    assert (len(shown), shown[-1]) == (MAX_LABEL_CHARS, "…")
    assert node.find(f"{SVG}title").text == f"{label} (A)"


@given(st.lists(st.text(st.characters(), min_size=1, max_size=8), min_size=2, max_size=4, unique=True))
def test_no_name_breaks_the_drawing(names):
    keys = [f"k{number}" for number in range(len(names))]
    made = network(*(f"{one}-{other}" for one, other in pairwise(keys)), labels=dict(zip(keys, names)))
    root = ElementTree.fromstring(draw(made))
    assert [node.get("data-key") for node in root.iter(f"{SVG}g")] == keys


def test_names_with_markup_stay_names():
    drawing = draw(network("A-B", labels={"A": '<script>alert("x")</script>', "B": "&'\""}))
    assert "<script" not in drawing
    assert set(re.findall(r"<(\w+)", drawing)) == {"svg", "line", "title", "g", "circle", "text"}


def test_the_strongest_are_the_first_edges_and_their_proteins_alone():
    whole = network("A-B", "B-C", "C-D")
    some = whole.strongest(2)
    assert some.edges == whole.edges[:2]
    assert set(some.proteins) == {"A", "B", "C"}
    assert whole.strongest(99) == whole
    assert whole.strongest(0) == Network({}, ())
