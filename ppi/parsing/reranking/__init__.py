"""The beam of the shipped parser, and a learned order of its trees."""
