"""Training the classifier of kinds: softmax regression on names that the finder takes for genes and proteins.

What it learns from are names as they are found, so that kinds are as frequent as they will be, in texts where people
said what they are:

* GNormPlus and NLM-Gene (documents of an even PubMed id): genes, families, domains; what they do not annotate is
  something else;
* JNLPBA: DNA and RNA, cells; its proteins are families too, so that only those in a list of genes or families count;
* PC and CG of BioNLP 2013: complexes, chemicals, cells, organisms; here, too, other names are something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy
from numpy.typing import NDArray

import corpora
from lab.training.pipeline.mentions import AnnotatedText, Name
from lab.training.pipeline.tokenization import build_tokenizer
from ppi.language import (
    CELL,
    CHEMICAL,
    DNA_RNA,
    FAMILY,
    KINDS,
    LISTS,
    ORGANISM,
    OTHER,
    PROTEIN,
    Gazetteer,
    KindClassifier,
    NameModel,
    read_tokens,
    span_features,
)

#: What is a gene or a protein or a family: a list must tell.
UNDECIDED = "undecided"
#: The kinds of the corpora's types; types that are not here are OTHER.
KIND_OF_TYPE = {
    "Gene": PROTEIN,
    "FamilyName": FAMILY,
    "DomainMotif": OTHER,
    "protein": UNDECIDED,
    "DNA": DNA_RNA,
    "RNA": DNA_RNA,
    "cell_type": CELL,
    "cell_line": CELL,
    "Gene_or_gene_product": UNDECIDED,
    "Complex": FAMILY,
    "Simple_chemical": CHEMICAL,
    "Amino_acid": CHEMICAL,
    "Cell": CELL,
    "Organism": ORGANISM,
}
_LIST_KINDS = {"gene": PROTEIN, "ambiguous": PROTEIN, "family": FAMILY}
#: JNLPBA calls these DNA, but a gene is what "gene or protein" means.
_GENE = re.compile(r"\b(?:genes?|alleles?|loc(?:us|i)|proto-?oncogenes?|oncogenes?)$", re.IGNORECASE)


class KindExamples(NamedTuple):
    """Rows of features, their kinds, and the document of each."""

    features: NDArray[np.float32]
    kinds: list[str]
    documents: list[str]


def read_genes(path: Path) -> Iterator[AnnotatedText]:
    """Titles and abstracts of the documents of a PubTator file that have an even PubMed id."""
    for document in corpora.read(path, "pubtator", problems=[]):  # a few of its annotations do not fit its texts
        if int(document.id) % 2 == 0:
            for sentence in document.sentences:
                names = (Name(entity.start, entity.end, entity.type or "") for entity in sentence.entities)
                yield AnnotatedText(sentence.text, tuple(names), document.id)


def kind_examples(model: NameModel, texts: Iterable[AnnotatedText], *, whole: bool) -> KindExamples:
    """The names that the finder takes for genes or proteins in the texts, with their kinds.

    Parameters
    ----------
    whole
        Whether a name that touches no annotation is something else, unless a list has it; otherwise nothing is known.
    """
    tokenizer = build_tokenizer(spacy.blank("en").vocab)
    texts = list(texts)
    docs = [tokenizer(text.text) for text in texts]
    seen = [read_tokens(doc) for doc in docs]
    rows, kinds, documents = [], [], []
    for sentence in model.decode([text for text, _ in seen]):
        annotated, doc, places = texts[sentence.text], docs[sentence.text], seen[sentence.text][1]
        for (start, end), row in zip(sentence.proteins, span_features(sentence.vectors, sentence.proteins)):
            span = doc[places[sentence.start + start] : places[sentence.start + end - 1] + 1]
            kind = _kind(annotated, span.start_char, span.end_char, whole, model.gazetteer, [t.text for t in span])
            if kind is not None:
                rows.append(row)
                kinds.append(kind)
                documents.append(annotated.document)
    return KindExamples(np.array(rows), kinds, documents)


def _kind(
    annotated: AnnotatedText, start: int, end: int, whole: bool, gazetteer: Gazetteer, words: list[str]
) -> str | None:
    touched = [name for name in annotated.names if name.start < end and start < name.end]
    if not touched:
        return OTHER if whole and _listed(gazetteer, words) is None else None
    # of what it touches, the one that ends with it is what it names
    same = [name for name in touched if name.end == end]
    if not same:
        return None
    closest = min(same, key=lambda name: abs(name.start - start))
    kind = KIND_OF_TYPE.get(closest.kind, OTHER)
    if kind == DNA_RNA and _GENE.search(annotated.text[start:end]):
        return PROTEIN
    return _listed(gazetteer, words) if kind == UNDECIDED else kind


def _listed(gazetteer: Gazetteer, words: list[str]) -> str | None:
    """Gene or family, if a list has the whole name."""
    for start, end, number in gazetteer.find_matches(words):
        return _LIST_KINDS.get(LISTS[number]) if (start, end) == (0, len(words)) else None
    return None


def together(examples: Iterable[KindExamples]) -> KindExamples:
    """All of them."""
    features, kinds, documents = zip(*examples)
    return KindExamples(np.concatenate(features), [*chain(*kinds)], [*chain(*documents)])


def trained_classifier(examples: KindExamples, *, strength: float, report: Callable[[str], None]) -> KindClassifier:
    """Softmax regression; ``strength`` is scikit-learn's C, the inverse of the regularizer."""
    from sklearn.linear_model import LogisticRegression

    learner = LogisticRegression(C=strength, max_iter=500).fit(examples.features, examples.kinds)
    weights = np.zeros((len(KINDS), examples.features.shape[1]), dtype=np.float32)
    bias = np.full(len(KINDS), -1e4, dtype=np.float32)  # kinds without an example are never given
    rows, constants = learner.coef_, learner.intercept_
    if len(learner.classes_) == 2:  # one row, for the second of them
        rows, constants = np.vstack([np.zeros_like(rows), rows]), np.append(0.0, constants)
    for row, constant, kind in zip(rows, constants, learner.classes_):
        weights[KINDS.index(kind)], bias[KINDS.index(kind)] = row, constant
    counts = {kind: examples.kinds.count(kind) for kind in KINDS}
    report(f"kinds: {counts}, {100 * learner.score(examples.features, examples.kinds):.1f} % of them fitted")
    return KindClassifier(weights, bias)
