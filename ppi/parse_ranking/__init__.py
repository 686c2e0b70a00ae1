"""Candidate parses of a sentence, and a learned order for them.

The names below are imported when they are first used: the generators do not need the numerical packages.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
