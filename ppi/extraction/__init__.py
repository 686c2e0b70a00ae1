"""Interaction extraction: examples from documents, kernels by name, training, folding, explanation, model files."""

from ppi.extraction.extractor import Extractor, ScoredPair

__all__ = ["Extractor", "ScoredPair"]
