"""Annotated documents to files: tables, standards of the field, graphs and a page to read."""

from ppi.export.page_facts import PageFacts
from ppi.export.registry import FORMATS, NETWORK_FORMATS, ExportFormat, dumps, format_named, write, write_network

__all__ = ["FORMATS", "NETWORK_FORMATS", "ExportFormat", "PageFacts", "dumps", "format_named", "write", "write_network"]
