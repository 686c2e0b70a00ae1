"""Sentence boundaries by rule: stops, line breaks, and what is left to the parser."""

from ppi.pipeline.sentences.component import SentenceRules
from ppi.pipeline.sentences.starts import INSIDE, OPEN, START, find_sentence_starts

__all__ = ["INSIDE", "OPEN", "START", "SentenceRules", "find_sentence_starts"]
