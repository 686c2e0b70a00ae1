"""Putting the trained parts together as one spaCy directory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.lookups import Lookups

from lab.training.pipeline.lemmas import lemma_tables, tag_map
from lab.training.pipeline.tokenization import build_tokenizer
from lab.training.pipeline.treebank import Tree
from lab.training.pipeline.vectors import keep_attribute
from ppi.language import NameFinder  # noqa: F401 - registers the components

#: Texts that plain ``nlp.pipe`` takes at a time; spaCy's own thousand needs gigabytes.
BATCH = 64
#: As the package itself requires; spaCy alone would name the version that happens to be installed.
SPACY_VERSION = ">=3.8.14,<3.9.0"
LICENSE = (
    "CC BY 3.0 (CRAFT, GENIA and JNLPBA annotations); CC BY-SA 3.0 (PC and CG, kinds of names); "
    "CC BY 4.0 (eLife, word vectors); "
    "BioCreative II gene mention data for research"
)


def assemble(parser: Language, names: Language, trees: Sequence[Tree]) -> Language:
    """One pipeline: tokenizer, sentences by rule, tagger, parser, lemmas by rule, names.

    Parameters
    ----------
    parser, names
        The two trained pipelines.
    trees
        The treebank that teaches lemmas and universal tags.
    """
    nlp = spacy.blank("en", config={"nlp": {"batch_size": BATCH}})
    nlp.tokenizer = build_tokenizer(nlp.vocab)
    nlp.add_pipe("sentence_rules")
    for part in (nlp, names):  # spaCy warns of a component that comes from beside other vectors
        part.vocab.vectors = parser.vocab.vectors
    for word in parser.vocab.vectors:
        nlp.vocab.strings.add(parser.vocab.strings[word])
    for name in ("tok2vec", "tagger", "parser"):
        nlp.add_pipe(name, source=parser)
    ruler = nlp.add_pipe("attribute_ruler")
    for tag, attributes in tag_map(trees).items():
        ruler.add(patterns=[[{"TAG": tag}]], attrs=attributes)  # type: ignore[attr-defined]
    lookups = Lookups()
    for name, table in lemma_tables(trees).items():
        lookups.add_table(name, table)
    nlp.add_pipe("lemmatizer", config={"mode": "rule"}).initialize(lookups=lookups)  # type: ignore[attr-defined]
    nlp.add_pipe("ner", source=names)
    return nlp


def save(
    nlp: Language, path: Path, *, sources: list[dict[str, str]], facts: dict[str, Any], scores: dict[str, Any]
) -> None:
    """Write the pipeline; its meta says what it was trained on, its licence and its scores."""
    nlp.meta.update(
        {
            "name": "biomedical",
            "version": "1.3.0",
            "spacy_version": SPACY_VERSION,
            "description": "Sentences, tags, dependencies, lemmas and names with kinds for biomedical English.",
            "license": LICENSE,
            "sources": sources,
            "training": facts,
            "performance": scores,
        }
    )
    nlp.to_disk(path)
    keep_attribute(nlp, path)
    keep_strings(nlp, path)


def keep_strings(nlp: Language, saved: Path) -> None:
    """Leave in a saved pipeline the strings it needs: spaCy would keep every word that it has ever read."""
    needed = {nlp.vocab.strings[word] for word in nlp.vocab.vectors} | set(spacy.blank("en").vocab.strings)
    for labels in nlp.pipe_labels.values():
        needed.update(labels)
    (saved / "vocab" / "strings.json").write_text(json.dumps(sorted(needed)) + "\n", encoding="utf-8")
