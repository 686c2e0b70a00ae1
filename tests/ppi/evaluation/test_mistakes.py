"""The worst mistakes of each kind, the worst first."""

import numpy as np
import pytest

import corpora
from ppi.evaluation.error_analysis import limit_per_kind, worst_mistakes
from ppi.extraction import collect_examples

EXAMPLES = collect_examples(corpora.load("sample"))


def test_mistakes_are_listed_by_how_far_they_are_from_the_threshold():
    margins = np.where(EXAMPLES.labels > 0, 1.0, -1.0)  # everything right
    assert worst_mistakes(EXAMPLES, margins) == []
    positive, negative = np.flatnonzero(EXAMPLES.labels > 0), np.flatnonzero(EXAMPLES.labels < 0)
    margins[negative[:3]] = [0.0, 2.0, 1.0]
    margins[positive[:2]] = [-0.5, -3.0]
    found = worst_mistakes(EXAMPLES, margins)
    assert [(mistake.label, mistake.margin) for mistake in found] == [
        (False, 2.0),
        (False, 1.0),
        (False, 0.0),
        (True, -3.0),
        (True, -0.5),
    ]
    assert found[0].pair == EXAMPLES.graphs[negative[1]].pair.id
    assert [mistake.margin for mistake in limit_per_kind(found, 1)] == [2.0, -3.0]
    assert len(worst_mistakes(EXAMPLES, margins, max_per_kind=1)) == 2


def test_probabilities_decide_the_order_where_there_are_some():
    margins = np.where(EXAMPLES.labels > 0, 1.0, -1.0)
    negative = np.flatnonzero(EXAMPLES.labels < 0)[:2]
    margins[negative] = [2.0, 1.0]
    probabilities = np.full(len(EXAMPLES), 0.5)
    probabilities[negative] = [0.6, 0.9]
    found = worst_mistakes(EXAMPLES, margins, probabilities)
    assert [mistake.probability for mistake in found] == [0.9, 0.6]


def test_names_stand_where_their_spans_say():
    for mistake in worst_mistakes(EXAMPLES, -EXAMPLES.labels):
        for name, spans in zip(mistake.names, mistake.spans, strict=True):
            assert " ".join(mistake.text[start:end] for start, end in spans) == name
    assert mistake.to_dict()["names"] == mistake.names
    with pytest.raises(AttributeError):
        mistake.label = False
