"""Which gene is meant: texts in which people wrote it down, and how often the answer is theirs."""
