"""Corpora and files: readers and writers that turn every format into the same immutable documents."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
