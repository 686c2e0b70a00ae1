from .component import InteractionFinder
from .docs import to_doc
from .pipeline import load_pipeline

__all__ = ["InteractionFinder", "load_pipeline", "to_doc"]
