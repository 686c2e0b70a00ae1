"""Judgements as files for others: a corpus in three formats, and curations as INDRA has them."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import corpora
from corpora.errors import CorpusError
from corpora.loss import ConversionLosses
from corpora.source import atomic_folder, atomic_output
from corpora.types import Document
from ppi.annotation.characters import encodable_text, xml_text
from ppi.curation.corpus import build_corpus, clean_document
from ppi.curation.indra import indra_curations
from ppi.curation.judgement import Judgement
from ppi.errors import CurationError, UsageError
from ppi.export.brat_configuration import write_brat_configuration
from ppi.export.registry import write_zip


@dataclass(frozen=True)
class CurationFormat:
    """A format that judgements are written in; ``suffix`` is the ending of a download."""

    name: str
    suffix: str
    media_type: str
    description: str
    is_folder: bool = False


JUDGEMENT_FORMATS = {
    format.name: format
    for format in (
        CurationFormat("jsonl", ".jsonl", "application/x-ndjson", "a corpus as JSON lines: labelled pairs"),
        CurationFormat("bioc-json", ".bioc.json", "application/json", "a corpus as BioC JSON"),
        CurationFormat("bioc-xml", ".bioc.xml", "application/xml", "a corpus as BioC XML"),
        CurationFormat("brat", ".zip", "application/zip", "a corpus as brat standoff: what interacts only", True),
        CurationFormat("indra", ".indra.json", "application/json", "curations as INDRA has them, one per judgement"),
    )
}
#: What these formats have no place for and nobody expects there: not worth a warning.
_EXPECTED_LOSSES = frozenset({"ids", "original ids", "remarks", "sentence boundaries", "sentence offsets"})


def write(judgements: Iterable[Judgement], path: str | Path, format: str) -> None:
    """Write judgements, one per row for a corpus; the file appears only when all of them are written.

    Parameters
    ----------
    path
        The file (packed if it ends in .gz), ``-`` for standard output; a new folder for brat.
    format
        A name of :data:`JUDGEMENT_FORMATS`.

    Raises
    ------
    UsageError
        If there is no such format.
    CorpusError
        If the file cannot be written.
    """
    if find_format(format).is_folder:
        with atomic_folder(path) as folder:
            _write_brat_folder(judgements, folder)
    else:
        with atomic_output(path) as output:
            _write_file(judgements, output, format)


def dumps(judgements: Iterable[Judgement], format: str, *, warn: bool = True) -> bytes:
    """What :func:`write` would put into the file; for brat, a zip archive of the folder.

    Without ``warn``, what the format cannot hold is left out without a word.
    """
    output = io.BytesIO()
    if find_format(format).is_folder:
        with tempfile.TemporaryDirectory() as folder:
            _write_brat_folder(judgements, Path(folder), warn)
            write_zip(Path(folder), output)
    else:
        _write_file(judgements, output, format, warn)
    return output.getvalue()


def find_format(name: str) -> CurationFormat:
    """The format of that name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name not in JUDGEMENT_FORMATS:
        raise UsageError(f"expected a format of judgements, one of {list(JUDGEMENT_FORMATS)}, got {name!r}")
    return JUDGEMENT_FORMATS[name]


def _write_brat_folder(judgements: Iterable[Judgement], folder: Path, warn: bool = True) -> None:
    writer = corpora.FORMATS["brat"].write_folder
    losses = ConversionLosses("brat")
    try:
        writer(_build_documents(judgements, encodable_text, warn), folder, losses)  # type: ignore[misc]
    except CorpusError as error:  # an id that cannot be the name of a file
        raise CurationError(f"{error}; write another format") from None
    write_brat_configuration(folder)
    _report_losses(losses, warn)


def _write_file(judgements: Iterable[Judgement], output: IO[bytes], format: str, warn: bool = True) -> None:
    if format == "indra":
        text = json.dumps(list(indra_curations(judgements)), ensure_ascii=False, indent=1)
        output.write(encodable_text(text).encode() + b"\n")
        return
    documents = _build_documents(judgements, xml_text if format == "bioc-xml" else encodable_text, warn)
    losses = ConversionLosses(format)
    corpora.FORMATS[format].write(documents, output, losses)  # type: ignore[misc]
    _report_losses(losses, warn)


def _build_documents(judgements: Iterable[Judgement], clean: Callable[[str], str], warn: bool) -> Iterator[Document]:
    return (clean_document(document, clean) for document in build_corpus(judgements, warn=warn))


def _report_losses(losses: ConversionLosses, warn: bool) -> None:
    if not warn:
        return
    for loss in _EXPECTED_LOSSES:
        losses.counts.pop(loss, None)
    losses.report()
