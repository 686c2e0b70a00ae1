"""Sentence boundaries by rule: stops, line breaks, and what is left to the parser."""

from ppi.pipeline.sentences.component import SentenceRules
from ppi.pipeline.sentences.starts import INSIDE, OPEN, START, sentence_starts

__all__ = ["INSIDE", "OPEN", "START", "SentenceRules", "sentence_starts"]
