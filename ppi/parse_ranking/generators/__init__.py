"""Generators of candidate parses."""
