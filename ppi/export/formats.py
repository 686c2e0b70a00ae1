"""The formats by name, and the functions that write them: write, dumps and, for networks, write_network.

Writers are imported when they are first used, so that the list of formats costs nothing.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING

from corpora import atomic_folder, atomic_output
from ppi.core import UsageError

if TYPE_CHECKING:
    from ppi.annotation import AnnotatedDocument
    from ppi.network import Network


@dataclass(frozen=True)
class PageFacts:
    """Where the threshold of a page begins, and what its probabilities mean.

    Parameters
    ----------
    min_probability
        What was asked for.
    calibration_notes
        Sentences, as :func:`ppi.annotation.text_output.describe_calibration` gives them.
    """

    min_probability: float = 0.0
    calibration_notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportFormat:
    """A format that annotated documents are written in.

    Parameters
    ----------
    name
        How it is called on the command line.
    suffixes
        Endings of file names that suggest it; the first is the one to give a download.
    media_type
        Of what :func:`dumps` returns.
    description
        A line for people who choose.
    writer_path
        ``module:function`` of its writer, called with the documents, a binary file or folder, and ``explain``.
    streams
        Whether documents are written as they come, so that a million of them need no memory.
    needs_texts
        Whether the documents' texts are written, too, so that interactions alone do not suffice.
    extra
        The extra of the package that has to be installed, if any.
    is_folder
        Whether :func:`write` makes a folder; :func:`dumps` then gives a zip archive of it.
    is_page
        Whether it tells people about the run: its writer takes :class:`PageFacts`, too.
    """

    name: str
    suffixes: tuple[str, ...]
    media_type: str
    description: str
    writer_path: str
    streams: bool = True
    needs_texts: bool = False
    extra: str | None = None
    is_folder: bool = False
    is_page: bool = False

    @property
    def download_suffix(self) -> str:
        """The ending of a file that holds what :func:`dumps` returns."""
        return ".zip" if self.is_folder else self.suffixes[0]

    def load_writer(self) -> Callable[..., None]:
        """The function that writes it."""
        return _import_function(self.writer_path)


FORMATS = {
    format.name: format
    for format in (
        ExportFormat(
            "jsonl",
            (".jsonl", ".ndjson"),
            "application/x-ndjson",
            "JSON lines: one interaction per line, with everything; what `ppi network` reads",
            "ppi.export.jsonl:write_jsonl",
        ),
        ExportFormat(
            "csv",
            (".csv",),
            "text/csv; charset=utf-8; header=present",
            "a table for spreadsheets: one interaction per row",
            "ppi.export.spreadsheets:write_csv",
        ),
        ExportFormat(
            "tsv",
            (".tsv",),
            "text/tab-separated-values; charset=utf-8",
            "the same table, separated by tabs, one line per interaction",
            "ppi.export.spreadsheets:write_tsv",
        ),
        ExportFormat(
            "xlsx",
            (".xlsx",),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "the same table as an Excel workbook",
            "ppi.export.spreadsheets:write_xlsx",
            extra="xlsx",
        ),
        ExportFormat(
            "parquet",
            (".parquet",),
            "application/vnd.apache.parquet",
            "the same table, typed, for pandas, DuckDB, Spark",
            "ppi.export.parquet:write_parquet",
            extra="parquet",
        ),
        ExportFormat(
            "mitab",
            (".mitab", ".mitab27", ".mitab.txt"),
            "text/tab-separated-values; charset=utf-8",
            "PSI-MITAB 2.7, the table of molecular interaction databases",
            "ppi.export.mitab:write_mitab",
        ),
        ExportFormat(
            "indra",
            (".indra.json",),
            "application/json",
            "INDRA JSON: statements such as Complex, Phosphorylation, Activation, for models of pathways",
            "ppi.export.indra_json:write_indra",
        ),
        ExportFormat(
            "bioc-json",
            (".bioc.json", ".json"),
            "application/json",
            "BioC JSON: the documents with interactions as relations",
            "ppi.export.document_formats:write_bioc_json",
            needs_texts=True,
        ),
        ExportFormat(
            "bioc-xml",
            (".bioc.xml", ".xml"),
            "application/xml",
            "BioC XML: the documents with interactions as relations",
            "ppi.export.document_formats:write_bioc_xml",
            needs_texts=True,
        ),
        ExportFormat(
            "pubtator",
            (".pubtator",),
            "text/plain; charset=utf-8",
            "PubTator: title, abstract, mentions, relations of concepts",
            "ppi.export.document_formats:write_pubtator",
            needs_texts=True,
        ),
        ExportFormat(
            "brat",
            (".brat",),
            "application/zip",
            "brat standoff: a folder with a text and an annotation file for each document",
            "ppi.export.document_formats:write_brat",
            needs_texts=True,
            is_folder=True,
        ),
        ExportFormat(
            "graphml",
            (".graphml",),
            "application/graphml+xml",
            "the network of proteins, with attributes, for Cytoscape",
            "ppi.export.network_files:write_annotated_graphml",
            streams=False,
        ),
        ExportFormat(
            "sif",
            (".sif",),
            "text/plain; charset=utf-8",
            "the network of proteins, names only, for Cytoscape",
            "ppi.export.network_files:write_annotated_sif",
            streams=False,
        ),
        ExportFormat(
            "html",
            (".html", ".htm"),
            "text/html; charset=utf-8",
            "a page that stands alone: texts, table, network, evidence",
            "ppi.export.html_page:write_html",
            needs_texts=True,
            streams=False,
            is_page=True,
        ),
    )
}


#: Formats of networks by name: ``module:function`` of the writer, called with the network and a binary file.
NETWORK_FORMATS = {
    "graphml": "ppi.export.network_files:write_network_graphml",
    "sif": "ppi.export.network_files:write_network_sif",
    "csv": "ppi.export.network_files:write_network_csv",
    "json": "ppi.export.network_files:write_network_json",
    "html": "ppi.export.network_files:write_network_html",
}


def write(
    annotated: Iterable[AnnotatedDocument],
    path: str | Path,
    format: str | None = None,
    *,
    explain: bool = False,
    facts: PageFacts | None = None,
) -> None:
    """Write annotated documents; the file appears only when all of them are written.

    Parameters
    ----------
    annotated
        Any stream; formats that stream hold one document at a time.
    path
        The file (packed if it ends in .gz), ``-`` for standard output; a new folder for brat.
    format
        A name of :data:`FORMATS`; by default that of the ending.
    explain
        Whether the evidence is written too, where the format has a place for it and the interactions have it.
    facts
        What a page says about the run: where its threshold begins, what probabilities mean.

    Raises
    ------
    UsageError
        If the format is unknown, or the ending tells none.
    MissingExtraError
        If the format needs a package that is not installed.
    CorpusError
        If the file cannot be written.
    """
    export_format = format_of(path, format)
    writer = export_format.load_writer()
    if export_format.is_folder:
        with atomic_folder(path) as folder:
            writer(annotated, folder, explain)
    else:
        with atomic_output(path) as output:
            writer(annotated, output, explain, *((facts,) if export_format.is_page else ()))


def dumps(
    annotated: Iterable[AnnotatedDocument], format: str, *, explain: bool = False, facts: PageFacts | None = None
) -> bytes:
    """What :func:`write` would put into the file; for formats that are folders, a zip archive of it."""
    export_format = format_named(format)
    writer = export_format.load_writer()
    output = io.BytesIO()
    if export_format.is_folder:
        with tempfile.TemporaryDirectory() as folder:
            writer(annotated, Path(folder), explain)
            write_zip(Path(folder), output)
    else:
        writer(annotated, output, explain, *((facts,) if export_format.is_page else ()))
    return output.getvalue()


def write_network(network: Network, path: str | Path, format: str, *, facts: PageFacts | None = None) -> None:
    """Write a network; the file appears only when it is complete.

    Parameters
    ----------
    path
        The file (packed if it ends in .gz), or ``-`` for standard output.
    format
        One of :data:`NETWORK_FORMATS`.
    facts
        What a page says about the run, as for :func:`write`.
    """
    if format not in NETWORK_FORMATS:
        raise UsageError(f"expected a format of networks, one of {list(NETWORK_FORMATS)}, got {format!r}")
    writer = _import_function(NETWORK_FORMATS[format])
    with atomic_output(path) as output:
        writer(network, output, *((facts,) if format == "html" else ()))


def format_named(name: str) -> ExportFormat:
    """The format of that name.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name not in FORMATS:
        raise UsageError(f"expected a format to write, one of {list(FORMATS)}, got {name!r}")
    return FORMATS[name]


def format_of(path: str | Path, format: str | None = None) -> ExportFormat:
    """The format of that name or, if none is given, the one that the path's ending tells.

    Raises
    ------
    UsageError
        If there is none.
    """
    if format is not None:
        return format_named(format)
    file_name = Path(path).name
    name = file_name.removesuffix(".gz").lower()
    matches = {suffix: entry for entry in FORMATS.values() for suffix in entry.suffixes if name.endswith(suffix)}
    if not matches:
        raise UsageError(
            f"expected an ending that tells the format, got {file_name!r}; name a format, one of {list(FORMATS)}"
        )
    return matches[max(matches, key=len)]


def _import_function(path: str) -> Callable[..., None]:
    module, _, name = path.partition(":")
    function: Callable[..., None] = getattr(import_module(module), name)
    return function


def write_zip(folder: Path, output: IO[bytes]) -> None:
    """The files of a folder as a zip archive; the same files give the same bytes."""
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            add_zip_entry(archive, file.relative_to(folder).as_posix(), file.read_bytes())


def add_zip_entry(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file with the oldest time that a zip archive can hold, so that the same data give the same bytes."""
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)
