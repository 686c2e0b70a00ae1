"""Learning which candidate is meant."""
