"""Grounding of names to identifiers of genes, families and complexes, by the shipped lexicon or the user's.

The names below are imported when they are first used: comparing two mentions needs no numerical package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
