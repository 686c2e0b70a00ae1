"""Interaction extraction: examples from documents, kernels by name, training, scoring, explanation, model files.

The names below are imported when they are first used: the settings can be listed without the numerical packages.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
