"""Hypothesis strategies for documents, shared by the tests of every format.

``characters`` and the switches say what a format can hold.
"""

from __future__ import annotations

from hypothesis import strategies as st

from corpora import (
    ConceptRelation,
    Dependency,
    DependencyGraph,
    Document,
    Entity,
    Event,
    MultiwordToken,
    Pair,
    Relation,
    Sentence,
    Token,
    Trigger,
    text_at,
)

#: Everything Python can hold in a string, lone surrogates too.
ANY = st.characters()
#: What XML 1.0 can hold.
XML = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
WORDS = st.text(st.characters(categories=("Lu", "Ll", "Nd"), include_characters="-β'"), min_size=1, max_size=8)
IDENTIFIERS = st.text(st.characters(categories=("Lu", "Nd"), include_characters=":"), min_size=1, max_size=8)
NAMES = st.from_regex(r"[a-z][a-zA-Z0-9_]{0,6}", fullmatch=True)


@st.composite
def spans_of(draw, length: int):
    """One to three spans inside a text, in order and apart."""
    count = draw(st.integers(1, 3))
    cuts = draw(st.lists(st.integers(0, length), min_size=2 * count, max_size=2 * count, unique=True))
    cuts.sort()
    return tuple((cuts[2 * i], cuts[2 * i + 1]) for i in range(count))


@st.composite
def parses(draw, words: list[str], *, trees: bool, multiwords: bool, fields):
    """A parse over words that are joined by single spaces."""
    tokens, position = [], 0
    for number, word in enumerate(words, start=1):
        lemma, pos, upos, misc = (draw(st.none() | fields) for _ in range(4))
        tokens.append(Token(str(number), position, position + len(word), word, pos, lemma, upos, None, misc))
        position += len(word) + 1
    ids = [token.id for token in tokens]
    if trees:
        heads = [draw(st.integers(0, number)) for number in range(len(ids))]  # 0 is the root
        arcs = [Dependency(str(head), id, draw(NAMES)) for id, head in zip(ids, heads, strict=True) if head]
        roots = [id for id, head in zip(ids, heads, strict=True) if not head]
    else:
        arcs = draw(st.lists(st.builds(Dependency, st.sampled_from(ids), st.sampled_from(ids), NAMES), max_size=8))
        roots = draw(st.lists(st.sampled_from(ids), unique=True, max_size=2))
    multi = ()
    if multiwords and len(ids) > 1 and draw(st.booleans()):
        start, end = tokens[0].start, tokens[0].end
        tokens[1] = Token(tokens[1].id, start, end, "x")
        tokens[0] = Token(tokens[0].id, start, end, "y")
        multi = (MultiwordToken(ids[0], ids[1], words[0]),)
    return DependencyGraph(draw(NAMES), draw(NAMES), tuple(tokens), tuple(arcs), tuple(roots), multi)


@st.composite
def sentences(draw, id: str, characters, *, parsed: bool, trees: bool, multiwords: bool, infon_names):
    """A sentence with mentions, pairs and perhaps a parse."""
    words = draw(st.lists(WORDS, min_size=1, max_size=6)) if parsed else []
    text = " ".join(words) if words else draw(st.text(characters, max_size=30))
    values = st.text(characters, max_size=5)
    infons = st.lists(st.tuples(infon_names, values), max_size=2, unique_by=lambda item: item[0]).map(tuple)
    entities = []
    if len(text) >= 6:
        for number in range(draw(st.integers(0, 3))):
            spans = draw(spans_of(len(text)))
            entities.append(
                Entity(
                    f"{id}.e{number}",
                    text_at(text, spans),
                    spans,
                    draw(st.none() | values),
                    tuple(draw(st.lists(IDENTIFIERS, max_size=2))),
                    draw(st.none() | IDENTIFIERS),
                    draw(infons),
                )
            )
    pairs = []
    if entities:
        ids = st.sampled_from([entity.id for entity in entities])
        for number in range(draw(st.integers(0, 3))):
            label = draw(st.sampled_from([True, False, None]))
            pairs.append(Pair(f"{id}.p{number}", draw(ids), draw(ids), label, draw(st.none() | values), draw(infons)))
    graphs = ()
    if words:
        graphs = (draw(parses(words, trees=trees, multiwords=multiwords, fields=WORDS)),)
    return Sentence(
        id,
        text,
        tuple(entities),
        tuple(pairs),
        graphs,
        draw(st.integers(0, 500)),
        draw(st.none() | IDENTIFIERS),
        draw(infons),
    )


@st.composite
def documents(
    draw,
    characters=ANY,
    *,
    parsed: bool | None = None,
    trees: bool = False,
    multiwords: bool = True,
    relations: bool = True,
    events: bool = False,
    infon_names=NAMES,
):
    """A document; ``parsed=None`` mixes sentences with and without a parse."""
    id = draw(NAMES)
    parts = []
    for number in range(draw(st.integers(0, 3))):
        with_parse = draw(st.booleans()) if parsed is None else parsed
        parts.append(
            draw(
                sentences(
                    f"{id}.s{number}",
                    characters,
                    parsed=with_parse,
                    trees=trees,
                    multiwords=multiwords,
                    infon_names=infon_names,
                )
            )
        )
    references = [entity.id for part in parts for entity in part.entities]
    made = ()
    if relations and references:
        arguments = st.lists(st.tuples(NAMES, st.sampled_from(references)), max_size=3).map(tuple)
        made = tuple(draw(st.lists(st.builds(Relation, st.just("r1"), NAMES, arguments), max_size=1)))
    found = draw(events_of(parts)) if events else {}
    if relations:
        ends = st.tuples(NAMES, IDENTIFIERS, IDENTIFIERS)
        joined = draw(st.lists(ends, max_size=2))
        found["concept_relations"] = tuple(ConceptRelation(f"c{i}", *each) for i, each in enumerate(joined))
    return Document(id, tuple(parts), made, "made", draw(st.none() | IDENTIFIERS), **found)


@st.composite
def events_of(draw, parts, *, types=NAMES, roles=NAMES, modifications=NAMES):
    """Triggers, events that refer to entities and to earlier events, and equivalences of some entities."""
    triggers = []
    for part in parts:
        if part.text and draw(st.booleans()):
            first, last = sorted(draw(st.lists(st.integers(0, len(part.text)), min_size=2, max_size=2, unique=True)))
            spans = ((part.offset + first, part.offset + last),)
            triggers.append(Trigger(f"T{len(triggers) + 101}", part.text[first:last], spans, draw(types)))
    entities = [entity.id for part in parts for entity in part.entities]
    references, events = list(entities), []
    if triggers:
        for number in range(draw(st.integers(0, 4))):
            arguments = ()
            if references:
                arguments = tuple(draw(st.lists(st.tuples(roles, st.sampled_from(references)), max_size=3)))
            trigger = draw(st.sampled_from(triggers))
            said = tuple(draw(st.lists(modifications, max_size=2)))
            events.append(Event(f"E{number + 1}", draw(types), trigger.id, arguments, said))
            references.append(f"E{number + 1}")
    equivalences = (tuple(entities[:2]),) if len(entities) > 1 and draw(st.booleans()) else ()
    # an event may stand before those that it refers to
    order = draw(st.permutations(events))
    return {"triggers": tuple(triggers), "events": tuple(order), "equivalences": equivalences}
