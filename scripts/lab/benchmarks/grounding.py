"""Which gene is meant, by texts where people wrote it down, and what it costs.

Genes of a document as sets of Entrez numbers, micro-averaged, from raw text (names found by the pipeline), and the
share of mentions with the right number where mentions are given: on documents of GNormPlus and NLM-Gene with an odd
PubMed id, which nothing was chosen on.  Answers under the numbers of other databases (rat, yeasts, *E. coli*) can be
neither right nor wrong; a second F counts them as wrong.  The time is that of the resolver alone, with the lexicon
loaded, against that of the parser on the same texts, the shortest of three each: after the first time names are
remembered, as in a long run.  Needs ``PPI_CORPORA``; ``scale`` shrinks the number of documents.
"""

from __future__ import annotations

from collections.abc import Iterator

from lab.benchmarks.figure import Figure, relative_cost
from lab.frame.clock import cpu_seconds
from lab.frame.program import corpora_folder
from lab.grounding.found import named
from lab.grounding.gold import SETS, GoldDocument, GoldSet, entrez_numbers, with_mentions
from lab.grounding.scores import mention_scores, set_scores
from ppi.grounding import Lexicon, Resolver
from ppi.language import Request, SpacyParser, load_shipped_pipeline

#: Bar and aim: F from raw text, accuracy of given mentions.
_BARS = {"GNormPlus": ((72, 83), (70, 85)), "NLM-Gene": ((55, 70), (60, 75))}


def run(scale: float = 1.0) -> Iterator[Figure]:
    """F of documents and accuracy of mentions for each set, on the half for reporting; the share of time."""
    folder = corpora_folder()
    known = entrez_numbers(folder)
    resolver = Resolver(Lexicon.shipped())
    for gold_set in SETS:
        golds = [gold for gold in gold_set.read(folder) if not gold.is_for_choosing]
        golds = golds[: max(3, round(len(golds) * scale))]
        yield from _figures(gold_set, golds, resolver, known)


def _figures(gold_set: GoldSet, golds: list[GoldDocument], resolver: Resolver, known: set[str]) -> Iterator[Figure]:
    name = gold_set.name
    documents = named([gold.document for gold in golds])
    resolver.resolve(documents[0])  # loads the lexicon
    first_seconds, _ = cpu_seconds(lambda: [resolver.resolve(document) for document in documents])
    seconds, resolved = cpu_seconds(lambda: [resolver.resolve(document) for document in documents], repeats=3)
    scores = set_scores(golds, resolved, human=gold_set.human)
    (bar, aim), (mention_bar, mention_aim) = _BARS[name]

    def percent(what: str, share: float, bar: float, aim: float) -> Figure:
        return Figure(f"{name}, {what}", 100 * share, "higher", bar, aim, True, seconds, seconds)

    whose = "human genes" if gold_set.human else "genes"
    yield percent(f"{whose} of {len(golds)} documents from raw text, precision", scores.precision, bar, aim)
    yield percent(f"{whose} of documents from raw text, recall", scores.recall, bar, aim)
    yield percent(f"{whose} of documents from raw text, F", scores.f, bar, aim)
    yield percent("the same F, other databases' numbers as wrong", scores.strict_f, bar, aim)
    yield percent("the same F, all candidates of ambiguous mentions", scores.ambiguous_f, bar, aim)
    given = named([with_mentions(gold) for gold in golds], find=False)
    told = mention_scores(golds, [resolver.resolve(document) for document in given], known)
    yield percent(f"{told.mentions} given mentions, accuracy", told.accuracy, mention_bar, mention_aim)
    what = f"given mentions whose gene is in the lists of Entrez ({100 * told.reachable:.1f} %), accuracy"
    yield percent(what, told.reachable_accuracy, mention_bar, mention_aim)
    parser_seconds, _ = cpu_seconds(lambda: _parse(golds), repeats=3)
    for what, taken in (("", seconds), (", when its names are first seen", first_seconds)):
        yield relative_cost(
            f"{name}, grounding as a share of the parser's time{what}",
            seconds=taken,
            reference_seconds=parser_seconds,
            bar=0.10,
            aim=0.05,
            same_answer=True,
        )


def _parse(golds: list[GoldDocument]) -> None:
    parser = SpacyParser(load_shipped_pipeline(), name="shipped")
    for _ in parser.parse(Request(sentence.text) for gold in golds for sentence in gold.document.sentences):
        pass
