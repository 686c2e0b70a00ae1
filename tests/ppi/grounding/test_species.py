"""Organisms of a text: words, strains, kingdoms; what is no sign; what stands around a mention."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Document, Sentence
from ppi.grounding.species import (
    BACTERIA,
    BUDDING_YEAST,
    E_COLI,
    FISSION_YEAST,
    FLY,
    HUMAN,
    MICROBE_ENDINGS,
    MOUSE,
    RAT,
    TAXIDS_BY_FIRST_WORD,
    VIRUSES,
    ZEBRAFISH,
    DocumentSpecies,
    find_species,
)


def taxids(text):
    return [word.taxid for word in find_species(text)]


def document(*texts):
    return Document("d", tuple(Sentence(f"s{number}", text) for number, text in enumerate(texts)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patients and murine cells", [HUMAN, MOUSE]),
        ("in mice, rats and zebrafish", [MOUSE, RAT, ZEBRAFISH]),
        ("S. cerevisiae and S. pombe", [BUDDING_YEAST, FISSION_YEAST]),
        ("fission yeast, budding yeast, yeast", [FISSION_YEAST, BUDDING_YEAST, BUDDING_YEAST]),
        ("Drosophila melanogaster", [FLY]),
        ("Escherichia coli (E. coli)", [E_COLI, E_COLI]),
        ("HEK293, HEK-293 and NIH-3T3 cells", [HUMAN, HUMAN, MOUSE]),
        ("the HEK293 line, NIH 3T3", [HUMAN, MOUSE]),
        ("C57BL/6 or BALB/c", [MOUSE, MOUSE]),
        ("Pseudomonas aeruginosa", [BACTERIA]),
        ("enterococcus and adenovirus", [BACTERIA, VIRUSES]),
        ("mouse-human chimeras", [MOUSE, HUMAN]),
    ],
)
def test_names_of_organisms(text, expected):
    assert taxids(text) == expected


@pytest.mark.parametrize(
    "text", ["yeast two-hybrid screen", "fetal bovine serum", "CHO and COS-7 cells", "a humanoid", "scattered", "ratio"]
)
def test_what_names_no_organism(text):
    assert taxids(text) == []


def test_places_are_those_of_the_text():
    text = "The murine and S. pombe genes"
    assert [text[word.start : word.end] for word in find_species(text)] == ["murine", "S. pombe"]


def test_capitals_that_become_two_characters_move_nothing():
    text = "\u0130\u0130 human"
    (word,) = find_species(text)
    assert text[word.start : word.end] == "human"


def plainly(text):
    """Every run of words is looked up, longest first."""
    words = [(found.group(), found.start(), found.end()) for found in re.finditer("[a-z0-9]+", text.lower())]
    names = {name: taxid for listed in TAXIDS_BY_FIRST_WORD.values() for name, taxid in listed.items()}
    found, at = [], 0
    while at < len(words):
        for size in range(len(words) - at, 0, -1):
            name = tuple(word for word, _, _ in words[at : at + size])
            if name in names:
                if names[name] is not None:
                    found.append((words[at][1], words[at + size - 1][2], names[name]))
                at += size
                break
        else:
            for endings, kingdom in MICROBE_ENDINGS:
                if any(words[at][0].endswith(ending) for ending in endings):
                    found.append((words[at][1], words[at][2], kingdom))
                    break
            at += 1
    return found


WORDS = ["S.", "pombe", "yeast", "two-hybrid", "HEK", "293", "E.", "coli", "mice", "lentivirus", "C57BL/6", "a", "not"]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_the_quick_scan_equals_the_plain_one(text):
    assert [tuple(word) for word in find_species(text)] == plainly(text)


def test_around_a_mention():
    species = DocumentSpecies(document("Human p53 and mouse Mdm2 in yeast."))
    around = species.neighbourhood(0, 6, 9)
    assert (around.inside, around.before, around.after) == (None, HUMAN, MOUSE)
    inside = species.neighbourhood(0, 14, 24)
    assert (inside.inside, inside.before, inside.after) == (MOUSE, HUMAN, BUDDING_YEAST)
    assert inside.nearest == MOUSE


def test_no_word_no_species():
    species = DocumentSpecies(document("p53 binds Mdm2.", ""))
    assert species.dominant is None
    assert species.first is None
    assert species.foreign_proportion == 0
    assert species.neighbourhood(1, 0, 0).nearest is None


def test_counts_over_sentences():
    species = DocumentSpecies(document("Mice.", "Mice and rats, and Pseudomonas."))
    assert species.counts == {MOUSE: 2, RAT: 1, BACTERIA: 1}
    assert species.dominant == MOUSE
    assert species.foreign_proportion == 0.25
