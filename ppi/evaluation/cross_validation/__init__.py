"""Cross-validation of extractors, within a corpus and across corpora; learning curves; paired comparisons."""
