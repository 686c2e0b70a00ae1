"""XML from strangers: streamed, with entities, DTDs and the network off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml import etree

from corpora.errors import CorpusError, FormatError
from corpora.source import Source

LAST_EXACT_LINE = 2**16 - 1


def iter_elements(source: Source, *tags: str, root: str | Sequence[str] | None = None) -> Iterator[etree._Element]:
    """Each element of one of the ``tags``, complete; its memory is released when the next one is asked for.

    Parameters
    ----------
    root
        The name that the outermost element must have; if there are several, in any namespace.

    Raises
    ------
    FormatError
        If the XML is broken, declares entities, nests deeper than libxml2's limit (256), or has another root.
    """
    with source.open() as stream:
        events = etree.iterparse(
            stream,
            events=("end",),
            tag=tags,
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        checked = False
        try:
            for _, element in events:
                if not checked:
                    _check_prolog(element.getroottree().getroot(), source, root)
                    checked = True
                yield element
                _release(element)
            if not checked:
                _check_prolog(events.root, source, root)
        except etree.XMLSyntaxError as error:
            line = error.lineno or None
            raise source.format_error(f"expected well-formed XML, got: {error.msg}", line) from None


def _release(element: etree._Element) -> None:
    """Free what has been read: the element's content, and what stands before it and before its ancestors."""
    element.clear(keep_tail=False)
    for inner in (element, *element.iterancestors()):
        parent = inner.getparent()
        while parent is not None and inner.getprevious() is not None:
            del parent[0]


def _check_prolog(element: etree._Element, source: Source, root: str | Sequence[str] | None) -> None:
    dtd = element.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise source.format_error(
            "expected XML without entity declarations, got some in its DOCTYPE; "
            "remove them (they are refused, because they can read files or exhaust memory)",
            line_of(element),
        )
    if root is None:
        return
    root_name = element.tag if isinstance(root, str) else etree.QName(element).localname
    expected = (root,) if isinstance(root, str) else root
    if root_name not in expected:
        named = " or ".join(f"<{name}>" for name in expected)
        raise source.format_error(f"expected {named} as the outermost element, got <{element.tag}>", line_of(element))


def line_of(element: etree._Element) -> int | None:
    """The line on which an element begins.

    libxml2 keeps 16 bits of it; beyond, it gives the line on which the text after the tag ends.
    """
    line: int | None = element.sourceline
    if line is None or line < LAST_EXACT_LINE:
        return line
    if element.text is None and len(element):
        return line_of(element[0])
    following: str | None = element.tail if element.text is None else element.text
    return line - (following or "").count("\n")


def make_other_counter(*names: str, axis: str = "child") -> etree.XPath:
    """A function that counts the elements inside one whose names are not among the known ones.

    >>> make_other_counter("entity")(etree.fromstring("<sentence><entity/><event/></sentence>"))
    1.0
    """
    # counted by libxml2: a Python object for each element would make reading half as slow again
    return etree.XPath(f"count({axis}::*[not({' or '.join(f'self::{name}' for name in names)})])")


def require_attribute(element: etree._Element, name: str, source: Source) -> str:
    """The attribute of that name.

    Raises
    ------
    FormatError
        If it is not there.
    """
    value: str | None = element.get(name)
    if value is None:
        element_id = element.get("id")
        raise FormatError(
            f"expected the attribute {name!r} on <{element.tag}>, got only {list(element.attrib)}",
            id=element_id,
            line=line_of(element),
            path=source.name,
        )
    return value


def unwritable_error(error: ValueError, id: str | None) -> CorpusError:
    """The error for what lxml refuses to write: control characters, half a surrogate pair."""
    return CorpusError(f"expected text that XML can hold, got: {error}; remove such characters", id=id)
