"""Evaluation of extractors: cross-validation, across corpora, learning curves, reports, comparisons."""

from ppi.evaluation.cross_validation import Evaluation, Settings, evaluate

__all__ = ["Evaluation", "Settings", "evaluate"]
