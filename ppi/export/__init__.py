"""Annotated documents to files: tables, standards of the field, graphs and a page to read."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
