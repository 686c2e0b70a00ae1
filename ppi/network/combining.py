r"""Combines the probabilities of papers into that of an edge.

Sentences of one paper repeat each other (the title, the abstract's first sentence and its last often say the same
thing), and so do the mistakes in reading them; a paper counts only by its most probable sentence:

.. math:: p_i = \max_{\text{sentences of paper } i} p

Papers are mostly independent evidence.  What is misread for what it is (a name that is not a protein's, two
names of one thing, a phrase that the model does not understand) is misread in every paper.  So a pair of names is taken
to be misread wherever it stands with probability :math:`e`, and if it is not, one paper that is right suffices
(noisy-or).  The probability of a single paper includes the risk of a misreading; without it, it would be
:math:`p_i' = \min(1, p_i / (1 - e))`.  Together:

.. math:: p = \max\Bigl(\max_i p_i,\ (1 - e) \bigl(1 - \prod_i (1 - p_i')\bigr)\Bigr)

One paper gives its own probability, every further one adds something, their order does not matter, and no number of
papers comes above :math:`1 - e`, unless a single one does.

:math:`e` was estimated on event corpora, each annotated by a model that has not seen it
(``python -m lab.types.repeated_pairs``), and is in ``systematic_error.json`` beside this file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import cache
from pathlib import Path

#: The share of pairs of names that are misread wherever they stand, as estimated.
ERROR_FILE = Path(__file__).parent / "systematic_error.json"


@cache
def systematic_error() -> float:
    """The probability :math:`e` that a pair of names is misread in every paper."""
    return float(json.loads(ERROR_FILE.read_text(encoding="utf-8"))["error"])


def combine_papers(papers: Iterable[float], *, error: float | None = None) -> float:
    """The probability of an edge by those of its papers; ``error`` is :math:`e`, by default the one estimated.

    >>> [round(combine_papers([0.6] * count, error=0.1), 4) for count in (0, 1, 2, 20)]
    [0.0, 0.6, 0.8, 0.9]
    >>> round(combine_papers([0.5, 0.5], error=0.0), 12), combine_papers([0.3, 1.0], error=0.1)
    (0.75, 1.0)
    """
    probabilities = list(papers)
    error = systematic_error() if error is None else error
    return max([noisy_or_probability(probabilities, error), *probabilities])


def noisy_or_probability(papers: Iterable[float], error: float) -> float:
    r"""The right of the two terms: that the pair is not misread, and one of its papers is right.

    >>> [round(noisy_or_probability(papers, 0.1), 4) for papers in ([0.6], [0.6, 0.6], [0.95])]
    [0.6, 0.8, 0.9]
    """
    total = 0.0  # of logarithms, so that many papers close to 1 do not run into rounding
    for probability in papers:
        corrected = probability / (1 - error) if probability < 1 - error else 1.0
        total += math.log1p(-corrected) if corrected < 1 else -math.inf
    return (1 - error) * abs(math.expm1(total))
