"""The work of an export grows with what is exported, and no faster."""

from itertools import pairwise

import hypothesis
from hypothesis import strategies as st
from operation_count import growth

from corpora import Document, Entity, Sentence
from ppi.annotation import MAX_TITLE_MENTIONS, highlight_mentions, html_text
from ppi.export.document_formats import join_passages

SIZES = (200, 1600)


def apart(n):
    """n mentions one after the other."""
    return "A1 " * n, [Entity(f"e{i}", "A1", ((3 * i, 3 * i + 2),)) for i in range(n)]


def nested(n):
    """n mentions one inside the other."""
    return "a" * 2 * n, [Entity(f"e{i}", "a" * (2 * n - 2 * i), ((i, 2 * n - i),)) for i in range(n)]


def test_mentions_are_highlighted_in_linear_work():
    for arranged in (apart, nested):

        def work(n, arranged=arranged):
            sentence, entities = arranged(n)
            return lambda: highlight_mentions(sentence, entities, strong=[entity.id for entity in entities])

        assert growth(work, SIZES) < 1.2


def test_passages_are_put_together_in_linear_work():
    def work(n):
        sentences = [Sentence(f"p.{i}", "A1 binds.", offset=10 * i) for i in range(n)]
        document = Document("d", tuple(sentences))
        return lambda: join_passages(document)

    assert growth(work, SIZES) < 1.2


def highlighted_by_definition(sentence, entities, strong):
    """Every stretch between two bounds, with all mentions that cover it."""
    bounds = sorted({0, len(sentence), *(bound for entity in entities for span in entity.spans for bound in span)})
    parts = []
    for start, end in pairwise(bounds):
        covering = [entity for entity in entities if any(s <= start and end <= e for s, e in entity.spans)]
        piece = html_text(sentence[start:end])
        if covering:
            kind = ' class="strong"' if any(entity.id in strong for entity in covering) else ""
            names = [entity.text for entity in covering]
            more = [f"and {len(names) - MAX_TITLE_MENTIONS} more"] if len(names) > MAX_TITLE_MENTIONS else []
            title = "; ".join([*names[:MAX_TITLE_MENTIONS], *more])
            piece = f'<mark{kind} title="{title}">{piece}</mark>'
        parts.append(piece)
    return "".join(parts)


SPANS = st.lists(
    st.lists(st.tuples(st.integers(0, 19), st.integers(1, 8)), min_size=1, max_size=3), min_size=0, max_size=9
)


@hypothesis.settings(max_examples=200, deadline=None, derandomize=True)
@hypothesis.given(spans=SPANS, strong=st.sets(st.integers(0, 8)))
def test_highlighting_equals_its_definition(spans, strong):
    sentence = "abcdefghij klmnopqrs"
    entities = [
        Entity(f"e{i}", f"name{i}", tuple((start, min(start + length, 20)) for start, length in own))
        for i, own in enumerate(spans)
    ]
    ids = {f"e{i}" for i in strong}
    assert highlight_mentions(sentence, entities, strong=ids) == highlighted_by_definition(sentence, entities, ids)
