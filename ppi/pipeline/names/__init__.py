"""The name finder: one encoder, a decoder for each annotation guideline, and a classifier of kinds.

The component of a spaCy pipeline is :mod:`ppi.pipeline.names.component`; nothing else here needs spaCy.
"""
