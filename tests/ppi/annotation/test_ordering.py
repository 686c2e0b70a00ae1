"""The order of a table, and what stands in its 80 columns."""

from dataclasses import replace

import annotated
import pytest

from corpora import Entity
from ppi.annotation.text_output import gene_label, sort_by_probability, sort_by_probability_if_few, table_lines


def probabilities(documents):
    return [interaction.probability for document in documents for interaction in document.interactions]


@pytest.fixture
def documents():
    rising = annotated.typed().interactions[::-1]
    return [annotated.without_interactions(), replace(annotated.typed(), interactions=rising), annotated.profilin()]


def test_the_best_first_and_of_equals_the_order_of_the_documents(documents):
    given = [interaction for document in [*documents, *documents] for interaction in document.interactions]
    ranked = sorted(enumerate(given), key=lambda each: (-each[1].probability, each[0]))
    found = sort_by_probability([*documents, *documents])
    assert [document.interactions for document in found] == [(interaction,) for _, interaction in ranked]


def test_few_are_sorted_and_many_come_as_they_are(documents):
    count = len(probabilities(documents))
    assert probabilities(sort_by_probability_if_few(documents, limit=count)) == sorted(
        probabilities(documents), reverse=True
    )
    assert probabilities(sort_by_probability_if_few(documents, limit=count - 1)) == probabilities(documents)


def test_many_are_not_held(documents):
    taken = []

    def stream():
        for number in range(100):
            taken.append(number)
            yield documents[1]

    next(iter(sort_by_probability_if_few(stream(), limit=20)))
    assert len(taken) == 3  # of seven interactions each


@pytest.mark.parametrize(
    ("identifiers", "infons", "gene"),
    [
        ((), (), None),
        (("ncbigene:5216",), (), "ncbigene:5216"),
        (("ncbigene:5216",), (("symbol", "PFN1"),), "PFN1"),
        (("a", "b"), (), "2 candidates"),
    ],
)
def test_the_gene_of_a_mention(identifiers, infons, gene):
    assert gene_label(Entity("e", "profilin", ((0, 8),), None, identifiers, None, infons)) == gene


def with_names(first: str, second: str, between: str, gene: str):
    """One interaction of two names that stand so far apart."""
    document = annotated.typed()
    text = f"Before them {first}{between}{second} and after them."
    starts = (12, 12 + len(first) + len(between))
    old = document.interactions[0]
    proteins = tuple(
        replace(entity, text=name, spans=((start, start + len(name)),), infons=(("symbol", gene),))
        for entity, name, start in zip(old.proteins, (first, second), starts)
    )
    return replace(document, interactions=(replace(old, sentence=text, proteins=proteins),))


@pytest.mark.parametrize("length", [1, 12, 23, 24, 200])
@pytest.mark.parametrize("gene", ["P", "A1234567890", "G" * 60])
@pytest.mark.parametrize("gap", [1, 30, 60, 500])
def test_every_line_fits_80_columns(length, gene, gap):
    lines = list(table_lines([with_names("a" * length, "b" * length, " " + "x" * gap + " ", gene)]))
    assert max(map(len, lines)) <= 80
    assert lines[1].split()[1].startswith("a")


def test_the_excerpt_holds_both_names():
    (_, _, where) = table_lines([with_names("profilin", "actin", " which is small binds to ", "X")], width=70)
    assert "profilin which is small binds to actin" in where
