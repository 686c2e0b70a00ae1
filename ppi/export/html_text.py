"""Text from outside, as it may stand in a page."""

from __future__ import annotations

from html import escape

from ppi.annotation.characters import xml_text


def text(value: str) -> str:
    """A text as it may stand in an element or attribute.

    >>> text('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(xml_text(value), quote=True)
