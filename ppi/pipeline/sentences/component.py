"""The rules for sentences as a component of a spaCy pipeline, before the parser, which keeps to what is set."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc

from ppi.pipeline.names.segments import read_tokens
from ppi.pipeline.sentences.starts import INSIDE, find_sentence_starts


@Language.factory("sentence_rules", assigns=["token.is_sent_start"])
class SentenceRules(Pipe):
    """Sets ``token.is_sent_start`` where the rules are sure; what is set already stays.

    It needs no training and has no settings.
    """

    def __init__(self, nlp: Language, name: str = "sentence_rules") -> None:
        self.vocab = nlp.vocab
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        """Set the sentence starts of one document; O(tokens)."""
        if not len(doc):
            return doc
        text, places = read_tokens(doc)
        starts = np.full(len(doc), INSIDE, dtype=np.int64)  # white space ends with the sentence before it
        starts[places] = find_sentence_starts(text)
        preset_starts = doc.to_array(SENT_START).astype(np.int64)
        # all at once: setting one token asks whether the document is parsed, which looks at every token
        combined_starts = np.where(preset_starts == 0, starts, preset_starts).astype(np.uint64)
        doc.from_array([SENT_START], combined_starts)  # type: ignore[arg-type]  # one attribute, one column
        return doc

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Nothing: the rules are code."""
        return b""

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> SentenceRules:
        """Nothing to take over."""
        return self

    def to_disk(self, path: object, *, exclude: Iterable[str] = ()) -> None:
        """Nothing is written."""

    def from_disk(self, path: object, *, exclude: Iterable[str] = ()) -> SentenceRules:
        """Nothing is read."""
        return self
