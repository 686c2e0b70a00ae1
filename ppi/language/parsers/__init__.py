"""Parsers behind one interface: spaCy pipelines, Stanza, CoNLL-U files, and the reranker of the shipped parser's beam."""
