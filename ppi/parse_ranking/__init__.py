"""Candidate parses of a sentence, and a learned order for them."""
