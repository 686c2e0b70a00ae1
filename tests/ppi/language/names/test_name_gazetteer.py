"""Known names in a text: longest first, spelling aside, and nothing found everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from ppi.language.names.token_features import BEGIN, INSIDE, LAST, LISTS, OUTSIDE, WHOLE, Gazetteer, normalize_name


def places(known, words):
    return Gazetteer(*Gazetteer.tables({"gene": known})).find_places(words)


def test_the_longest_name_wins_whatever_its_spelling():
    words = ["the", "IL", "-", "2", "receptor", "binds", "p53", "."]
    assert places(["IL2", "il-2 receptor", "P53"], words) == [
        OUTSIDE, BEGIN, INSIDE, INSIDE, LAST, OUTSIDE, WHOLE, OUTSIDE,
    ]  # fmt: skip


def test_a_name_neither_begins_nor_ends_with_punctuation():
    assert places(["IL2"], ["(", "IL2", ")"]) == [OUTSIDE, WHOLE, OUTSIDE]
    assert places(["IL2"], ["IL", "-", ")"]) == [OUTSIDE] * 3


def test_single_letters_and_pairs_of_letters_are_not_looked_up():
    assert places(["C", "is", "p1"], ["C", "is", "p1"]) == [OUTSIDE, OUTSIDE, WHOLE]


def test_the_list_of_a_name_shows_in_its_places():
    gazetteer = Gazetteer(*Gazetteer.tables({"gene": ["p53", "TG"], "chemical": ["TG1", "p53"], "cell": ["HeLa cell"]}))
    found = {
        LISTS[number]: (start, end) for start, end, number in gazetteer.find_matches(["TG1", "p53", "HeLa", "cell"])
    }
    assert found == {"chemical": (0, 1), "ambiguous": (1, 2), "cell": (2, 4)}
    cell = 4 * LISTS.index("cell")
    assert gazetteer.find_places(["HeLa", "cell", "x"]) == [BEGIN + cell, LAST + cell, OUTSIDE]
    assert max(gazetteer.find_places(["p53"])) == WHOLE * len(LISTS)


def test_no_name_begins_with_a_function_word():
    assert places(["INA", "AND3"], ["in", "a", "and", "3"]) == [OUTSIDE] * 4


TOKENS = st.lists(st.text("aB1-β ", min_size=1, max_size=3), max_size=12)
NAMES = st.lists(st.text("aB1β", min_size=1), max_size=5)


@given(TOKENS, NAMES)
def test_places_are_those_of_trying_every_stretch(words, known):
    keys = {normalize_name(name) for name in known}
    keys = {key for key in keys if len(key) > 2 or (len(key) == 2 and "1" in key)}
    joined = list(map(normalize_name, words))
    expected, start = [], 0
    while start < len(words):
        ends = [
            end
            for end in range(start + 1, min(start + 8, len(words)) + 1)
            if joined[start] not in ("", "a") and joined[end - 1] and "".join(joined[start:end]) in keys
        ]
        length = max(ends, default=start + 1) - start
        if not ends:
            expected.append(OUTSIDE)
        else:
            expected += [WHOLE] if length == 1 else [BEGIN, *[INSIDE] * (length - 2), LAST]
        start += length
    assert places(known, words) == expected
