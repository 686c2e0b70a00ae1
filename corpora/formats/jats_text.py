"""The running text of a JATS paragraph: what a reader would read aloud.

Sub- and superscripts stay where they are (``Ca2+``, ``IC50``), references to figures and tables stay in words, and
numbers of references go with the brackets around them.  Of a formula in the line its symbols stay.  Figures, tables,
lists, footnotes and displayed formulae inside a paragraph are no part of it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from lxml import etree

#: No part of the running text; those that hold text of their own are passages of their own.
_SEPARATE_ELEMENTS = frozenset(
    {
        *(
            "fig",
            "fig-group",
            "table-wrap",
            "table-wrap-group",
            "boxed-text",
            "disp-formula",
            "disp-formula-group",
            "p",
        ),
        *(
            "disp-formula-group",
            "list",
            "def-list",
            "disp-quote",
            "fn",
            "supplementary-material",
            "media",
            "graphic",
            "inline-graphic",
        ),
        *("tex-math", "annotation", "annotation-xml", "alt-text", "long-desc", "object-id", "preformat", "code"),
        *("index-term", "verse-group", "statement", "chem-struct-wrap", "array", "inline-supplementary-material"),
    }
)
#: Kinds of references that are marks and no words.
_MARKS = frozenset({"fn", "table-fn", "aff", "corresp", "author-notes"})
#: Numbers, and what joins them.
_NUMBERS = re.compile(r"\d+[a-z]?(?:[\s,;–—\-]+\d+[a-z]?)*|[*†‡]*")
#: Where a number of a reference was; a character that XML cannot hold.
_REMOVED_REFERENCE = "\x00"
_EMPTY_BRACKETS = re.compile(r"\s*[\[(](?:(?:refs?\.?|reviewed in|see|[\s,;–—\-\x00]))*\x00[\s,;–—\-\x00]*[\])]")
_BARE_REMOVED_REFERENCE = re.compile(r"(?:[\s,–—\-]*\x00)+")


def local_name(element: etree._Element) -> str:
    """An element's name without its namespace; empty for what is no element."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def running_text(element: etree._Element) -> str:
    """The text, white space folded."""
    text = "".join(_parts(element))
    if _REMOVED_REFERENCE in text:
        text = _BARE_REMOVED_REFERENCE.sub("", _EMPTY_BRACKETS.sub("", text))
    return " ".join(text.split())


def _parts(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        name = local_name(child)
        if not name:  # an entity of a DTD that is not loaded
            yield html.unescape(child.text or "") if child.tag is etree.Entity else ""
        elif name in _SEPARATE_ELEMENTS:
            yield " "
        elif name == "xref":
            yield from _reference(child)
        elif name == "sup" and _is_mark(child):
            yield _REMOVED_REFERENCE
        elif name == "break":
            yield " "
        elif name == "math":
            yield "".join("".join(_parts(child)).split())
        else:
            yield from _parts(child)
        yield child.tail or ""


def _reference(element: etree._Element) -> Iterator[str]:
    kind, text = element.get("ref-type"), "".join(_parts(element))
    if kind in _MARKS or (kind == "bibr" and _NUMBERS.fullmatch(text.strip("[]() \x00"))):
        yield _REMOVED_REFERENCE
    else:
        yield text


def _is_mark(element: etree._Element) -> bool:
    """Whether a superscript holds numbers of references and nothing else."""
    text = "".join(_parts(element))
    return _REMOVED_REFERENCE in text and not text.replace(_REMOVED_REFERENCE, "").strip(" ,;–—-[]()\n\t")
