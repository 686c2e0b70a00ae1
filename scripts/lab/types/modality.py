"""How well negated and hedged pairs are told, against the modifications of events: `python -m lab.types.modality`.

All pairs of proteins of a sentence that some event joins, in GE, PC and CG: `negated` if all events that join the two
are, `hedged` if all that is not denied is speculation.  Documents are split by a digest of the number of their
article, so that the sections of an article stay together: words and rules were chosen on one half (development); the
other one (reported) is for the figures alone.  `kernels.denials` stands beside `negated` as the baseline.

BioScope says how many of its cues are known as words: of those that occur, whatever they govern.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import corpora
from corpora import Document, Pair, Sentence
from kernels import DENYING, DENYING_WORDS, HEDGING, NEGATIONS, CandidateGraph, sentence_candidates, sentence_graph
from lab.frame.cache import Cache, Part
from lab.frame.program import ROOT, corpora_folder, run_program
from lab.training import shipped
from ppi.annotation import is_protein
from ppi.core import UsageError
from ppi.evaluation import format_table
from ppi.language import parse_documents

CORPORA = {"GE": "bionlp-st-2011-ge", "PC": "bionlp-st-2013-pc", "CG": "bionlp-st-2013-cg"}
BIOSCOPE = ("bioscope-abstracts.xml.gz", "bioscope-full_papers.xml.gz")
DEVELOPMENT, REPORTED = HALVES = ("development", "reported")
#: The words that can deny, and those that can hedge.
KNOWN = {
    "negation": NEGATIONS.union(DENYING_WORDS, *DENYING),
    "speculation": frozenset().union(*HEDGING),
}
_ARTICLE = re.compile(r"\d{5,}")


class Case(NamedTuple):
    """A pair that events join: what they say, and what is told from the words."""

    negated: bool
    speculated: bool
    denied: bool
    told_negated: bool
    told_hedged: bool


@dataclass(frozen=True)
class Score:
    """Agreement about a yes or no."""

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Share of those told that are annotated; 0 if none is told."""
        return self.true_positives / max(self.true_positives + self.false_positives, 1)

    @property
    def recall(self) -> float:
        """Share of those annotated that are told; 0 if none is annotated."""
        return self.true_positives / max(self.true_positives + self.false_negatives, 1)

    @property
    def f(self) -> float:
        """Harmonic mean of the two.

        >>> Score(3, 1, 1).f
        0.75
        """
        return 2 * self.true_positives / max(2 * self.true_positives + self.false_positives + self.false_negatives, 1)


def half_of(document_id: str) -> str:
    """The half that a document belongs to; parts of one article belong to the same.

    >>> half_of("train/PMC-1310901-01-introduction") == half_of("devel/PMC-1310901-07-results")
    True
    """
    article = _ARTICLE.search(document_id)
    name = article.group() if article else document_id
    return HALVES[hashlib.sha256(name.encode("utf-8")).digest()[0] & 1]


def cases_of(documents: Iterable[Document], half: str) -> Iterator[Case]:
    """The pairs that events join in the parsed documents of a half."""
    for document in documents:
        if half_of(document.id) == half:
            for sentence, labels in corpora.labelled_pairs(document):
                joined = [label for label in labels if label.statements]
                graphs = _graphs(sentence, [(label.e1, label.e2) for label in joined])
                for label, graph in zip(joined, graphs, strict=True):
                    told = graph.modality
                    yield Case(label.negated, label.speculated, bool(graph.denials), told.negated, told.hedged)


def _graphs(sentence: Sentence, pairs: Sequence[tuple[str, str]]) -> list[CandidateGraph]:
    if not pairs:
        return []
    proteins = tuple(entity for entity in sentence.entities if is_protein(entity))
    named = Sentence(sentence.id, sentence.text, proteins, parses=sentence.parses, offset=sentence.offset)
    return sentence_candidates(sentence_graph(named), [Pair(f"{e1}-{e2}", e1, e2) for e1, e2 in pairs])


def score(told: Iterable[tuple[bool, bool]]) -> Score:
    """Of pairs (annotated, told)."""
    answers = list(told)
    return Score(answers.count((True, True)), answers.count((False, True)), answers.count((True, False)))


