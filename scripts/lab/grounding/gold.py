"""GNormPlus and NLM-Gene: abstracts with genes by their Entrez numbers, in halves.

Documents of an even PubMed id are for choosing (the classifier of kinds of names was taught on them, too), those of an
odd one for reporting.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import corpora
from corpora import Document, Entity, Span, species_of
from ppi.grounding import read_genes

HUMAN = "9606"


class GeneMention(NamedTuple):
    """A mention of a gene at characters of the text, its Entrez numbers, and the species where the file has it."""

    span: Span
    text: str
    numbers: tuple[str, ...]
    taxids: tuple[str | None, ...]


class GoldDocument(NamedTuple):
    """An abstract without its annotation, and the genes that people found in it."""

    document: Document
    mentions: tuple[GeneMention, ...]

    @property
    def is_for_choosing(self) -> bool:
        """Whether it is of the half that choices are made on."""
        return int(self.document.id) % 2 == 0

    def genes(self, *, human: bool) -> set[str]:
        """The numbers of its genes; with ``human`` those without the mark of another species."""
        return {
            number
            for mention in self.mentions
            for number, taxid in zip(mention.numbers, mention.taxids)
            if not human or taxid in (None, HUMAN)
        }


class GoldSet(NamedTuple):
    """A file; of GNormPlus only human genes are asked for."""

    name: str
    file: str
    human: bool

    def read(self, folder: Path) -> list[GoldDocument]:
        """All documents of the file in ``folder``/genes."""
        # a few of its annotations do not fit its texts
        documents = corpora.read(folder / "genes" / self.file, "pubtator", problems=[])
        return [_gold(document) for document in documents]


SETS = (
    GoldSet("GNormPlus", "GNormPlus_Train.PubTator.gz", True),
    GoldSet("NLM-Gene", "NLMgene_Train.PubTator.gz", False),
)


def _gold(document: Document) -> GoldDocument:
    mentions = tuple(
        _mention(entity, sentence.offset)
        for sentence in document.sentences
        for entity in sentence.entities
        if entity.type == "Gene" and entity.identifiers
    )
    sentences = tuple(replace(sentence, entities=(), infons=()) for sentence in document.sentences)
    return GoldDocument(replace(document, sentences=sentences, relations=()), mentions)


def _mention(entity: Entity, offset: int) -> GeneMention:
    numbers, species = entity.identifiers, species_of(entity.identifiers, dict(entity.infons))
    taxids = tuple(species.get(number) for number in numbers)
    return GeneMention((offset + entity.start, offset + entity.end), entity.text, numbers, taxids)


def with_mentions(gold: GoldDocument) -> Document:
    """The document with the mentions of its genes, without identifiers."""
    sentences = []
    for sentence in gold.document.sentences:
        start, end = sentence.offset, sentence.offset + len(sentence.text)
        entities = tuple(
            Entity(
                f"{sentence.id}.g{number}", mention.text, ((mention.span[0] - start, mention.span[1] - start),), "Gene"
            )
            for number, mention in enumerate(gold.mentions)
            if start <= mention.span[0] and mention.span[1] <= end
        )
        sentences.append(replace(sentence, entities=entities))
    return replace(gold.document, sentences=tuple(sentences))


def overlapping(gold: GoldDocument, spans: Collection[Span]) -> set[str]:
    """The numbers of the genes whose mentions share a character with one of these stretches of the text."""
    return {
        number
        for mention in gold.mentions
        if any(mention.span[0] < end and start < mention.span[1] for start, end in spans)
        for number in mention.numbers
    }


#: The lists of the corpora's folder that name genes by Entrez numbers.
_LISTS = ("human", "mouse", "zebrafish", "fly")


def entrez_numbers(folder: Path) -> set[str]:
    """The numbers of all genes of the lists of Entrez, those that code for no protein included."""
    return {
        gene.identifier.rpartition(":")[2]
        for name in _LISTS
        for gene in read_genes(folder / "lexicon" / f"entrez-{name}-gene_info.gz", types=None)
    }
