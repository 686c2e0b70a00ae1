"""The outputs of a model: whether two mentions interact, how, which of them acts, and with which sign.

=============  ==========================================================  ===========================================
output         positive where                                              taught by
=============  ==========================================================  ===========================================
interaction    they interact in any way                                    corpora of pairs; events of all three types
binding        they form a complex                                         binding events; :data:`BINDING_CORPORA`
modification   one modifies the other chemically                           events
regulation     one regulates the other, or what happens to it              events
direction      the first in the text acts (negative: the second)           events, pairs with one agent
sign           the regulation is positive (negative: negative)             events, regulations with a sign
=============  ==========================================================  ===========================================

A target is 1, -1, or NaN where the corpus does not annotate it.  Events are mapped by :mod:`corpora.interactions`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from corpora import BINDING, MODIFICATION, REGULATION, TYPES, InteractionLabel

INTERACTION, DIRECTION, SIGN = "interaction", "direction", "sign"
#: Regularization of each, in units of the mean squared norm of the features; chosen with corpora left out.
REGPARAMS = {INTERACTION: 1.0, BINDING: 1.0, MODIFICATION: 1.0, REGULATION: 1.0, DIRECTION: 0.03, SIGN: 0.03}
#: In the order of the columns of weights and targets.
OUTPUTS = tuple(REGPARAMS)
#: Corpora of pairs whose interactions are mostly complexes.
BINDING_CORPORA = frozenset(["AImed", "HPRD50"])
#: A corpus with fewer positives of a type does not annotate it, and its other pairs are not negatives.
MIN_TYPE_POSITIVES = 10


def make_event_targets(label: InteractionLabel, first: str) -> list[float]:
    """The targets of two mentions of which ``first`` stands first in the text."""
    type_targets = [1.0 if kind in label.types else -1.0 for kind in TYPES]
    direction = np.nan if label.agent is None else 1.0 if label.agent == first else -1.0
    sign = {"positive": 1.0, "negative": -1.0}.get(label.sign or "", np.nan)
    return [1.0 if label.types else -1.0, *type_targets, direction, sign]


def drop_unannotated_types(targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The targets of a corpus without those of types that it does not annotate; then it does not teach "any" either."""
    targets = targets.copy()
    for kind in TYPES:
        column = OUTPUTS.index(kind)
        if np.sum(targets[:, column] > 0) < MIN_TYPE_POSITIVES:
            targets[:, [column, OUTPUTS.index(INTERACTION)]] = np.nan
    return targets


def make_pair_targets(labels: NDArray[np.float64], corpus: str) -> NDArray[np.float64]:
    """The targets of a corpus that only labels which pairs interact."""
    targets = np.full((len(labels), len(OUTPUTS)), np.nan)
    targets[:, OUTPUTS.index(INTERACTION)] = labels
    if corpus in BINDING_CORPORA:
        targets[:, OUTPUTS.index(BINDING)] = labels
    return targets
