"""Formats interactions for a terminal, sorts them, and explains what their probabilities mean.

The figures of a model's probabilities are in its header (``facts_["held_out"]``): how far they are off with names that
are given (``calibration_error``), and how many pairs are right with names that are found in raw text (``found_names``,
by corpus and least probability).  A model that a user trains may have neither, and then nothing is claimed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from corpora import Entity, pluralize
from ppi.annotation.results import AnnotatedDocument, Evidence, Interaction, first_infon
from ppi.annotation.settings import MAX_SORTED_INTERACTIONS
from ppi.extraction import INTERACTION
from ppi.language import FAMILY

#: Columns of a terminal of unknown width.
DEFAULT_WIDTH = 80
_NAME, _ARROW, _INDENT = 23, 2, 7
#: A name, and the gene that it was found to be, share their column; the gene gives way first.
_MIN_NAME_CHARS = 12
_MAX_REASON_CHARS = 400
#: After the name of a family or a complex.
FAMILY_MARK = "*"
HEADING = f"{'prob.':>5}  {'protein':<{_NAME}} {'':<{_ARROW}} {'protein':<{_NAME}}"
TYPED_HEADING = f"{HEADING}  type"
#: The least probability of a step, as a key of ``found_names``.
PROBABILITY_STEPS = ("0.5", "0.7", "0.9")


def table_lines(
    annotated: Iterable[AnnotatedDocument], *, explain: bool = False, width: int = DEFAULT_WIDTH
) -> Iterator[str]:
    """A heading, then two lines per interaction as they come: who and how, then where; long values are shortened.

    Where interactions have types there is a column for them, and an arrow from the protein that acts: ``->``,
    ``-|`` for a negative regulation, ``--`` for a binding.  A name is followed by the gene that it was grounded to, in
    brackets; a star follows the name of a family or complex.  The second line has the document and the part of its
    sentence that holds both names; what the sentence denies or only supposes is marked there.
    ``explain`` adds, below each, what joins the two and the features with the largest effects.
    """
    interactions = (interaction for document in annotated for interaction in document.interactions)
    # what cannot be read at all gets a message, not a table; and the first one shows whether there are types
    first = list(islice(interactions, 1))
    yield TYPED_HEADING if any(interaction.type is not None for interaction in first) else HEADING.rstrip()
    for interaction in chain(first, interactions):
        yield _format_pair(interaction)
        yield _format_source(interaction, width)
        if explain and interaction.evidence is not None:
            yield from _format_evidence(interaction.evidence, width)


def gene_label(entity: Entity) -> str | None:
    """The gene that a mention was grounded to: its symbol, or else its identifier; candidates are counted."""
    symbol = first_infon(entity, "symbol")
    if symbol is not None:
        return symbol
    if len(entity.identifiers) > 1:
        return f"{len(entity.identifiers)} candidates"
    return entity.identifiers[0] if entity.identifiers else None


def _format_pair(interaction: Interaction) -> str:
    first, second = (f"{_format_name(entity):<{_NAME}}" for entity in interaction.participants)
    relationship = interaction.relationship
    arrow = relationship.arrow(interaction.directed)  # neither arrow nor label without a type
    return f"{interaction.probability:5.3f}  {first} {arrow:<{_ARROW}} {second}  {relationship.label}".rstrip()


def _format_source(interaction: Interaction, width: int) -> str:
    marks = f"[{', '.join(interaction.marks)}] " if interaction.marks else ""
    prefix = f"{_shorten(interaction.document, 24)}: {marks}"
    max_chars = max(width - _INDENT - len(prefix), 20)
    excerpt = sentence = interaction.sentence
    if len(sentence) > max_chars:  # the part that holds both names, or as much as there is space for
        start = min(entity.start for entity in interaction.proteins)
        end = max(entity.end for entity in interaction.proteins)
        before = max(0, min(start - max(0, max_chars - (end - start)) // 2, len(sentence) - max_chars))
        excerpt = f"…{sentence[before + 1 :]}" if before else sentence
    return f"{'':<{_INDENT}}{prefix}{_shorten(excerpt, max_chars)}".rstrip()


def _format_name(entity: Entity) -> str:
    """The mention, marked if it is a family or complex, with its gene if that says more."""
    name = f"{entity.text}{FAMILY_MARK}" if entity.type == FAMILY else entity.text
    gene = gene_label(entity)
    if gene is None or gene.casefold() == entity.text.casefold():
        return _shorten(name, _NAME)
    gene_chars = _NAME - min(len(name), _MIN_NAME_CHARS) - 3
    gene_suffix = f" ({_shorten(gene, max(gene_chars, 3))})"
    return _shorten(name, _NAME - len(gene_suffix)) + gene_suffix


def _format_evidence(evidence: Evidence, width: int) -> Iterator[str]:
    for reason in evidence.reasons():
        yield from _wrap(reason, "", width)
    for title, contributions in zip(("  up: ", "down: "), evidence.pushes(most=3)):
        summary = "; ".join(
            f"{contribution.name} {contribution.value:+.3f} ({100 * contribution.share:.0f} %)"
            for contribution in contributions
        )
        yield from _wrap(summary, title, width)


def _wrap(text: str, title: str, width: int) -> Iterator[str]:
    """The text on as many lines as it takes, under the column of names; without end, it is cut."""
    lines = textwrap.wrap(_shorten(text, _MAX_REASON_CHARS), width - _INDENT - len(title)) or [""]
    for number, line in enumerate(lines):
        yield f"{'':<{_INDENT}}{title if not number else ' ' * len(title)}{line}".rstrip()


def _shorten(text: str, max_chars: int) -> str:
    """On one line, without characters that a terminal would obey."""
    line = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def sort_by_probability(annotated: Iterable[AnnotatedDocument]) -> list[AnnotatedDocument]:
    """One document per interaction, the most probable first; of equals, in the order of the documents.

    Documents without an interaction are left out: only formats with one row per interaction are written so.
    """
    single = [
        replace(document, interactions=(interaction,))
        for document in annotated
        for interaction in document.interactions
    ]
    return sorted(single, key=lambda document: -document.interactions[0].probability)


def sort_by_probability_if_few(
    annotated: Iterable[AnnotatedDocument], limit: int = MAX_SORTED_INTERACTIONS
) -> Iterator[AnnotatedDocument]:
    """The best first if there are at most ``limit`` interactions; otherwise in document order, in bounded memory."""
    remaining = iter(annotated)
    buffered: list[AnnotatedDocument] = []
    count = 0
    for document in remaining:
        buffered.append(document)
        count += len(document.interactions)
        if count > limit:
            return chain(buffered, remaining)
    return iter(sort_by_probability(buffered))


def describe_calibration(facts: Mapping[str, Any], *, prevalence: float | None = None) -> tuple[str, ...]:
    """Sentences for a reader.

    Parameters
    ----------
    facts
        Of the model, whatever it holds.
    prevalence
        The share of interacting pairs that probabilities were moved to, if they were.

    Examples
    --------
    >>> facts = {"held_out": {"calibration_error": {"interaction": {"A": 0.03, "B": 0.01, "pooled": 0.009}}}}
    >>> describe_calibration(facts)[1].partition("were ")[2]
    'off by 0.01 on average (0.01 to 0.03, by corpus).'
    """
    held_out = _mapping(facts.get("held_out"))
    sentences = [
        "A probability of 0.80 means: of ten such pairs, the sentence says of about eight that they interact.",
        _describe_given_names(_proportions(_mapping(_mapping(held_out.get("calibration_error")).get(INTERACTION)))),
        _describe_found_names(_mapping(held_out.get("found_names"))),
        _describe_prevalence(facts.get("share"), prevalence),
        _describe_feedback(facts.get("feedback")),
    ]
    return tuple(sentence for sentence in sentences if sentence)


def _describe_given_names(errors: dict[str, float]) -> str:
    pooled = errors.pop("pooled", None)
    if pooled is None or not errors:
        return "How far that is off was not measured for this model."
    lowest, highest = min(errors.values()), max(errors.values())
    return (
        "With given names, on texts that the model had not seen, probabilities were off by "
        f"{pooled:.2f} on average ({lowest:.2f} to {highest:.2f}, by corpus)."
    )


def _describe_found_names(corpora: Mapping[str, Any]) -> str:
    statements = []
    for step in PROBABILITY_STEPS:
        precisions = {
            name: _proportions(_mapping(_mapping(steps).get(step))).get("precision") for name, steps in corpora.items()
        }
        parts = [f"{100 * value:.0f} % in {name}" for name, value in precisions.items() if value is not None]
        if parts:
            statements.append(f"at {step} or more {' and '.join(parts)}")
    if not statements:
        return (
            "With names that the program finds itself fewer pairs are right, since a name may be wrong, too; "
            "how many was not measured for this model."
        )
    return f"With names that the program finds itself fewer pairs are right: {'; '.join(statements)}."


def _describe_prevalence(calibrated: Any, prevalence: float | None) -> str:
    if prevalence is not None:
        return f"They were moved to texts in which {100 * prevalence:.0f} % of the pairs interact."
    if not isinstance(calibrated, float):
        return ""
    return (
        f"All this is for texts in which {100 * calibrated:.0f} % of the pairs interact, as where it was measured; "
        "where fewer do, probabilities are too high."
    )


def _describe_feedback(updates: Any) -> str:
    """Of a model that was changed by judgements since it was measured (:meth:`ppi.Extractor.update`)."""
    counts = [_mapping(update).get("judgements") for update in updates] if isinstance(updates, list) else []
    judgements = sum(count for count in counts if type(count) is int and count > 0)
    if not judgements:
        return ""
    return f"Since then {pluralize(judgements, 'judgement')} changed the model; all this was measured without them."


def _mapping(value: Any) -> Mapping[str, Any]:
    """A header may have been written by anybody: what is not as expected is not there."""
    return value if isinstance(value, Mapping) else {}


def _proportions(values: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in values.items() if isinstance(value, int | float) and 0 <= value <= 1}
