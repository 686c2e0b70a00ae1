"""From text to sentences, protein names, abbreviations and dependency graphs: the shipped pipeline, other parsers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
