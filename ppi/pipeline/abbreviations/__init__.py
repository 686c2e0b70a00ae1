"""Abbreviations and what a text says that they stand for."""

from ppi.pipeline.abbreviations.definitions import find_definitions
from ppi.pipeline.abbreviations.forms import Definition, Span
from ppi.pipeline.abbreviations.meanings import Meanings

__all__ = ["Definition", "Meanings", "Span", "find_definitions"]
