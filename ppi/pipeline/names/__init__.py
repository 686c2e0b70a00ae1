"""The name finder: one encoder, a decoder for each annotation guideline, and a classifier of kinds."""

from ppi.pipeline.names.component import NameFinder

__all__ = ["NameFinder"]
