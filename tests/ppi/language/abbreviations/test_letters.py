"""The letters of short forms in long ones: fast ways against the definition."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ppi.language.abbreviations.definitions import Meanings
from ppi.language.abbreviations.long_forms import (
    FUNCTION_WORDS,
    INITIAL_SCORE,
    compute_fits,
    find_best_fit,
    has_letters_in_order,
    is_number,
    letter_variants,
    rotate_letters,
    split_letters,
)

LETTERS = st.lists(st.sampled_from(["a", "b", "c", "1", "12"]), min_size=2, max_size=4)
LONG = st.text(alphabet="abc12 -", max_size=14)
WORDS = st.lists(st.sampled_from(["a", "ab", "ba", "cab", "of", "1", "b1", "12", "c,", "abc"]), max_size=6)


def fits(letter, text, at):
    return text.startswith(letter, at) and (not letter.isdigit() or is_number(letter, text, at))


@given(LETTERS, LONG)
def test_letters_stand_in_a_text_as_the_definition_says(letters, long):
    def somewhere(number, start):
        return number == len(letters) or any(
            fits(letters[number], long, at) and somewhere(number + 1, at + len(letters[number]))
            for at in range(start, len(long))
        )

    firsts = [at for at in range(len(long)) if fits(letters[0], long, at) and not long[max(at - 1, 0) : at].isalnum()]
    expected = any(somewhere(1, at + len(letters[0])) for at in firsts)
    assert has_letters_in_order(letters, long) == expected


@given(LETTERS, WORDS)
def test_fit_is_the_best_of_all_ways_to_place_the_letters(letters, words):
    """The slow reference: all choices of places, counted one by one."""
    spots = [(index, at) for index, word in enumerate(words) for at in range(len(word))]
    expected = [None] * len(words)
    for chosen in combinations(spots, len(letters)):
        if not all(fits(letter, words[index], at) for letter, (index, at) in zip(letters, chosen)):
            continue
        ends = [(index, at + len(letter)) for letter, (index, at) in zip(letters, chosen)]
        if any(end > following for end, following in zip(ends, chosen[1:]) if end[0] == following[0]):
            continue
        first = chosen[0][0]
        if chosen[0][1] != 0:
            continue
        value, run = 0, None
        for end, place in zip(ends, chosen):
            is_initial = place[1] == 0 or run == place
            value += INITIAL_SCORE if is_initial else -1
            run = end if is_initial else None
        used = {index for index, _ in chosen}
        for index in range(first, len(words)):
            word = words[index]
            value -= INITIAL_SCORE * (index not in used and word not in FUNCTION_WORDS and any(map(str.isalpha, word)))
            value -= INITIAL_SCORE * (word.endswith(",") and index < len(words) - 1)
        expected[first] = value if expected[first] is None else max(expected[first], value)
    found = compute_fits(letters, words)
    assert [value if value > -50 * INITIAL_SCORE else None for value in found] == expected
    best = find_best_fit(letters, words)
    if all(value is None for value in expected):
        assert best is None
    else:
        assert best.value == max(value for value in expected if value is not None)
        assert best.first == max(index for index, value in enumerate(expected) if value == best.value)


def test_letters():
    assert split_letters("TNF-α") == ["t", "n", "f", "a"]
    assert split_letters("Tregs") == ["t", "r", "e", "g"]
    assert [letters for letters, _ in letter_variants("IFNgamma", "x")][-1] == ["i", "f", "n", "g"]
    assert [letters for letters, _ in letter_variants("Promega", "x")] == [list("promega")]
    assert list(rotate_letters("DNA")) == []


def test_meanings_by_place():
    meanings = Meanings()
    assert not meanings
    meanings.add("PAs", (0, 5), "acid")
    meanings.add("PA", (3, 0), "activator")
    assert [meanings.look_up("PA", place) for place in ((0, 0), (2, 9), (3, 0), (9, 9))] == [
        "acid",
        "acid",
        "activator",
        "activator",
    ]
    assert meanings.look_up("PB", (0, 0)) is None
