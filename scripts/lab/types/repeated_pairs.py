"""How far papers that say the same can be trusted: `python -m lab.types.repeated_pairs`.

Every event corpus is annotated by a model that has not seen it, with probabilities calibrated on the others; mentions
of 0.5 or more are merged by their two names, over papers, as a network does (:mod:`ppi.network.aggregation`).  An edge
is true if one of its statements is annotated.  The share of pairs of names that are misread wherever they stand is the
one that makes what is annotated most likely (maximum likelihood over a grid), from edges of two papers and more: those
of one paper say nothing about it.

``--keep FILE`` keeps the mentions, six minutes of one core and 8 GB of memory; ``--mentions FILE`` takes them from
there.  ``--write`` writes the share that ships.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.frame.program import corpora_folder, run_program
from lab.training.extraction.train import EVENTS, PAIRS, SHIPPED
from ppi.evaluation import markdown
from ppi.network.combining import ERROR_FILE, combined

#: Mentions below do not take part in networks.
LEAST = 0.5
GRID = np.arange(0.0, 0.5, 0.005)


class Said(NamedTuple):
    """A mention of a pair: who, in which paper, how probably, and whether it is annotated."""

    pair: str
    paper: str
    probability: float
    true: bool


class Merged(NamedTuple):
    """An edge: the highest probability of each paper, and whether one of its statements is annotated."""

    papers: tuple[float, ...]
    true: bool


def mentions_left_out() -> Iterator[Said]:
    """Mentions in event corpora, judged by models that have not seen the corpus."""
    from ppi.evaluation.left_out import HeldOut
    from ppi.evaluation.parsed import load_parsed
    from ppi.extraction.outputs import INTERACTION
    from ppi.extraction.preparation import prepare
    from ppi.extraction.typed import train_typed
    from ppi.grounding.identity import protein_key, same_protein

    names = [*EVENTS, *PAIRS]
    prepared = prepare({name: load_parsed(name, "shipped") for name in names}, SHIPPED)
    rows = prepared.rows(names)
    model = train_typed(rows, min_documents=SHIPPED.min_documents, regparam=SHIPPED.regparam)
    held_out = HeldOut.of(model, rows, names)
    for name in EVENTS:
        examples = prepared.examples[name]
        known = held_out.known(INTERACTION, name)[rows.corpora == names.index(name)]
        graphs = [graph for graph, is_known in zip(examples.graphs, known, strict=True) if is_known]
        for graph, probability, true in zip(graphs, *held_out.probabilities(INTERACTION, name), strict=True):
            entities = {entity.id: entity for entity in graph.sentence.entities}
            first, second = entities[graph.prot1], entities[graph.prot2]
            if probability >= LEAST and not same_protein(first, second):
                pair = " ".join(sorted((protein_key(first), protein_key(second))))
                yield Said(pair, f"{name}/{graph.document_id}", float(probability), bool(true))


def merged(mentions: Iterable[Said]) -> list[Merged]:
    """The edges of the mentions.

    >>> merged([Said("a b", "1", 0.6, False), Said("a b", "1", 0.8, False), Said("a b", "2", 0.5, True)])
    [Merged(papers=(0.8, 0.5), true=True)]
    """
    papers: dict[str, dict[str, float]] = defaultdict(dict)
    true: dict[str, bool] = defaultdict(bool)
    for said in mentions:
        held = papers[said.pair]
        held[said.paper] = max(held.get(said.paper, 0.0), said.probability)
        true[said.pair] |= said.true
    return [Merged(tuple(held.values()), true[pair]) for pair, held in papers.items()]


def most_likely_error(edges: Sequence[Merged]) -> float:
    """The share of misread pairs that makes the edges of several papers most likely.

    >>> most_likely_error([Merged((0.9, 0.9, 0.9), True)] * 8 + [Merged((0.9, 0.9, 0.9), False)] * 2)
    0.195
    """
    several = [edge for edge in edges if len(edge.papers) > 1]
    return float(GRID[np.argmax([_log_likelihood(several, error) for error in GRID])].round(6))


def _log_likelihood(edges: Sequence[Merged], error: float) -> float:
    tiny = 1e-9  # an edge that is certain and wrong must not end the search
    probabilities = np.clip([combined(edge.papers, error=error) for edge in edges], tiny, 1 - tiny)
    return float(np.sum(np.log(np.where([edge.true for edge in edges], probabilities, 1 - probabilities))))


def report(edges: Sequence[Merged], error: float) -> str:
    """By the number of papers: how many edges, how many are true, and what is said of them with and without error."""
    rows = []
    for name, least, most in (("1", 1, 1), ("2", 2, 2), ("3", 3, 3), ("4 and more", 4, 10**9)):
        some = [edge for edge in edges if least <= len(edge.papers) <= most]
        if some:
            shares = [np.mean([combined(edge.papers, error=each) for edge in some]) for each in (0.0, error)]
            true = np.mean([edge.true for edge in some])
            rows.append((name, len(some), *map("{:.3f}".format, (true, *shares))))
    return markdown.table(("papers", "edges", "true", "independent", f"with error {error:.3f}"), rows)


def main(arguments: list[str] | None = None) -> int:
    """Annotate, merge, estimate."""
    parser = argparse.ArgumentParser(prog="python -m lab.types.repeated_pairs", description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", type=Path, help="the folder of the corpora (default: PPI_CORPORA)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the mentions here")
    parser.add_argument("--mentions", type=Path, metavar="FILE", help="take them from here")
    parser.add_argument("--write", action="store_true", help="write the share that ships")
    args = parser.parse_args(arguments)
    return run_program(parser.prog, lambda: _run(args))


def _run(args: argparse.Namespace) -> int:
    if args.mentions is not None:
        mentions = [Said(*each) for each in json.loads(args.mentions.read_text(encoding="utf-8"))]
    else:
        corpora_folder(args.corpora)
        mentions = list(mentions_left_out())
    if args.keep is not None:
        args.keep.write_text(json.dumps(mentions), encoding="utf-8")
    edges = merged(mentions)
    error = most_likely_error(edges)
    sys.stdout.write(report(edges, error) + "\n")
    if args.write:
        several = [edge for edge in edges if len(edge.papers) > 1]
        found = {"error": error, "edges": len(several), "true": sum(edge.true for edge in several)}
        ERROR_FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
