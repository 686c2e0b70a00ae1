"""Abbreviations and what a text says that they stand for."""
