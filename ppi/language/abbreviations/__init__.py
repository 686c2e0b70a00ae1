"""Abbreviations and their definitions in a text."""
