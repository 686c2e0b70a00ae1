"""Judgements of what a run found: kept beside it, merged, compared, exported, and learned from."""
