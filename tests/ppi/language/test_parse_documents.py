"""Documents in, documents out: nothing given is lost, cut or moved, whatever the parser does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Dependency, DependencyGraph, Document, Entity, Pair, Sentence, Token, text_at
from ppi.core import ParseError, UnknownParserError
from ppi.language.parsers.interface import ParsedSentence, Request
from ppi.language.parsing import parse, parse_documents


class WhitespaceParser:
    """Words at white space, a new sentence after every full stop, each word under the first."""

    name = tokenizer = "spaces"

    def parse(self, requests):
        for request in requests:
            yield list(self._sentences(request))

    def _sentences(self, request: Request):
        tokens: list[Token] = []
        start = 0
        for number, word in enumerate(request.text.split()):
            start = request.text.index(word, start)
            tokens.append(Token(str(number), start, start + len(word), word, "NN"))
            start += len(word)
            if word.endswith("."):
                yield self._sentence(tokens)
                tokens = []
        if tokens:
            yield self._sentence(tokens)

    def _sentence(self, tokens):
        first, *others = tokens
        arcs = tuple(Dependency(first.id, token.id, "dep") for token in others)
        mentions = tuple((token.start, token.end, "PROTEIN") for token in tokens if token.text.isupper())
        return ParsedSentence(tuple(tokens), arcs, (first.id,), mentions)


def document_of(text: str, *entities: tuple[int, int], pairs=(), **fields) -> Document:
    found = tuple(Entity(f"e{n}", text[a:b], ((a, b),)) for n, (a, b) in enumerate(entities))
    pairs = tuple(Pair(f"p{n}", f"e{a}", f"e{b}", True) for n, (a, b) in enumerate(pairs))
    return Document("d", (Sentence("s", text, found, pairs, **fields),))


def parsed(document: Document, **options) -> tuple[Sentence, ...]:
    return next(parse_documents([document], WhitespaceParser(), **options)).sentences


def test_passage_is_split_and_offsets_add_up():
    text = "  A binds B.  C binds D. "
    sentences = parsed(document_of(text, (2, 3), (14, 15), offset=100), dependencies="basic")
    assert [sentence.text for sentence in sentences] == ["A binds B.", "C binds D."]
    assert [sentence.offset for sentence in sentences] == [102, 114]
    assert [sentence.id for sentence in sentences] == ["s.0", "s.1"]
    assert [[entity.spans for entity in sentence.entities] for sentence in sentences] == [[((0, 1),)], [((0, 1),)]]
    assert [token.id for token in sentences[1].parse().tokens] == ["1", "2", "3"]


def test_tokens_are_cut_at_given_entities_and_arcs_kept():
    (sentence,) = parsed(document_of("the p53-MDM2 complex", (4, 7), (8, 12)), dependencies="basic")
    graph = sentence.parse("spaces")
    assert [token.text for token in graph.tokens] == ["the", "p53", "-", "MDM2", "complex"]
    assert ("1", "4", "dep") in [(arc.governor, arc.dependent, arc.type) for arc in graph.dependencies]
    (uncut,) = parsed(document_of("the p53-MDM2 complex", (4, 7)), cut_at_entities=False)
    assert [token.text for token in uncut.parse().tokens] == ["the", "p53-MDM2", "complex"]


def test_entity_or_pair_across_a_boundary_keeps_the_sentence_together():
    text = "E. coli A. binds B."
    (sentence,) = parsed(document_of(text, (0, 7), (17, 18), pairs=[(0, 1)]))
    assert sentence.text == text
    first, second = parsed(document_of(text, (0, 7), (17, 18)))
    assert (first.text, second.text) == ("E. coli A.", "binds B.")
    assert second.entities[0].text == "B"


def test_parsed_sentences_stay_whole_unless_told():
    graph = DependencyGraph(None, "words", (Token("1", 0, 2, "A."),))
    document = document_of("A. B.", parses=(graph,))
    assert len(parsed(document)) == 1
    assert len(parsed(document, split=True)) == 2
    assert len(parsed(document_of("A. B."), split=False)) == 1
    assert parsed(document, keep_parses=False)[0].parsers == ("spaces-enhanced",)


def test_new_parse_replaces_the_old_one_of_its_name():
    once = next(parse_documents([document_of("A binds B")], WhitespaceParser(), dependencies="both"))
    again = next(parse_documents([once], WhitespaceParser(), dependencies="both"))
    assert again == once
    assert once.sentences[0].parsers == ("spaces", "spaces-enhanced")


def test_found_names_are_added_only_where_none_are_given():
    (sentence,) = parsed(document_of("A binds B"), entities=True)
    assert [(entity.text, entity.type) for entity in sentence.entities] == [("A", "PROTEIN"), ("B", "PROTEIN")]
    (sentence,) = parsed(document_of("A binds B", (0, 1)), entities=True)
    assert [entity.text for entity in sentence.entities] == ["A"]
    assert parsed(document_of("A binds B"))[0].entities == ()
    whole = Document("d", (Sentence("s0", "A binds", (Entity("e", "A", ((0, 1),)),)), Sentence("s1", "B acts")))
    assert parsed(whole, entities=True)[1].entities == ()


def test_texts_give_numbered_sentences_with_entities():
    sentences = parse(["A binds B. C.", "", " ", "D"], WhitespaceParser())
    assert [(sentence.id, sentence.text, sentence.offset) for sentence in sentences] == [
        ("t0.s0", "A binds B.", 0),
        ("t0.s1", "C.", 11),
        ("t3.s0", "D", 0),
    ]
    assert sentences[0].entities[0].id == "t0.s0.e0"
    assert parse("A", WhitespaceParser())[0].text == "A"


def test_empty_sentence_gets_an_empty_parse():
    (sentence,) = parsed(document_of(" "))
    assert sentence.parse().tokens == ()


def test_given_parse_is_taken_by_name():
    tokens = (Token("1", 0, 7, "binding"), Token("2", 8, 10, "of"), Token("3", 11, 12, "A"))
    arcs = (Dependency("1", "2", "prep"), Dependency("2", "3", "pobj"))
    graphs = (DependencyGraph("gold", "words", tokens, arcs), DependencyGraph("other", "words", tokens))
    document = Document("d", (Sentence("s", "binding of A", parses=graphs),))
    (sentence,) = next(parse_documents([document], "given:gold")).sentences
    assert [arc.type for arc in sentence.parse().dependencies] == ["prep_of"]
    with pytest.raises(ParseError, match=r"exactly one parse.*another parser"):
        list(parse_documents([document], "given"))


def test_bad_arguments_are_errors():
    with pytest.raises(UnknownParserError, match=r"shipped, shipped:GUIDELINE, given, stanza.*'no-such-parser'"):
        list(parse_documents([], "no-such-parser"))
    with pytest.raises(ParseError, match="expected dependencies"):
        list(parse_documents([], dependencies="all"))
    with pytest.raises(UnknownParserError, match="expected conllu:PATH"):
        list(parse_documents([], "conllu:"))


@st.composite
def annotated_passages(draw) -> Document:
    text = draw(st.text(st.sampled_from("ab. \n"), min_size=1, max_size=40))
    spans = draw(st.lists(st.tuples(st.integers(0, 39), st.integers(1, 40)), max_size=4))
    entities = [(a, b) for a, b in spans if a < b <= len(text)]
    numbers = st.integers(0, len(entities) - 1)
    pairs = draw(st.lists(st.tuples(numbers, numbers), max_size=2)) if entities else []
    return document_of(text, *entities, pairs=pairs, offset=draw(st.integers(0, 9)))


def places(sentences) -> set:
    """Entities with their places in the document."""
    return {
        (entity.id, entity.text, start + sentence.offset, end + sentence.offset)
        for sentence in sentences
        for entity in sentence.entities
        for start, end in entity.spans
    }


@given(annotated_passages(), st.sampled_from([None, True, False]), st.booleans())
def test_no_entity_or_pair_is_lost_or_moved(document, split, cut):
    (given_sentence,) = document.sentences
    sentences = parsed(document, split=split, cut_at_entities=cut)
    assert places(sentences) == places(document.sentences)
    offset = given_sentence.offset
    assert {pair.id for sentence in sentences for pair in sentence.pairs} == {p.id for p in given_sentence.pairs}
    for sentence in sentences:
        place = sentence.offset - offset
        assert given_sentence.text[place : place + len(sentence.text)] == sentence.text
        for token in sentence.parse().tokens:
            assert sentence.text[token.start : token.end] == token.text
            for entity in sentence.entities if cut else ():
                for bound in (bound for span in entity.spans for bound in span):
                    assert not token.start < bound < token.end
        assert all(text_at(sentence.text, entity.spans) == entity.text for entity in sentence.entities)


def test_no_sentence_is_a_lone_full_stop():
    text = "In cells that lack cofilin, profilin alone did not slow filament growth. We show binding."
    assert [sentence.text[-1] for sentence in parse([text])] == [".", "."]
