"""The name finder: one encoder, a decoder for each annotation guideline, and a classifier of kinds.

The component of a spaCy pipeline is :mod:`ppi.language.spacy_components`; nothing else here needs spaCy.
"""
