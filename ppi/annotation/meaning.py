"""What a model's probabilities mean, in sentences, with the figures that were measured when it was made.

The figures are in the model's header (``facts_["held_out"]``): how far probabilities are off with names that are given
(``calibration_error``), and how many pairs are right with names that are found in raw text (``found_names``, by corpus
and least probability).  A model of one's own may have neither, and then nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpora.short import pluralize
from ppi.extraction.outputs import INTERACTION

_POOLED = "pooled"
#: The least probability of a step, as a key of ``found_names``.
PROBABILITY_STEPS = ("0.5", "0.7", "0.9")


def describe_calibration(facts: Mapping[str, Any], *, prevalence: float | None = None) -> tuple[str, ...]:
    """Sentences for a reader.

    Parameters
    ----------
    facts
        Of the model, whatever it holds.
    share
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
    pooled = errors.pop(_POOLED, None)
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
