"""spaCy: the component ``ppi_interactions``, ``doc._.interactions``, the shipped pipeline, and documents as Docs."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
