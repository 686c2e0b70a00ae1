"""Annotation of raw text: interactions with probability and evidence.

The names below are imported when they are first used, so that the settings do not wait for the numerical
packages.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
