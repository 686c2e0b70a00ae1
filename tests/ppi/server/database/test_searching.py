"""What is found, by hand and against a plain search of all interactions."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_database import TYPED, annotated

import ppi
from ppi.core import NotInRunError, UsageError
from ppi.export import FORMATS
from ppi.grounding import protein_key
from ppi.network import build_network
from ppi.server.runs.run_reader import read_interactions


def sentences(found):
    return [interaction.sentence for interaction in found]


def test_a_protein_is_found_by_every_spelling_symbol_and_identifier(run):
    for name in ("RAD51", "rad51", "Rad-51", "RAD 51", "ncbigene:5888", "5888", "P051", "uniprot:P051", " RAD51 "):
        assert len(run.search(name)) == 3, name
    assert [protein.key for protein in run.find("rad51")] == ["ncbigene:5888"]
    assert run.find("nobody") == []


def test_a_partner_in_either_order(run):
    assert sentences(run.search("BRCA2", "RAD51")) == sentences(run.search("RAD51", "BRCA2"))
    assert len(run.search("RAD51", "BRCA2")) == 3
    assert len(run.search("RAD51", "MDM2")) == 0


def test_limits(run):
    assert len(run.search()) == 5
    assert len(run.search(include_negated=True)) == len(run.search(include_hedged=True)) == 6
    assert len(run.search(include_negated=True, include_hedged=True)) == 7
    assert len(run.search(type="binding")) == 3
    assert len(run.search(type=["modification", "regulation"])) == 2
    assert len(run.search(min_probability=0.9)) == 3
    assert len(run.search(min_papers=2)) == 3
    assert len(run.search(first_year=2000)) == 2
    assert len(run.search(last_year=2000)) == 2
    assert len(run.search(first_year=1999, last_year=2004)) == 4
    assert sentences(run.search(text="binds HERE")) == ["Rad51 also binds BRCA2 here."]
    assert sentences(run.search(text='"binds brca2."')) == ["RAD51 binds BRCA2."]
    assert len(run.search(text="absent")) == 0


def test_pairs_count_papers_apart_from_sentences(run):
    count, pairs = run.search("RAD51").page_of_pairs()
    (pair,) = pairs
    assert (count, pair.papers, pair.sentences, pair.mentions) == (1, 2, 3, 3)
    assert (pair.source.label, pair.target.label, pair.directed) == ("RAD51", "BRCA2", False)
    assert (pair.first_year, pair.last_year) == (1999, 2004)
    assert pair.best.interaction.sentence == "RAD51 binds BRCA2."
    assert (pair.best.pubmed, pair.best.year) == ("10000001", 1999)
    both = run.search("TP53", include_negated=True, include_hedged=True).pairs()
    assert [(each.source.label, each.target.label, each.negated, each.hedged) for each in both] == [
        ("ATM", "TP53", 0, 0),
        ("MDM2", "TP53", 0, 1),
        ("RAD51", "TP53", 1, 0),
    ]
    assert both[2].papers == both[2].probability == 0


def test_pairs_in_either_order(run):
    assert [pair.papers for pair in run.search().pairs(order="papers")] == [2, 1, 1]
    assert [round(pair.probability, 2) for pair in run.search().pairs()][:2] == [0.99, 0.95]
    with pytest.raises(UsageError, match=r"expected an order of pairs, one of \['probability', 'papers'\], got 'x'"):
        run.search().pairs(order="x")


def test_pages_of_lists(run):
    found = run.search(include_negated=True, include_hedged=True)
    listed = [each.interaction.sentence for page in range(4) for each in found.sentences(limit=2, offset=2 * page)]
    assert len(listed) == len(set(listed)) == 7
    assert found.page_of_sentences(limit=2, offset=100) == (7, [])
    probabilities = [each.interaction.probability for each in found.sentences()]
    assert probabilities == sorted(probabilities, reverse=True)


def test_suggestions_begin_so_and_come_once(run):
    assert [(name, protein.label) for name, protein in run.suggest("rad")] == [("RAD51", "RAD51")]
    assert [protein.label for _, protein in run.suggest("M")] == ["MDM2"]
    assert run.suggest("") == run.suggest("-") == run.suggest("zzz") == []
    assert len(run.suggest("ncbigene:", limit=2)) == 2


def test_who_is_not_there_is_told_with_similar_names(run):
    with pytest.raises(NotInRunError, match=r"expected a protein of the run, got 'RDA51'; similar: .*RAD51"):
        run.search("RDA51")
    with pytest.raises(NotInRunError, match="got 'qqq'; check its spelling"):
        run.protein("qqq")
    with pytest.raises(NotInRunError, match=r"expected a document and pair of the run, got 'x', 'y'"):
        run.sentence("x", "y")


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({"min_probability": 2}, "expected a probability from 0 to 1, got 2"),
        ({"min_papers": -1}, "expected a number of papers of 0 or more, got -1"),
        ({"type": "love"}, "expected types of interaction among"),
        ({"text": "x" * 301}, "expected at most 300 characters"),
        ({"partner": "TP53"}, "expected a protein beside the partner"),
        ({"protein": 7}, "expected the name of a protein as text, got 7"),
    ],
)
def test_limits_that_cannot_be(run, limits, text):
    with pytest.raises(UsageError, match=text):
        run.search(**limits)


def test_a_sentence_is_known_by_its_document_and_pair(run):
    for found in run.search(include_negated=True, include_hedged=True).all_sentences():
        again = run.sentence(found.interaction.document, found.interaction.pair)
        assert again == found


def test_around_a_protein(run):
    labels = lambda pairs: {(pair.source.label, pair.target.label) for pair in pairs}  # noqa: E731
    assert labels(run.neighbourhood("ncbigene:4193")) == {("MDM2", "TP53")}
    assert labels(run.neighbourhood("ncbigene:4193", steps=2)) == {("MDM2", "TP53"), ("ATM", "TP53")}
    assert [(each.type, each.pairs, each.papers, each.sentences) for each in run.types_of("ncbigene:5888")] == [
        ("binding", 1, 2, 3)
    ]
    with pytest.raises(UsageError, match="expected 1 or 2 steps, got 3"):
        run.neighbourhood("ncbigene:4193", steps=3)


def test_frames_and_networks(run):
    assert run.to_frame().shape == (7, len(run.to_frame().columns))
    assert run.to_frame()["year"].tolist()[:3] == [1999, 1999, 2004]
    graph = run.to_networkx()
    assert sorted(graph) == ["name:atm", "ncbigene:4193", "ncbigene:5888", "ncbigene:675", "ncbigene:7157"]
    assert len(run.search("MDM2", include_hedged=True).to_networkx().edges) == 1


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_written_as_from_the_interactions_themselves(run, tmp_path, format):
    found = run.search(include_negated=True, include_hedged=True)
    path = tmp_path / f"out{FORMATS[format].suffixes[0]}"
    found.write(path, format)
    assert path.exists()
    if format == "jsonl":
        plain = tmp_path / "plain.jsonl"
        ppi.write(annotated(), plain)
        lines = [sorted(text.read_text().splitlines()) for text in (path, plain)]
        assert list(map(json.loads, lines[0])) == list(map(json.loads, lines[1]))


def test_edges_are_those_of_a_network_without_threshold(run, file):
    network = build_network(read_interactions([file]), min_probability=0.0)
    made = {
        (each.source.key, each.target.key, each.type, each.sign, each.directed): each for each in run.search().pairs()
    }
    assert len(made) == len(network.edges)
    for edge in network.edges:
        pair = made[edge.source, edge.target, edge.type, edge.sign, edge.directed]
        assert pair.probability == pytest.approx(edge.probability, abs=1e-12)
        assert (pair.papers, pair.sentences, pair.mentions) == (edge.papers, edge.sentences, edge.mentions)


NAMES = st.sampled_from(["RAD51", "Rad51", "BRCA2", "TP53", "MDM2", "ATM", "p-53"])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["10000001", "10000002", "d"]),
        NAMES,
        NAMES,
        st.integers(0, 100).map(lambda percent: percent / 100),
        st.sampled_from(["binding", "regulation", None]),
        st.booleans(),
        st.booleans(),
    ).filter(lambda row: row[1].upper().replace("-", "") != row[2].upper().replace("-", "")),
    min_size=1,
    max_size=25,
)


def _row(number, document, first, second, probability, type, negated, hedged):
    text = f"{first} number{number % 3} {second} the."
    return document, "2001", text, first, second, probability, {"type": type, "negated": negated, "hedged": hedged}


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=ROWS, name=NAMES, word=st.sampled_from(["number1", "the", "number"]), least=st.sampled_from([0.0, 0.5]))
def test_found_equals_a_plain_search_and_edges_a_network(tmp_path_factory, rows, name, word, least):
    documents = annotated([_row(number, *row) for number, row in enumerate(rows)])
    path = tmp_path_factory.mktemp("run") / "found.jsonl"
    ppi.write(documents, path)
    plain = [(one, document.document.id) for document in documents for one in document.interactions]
    with ppi.open_run(path) as run:
        calls = {protein.key for protein in run.find(name)}
        wanted = sorted(
            one.pair
            for one, _ in plain
            if calls & {protein_key(entity) for entity in one.proteins}
            and word in one.sentence
            and one.probability >= least
            and not one.negated
        )
        if calls:
            found = run.search(name, text=word, min_probability=least, include_hedged=True)
            assert sorted(one.pair for one in found) == wanted
            assert len(found) == len(wanted)
            assert (found.n_pairs() > 0) == bool(wanted)
        network = build_network(plain, min_probability=0.0)
        pairs = run.search().pairs(limit=1000)
        assert sorted((pair.source.key, pair.target.key, pair.papers, pair.sentences) for pair in pairs) == sorted(
            (edge.source, edge.target, edge.papers, edge.sentences) for edge in network.edges
        )
        assert sorted(pair.probability for pair in pairs) == pytest.approx(
            sorted(edge.probability for edge in network.edges), abs=1e-9
        )


HOSTILE = [
    "'; DROP TABLE interaction; --",
    '"; SELECT * FROM part; --',
    "1) OR (1=1",
    "%_\\",
    "$protein_0",
    "<script>alert(1)</script>",
    "\x00\ud800\u202e",
    "?" * 300,
    "{[(*",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_sql_in_every_field_is_text(run, text):
    for ask in (run.search, run.protein, run.types_of, run.neighbourhood):
        with pytest.raises(NotInRunError):
            ask(text)
    with pytest.raises(NotInRunError):
        run.sentence(text, text)
    assert len(run.search(text=text)) == 0
    run.suggest(text)
    assert run.facts().interactions == len(TYPED)
