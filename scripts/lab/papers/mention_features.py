"""Features of a pair: where its two mentions stand among the others of the sentence, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from corpora import Entity
from kernels import ROLES, CandidateGraph, Occurrence, PairFeatures

_FIRST, _SECOND, _OTHER = (1 << ROLES.index(role) for role in ("PROT1", "PROT2", "PROT"))
#: What stands between two mentions of one list, the others left out.
_LISTING = re.compile(r"(?:[\s,/;()-]|\b(?:and|or|nor|as well as)\b)*")
#: Greater counts are this one: further mentions of a name, mentions to one side, commas, brackets, words of a name.
_MOST_AGAIN, _MOST_ASIDE, _MOST_COMMAS, _MOST_BRACKETS, _MOST_WORDS = 3, 5, 4, 2, 4
_MOST_ON_PATH = 3


class MentionFeatures(PairFeatures):
    """The shape of the pair, and of its two mentions: where they stand among the others, and how they are written."""

    def occurrences(self, graph: CandidateGraph) -> Iterator[Occurrence]:
        """The indicators that hold."""
        yield from super().occurrences(graph)
        for name in mention_names(graph):
            yield Occurrence(name, ())

    def names(self, graph: CandidateGraph) -> Iterator[str]:
        """The indicators that hold."""
        yield from super().names(graph)
        yield from mention_names(graph)


def mention_names(graph: CandidateGraph) -> Iterator[str]:
    """What :class:`MentionFeatures` adds."""
    text = graph.sentence.text
    order = sorted(graph.sentence.entities, key=lambda entity: (entity.start, entity.end))
    pair = [entity for entity in order if entity.id in (graph.prot1, graph.prot2)]
    first, second = pair[0], pair[-1]  # of a protein with itself, one mention
    names = [entity.text.lower() for entity in order]
    for which, mention in (("first", first), ("second", second)):
        yield f"{which} again:{min(names.count(mention.text.lower()) - 1, _MOST_AGAIN)}"
    yield f"mentions before:{min(order.index(first), _MOST_ASIDE)}"
    yield f"mentions after:{min(len(order) - 1 - order.index(second), _MOST_ASIDE)}"
    if second.start < first.end:
        yield "nested"
        return
    yield from _stretch_names(text, order, first, second)
    yield f"others on path:{min(_others_on_path(graph), _MOST_ON_PATH)}"
    for which, mention in (("first", first), ("second", second)):
        yield from (f"{which} {form}" for form in _form_names(text, mention))


def _stretch_names(text: str, order: Sequence[Entity], first: Entity, second: Entity) -> Iterator[str]:
    """Of the characters between: a list, an addition in brackets, how many commas and open brackets."""
    between = text[first.end : second.start]
    if between.strip() == "(" and text[second.end :].lstrip().startswith(")"):
        yield "second in brackets"
    if _LISTING.fullmatch(_without_mentions(text, order)[first.end : second.start]):
        yield "list between"
    opened = between.count("(") - between.count(")")
    yield f"brackets opened:{max(-_MOST_BRACKETS, min(opened, _MOST_BRACKETS))}"
    yield f"commas:{min(between.count(','), _MOST_COMMAS)}"
    yield f"semicolon:{';' in between}"


def _without_mentions(text: str, order: Sequence[Entity]) -> str:
    """The text with white space instead of every mention."""
    for start, end in (span for entity in order for span in entity.spans):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _others_on_path(graph: CandidateGraph) -> int:
    """Tokens of other mentions on the shortest paths."""
    others = (graph.roles & _OTHER > 0) & (graph.roles & (_FIRST | _SECOND) == 0)
    return int(np.sum(others & (np.asarray(graph.token_on_path) > 0)))


def _form_names(text: str, mention: Entity) -> Iterator[str]:
    """How a mention is written, whatever its name is: what it is glued to, words, case, a plural."""
    before, after = (
        "w" if char.isalnum() else char for char in (text[: mention.start][-1:], text[mention.end : mention.end + 1])
    )
    yield f"between:{before}|{after}"
    yield f"words:{min(len(mention.text.split()), _MOST_WORDS)}"
    yield f"case:{'lower' if mention.text.islower() else 'upper' if mention.text.isupper() else 'mixed'}"
    yield f"plural:{mention.text.lower().endswith('s')}"
