"""The command line: ``ppi VERB``.  Each verb is one module here, a thin wrapper of a library function."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
