"""The short drawing of a long sentence: what joins the two mentions, and nothing else of it."""

import re
import xml.etree.ElementTree as ET

from kernel_twins import make_sentence

from kernels import candidate_graph
from ppi.annotation.evidence import MAX_WHOLE_SENTENCE_TOKENS, evidence_svg, excerpt_positions, path_svg
from ppi.extraction import explain_graph

#: Words of a long sentence; 20 governs both mentions, 2 and 38, and every other word is at the next one.
WORDS = [f"w{n}" for n in range(41)]
ARCS = [(20, 2, "nsubj"), (20, 38, "dobj"), *((n, n + 1, "dep") for n in (5, 6, 7, 25, 26))]


def graph_of(words, arcs, first, second):
    sentence = make_sentence(words, arcs, [[first], [second]])
    return candidate_graph(sentence, sentence.pairs[0])


def explained(graph):
    return graph, explain_graph(graph, [], intercept=0.0, threshold=0.0)


def texts(svg):
    return [each.text for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_it_has_the_path_and_its_neighbours_and_dots_for_the_rest():
    graph = graph_of(WORDS, ARCS, 2, 38)
    assert excerpt_positions(graph) == [1, 2, 3, 19, 20, 21, 37, 38, 39]
    shown = texts(path_svg(*explained(graph)))
    assert [text for text in shown if text.startswith("w")] == [WORDS[n] for n in excerpt_positions(graph)]
    assert shown.count("…") == 4
    assert {"nsubj", "dobj"} <= set(shown)
    assert "dep" not in shown


def test_a_short_sentence_is_drawn_whole():
    words = WORDS[:MAX_WHOLE_SENTENCE_TOKENS]
    graph = graph_of(words, [(5, 0, "nsubj"), (5, 11, "dobj")], 0, 11)
    assert excerpt_positions(graph) == list(range(MAX_WHOLE_SENTENCE_TOKENS))
    shown = texts(path_svg(*explained(graph)))
    assert set(words) <= set(shown)
    assert "…" not in shown


def test_without_a_path_the_mentions_are_shown():
    graph = graph_of(WORDS, [], 2, 38)
    assert excerpt_positions(graph) == [1, 2, 3, 37, 38, 39]


def test_words_that_deny_are_shown():
    words = [*WORDS[:20], "binds", *WORDS[21:]]
    words[10] = "not"
    graph = graph_of(words, [(20, 2, "nsubj"), (20, 38, "dobj"), (20, 10, "neg")], 2, 38)
    assert {cue.token for cue in graph.modality.cues} == {10}
    assert {9, 10, 11} <= set(excerpt_positions(graph))


def test_the_drawing_says_where_the_mentions_are():
    for draw in (path_svg, evidence_svg):
        svg = draw(*explained(graph_of(WORDS, ARCS, 2, 38)))
        left, right = map(float, re.search(r"data-pair='(\d+) (\d+)'", svg).groups())
        places = {
            each.text: float(each.get("x"))
            for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
            if each.text in ("w2", "w38")
        }
        assert left < places["w2"] < places["w38"] < right
        width = float(ET.fromstring(svg).get("width"))
        assert 0 <= left < right <= width
        assert (right - left) / width > 0.5
