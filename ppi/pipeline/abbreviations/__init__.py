"""Abbreviations and what a text says that they stand for."""

from ppi.pipeline.abbreviations.definitions import definitions
from ppi.pipeline.abbreviations.forms import Definition

__all__ = ["Definition", "definitions"]
