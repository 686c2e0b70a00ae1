"""Which segments of a text are parsed."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ppi.language.parsers.windows import find_segments_to_parse

STARTS = st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=30)


def needed(starts, names):
    """The tokens that must be parsed, from the definition: looking at each stretch between sure beginnings."""
    bounds = sorted({0, *(place for place, start in enumerate(starts) if start == 1), len(starts)})
    found = set()
    for first, end in pairwise(bounds):
        is_open = any(starts[place] == 0 for place in range(first, end) if place)
        if names is None or is_open or sum(first <= name < end for name in names) > 1:
            found.update(range(first, end))
    return found


@given(STARTS, st.none() | st.lists(st.integers(0, 29), max_size=8), st.integers(1, 12))
def test_segments_cover_what_is_needed_and_no_more(starts, names, longest):
    names = None if names is None else [name for name in names if name < len(starts)]
    found = find_segments_to_parse(np.array(starts), names, max_tokens=longest)
    covered = [place for first, end in found for place in range(first, end)]
    assert covered == sorted(needed(starts, names))
    assert all(first == 0 or starts[first] == 1 for first, _ in found)


def test_a_text_without_tokens_has_none():
    assert find_segments_to_parse(np.array([], dtype=np.int64), [1]) == []
