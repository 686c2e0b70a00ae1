"""Evaluation of extractors: cross-validation, across corpora, learning curves, reports, comparisons."""

from ppi.evaluation.cross_validation import Evaluation, evaluate
from ppi.extraction.settings import Settings

__all__ = ["Evaluation", "Settings", "evaluate"]
