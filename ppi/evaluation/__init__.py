"""Evaluation of extractors: cross-validation, across corpora, learning curves, reports, comparisons.

Predictions of anybody, read from files or held in memory, are scored by :func:`score_claims`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
