"""Where the spaces were: sources that give only tokens get their running text back."""

from __future__ import annotations

from collections.abc import Sequence

_NO_SPACE_BEFORE = frozenset([",", ".", ";", ":", ")", "]", "}", "%", "?", "!", "'s", "'", "''", "n't", "\u2032"])
_NO_SPACE_AFTER = frozenset(["(", "[", "{", "``"])
#: Tokenizers that cut at these leave no trace of the space; in running text there is almost never one.
_TIGHT = frozenset(["-", "/", "\u2013", "\u2212"])


def spaces_between(words: Sequence[str]) -> tuple[bool, ...]:
    """For each token whether a space follows it.

    >>> spaces_between(["IL", "-", "2", "(", "p55", ")", "."])
    (False, False, True, False, False, False, False)
    """
    spaces = []
    quote_open = False
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else None
        if word == '"':
            quote_open = not quote_open
        tight_quote = (word == '"' and quote_open) or (following == '"' and quote_open)
        joined = (
            following is None
            or following in _NO_SPACE_BEFORE
            or word in _NO_SPACE_AFTER
            or tight_quote
            or _is_tight(words, index)
            or _is_tight(words, index + 1)
            or (word == "." and index > 0 and words[index - 1].isdigit() and following.isdigit())
        )
        spaces.append(not joined)
    return tuple(spaces)


def _is_tight(words: Sequence[str], index: int) -> bool:
    """A dash or slash between two words, or a trailing one of a suspended compound (``alpha- and``)."""
    if not 0 < index < len(words) - 1 or words[index] not in _TIGHT:
        return False
    return words[index - 1][-1:].isalnum() and words[index + 1][:1].isalnum()
