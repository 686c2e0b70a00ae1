"""How the shipped pipeline is made: treebanks and name corpora in, a spaCy directory out."""
