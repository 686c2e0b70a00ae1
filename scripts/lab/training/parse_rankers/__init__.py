"""The parse rankers: candidate parses of treebank sentences, and the rankers learned from them."""
