"""Quick answers about many spans equal those of looking at each."""

from hypothesis import given
from hypothesis import strategies as st

from ppi.language.parsers.interface import SpanCover, offsets_inside

PLACE = st.integers(0, 30)
SPANS = st.lists(st.tuples(PLACE, PLACE).map(lambda ends: (min(ends), max(ends))), max_size=12)


@given(SPANS, PLACE, PLACE)
def test_reaching_over_is_what_some_span_does(spans, first, last):
    assert SpanCover(spans).reaches_over(first, last) == any(start < first and end > last for start, end in spans)


@given(st.sets(PLACE), PLACE, PLACE)
def test_between_leaves_the_ends_out(offsets, start, end):
    assert list(offsets_inside(sorted(offsets), start, end)) == [each for each in sorted(offsets) if start < each < end]


class Counted(int):
    """An offset that counts how often it is compared."""

    comparisons = 0

    def __lt__(self, other):
        Counted.comparisons += 1
        return int(self) < int(other)


def test_questions_do_not_look_at_every_span():
    spans = [(Counted(10 * place), Counted(10 * place + 5)) for place in range(4096)]
    cover = SpanCover(spans)
    Counted.comparisons = 0
    for place in range(0, 40960, 400):
        cover.reaches_over(Counted(place), place)
    assert Counted.comparisons < 103 * 20  # a bisection each
