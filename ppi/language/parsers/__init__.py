"""Parsers behind one interface: spaCy pipelines, Stanza, CoNLL-U files; the reranker of the shipped parser's beam."""
