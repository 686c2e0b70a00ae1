"""Trained models evaluated on corpora, with what they have seen of them in training."""
