"""The benchmark of the database measures what it says, on a small run."""

import pyarrow as pa
import pytest
from lab.benchmarks import database
from lab.benchmarks._recombined import recombined
from small_database import annotated

from ppi.export import interaction_of, make_arrow_tables


@pytest.fixture
def real(monkeypatch):
    table = pa.concat_tables(make_arrow_tables(annotated()))
    monkeypatch.setattr(database, "real_interactions", lambda scale: table)
    return table


def test_made_interactions_are_interactions_of_other_proteins(real):
    (table,) = recombined(real, 500)
    found = [interaction_of(cells)[0] for cells in table.to_pylist()]
    assert len({(one.document, one.pair) for one in found}) == 500
    assert len({one.names for one in found}) > 300
    for one in found:
        assert all(entity.text == one.sentence[entity.start : entity.end] for entity in one.proteins)


def test_both_sides_give_the_same_answer(real):
    figures = list(database.run(scale=0.001))
    assert len(figures) == 25
    assert all(figure.same_answer for figure in figures)
