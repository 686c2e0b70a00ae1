"""The laboratory: what is run from a checkout to make models, figures and pages.

It imports everything; nobody imports it.
"""
