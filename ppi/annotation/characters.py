"""Texts as files can hold them; every replacement keeps the length, so that offsets stay."""

from __future__ import annotations

import re

#: What stands for a character that a file cannot hold.
REPLACEMENT = "\ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")
#: Everything that XML 1.0 does not allow, the halves of surrogate pairs among it.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def encodable_text(text: str) -> str:
    """The text with halves of surrogate pairs, which no encoding has, as U+FFFD.

    >>> encodable_text("a\\ud800b")
    'a\ufffdb'
    """
    return text if text.isascii() else _SURROGATES.sub(REPLACEMENT, text)


def xml_text(text: str) -> str:
    """The text with everything that XML cannot hold as U+FFFD.

    >>> xml_text("a\\x00b")
    'a\ufffdb'
    """
    return _NOT_XML.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    """The text with tabs and line breaks (also Unicode's) as spaces, and encodable.

    >>> one_line("a\\tb\\r\\nc")
    'a b  c'
    """
    return encodable_text(_BREAKS.sub(" ", text))


_BREAKS = re.compile("[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
