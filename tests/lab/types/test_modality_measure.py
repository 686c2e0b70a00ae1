"""The measurement of negated and hedged pairs: cases by hand, halves that keep articles together, real corpora."""

import gzip
import json

import pytest
from kernel_twins import make_sentence
from lab.frame.cache import Cache
from lab.types.modality import (
    BIOSCOPE,
    CORPORA,
    HALVES,
    REPORTED,
    cases_of,
    half_of,
    known_cues,
    main,
    parsed,
    score,
    scores,
)

import corpora
from corpora import Document, Entity, Event, Trigger


def event_document(id, words, arcs, modifications):
    """A binds B, with words and modifications around it."""
    sentence = make_sentence(words, arcs, [[words.index("A")], [words.index("B")]])
    proteins = tuple(Entity(each.id, each.text, each.spans, "Protein") for each in sentence.entities)
    sentence = type(sentence)("s", sentence.text, proteins, (), sentence.parses)
    at = sentence.text.index("bind")
    trigger = Trigger("T9", "bind", ((at, at + 4),), "Binding")
    event = Event("E1", "Binding", "T9", (("Theme", "e0"), ("Theme2", "e1")), modifications)
    return Document(id, (sentence,), triggers=(trigger,), events=(event,))


DOCUMENTS = [
    event_document(
        "PMID-10000001", ["A", "may", "bind", "B"], [(2, 0, "nsubj"), (2, 1, "aux"), (2, 3, "dobj")], ("Speculation",)
    ),
    event_document(
        "PMID-10000002", ["A", "cannot", "bind", "B"], [(2, 0, "nsubj"), (2, 1, "aux"), (2, 3, "dobj")], ("Negation",)
    ),
    event_document(
        "PMID-10000003",
        ["A", "hardly", "bind", "B"],
        [(2, 0, "nsubj"), (2, 1, "advmod"), (2, 3, "dobj")],
        ("Negation",),
    ),
    event_document(
        "PMID-10000004", ["A", "will", "bind", "B"], [(2, 0, "nsubj"), (2, 1, "aux"), (2, 3, "dobj")], ("Speculation",)
    ),
]


def test_cases_are_judged_by_the_modifications_of_their_events():
    cases = [case for half in HALVES for case in cases_of(DOCUMENTS, half)]
    assert len(cases) == 4
    found = scores(cases)
    assert (found["denials"].true_positives, found["denials"].false_negatives) == (1, 1)
    assert found["negated"].f == 1
    assert (found["hedged"].precision, found["hedged"].recall) == (1, 0.5)


def test_scores_of_nothing_are_zero():
    empty = score([])
    assert (empty.precision, empty.recall, empty.f) == (0, 0, 0)


def test_every_document_is_in_one_half_with_the_rest_of_its_article():
    halves = [half_of(f"train/PMC-{number}-{part}") for number in range(100000, 100200) for part in ("01", "02")]
    assert halves[::2] == halves[1::2]
    assert 60 < halves[::2].count(REPORTED) < 140
    assert half_of("no number") in HALVES


def bioscope(path):
    text = (
        '<Annotation><sentence>A <xcope id="X"><cue type="speculation" ref="X">may</cue> bind</xcope>'
        '<cue type="speculation">raise the possibility</cue><cue type="speculation">suggest</cue>'
        '<cue type="negation">Not</cue></sentence></Annotation>'
    )
    with gzip.open(path, "wt", encoding="utf-8") as output:
        output.write(text)


def test_cues_of_bioscope_are_known_by_any_of_their_words(tmp_path):
    bioscope(tmp_path / "some.xml.gz")
    assert known_cues(tmp_path / "some.xml.gz") == {"negation": (1, 1), "speculation": (2, 3)}


def test_tables_of_parsed_files(tmp_path, capsys):
    for name in CORPORA.values():
        corpora.write(DOCUMENTS, tmp_path / f"{name}.jsonl")
    for name in BIOSCOPE:
        bioscope(tmp_path / name)
    folders = ["--corpora", str(tmp_path), "--parsed", str(tmp_path)]
    assert main(folders) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("| development", "| reported"))]
    assert len(rows) == 2 * (len(CORPORA) + 1)
    assert main([*folders, "--half", REPORTED, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {row["half"] for row in shown["pairs"]} == {REPORTED}
    assert shown["bioscope"][BIOSCOPE[0]]["speculation"] == [2, 3]


def test_a_missing_parse_is_one_line(tmp_path, capsys):
    assert main(["--corpora", str(tmp_path), "--parsed", str(tmp_path)]) == 1
    assert "expected 'bionlp-st-2011-ge.jsonl'" in capsys.readouterr().err


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """What --corpora sets is taken back."""
    monkeypatch.setenv("PPI_CORPORA", "")


@pytest.mark.slow
def test_the_reported_half_of_the_real_corpora(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    cases = [case for name in CORPORA.values() for case in cases_of(parsed(name, None, Cache(tmp_path)), REPORTED)]
    found = scores(cases)
    assert found["negated"].f > max(0.75, found["denials"].f + 0.1)
    assert found["hedged"].f > 0.5
