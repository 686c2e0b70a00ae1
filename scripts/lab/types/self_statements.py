"""How often the rules for homodimers and the like are right: `python -m lab.types.self_statements`.

What the rules of :mod:`ppi.annotation.self_statements` find in texts with given names (the training parts of event
corpora, the abstracts of genes/) and in running literature (given names in literature/, found ones in the first
paragraphs of text/ that hold a trigger), against what a reader says of it.  The reader's verdicts are in
``self_statements_read.tsv`` beside this file: source, document, place of the trigger, class, and ``right`` if the text
says this of that protein (or denies or supposes it and is marked so), else ``wrong``.

``--list`` writes what has no verdict yet, with the words around it, as lines to be read; ``--write`` counts the
verdicts of what the rules find today and writes the table that ships.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import corpora
from corpora import Document, Sentence
from lab.frame.program import corpora_folder, run_program
from ppi.annotation import COUNTS_FILE, SelfStatement, find_self_statements, is_protein
from ppi.evaluation import format_table
from ppi.language import parse_documents

VERDICTS_FILE = Path(__file__).with_name("self_statements_read.tsv")
EVENTS = ("2011-epi", "2011-ge", "2013-cg", "2013-pc")
GENES = ("GNormPlus_Train", "NLMgene_Train")
#: Words of the classes that abstracts seldom hold; and how many paragraphs with them are searched.
_RARE = (
    (re.compile(r"self-?(?:associat|interact|oligomeri|dimeri)|auto-?(?:phosph|ubiq)|(\b\w{3,})[-/]\1 "), 250),
    (re.compile(r"(?:bind|interact|associat|dimeri)\w* (?:\w+ly )?(?:with |to )?itself"), 60),
)
#: Characters around the words that are shown to the reader.
_AROUND = 110


class Place(NamedTuple):
    """Where a statement was found, and by which class of rules."""

    source: str
    document: str
    start: int
    rule: str


def found_in(source: str, documents: Iterable[Document]) -> Iterator[tuple[Place, SelfStatement, Sentence]]:
    """What the rules find in documents with names."""
    for document in documents:
        for sentence in document.sentences:
            proteins = [entity for entity in sentence.entities if is_protein(entity)]
            for statement in find_self_statements(sentence.text, proteins):
                place = Place(source, document.id, sentence.offset + statement.start, statement.rule)
                yield place, statement, sentence


def all_found(folder: Path) -> Iterator[tuple[Place, SelfStatement, Sentence]]:
    """What the rules find in all sources."""
    for name in EVENTS:
        documents = corpora.read(folder / f"events/bionlp-st-{name}.tar.gz")
        yield from found_in(name, (document for document in documents if document.id.startswith("train")))
    for name in GENES:
        yield from found_in(name, corpora.read(folder / f"genes/{name}.PubTator.gz", "pubtator", problems=[]))
    yield from found_in("literature", corpora.read(folder / "literature/literature-dev.tar.gz", problems=[]))
    yield from found_in("text", parse_documents(_paragraphs(folder), "shipped", entities=True, split=True))


def _paragraphs(folder: Path) -> Iterator[Document]:
    for words, most in _RARE:
        with lzma.open(folder / "text/elife-molecular.txt.xz", "rt", encoding="utf-8") as lines:
            held = ((number, line) for number, line in enumerate(lines) if words.search(line))
            for number, line in islice(held, most):
                yield Document(str(number), (Sentence(f"{number}.s", line.strip()),))


def verdicts() -> dict[Place, bool]:
    """What the reader says."""
    with VERDICTS_FILE.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return {
            Place(row["source"], row["document"], int(row["start"]), row["class"]): row["verdict"] == "right"
            for row in rows
        }


def counts(places: Iterable[Place], read: dict[Place, bool]) -> dict[str, dict[str, int]]:
    """By class: how many of the places were read, and how many of these are right.

    >>> places = [Place("a", "1", 5, "homo"), Place("a", "2", 5, "homo"), Place("a", "3", 5, "homo")]
    >>> counts(places, {places[0]: True, places[1]: False})
    {'homo': {'read': 2, 'right': 1}}
    """
    judged = [place for place in places if place in read]
    read_of = Counter(place.rule for place in judged)
    right_of = Counter(place.rule for place in judged if read[place])
    return {rule: {"read": read_of[rule], "right": right_of[rule]} for rule in sorted(read_of)}


def main(arguments: list[str] | None = None) -> int:
    """List, or count and write."""
    parser = argparse.ArgumentParser(prog="python -m lab.types.self_statements", description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", type=Path, help="the folder of the corpora (default: PPI_CORPORA)")
    parser.add_argument("--list", action="store_true", help="write what has no verdict yet, to be read")
    parser.add_argument("--write", action="store_true", help="write the table that ships")
    args = parser.parse_args(arguments)
    return run_program(parser.prog, lambda: _run(corpora_folder(args.corpora), args.list, args.write))


def _run(folder: Path, list_unread: bool, write: bool) -> int:
    read = verdicts()
    found = list(all_found(folder))
    if list_unread:
        for place, statement, sentence in found:
            if place not in read:
                sys.stdout.write(_line(place, statement, sentence))
        return 0
    counted = counts((place for place, _, _ in found), read)
    rows = [
        (rule, count["read"], count["right"], f"{(count['right'] + 1) / (count['read'] + 2):.3f}")
        for rule, count in counted.items()
    ]
    sys.stdout.write(format_table(("class", "read", "right", "probability"), rows) + "\n")
    sys.stdout.write(f"\n{sum(place not in read for place, _, _ in found)} of {len(found)} were not read.\n")
    if write:
        COUNTS_FILE.write_text(json.dumps({"classes": counted}, indent=1) + "\n", encoding="utf-8")
    return 0


def _line(place: Place, statement: SelfStatement, sentence: Sentence) -> str:
    first = min(statement.start, statement.entity.start)
    around = sentence.text[max(0, first - _AROUND) : statement.start + len(statement.words) + _AROUND]
    marks = ("negated " * statement.negated + "hedged" * statement.hedged).strip()
    cells = (*map(str, place), "", statement.entity.text, statement.words, marks, " ".join(around.split()))
    return "\t".join(cells) + "\n"


if __name__ == "__main__":
    sys.exit(main())
