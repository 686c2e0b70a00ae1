"""Kinds of names in training: what the lists add to gold genes, what examples say, and what counts as misnamed."""

import numpy as np
import pytest
import spacy
from lab.training.pipeline.kind_scores import misnamed
from lab.training.pipeline.kind_training import KindExamples, kind_examples, together, trained_classifier
from lab.training.pipeline.mentions import AnnotatedText, Name
from lab.training.pipeline.name_data import LabelledSentence
from lab.training.pipeline.silver import with_other_names
from name_models import random_name_model
from spacy.language import Language
from spacy.tokens import Span

from ppi.language import CHEMICAL, FAMILY, KINDS, OTHER, PROTEIN, Gazetteer

LISTS = {
    "gene": ["p53"],
    "chemical": ["benzene", "TG1", "p53"],
    "cell": ["HeLa", "rare", "T cells"],
    "organism": ["mouse"],
}


def silver(text, labels):
    gazetteer = Gazetteer(*Gazetteer.tables(LISTS))
    return with_other_names(LabelledSentence("bc2gm", text.split(), labels.split()), gazetteer).labels


def test_lists_label_what_is_no_gene():
    assert silver("benzene in HeLa cells , mouse T cells", "O O O O O O O O") == [
        "U-chemical", "O", "B-cell", "L-cell", "O", "U-organism", "B-cell", "L-cell",
    ]  # fmt: skip


def test_gold_genes_ambiguous_names_and_common_words_stay():
    assert silver("mouse p53 and rare p53 or TG1", "B-GENE L-GENE O O O O O") == ["B-GENE", "L-GENE", *"OOOOO"]


@Language.component("marks_for_misnamed")
def marks(doc):
    doc.ents = [Span(doc, token.i, token.i + 1, label=PROTEIN) for token in doc if token.text.isupper()]
    return doc


def test_misnamed_are_found_proteins_that_were_annotated_as_something_else():
    nlp = spacy.blank("en")
    nlp.add_pipe("marks_for_misnamed", name="ner")
    names = (
        Name(0, 2, "Simple_chemical"),  # TG
        Name(3, 5, "Gene_or_gene_product"),  # AB
        Name(3, 11, "Cell"),  # AB cells: touches a gene, too
        Name(12, 20, "Cell"),  # CD cells, found in part
        Name(21, 23, "Tissue"),
    )
    text = AnnotatedText("TG AB cells CD cells EF", names, "1")
    scores = misnamed(nlp, [text])
    assert scores == {"misnamed": 500, "same": 250, "found": 4, "touching proteins": 1, "cell": 250, "chemical": 250}


def test_examples_are_found_proteins_with_the_kind_that_people_gave():
    model = random_name_model(seed=5)
    text = "Raf binds p53 . p53 binds Raf and raf . Raf Raf binds"
    gold = tuple(
        Name(start, start + 3, "Simple_chemical") for start in range(len(text)) if text[start:].startswith("p53")
    )
    open_, whole = (kind_examples(model, [AnnotatedText(text, gold, "7")], whole=choice) for choice in (False, True))
    assert (open_.kinds, set(whole.kinds)) == ([CHEMICAL] * 2, {CHEMICAL, OTHER})
    assert len(whole.kinds) == len(whole.features) == len(whole.documents) > len(open_.kinds)


def test_the_classifier_learns_and_never_gives_a_kind_it_has_not_seen():
    state = np.random.default_rng(0)
    kinds = [PROTEIN, FAMILY] * 50
    rows = state.normal(size=(100, 4)) + np.array([[3.0 * (kind == FAMILY), 0, 0, 0] for kind in kinds])
    half = KindExamples(rows[:50].astype(np.float32), kinds[:50], ["1"] * 50)
    other = KindExamples(rows[50:].astype(np.float32), kinds[50:], ["2"] * 50)
    said = []
    classifier = trained_classifier(together([half, other]), strength=1.0, report=said.append)
    scores = rows @ classifier.weights.T + classifier.bias
    found = [KINDS[index] for index in scores.argmax(axis=1)]
    assert set(found) == {PROTEIN, FAMILY}
    assert np.mean([one == two for one, two in zip(found, kinds)]) == pytest.approx(0.93, abs=0.06)
    assert "'FAMILY': 50" in said[0]
