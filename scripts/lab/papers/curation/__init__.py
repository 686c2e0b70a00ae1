"""Simulated curation of corpora that the model has not seen."""
