"""What runs for long: runs over many files, the database of a run, its curation, and the web application."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
