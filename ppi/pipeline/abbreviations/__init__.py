"""Abbreviations and what a text says that they stand for."""

from ppi.pipeline.abbreviations.definitions import Definition, definitions

__all__ = ["Definition", "definitions"]
