"""Annotated documents to files: tables, standards of the field, graphs and a page to read."""

from ppi.export.registry import FORMATS, ExportFormat, dumps, format_named, write

__all__ = ["FORMATS", "ExportFormat", "dumps", "format_named", "write"]