def scores(cases: Sequence[Case]) -> dict[str, Score]:
    """Today's denials and ``negated`` against negated events, ``hedged`` against speculation."""
    return {
        "denials": score((case.negated, case.denied) for case in cases),
        "negated": score((case.negated, case.told_negated) for case in cases),
        "hedged": score((case.speculated, case.told_hedged) for case in cases),
    }


def known_cues(path: Path) -> dict[str, tuple[int, int]]:
    """For BioScope's negations and speculations, how many cues hold a word that is known, and how many there are.

    A cue of several words ("raise the possibility") is known if one of them is.
    """
    found = {"negation": [0, 0], "speculation": [0, 0]}
    with gzip.open(path) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag == "cue":
                kind = element.attrib["type"]
                words = "".join(element.itertext()).lower().split()
                found[kind][0] += not KNOWN[kind].isdisjoint(words)
                found[kind][1] += 1
    return {kind: (count, total) for kind, (count, total) in found.items()}


def parsed(name: str, folder: Path | None, cache: Cache) -> list[Document]:
    """A corpus of events with the shipped pipeline's parses: from ``folder``, or made and kept."""
    if folder is not None:
        path = folder / f"{name}.jsonl"
        if not path.is_file():
            raise UsageError(f"expected {path.name!r} in {str(folder)!r}, got none; leave --parsed out to make it")
        return list(corpora.read(path))
    source = corpora.find(name)
    made = Part(
        f"parsed {name}",
        {"corpus": Path(source), "pipeline": shipped.PIPELINE},
        lambda: parse_documents(corpora.read(source), dependencies="collapsed", keep_parses=False),
    )
    return cache.keep(made, ".jsonl", save=corpora.write, load=lambda path: list(corpora.read(path)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m lab.types.modality", description=__doc__)
    add = parser.add_argument
    add("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    add("--parsed", type=Path, metavar="FOLDER", help="parses that are there: bionlp-st-2011-ge.jsonl and so on")
    add("--half", choices=HALVES, nargs="+", default=list(HALVES), help="(default: both)")
    add("--json", action="store_true", help="print counts as JSON")
    args = parser.parse_args(arguments)
    return run_program(parser.prog, lambda: _measure(args))


def _measure(args: argparse.Namespace) -> int:
    folder = corpora_folder(args.corpora)
    cache = Cache(ROOT / "build" / "types")
    documents = {short: parsed(name, args.parsed, cache) for short, name in CORPORA.items()}
    measured = {}
    for half in args.half:
        cases = {short: list(cases_of(found, half)) for short, found in documents.items()}
        cases["all"] = [case for found in cases.values() for case in found]
        measured[half] = cases
    bioscope = {name: known_cues(path) for name in BIOSCOPE for path in sorted(folder.rglob(name))}
    print(_as_json(measured, bioscope) if args.json else _as_tables(measured, bioscope))
    return 0


def _as_json(measured: dict[str, dict[str, list[Case]]], bioscope: dict[str, dict[str, tuple[int, int]]]) -> str:
    rows = [
        {"half": half, "corpus": corpus, "pairs": len(cases)} | {name: asdict(s) for name, s in scores(cases).items()}
        for half, by_corpus in measured.items()
        for corpus, cases in by_corpus.items()
    ]
    return json.dumps({"pairs": rows, "bioscope": bioscope}, indent=2)


def _as_tables(measured: dict[str, dict[str, list[Case]]], bioscope: dict[str, dict[str, tuple[int, int]]]) -> str:
    rows = []
    for half, by_corpus in measured.items():
        for corpus, cases in by_corpus.items():
            figures = (f"{100 * x:.1f}" for s in scores(cases).values() for x in (s.precision, s.recall, s.f))
            counts = (sum(case.negated for case in cases), sum(case.speculated for case in cases))
            rows.append((half, corpus, len(cases), *counts, *figures))
    judged = [f"{name} {letter}" for name in ("denials", "negated", "hedged") for letter in "PRF"]
    head = ("half", "corpus", "pairs", "negated", "speculated", *judged)
    cues = [
        (name, kind, total, f"{100 * known / max(total, 1):.1f}")
        for name, kinds in bioscope.items()
        for kind, (known, total) in kinds.items()
    ]
    tables = [format_table(head, rows), format_table(("BioScope", "cues", "number", "known %"), cues)]
    return "\n\n".join(tables)


if __name__ == "__main__":
    raise SystemExit(main())
