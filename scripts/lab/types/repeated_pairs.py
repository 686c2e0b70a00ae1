"""How far papers that say the same can be trusted: `python -m lab.types.repeated_pairs`.

What is misread wherever it stands has two sources, and is estimated for each on edges of two papers and more (those of
one paper say nothing about it), as a network merges them (:mod:`ppi.network.aggregation`), from mentions of 0.5 or
more:

* **relations**: every event corpus is annotated, with its own names, by a model that has not seen it, its probabilities
  calibrated on the others.  An edge is true if one of its statements is annotated.  The share is the mean of its
  posterior, from an even prior, given what is annotated; the likelihood is
  :func:`ppi.network.combining.noisy_or_probability`.
* **names**: the bare text of PC and CG, whose names the name finder was not trained on, is annotated.  An edge is
  misnamed if none of its statements is about two annotated genes or proteins; m of n give (m + 1) / (n + 2).

``--keep FILE`` keeps the mentions, ten minutes of one core and 8 GB of memory; ``--mentions FILE`` takes them from
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

import corpora
from corpora import Document, Entity, Sentence, Span
from lab.frame.program import corpora_folder, run_program
from lab.training.extraction.train import EVENTS, PAIRS, SHIPPED
from ppi.evaluation import format_table
from ppi.network import ERROR_FILE, combine_papers, noisy_or_probability

#: Mentions below do not take part in networks.
LEAST = 0.5
GRID = np.arange(0.0, 0.5, 0.001)
#: Corpora whose names the name finder has not seen, and what proteins are there.
NAMED = ("bionlp-st-2013-pc", "bionlp-st-2013-cg")
PROTEINS = frozenset(("Gene_or_gene_product", "Protein", "Complex"))


class Said(NamedTuple):
    """A mention of a pair: who, in which paper, how probably, and whether it is what the annotation has."""

    pair: str
    paper: str
    probability: float
    true: bool


class Merged(NamedTuple):
    """An edge: the highest probability of each paper, and whether one of its statements is true."""

    papers: tuple[float, ...]
    true: bool


def mentions_left_out() -> Iterator[Said]:
    """Mentions in event corpora, judged by models that have not seen the corpus."""
    from ppi.evaluation import HeldOutScores, load_parsed
    from ppi.extraction import INTERACTION, prepare_corpora, train_typed
    from ppi.grounding import is_same_protein, protein_key

    names = [*EVENTS, *PAIRS]
    prepared = prepare_corpora({name: load_parsed(name, "shipped") for name in names}, SHIPPED)
    rows = prepared.rows(names)
    model = train_typed(rows, min_documents=SHIPPED.min_documents, regparam=SHIPPED.regparam)
    held_out = HeldOutScores.from_model(model, rows, names)
    for name in EVENTS:
        examples = prepared.examples[name]
        known = held_out.select_scored_rows(INTERACTION, name)[rows.corpora == names.index(name)]
        graphs = [graph for graph, is_known in zip(examples.graphs, known, strict=True) if is_known]
        for graph, probability, true in zip(graphs, *held_out.probabilities(INTERACTION, name), strict=True):
            entities = {entity.id: entity for entity in graph.sentence.entities}
            first, second = entities[graph.prot1], entities[graph.prot2]
            if probability >= LEAST and not is_same_protein(first, second):
                pair = " ".join(sorted((protein_key(first), protein_key(second))))
                yield Said(pair, f"{name}/{graph.document_id}", float(probability), bool(true))


def mentions_of_bare_text() -> Iterator[Said]:
    """Mentions in the bare text of corpora whose names were not trained on; true if both are annotated proteins."""
    from ppi.annotation import Annotator
    from ppi.grounding import protein_key

    annotator = Annotator(min_probability=LEAST)
    for name in NAMED:
        documents = {document.id: document for document in corpora.load(name)}
        for annotated in annotator.annotate_documents(map(_bare, documents.values())):
            spans = _spans_of_proteins(documents[annotated.document.id])
            for found in annotated.interactions:
                if not found.homo:
                    pair = " ".join(sorted(map(protein_key, found.proteins)))
                    true = all(_is_one_of(spans, entity, found.offset) for entity in found.proteins)
                    yield Said(pair, f"{name}/{annotated.document.id}", found.probability, true)


def _bare(document: Document) -> Document:
    sentences = tuple(Sentence(each.id, each.text, offset=each.offset) for each in document.sentences)
    return Document(document.id, sentences)


def _spans_of_proteins(document: Document) -> list[Span]:
    return [
        (sentence.offset + entity.start, sentence.offset + entity.end)
        for sentence in document.sentences
        for entity in sentence.entities
        if entity.type in PROTEINS
    ]


def _is_one_of(spans: Iterable[Span], entity: Entity, offset: int) -> bool:
    """Whether a mention overlaps one of the spans."""
    return any(offset + entity.start < end and start < offset + entity.end for start, end in spans)


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


def of_several_papers(edges: Iterable[Merged]) -> list[Merged]:
    """Those that two papers or more support."""
    return [edge for edge in edges if len(edge.papers) > 1]


def misread_relations(edges: Sequence[Merged]) -> float:
    """The mean of the posterior of the share of misread pairs, given edges of several papers.

    >>> round(misread_relations([Merged((0.9, 0.9, 0.9), True)] * 80 + [Merged((0.9, 0.9, 0.9), False)] * 20), 2)
    0.21
    """
    logarithms = np.array([_log_likelihood(of_several_papers(edges), error) for error in GRID])
    weights = np.exp(logarithms - logarithms.max())
    return float(weights @ GRID / weights.sum())


def misnamed(edges: Sequence[Merged]) -> float:
    """The share of edges of several papers that are about something else than two proteins, by Laplace's rule.

    >>> misnamed([Merged((0.9, 0.9), True)] * 17 + [Merged((0.9, 0.9), False)])
    0.1
    """
    several = of_several_papers(edges)
    return (sum(not edge.true for edge in several) + 1) / (len(several) + 2)


def _log_likelihood(edges: Sequence[Merged], error: float) -> float:
    tiny = 1e-9  # an edge that is certain and wrong must not end the search
    probabilities = np.clip([noisy_or_probability(edge.papers, error) for edge in edges], tiny, 1 - tiny)
    return float(np.sum(np.log(np.where([edge.true for edge in edges], probabilities, 1 - probabilities))))


def report(edges: Sequence[Merged], error: float) -> str:
    """By the number of papers: how many edges, how many are true, and what is said of them with and without error."""
    rows = []
    for name, least, most in (("1", 1, 1), ("2", 2, 2), ("3", 3, 3), ("4 and more", 4, 10**9)):
        some = [edge for edge in edges if least <= len(edge.papers) <= most]
        if some:
            shares = [np.mean([combine_papers(edge.papers, error=each) for edge in some]) for each in (0.0, error)]
            true = np.mean([edge.true for edge in some])
            rows.append((name, len(some), *map("{:.3f}".format, (true, *shares))))
    return format_table(("papers", "edges", "true", "independent", f"with error {error:.3f}"), rows)


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
        held = json.loads(args.mentions.read_text(encoding="utf-8"))
        said = {source: [Said(*each) for each in held[source]] for source in ("relations", "names")}
    else:
        corpora_folder(args.corpora)
        said = {"relations": list(mentions_left_out()), "names": list(mentions_of_bare_text())}
    if args.keep is not None:
        args.keep.write_text(json.dumps(said), encoding="utf-8")
    relations, names = merged(said["relations"]), merged(said["names"])
    shares = {"relations": misread_relations(relations), "names": misnamed(names)}
    error = 1 - (1 - shares["relations"]) * (1 - shares["names"])
    sys.stdout.write(report(relations, shares["relations"]) + "\n")
    several = of_several_papers(names)
    wrong = sum(not edge.true for edge in several)
    sys.stdout.write(f"\n{wrong} of {len(several)} edges of bare text are misnamed; {shares}; together {error:.4f}\n")
    if args.write:
        found = {
            "error": round(error, 4),
            "relations": {"share": round(shares["relations"], 4), "edges": len(of_several_papers(relations))},
            "names": {"share": round(shares["names"], 4), "edges": len(several), "misnamed": wrong},
        }
        ERROR_FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
