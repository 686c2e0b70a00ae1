"""What the name finder calls a protein that people annotated as something else: a chemical, a cell, an organism.

The pathway curation (PC) and cancer genetics (CG) corpora of BioNLP 2013 annotate all of these.  The finder that ships
has learned kinds from them; what is measured is its twin that has not.
"""

from __future__ import annotations

import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from spacy.language import Language

from lab.training.pipeline.mentions import AnnotatedText, standoff_names
from ppi.language import PROTEIN

#: The types of PC and CG that are no proteins, by kind.
NO_PROTEINS = {
    "Simple_chemical": "chemical",
    "Amino_acid": "chemical",
    "Cell": "cell",
    "Organism": "organism",
}
#: A name that touches one of these is not counted, whatever else it touches.
PROTEINS = frozenset({"Gene_or_gene_product", "Complex"})


def read_entities(path: Path) -> Iterator[AnnotatedText]:
    """The documents of a tar of ``.txt``/``.a1`` pairs in order of name, nested entities included."""
    with tarfile.open(path) as archive:
        contents = {
            member.name: archive.extractfile(member).read().decode("utf-8")  # type: ignore[union-attr]
            for member in archive
            if member.isfile() and member.name.endswith((".txt", ".a1"))
        }
    for name in sorted(contents):
        if name.endswith(".txt"):
            stem = name.removesuffix(".txt")
            names = tuple(sorted(standoff_names(contents.get(f"{stem}.a1", ""))))
            yield AnnotatedText(contents[name], names, Path(stem).name)


def misnamed(nlp: Language, texts: Sequence[AnnotatedText]) -> dict[str, float]:
    """Found proteins that touch an annotated chemical, cell or organism and no gene, protein or complex, per 1,000.

    ``same`` counts those among them that have exactly the annotated characters.
    """
    found = same = touching_proteins = 0
    kinds: Counter[str] = Counter()
    with nlp.select_pipes(enable="ner"):
        for annotated, doc in zip(texts, nlp.pipe([text.text for text in texts])):
            for ent in doc.ents:
                if ent.label_ != PROTEIN:
                    continue
                found += 1
                touched = [n for n in annotated.names if n.start < ent.end_char and ent.start_char < n.end]
                if any(name.kind in PROTEINS for name in touched):
                    touching_proteins += 1
                    continue
                others = [name for name in touched if name.kind in NO_PROTEINS]
                if others:
                    kinds[NO_PROTEINS[others[0].kind]] += 1
                    same += any((name.start, name.end) == (ent.start_char, ent.end_char) for name in others)
    per_thousand = 1000 / max(found, 1)
    return {
        "misnamed": kinds.total() * per_thousand,
        "same": same * per_thousand,
        "found": found,
        "touching proteins": touching_proteins,
        **{kind: count * per_thousand for kind, count in sorted(kinds.items())},
    }
