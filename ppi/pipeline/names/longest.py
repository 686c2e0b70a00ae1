"""The longest known name at a place of a text, by hashes: each token is hashed on from the hash of those before it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from zlib import crc32

#: Names of more tokens are not looked for.
MAX_NAME_TOKENS = 8
#: No name begins with one of these words; "in a" is INA, "and 3" a cell line.
_FUNCTION_WORDS = frozenset(
    b"a an and are as at be but by for from if in is it its no not of on or so than that the to with".split()
)


def is_usable_key(key: str) -> bool:
    """Single characters, and pairs of letters such as "is" and "of", match everywhere."""
    return len(key) > 2 or (len(key) == 2 and not key.isalpha())


def find_longest_name(keys: Sequence[bytes], start: int, hashes: Container[int]) -> tuple[int, int]:
    """How many tokens the longest known name at ``start`` has, 0 if there is none, and its hash.

    Parameters
    ----------
    keys
        The normalized tokens; punctuation is empty, and no name begins or ends with it.
    known
        The hashes of the names.
    """
    length = number = running_hash = 0
    if not keys[start] or keys[start] in _FUNCTION_WORDS:
        return 0, 0
    for index in range(start, min(len(keys), start + MAX_NAME_TOKENS)):
        if key := keys[index]:
            running_hash = crc32(key, running_hash)  # that of all tokens so far, joined
            if running_hash in hashes and is_usable_key(b"".join(keys[start : index + 1]).decode()):
                length, number = index - start + 1, running_hash
    return length, number
