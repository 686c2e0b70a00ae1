"""Interactions of one gene, counted by hand."""

from dataclasses import replace

import annotated
from lab.benchmarks.one_gene import of_one_gene, run
from lab.grounding.gold import GeneMention, GoldDocument

from ppi.annotation import AnnotatedDocument


def test_interactions_are_of_one_gene_by_the_numbers_of_the_mentions_they_overlap():
    found = annotated.one_protein()
    names = {"Aldehyde dehydrogenase": ("224",), "FALDH": ("224", "9"), "PEX19": ("5824",)}
    sentence = found.document.sentences[0]
    mentions = tuple(
        GeneMention((entity.start, entity.end), entity.text, names[entity.text], (None,))
        for entity in sentence.entities
    )
    gold = GoldDocument(found.document, mentions)
    assert of_one_gene([gold], [found]) == (1, 2)  # homodimers are not counted
    assert of_one_gene([replace_mentions(gold, mentions[:1])], [found]) == (0, 0)
    assert of_one_gene([gold], [AnnotatedDocument(found.document)]) == (0, 0)


def replace_mentions(gold, mentions):
    return gold._replace(mentions=mentions, document=replace(gold.document))


def test_it_runs(corpora_folder):
    figures = list(run(scale=0.01))
    assert len(figures) == 4
    assert all(0 <= figure.value <= 100 for figure in figures)
