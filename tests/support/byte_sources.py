"""Files in memory, and files with a few bytes changed, for the tests of readers."""

import contextlib
import io
from collections.abc import Sequence

from hypothesis import strategies as st

from corpora.source import Source


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
