"""Long runs: many files, many processes, nothing lost and nothing done twice."""
