"""Trees on which a parser and its teacher agree most: better than either's own, and of the parser's own kind.

The teacher weighs every arc against all others but knows nothing of the parser's moves; the parser's beam holds trees
that it can build, of which its own first one is often not the best.  On the articles set aside for tuning the beam's
tree that shares most with the teacher's is closer to the treebank than what either of them says alone: they err in
different places.  A parser that learns from such trees of unlabelled text learns where its first choice is wrong.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from lab.training.pipeline.silver_trees import DOCUMENT, conllu
from lab.training.pipeline.treebank import Tree, read_trees
from ppi.language import BEAM_DENSITY, BEAM_WIDTH, ROOT, BeamTrees, beam_trees

#: Sentences that are parsed at a time, sorted by length, and those whose beams advance together.
_POOL, _BATCH = 4096, 128
#: What an arc counts that has the teacher's head and another label.
_HEAD_ALONE = 0.5
#: What a nat of the parser's log-probability counts, in arcs that agree.
_OWN_OPINION = 0.5
_REPORT_EVERY = 50_000


def write_agreed(nlp: Language, silver: Path, output: Path, report: Callable[[str], None]) -> Path:
    """For the sentences of a file of the teacher's trees those trees that the parser of ``nlp`` agrees to; gzip."""
    with gzip.open(output, "wt", encoding="utf-8", newline="\n", compresslevel=3) as lines:
        lines.write(f"# newdoc id = {DOCUMENT}\n")
        for number, tree in enumerate(agreed_trees(nlp, read_trees(silver)), start=1):
            lines.writelines(conllu(tree))
            if number % _REPORT_EVERY == 0:
                report(f"{number} sentences")
    return output


def agreed_trees(nlp: Language, trees: Iterable[Tree]) -> Iterator[Tree]:
    """Each of the teacher's trees replaced by the most similar one of the parser's beam, with the parser's tags."""
    stream = iter(trees)
    while pool := list(islice(stream, _POOL)):
        order = sorted(range(len(pool)), key=lambda place: len(pool[place].words))
        found = list(pool)
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            beams = beam_trees(
                nlp.get_pipe("parser"),
                _tagged(nlp, [pool[place] for place in places]),
                width=BEAM_WIDTH,
                max_trees=BEAM_WIDTH,
                density=BEAM_DENSITY,
            )
            for place, beam in zip(places, beams, strict=True):
                found[place] = agreed(beam, pool[place])
        yield from found


def _tagged(nlp: Language, trees: Sequence[Tree]) -> list[Doc]:
    """The sentences with all that comes before the parser."""
    docs = [Doc(nlp.vocab, words=list(tree.words), spaces=list(tree.spaces)) for tree in trees]
    for name in ("tok2vec", "tagger"):
        docs = list(nlp.get_pipe(name).pipe(docs, batch_size=_BATCH))  # type: ignore[attr-defined]
    return docs


def agreed(beam: BeamTrees, teacher: Tree) -> Tree:
    """The tree of the beam with most of the teacher's arcs; the parser's own probability has a say, too."""
    best = int(np.argmax(agreement(beam, teacher) - _OWN_OPINION * beam.costs))
    heads = tuple(int(head) for head in beam.heads[best])
    labels = tuple(beam.names[label] for label in beam.labels[best])
    return replace(teacher, heads=heads, labels=labels, tags=beam.tags)


def agreement(beam: BeamTrees, teacher: Tree) -> NDArray[np.float64]:
    """For each tree how many of the teacher's arcs it has, those with another label counted less.

    A sentence has one root: trees with more of them than others have no chance.
    """
    numbers = {name: number for number, name in enumerate(beam.names)}
    labels = [ROOT if head < 0 else label for head, label in zip(teacher.heads, teacher.labels)]
    same_head = beam.heads == np.array(teacher.heads)
    same_label = beam.labels == np.array([numbers.get(label, -1) for label in labels])
    shared = np.where(same_head, np.where(same_label, 1.0, _HEAD_ALONE), 0.0).sum(axis=1)
    roots = (beam.heads < 0).sum(axis=1)
    return np.where(roots == roots.min(), shared, -np.inf)
