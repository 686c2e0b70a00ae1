"""Experiments of the parse-ranking articles on our own data; ``scripts/reproduce parse-ranking`` runs them."""
