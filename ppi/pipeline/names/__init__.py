"""The protein-name finder: one encoder, a decoder for each annotation guideline, and a gate that chooses."""

from ppi.pipeline.names.component import LABEL, NameFinder

__all__ = ["LABEL", "NameFinder"]
