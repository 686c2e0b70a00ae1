"""The name corpora as labelled sentences over our own tokens: what the name finder learns from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import spacy
from spacy.tokens import Doc

from lab.training.pipeline.mentions import AnnotatedText, Name, read_iob, read_standoff
from lab.training.pipeline.tokenization import build_tokenizer
from ppi.language import read_tokens, split_segments


@dataclass(frozen=True)
class LabelledSentence:
    """A sentence's words, and their labels by one guideline."""

    guideline: str
    words: Sequence[str]
    labels: Sequence[str]


@dataclass(frozen=True)
class NameTexts:
    """The texts of both guidelines, apart: ``training``, ``tuning`` for choosing settings, nothing held out."""

    training: dict[str, list[AnnotatedText]]
    tuning: dict[str, list[AnnotatedText]]


def is_held_out(text: AnnotatedText) -> bool:
    """Abstracts for the final measurement, in no part of training or tuning: those whose PubMed id ends in 1."""
    return text.document.isdigit() and text.document.endswith("1")


def is_for_tuning(text: AnnotatedText) -> bool:
    """Every tenth sentence of BioCreative, and the abstracts whose PubMed id ends in 3."""
    number = text.document.rpartition(":")[2]
    return number.endswith("3" if text.document.isdigit() else "0")


def read_name_texts(bc2gm: Path, jnlpba: Path, *, tuning: bool) -> NameTexts:
    """Both corpora without the abstracts held out; without ``tuning`` its part is for training too."""
    texts = {
        "bc2gm": list(read_iob(bc2gm)),
        "jnlpba": [text for text in read_standoff(jnlpba) if not is_held_out(text)],
    }
    apart = {name: [text for text in some if is_for_tuning(text)] for name, some in texts.items()}
    if tuning:
        texts = {name: [text for text in some if not is_for_tuning(text)] for name, some in texts.items()}
    return NameTexts(texts, apart)


def labelled_sentences(texts: Iterable[AnnotatedText], *, guideline: str) -> Iterator[LabelledSentence]:
    """Texts tokenized and cut as the name finder will; a name that is not whole tokens counts as no name."""
    tokenizer = build_tokenizer(spacy.blank("en").vocab)
    for text in texts:
        doc = tokenizer(text.text)
        seen, places = read_tokens(doc)
        all_labels = _labels(doc, text.names)
        labels = [all_labels[place] for place in places]
        start = 0
        for _, end in split_segments(seen):
            if labels[end - 1][0] not in "BI":  # no cut inside a name
                yield LabelledSentence(guideline, seen.words[start:end], labels[start:end])
                start = end


def _labels(doc: Doc, names: Iterable[Name]) -> list[str]:
    labels = ["O"] * len(doc)
    for name in names:
        span = doc.char_span(name.start, name.end)
        if span is not None and len(span) == 1:
            labels[span.start] = f"U-{name.kind}"
        elif span is not None:
            inside = [f"I-{name.kind}"] * (len(span) - 2)
            labels[span.start : span.end] = [f"B-{name.kind}", *inside, f"L-{name.kind}"]
    return labels
