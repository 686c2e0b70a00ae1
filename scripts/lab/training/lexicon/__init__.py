"""Making the lexicon that ships, from public lists of genes, families and complexes."""
