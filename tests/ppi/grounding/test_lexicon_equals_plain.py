"""The lexicon of flat arrays finds what plain dictionaries find."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_lexicon import PlainLexicon

from ppi.grounding.lexicon import Lexicon
from ppi.grounding.matching import LexiconEntry

WORDS = st.sampled_from(
    [
        "IL",
        "2",
        "il2",
        "alpha",
        "α",
        "beta",
        "TNF",
        "-",
        " ",
        "protein",
        "Genes",
        "s",
        "II",
        "complex",
        "family",
        "mRNA",
    ]
)
NAMES = st.lists(WORDS, min_size=1, max_size=5).map("".join) | st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
ENTRIES = st.builds(
    LexiconEntry,
    st.sampled_from(["ncbigene:1", "ncbigene:2", "rgd:1", "fplx:A", "complexportal:CPX-1", "sgd:S1"]),
    NAMES,
    st.lists(NAMES, max_size=3).map(tuple),
    st.lists(NAMES, max_size=3).map(tuple),
    st.sampled_from([None, "9606", "4932"]),
    st.sampled_from(["gene", "family", "complex"]),
    st.sampled_from([None, "P12345"]),
)


@given(st.lists(ENTRIES, max_size=6), st.lists(NAMES, max_size=4))
@settings(max_examples=300, deadline=None)
def test_any_names_have_the_candidates_of_plain_dictionaries(entries, asked):
    lexicon, plain = Lexicon(entries), PlainLexicon(entries)
    held = [name for entry in entries for name in (entry.symbol, *entry.synonyms, *entry.names)]
    for name in (*held, *asked):
        assert lexicon.candidates(name) == plain.candidates(name), name


def test_names_that_many_share_are_left_out_of_both():
    entries = [LexiconEntry(f"ncbigene:{n}", f"G{n}", ("IL-2", "IL2"), ("an IL2 protein",), "9606") for n in range(51)]
    entries += [LexiconEntry(f"rgd:{n}", "IL2", taxid="10116") for n in range(51)]  # symbols stay
    lexicon, plain = Lexicon(entries), PlainLexicon(entries)
    for name in ("IL2", "IL-2", "il2s", "an IL2", "an IL2 protein", "G7", "g-12"):
        assert lexicon.candidates(name) == plain.candidates(name)
    assert {each.identifier.split(":")[0] for each in lexicon.candidates("IL-2")} == {"rgd"}


@pytest.mark.slow
def test_the_shipped_lexicon_has_the_candidates_of_its_sources(corpora_folder):
    """For names of every source, changed ones, and words that name nothing."""
    from lab.training.lexicon.placeholders import without_placeholders
    from lab.training.lexicon.sources import SOURCES

    folder = corpora_folder / "lexicon"
    entries = [without_placeholders(entry) for source in SOURCES for entry in source.read(folder / source.file)]
    lexicon, plain = Lexicon.shipped(), PlainLexicon(entries)
    assert len(lexicon) == len(entries)
    chooser = random.Random(0)
    held = [name for entry in entries for name in (entry.symbol, *entry.synonyms, *entry.names)]
    for name in chooser.sample(held, 3000):
        letters = list(name)
        chooser.shuffle(letters)
        changed = [name.lower(), name.replace("-", " "), f"{name} protein", f"{name}s", "".join(letters), name[:-1]]
        for asked in (name, *changed):
            assert lexicon.candidates(asked) == plain.candidates(asked), asked
