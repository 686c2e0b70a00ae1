"""spaCy: the component ``ppi_interactions``, ``doc._.interactions``, the shipped pipeline, and documents as Docs.

The names below are imported when they are first used.
"""
