"""Saving the pipeline: what is part of it, and what is not."""

import json

import spacy
from lab.training.pipeline.package import keep_strings
from lab.training.pipeline.vectors import keep_attribute

from ppi.language import (
    MODEL_DIRECTORY,
    NameFinder,  # noqa: F401 - registers the name finder
)

TEXT = "Zyqaxin-17 phosphorylates the protein kinase Raf-1 (see Figure 2A). It does not bind to p53-deficient cells."


def said(doc):
    return [(t.text, t.tag_, t.pos_, t.lemma_, str(t.morph), t.dep_, t.head.i, t.ent_type_) for t in doc]


def test_words_that_were_only_read_are_not_saved_and_nothing_else_changes(tmp_path):
    nlp = spacy.load(MODEL_DIRECTORY)
    before = said(nlp(TEXT))
    assert "Zyqaxin-17" in nlp.vocab.strings or "Zyqaxin" in nlp.vocab.strings
    nlp.to_disk(tmp_path)
    keep_attribute(nlp, tmp_path)
    keep_strings(nlp, tmp_path)
    strings = set(json.loads((tmp_path / "vocab" / "strings.json").read_text(encoding="utf-8")))
    assert not {"Zyqaxin", "Zyqaxin-17"} & strings
    assert {"nsubj", "VBZ", "phosphorylates"} <= strings
    assert said(spacy.load(tmp_path)(TEXT)) == before
