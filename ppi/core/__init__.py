"""The base of all other subpackages: errors, model archives, progress and parallel work."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
