"""What can be seen in the beginning of a file: text, the first element of XML, the fields of the first JSON object."""

from __future__ import annotations

import codecs
import re

#: Bytes that are looked at.
HEAD_BYTES = 65536
#: What the first element of XML says about the format.
ROOTS = {
    "corpus": "turku",
    "collection": "bioc-xml",
    "PubmedArticleSet": "pubmed",
    "article": "jats",
    "pmc-articleset": "jats",
    "OAI-PMH": "jats",
}
ZIP_MAGIC = b"PK\x03\x04"
_FIRST_ELEMENT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)[\s>/]")
_XML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_JSON_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")\s*(:?)|[{}\[\]]', re.DOTALL)


def decode_head(head: bytes) -> str:
    """The bytes as text as far as they are text, without a byte order mark; UTF-16, which XML files may have, too."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", errors="ignore")
    return head.removeprefix(codecs.BOM_UTF8).decode(errors="replace")


def first_element(text: str) -> str | None:
    """The name of the first element of XML, without its namespace.

    >>> first_element("<?xml version='1.0'?><!-- <b> --><j:article>")
    'article'
    """
    match = _FIRST_ELEMENT.search(_XML_COMMENT.sub("", text))
    return match[1] if match else None


def first_fields(text: str) -> list[str]:
    """Names of the fields of the first object in JSON, as far as the text goes; not those of objects inside it.

    >>> first_fields('[{"id": 1, "evidence": {"text": "a \\\\"b\\\\": c"}, "year')
    ['id', 'evidence']
    """
    fields: list[str] = []
    depth = 0  # of brackets inside the object, which itself is 1
    for token in _JSON_TOKEN.finditer(text):
        if token[1] is None:
            opens = token[0] in "{["
            if depth or token[0] == "{":
                depth += 1 if opens else -1
            if not depth and not opens:
                break
        elif token[2] and depth == 1:
            fields.append(token[1][1:-1])
    return fields
