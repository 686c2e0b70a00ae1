"""Tell the format of a file by its first bytes and its ending, or what else it is and what to do with it.

Content that can be only one format goes before the ending: PubMed saves MEDLINE as ``.txt``, and all kinds of JSON are
called ``.json``.  What is certainly no document, such as a PDF or a list of ids, is an error that names the way out.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from corpora.errors import UnknownFormatError, truncate_repr
from corpora.formats.table_columns import has_text_column, split_header
from corpora.source import HEAD_BYTES

#: The format of XML by its first element.
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

# Signs of formats that are read.
#: JSON strings escape their quotes, so that no text can look like a name.
_BIOC_JSON = re.compile(r'\A\s*[\[{].*"(passages|documents|PubTator3)"\s*:', re.DOTALL)
_DOCUMENT_JSON = re.compile(r'\A\s*\{\s*"id"\s*:\s*"')
_PUBTATOR = re.compile(r"\A\s*[^\s|]+\|[ta]\|")
_MEDLINE = re.compile(r"\A\s*PMID- *\S")
_CONLLU = re.compile(r"\A(?:\s*(?:#.*)?\n)*[1-9][0-9]*(?:-[0-9]+)?\t(?:[^\t\n]+\t){8}[^\t\n]+(?:\n|\Z)")
_XLSX = re.compile(rb"xl/(?:workbook|worksheets|_rels|styles|theme|sharedStrings)")
#: A heading is no longer than this; prose is.
_MAX_HEADING_CHARACTERS = 40

# What is refused, and what to do with it.
GET_TEXTS = (
    "get their texts first: search for the ids on pubmed.ncbi.nlm.nih.gov and save as 'PubMed', or fetch "
    "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pubmed&rettype=medline&retmode=text&id=ID,ID "
    "(full texts: db=pmc&retmode=xml; with names marked: "
    "https://www.ncbi.nlm.nih.gov/research/pubtator3-api/publications/export/biocxml?pmids=ID,ID)"
)
_TO_TEXT = "turn it into text first, or fetch the article as XML from PubMed Central"
_UNPACK = "unpack it, and give the file or the folder"
#: First bytes, what they are, and what to do.
_MAGIC = (
    (b"%PDF", "a PDF", f"{_TO_TEXT} (for instance pdftotext FILE.pdf)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a file of an old Office program", "save it as text, .csv or .xlsx"),
    (b"{\\rtf", "a rich text (RTF)", "save it as plain text"),
    (b"BZh", "data packed with bzip2", _UNPACK),
    (b"\xfd7zXZ\0", "data packed with xz", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "data packed with zstd", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"PAR1", "a Parquet table", "of interactions: `ppi export` or `ppi network` reads it; of texts: save it as .csv"),
    (b"\x89PNG", "a picture", _TO_TEXT),
    (b"\xff\xd8\xff", "a picture", _TO_TEXT),
    (b"GIF8", "a picture", _TO_TEXT),
    (b"II*\0", "a picture", _TO_TEXT),
    (b"MM\0*", "a picture", _TO_TEXT),
)
_DOCX = re.compile(rb"word/|content\.xml|mimetypeapplication/vnd\.oasis")
_PUBMED_ID = re.compile(r"(?:PMID:?\s*|pubmed:\s*)?[1-9][0-9]{3,8}|PMC[0-9]{3,9}", re.IGNORECASE)
_STANDOFF = re.compile(r"\A[TREA][0-9]+\t\S+ ")
_RIS = re.compile(r"\A\s*TY  - ")
_BIBTEX = re.compile(r"\A\s*@\w+\s*\{")
#: What `ppi annotate --to jsonl` and `ppi network --to json` write.
INTERACTION_JSON = re.compile(r'\A\s*\[?\s*\{\s*"schema"\s*:\s*"ppi-')
_INTERACTION_TABLE = re.compile(
    r"\A(?:document[,\t]pubmed[,\t]sentence_id|protein_1,protein_2,|#\s?ID\(s\) interactor A)"
)
_PAGES = ("html", "HTML", "Html")
_EUTILS = ("eSearchResult", "eSummaryResult", "eLinkResult")


def sniff_format(head: bytes, suggested: Sequence[str], name: str) -> str:
    """The name of the format of a file that begins so, its ending suggesting these; anything else is text.

    Raises
    ------
    UnknownFormatError
        If it is nothing that is read: what it is, and what to do.
    """
    text = decode_head(head)
    format_name = _sniff_content(head, text)
    if format_name is None:
        reject_unsupported(head, text, suggested, name)
        format_name = suggested[0] if len(suggested) == 1 else _guess_text_format(text)
    return format_name


def _sniff_content(head: bytes, text: str) -> str | None:
    """The format that a file of this beginning must have."""
    if head.startswith(ZIP_MAGIC):
        return "xlsx" if _XLSX.search(head) else None
    stripped = text.lstrip()
    if stripped.startswith("<"):
        return ROOTS.get(first_element(text) or "")
    if stripped.startswith(("{", "[")):
        return _sniff_json(text)
    if _PUBTATOR.search(text):
        return "pubtator"
    return "medline" if _MEDLINE.search(text) else None


def _sniff_json(text: str) -> str | None:
    if INTERACTION_JSON.match(text):
        return None
    if _BIOC_JSON.search(text):
        return "bioc-json"
    fields = first_fields(text)
    if "sentences" not in fields and has_text_column(fields):
        return "json-records"
    return "jsonl" if _DOCUMENT_JSON.search(text) else None


def _guess_text_format(text: str) -> str:
    """What a text without a telling name most likely is."""
    if _CONLLU.match(text):
        return "conllu"
    cells, delimiter = split_header(text.lstrip("\n\r").partition("\n")[0])
    # two columns that are called so, and nothing as long as a sentence: prose does not begin like that
    if has_text_column(cells, min_others=1) and all(len(cell) <= _MAX_HEADING_CHARACTERS for cell in cells):
        return "tsv" if delimiter == "\t" else "csv"
    return "text"


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


def is_pubmed_id(text: str) -> bool:
    """Whether a text is the number of a paper in PubMed or PubMed Central.

    >>> [is_pubmed_id(text) for text in ("10022882", "PMID: 10022882", "PMC123456", "1999", "p53.txt")]
    [True, True, True, True, False]
    """
    return _PUBMED_ID.fullmatch(text.strip()) is not None


def reject_unsupported(head: bytes, text: str, suggested: Sequence[str], name: str) -> None:
    """Raise an error for what is certainly no document; ``text`` is the head decoded, ``suggested`` by the ending.

    Raises
    ------
    UnknownFormatError
        If it is no text, or of another kind than anything that is read.
    """
    diagnosis = _diagnose_bytes(head, suggested) or _diagnose_text(text, suggested)
    if diagnosis is not None:
        kind, advice = diagnosis
        raise UnknownFormatError(f"expected texts, got {kind}; {advice}", path=name)


def _diagnose_bytes(head: bytes, suggested: Sequence[str]) -> tuple[str, str] | None:
    for magic, kind, advice in _MAGIC:
        if head.startswith(magic):
            return kind, advice
    if head.startswith(ZIP_MAGIC):
        if "xlsx" in suggested:  # a damaged one, of which its reader says more
            return None
        if _DOCX.search(head):
            return "a document of a word processor", "save it as plain text (.txt, UTF-8)"
        return "a zip archive", _UNPACK
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # XML says its encoding and is read; other text is UTF-8 here
        is_xml = head.decode("utf-16", errors="ignore").lstrip().startswith("<")
        return None if is_xml else ("text in UTF-16", "save it as UTF-8 (iconv -f UTF-16 -t UTF-8)")
    if b"\0" in head:
        return f"binary data {truncate_repr(head[:8])}", "give a text file"
    return None


def _diagnose_text(text: str, suggested: Sequence[str]) -> tuple[str, str] | None:  # noqa: C901 - one case per kind of file
    stripped = text.lstrip()
    if stripped.startswith("<") and (element := first_element(text)) is not None:
        if element in _PAGES or stripped[:14].lower() == "<!doctype html":
            return "a web page", f"save its text; {_TO_TEXT}"
        if element in _EUTILS:
            return f"ids (<{element}>) without texts", GET_TEXTS
        roots = ", ".join(f"<{root}>" for root in ROOTS)
        if not suggested or stripped.startswith("<?xml") or len(suggested) > 1:
            advice = f"XML is read if its root is one of {roots}; --from text reads it as text"
            return f"XML with the root <{element}>", advice
        return None
    if INTERACTION_JSON.match(text) or _INTERACTION_TABLE.match(text):
        return "interactions found before", "`ppi network` and `ppi export` read them, as JSON lines or Parquet"
    if stripped.startswith(("{", "[")) and (not suggested or set(suggested) & {"bioc-json", "jsonl"}):
        return _diagnose_json(stripped, suggested)
    if len(suggested) > 1:
        if not stripped:
            return "an empty file", "check how it was made"
        return (
            f"{truncate_repr(stripped[:40])}",
            f"its ending promises {' or '.join(suggested)}; --from says what it is",
        )
    if suggested and set(suggested) != {"text"}:
        return None
    if _RIS.match(text) or _BIBTEX.match(text):
        kind = "references as RIS" if _RIS.match(text) else "references as BibTeX"
        return kind, "save them as .csv with columns for title and abstract, or from PubMed as 'PubMed' (.nbib, .txt)"
    if _STANDOFF.match(text):
        return "standoff annotations without their text", "give the folder that holds the .txt and .ann files"
    if _is_id_list(text):
        return "a list of ids", GET_TEXTS
    return None


def _diagnose_json(text: str, suggested: Sequence[str]) -> tuple[str, str] | None:
    fields = first_fields(text)
    if (not fields and not suggested) or ("jsonl" in suggested and (not fields or "id" in fields)):
        return None  # a text that begins with a bracket; a document of ours, whose reader says more
    keys = [truncate_repr(field) for field in fields[:8]]
    description = f"with the fields {', '.join(keys)}" if keys else "without fields"
    return (
        f"JSON {description}",
        "JSON is read if it is BioC, documents of `ppi parse --to jsonl`, or one object per text with fields such as "
        "id, title, abstract or text (others: --from json-records --columns id=NAME,text=NAME)",
    )


def _is_id_list(text: str) -> bool:
    """Whether there are ids of PubMed or PubMed Central and nothing else (of a long list, the last may be cut)."""
    words = re.split(r"[\s,;]+", text.strip())
    if len(text) >= HEAD_BYTES // 4 and len(words) > 1:
        words.pop()
    return bool(words[0]) and all(_PUBMED_ID.fullmatch(word) or word.upper() in ("PMID", "PMID:") for word in words)
