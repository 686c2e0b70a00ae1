"""Experiments of the parse-ranking articles on our own data; ``scripts/reproduce_parse_ranking`` runs them."""
