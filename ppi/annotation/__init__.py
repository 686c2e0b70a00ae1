"""Raw text in, interactions with evidence out.

The names below are imported when they are first used, so that the settings alone do not wait for the numerical
packages.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
