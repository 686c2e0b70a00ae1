"""The longest known name by hashes that go on from token to token is that of hashing each stretch."""

from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from ppi.language.names.token_features import MAX_NAME_TOKENS, find_longest_name, is_usable_key

TOKENS = st.sampled_from(["il", "2", "", "r", "alpha", "p53", "β"])


@given(st.lists(TOKENS, min_size=1, max_size=12), st.lists(st.lists(TOKENS, min_size=1, max_size=10), max_size=6))
def test_longest_name_is_that_of_looking_at_every_stretch(tokens, names):
    known = {crc32("".join(name).encode()) for name in names}
    plain = [
        end
        for end in range(1, min(len(tokens), MAX_NAME_TOKENS) + 1)
        if tokens[0]
        and tokens[end - 1]
        and is_usable_key(key := "".join(tokens[:end]))
        and crc32(key.encode()) in known
    ]
    length, hashed = find_longest_name([token.encode() for token in tokens], 0, known)
    assert length == max(plain, default=0)
    assert hashed == (crc32("".join(tokens[:length]).encode()) if length else 0)
