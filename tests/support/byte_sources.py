"""Files in memory, and files with a few bytes or values changed, for the tests of readers."""

import contextlib
import io
import json
from collections.abc import Sequence

from hypothesis import strategies as st

from corpora import Source


class BytesSource(Source):
    """A file in memory, under a name."""

    def __init__(self, data: bytes, name: str, **options) -> None:
        super().__init__(name, **options)
        self.data = data

    @contextlib.contextmanager
    def open(self):
        yield io.BytesIO(self.data)


@st.composite
def mutated(draw, data: bytes, pieces: Sequence[bytes]):
    """The data with a few places removed, doubled, or replaced by one of the pieces."""
    changed = bytearray(data)
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(changed)))
        end = place + draw(st.sampled_from([0, 1, 2, 3, 5, 8, 30, 300]))
        changed[place:end] = draw(
            st.sampled_from([b"", *pieces, bytes(changed[place:end] * 2)]) | st.binary(max_size=8)
        )
    return bytes(changed)


#: Whatever JSON can hold, also what no other program would write.
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 2**63, 2**53 + 1, 1e308])
    | st.floats()
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def with_other_value(draw, text: str):
    """The JSON text as a value in which one value, at any depth, is another."""
    whole = json.loads(text)
    place, key = whole, draw(st.sampled_from(sorted(whole)))
    while isinstance(place[key], dict | list) and place[key] and draw(st.integers(0, 3)):
        place = place[key]
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = draw(st.sampled_from(keys))
    place[key] = draw(JSON)
    return whole
