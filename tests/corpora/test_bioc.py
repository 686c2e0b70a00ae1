"""BioC XML and JSON: documents there and back, and what other people's files hold."""

import io
import itertools
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from bioc import biocjson, biocxml
from byte_sources import BytesSource
from hypothesis import given
from hypothesis import strategies as st

from corpora.errors import CorpusError
from corpora.formats import bioc_json, bioc_offsets, bioc_xml, turku
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import ConceptRelation, DependencyGraph, Document, Entity, Pair, Relation, Sentence, Token, text_at

FORMATS = pytest.mark.parametrize("module", [bioc_xml, bioc_json], ids=["xml", "json"])

# what XML can hold too: no control characters, no surrogates, no code points without a character
CHARACTERS = st.characters(exclude_categories=["Cc", "Cs", "Cn"])
NAMES = st.text(CHARACTERS, min_size=1, max_size=6)
INFONS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "score", "MESH", "note", "section", "Identifier"]),
        st.text(CHARACTERS, max_size=5),
    ),
    max_size=2,
    unique_by=lambda infon: infon[0],
).map(tuple)
LABELS = st.sampled_from([True, False, None])


def read(module, data: bytes | str | dict | list) -> list[Document]:
    if isinstance(data, dict | list):
        data = json.dumps(data)
    if isinstance(data, str):
        data = data.encode()
    return list(module.read(BytesSource(data, "memory.bioc"), ConversionLosses("BioC", strict=True)))


def written(module, documents) -> tuple[bytes, ConversionLosses]:
    output, losses = io.BytesIO(), ConversionLosses("BioC")
    module.write(documents, output, losses)
    return output.getvalue(), losses


@st.composite
def sentences(draw, id, offset, numbers, outer):
    text = draw(st.text(CHARACTERS, max_size=12))
    entities = []
    if text:
        cuts = st.lists(st.integers(0, len(text)), min_size=2, max_size=4, unique=True).map(sorted)
        for places in draw(st.lists(cuts, max_size=3)):
            spans = tuple(zip(places[::2], places[1::2], strict=False))
            entities.append(
                Entity(
                    f"e{next(numbers)}",
                    text_at(text, spans),
                    spans,
                    draw(st.none() | NAMES),
                    tuple(draw(st.lists(NAMES, max_size=2))),
                    draw(st.none() | NAMES),
                    draw(INFONS),
                )
            )
    pairs = []
    if entities:
        ids = st.sampled_from([entity.id for entity in entities])
        for e1, e2 in draw(st.lists(st.tuples(ids, ids), max_size=3)):
            roles = draw(st.sampled_from([(), (("e1_role", "agent"),), (("e1_role", "a"), ("e2_role", "b"))]))
            pair = Pair(f"p{next(numbers)}", e1, e2, draw(LABELS), draw(st.none() | NAMES), roles + draw(INFONS))
            pairs.append(pair)
    return Sentence(id, text, tuple(entities), tuple(pairs), (), offset, draw(st.none() | NAMES), outer + draw(INFONS))


@st.composite
def relations(draw, parts, numbers):
    mentions = [entity.id for part in parts for entity in part.entities]
    if not mentions:
        return ()
    known = [each for part in parts for entity in part.entities for each in entity.identifiers]
    ends = st.lists(st.tuples(NAMES, st.sampled_from(mentions)), max_size=3).map(tuple)
    if known:  # an identifier beside a mention, which makes no relation between identifiers
        mixed = st.tuples(st.tuples(NAMES, st.sampled_from(mentions)), st.tuples(NAMES, st.sampled_from(known)))
        ends |= mixed
    return tuple(
        Relation(f"r{next(numbers)}", draw(NAMES), arguments, draw(INFONS))
        for arguments in draw(st.lists(ends, max_size=2))
    )


@st.composite
def concept_relations(draw, parts, numbers):
    known = [each for part in parts for entity in part.entities for each in entity.identifiers]
    # those of mentions, others, and some that look like something else
    ends = st.sampled_from([*known, "5216", "a;b", "Gene|1", "{", " x"]) | NAMES.filter(str.strip)
    built = draw(st.lists(st.tuples(NAMES | st.just(""), ends, ends, INFONS), max_size=2))
    return tuple(ConceptRelation(f"c{next(numbers)}", *fields) for fields in built)


@st.composite
def documents(draw):
    """Documents without parses; some of their passages are split into sentences."""
    numbers = iter(range(10**6))
    id = draw(NAMES)
    parts = []
    for passage, size in enumerate(draw(st.lists(st.integers(0, 2), max_size=3))):
        outer = ()
        if size:
            outer = (("corpora:passage", str(passage)), ("corpora:passage:type", draw(NAMES)))
        for _ in range(max(size, 1)):
            given_id = draw(st.sampled_from([f"{id}.s{len(parts)}", f"sentence {len(parts)}"]))
            parts.append(draw(sentences(given_id, draw(st.integers(0, 60)), numbers, outer)))
    corpus = draw(st.sampled_from([None, "AImed", "LLL"]))
    return Document(
        id,
        tuple(parts),
        draw(relations(parts, numbers)),
        corpus,
        draw(st.none() | NAMES),
        draw(INFONS),
        concept_relations=draw(concept_relations(parts, numbers)),
    )


@FORMATS
@given(st.lists(documents(), max_size=3))
def test_reading_what_was_written_gives_equal_documents(module, wanted):
    data, losses = written(module, wanted)
    assert not losses.counts
    assert read(module, data) == wanted


def _views(collection):
    """What an independent reader sees: per document its parts' text, mentions with their text, related ids."""
    for document in collection.documents:
        parts = [part for passage in document.passages for part in (passage.sentences or [passage])]
        yield (
            document.id,
            [part.text or "" for part in parts],
            [
                (note.id, [(place.offset - part.offset, place.end - part.offset) for place in note.locations])
                for part in parts
                for note in part.annotations
            ],
            [
                (relation.id, [node.refid for node in relation.nodes])
                for part in (*parts, document)
                for relation in part.relations
            ],
        )


@FORMATS
@given(st.lists(documents(), max_size=2))
def test_an_independent_reader_sees_the_same(module, wanted):
    data, _ = written(module, wanted)
    load = biocxml.loads if module is bioc_xml else biocjson.loads
    assert list(_views(load(data.decode()))) == [
        (
            document.id,
            [part.text for part in document.sentences],
            [(entity.id, list(entity.spans)) for part in document.sentences for entity in part.entities],
            [
                *((pair.id, [pair.e1, pair.e2]) for part in document.sentences for pair in part.pairs),
                *((each.id, [reference for _, reference in each.arguments]) for each in document.relations),
                *((each.id, []) for each in document.concept_relations),
            ],
        )
        for document in wanted
    ]


@FORMATS
@given(documents())
def test_passages_never_overlap_in_the_file(module, document):
    data, _ = written(module, [document])
    load = biocxml.loads if module is bioc_xml else biocjson.loads
    places = [
        (part.offset, part.offset + len(part.text or ""))
        for passage in load(data.decode()).documents[0].passages
        for part in (passage.sentences or [passage])
    ]
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(places))


@FORMATS
def test_parses_are_dropped_with_their_count(module):
    graph = DependencyGraph(None, "words", (Token("1", 0, 5, "actin"),))
    _, losses = written(module, [Document("d", (Sentence("d.s0", "actin", parses=(graph,)),))])
    assert losses.counts == {"parses": 1}


@FORMATS
def test_remarks_with_our_own_names_are_dropped_with_their_count(module):
    entity = Entity("e", "actin", ((0, 5),), infons=(("type", "x"), ("fine", "y")))
    _, losses = written(module, [Document("d", (Sentence("d.s0", "actin", (entity,)),))])
    assert losses.counts == {"remarks whose name is taken": 1}


def test_json_drops_repeated_remarks_and_xml_keeps_them():
    document = Document("d", (), infons=(("author", "A"), ("author", "B")))
    data, losses = written(bioc_xml, [document])
    assert read(bioc_xml, data) == [document]
    assert not losses.counts
    data, losses = written(bioc_json, [document])
    assert losses.counts == {"repeated remarks": 1}
    assert read(bioc_json, data)[0].infons == (("author", "A"),)


@pytest.mark.parametrize(("module", "bad"), [(bioc_xml, "\x00"), (bioc_xml, "\ud800"), (bioc_json, "\ud800")])
def test_text_that_the_file_cannot_hold_is_an_error(module, bad):
    with pytest.raises(CorpusError, match=r"expected text that .* can hold"):
        written(module, [Document("d", (Sentence("s", bad),))])
    with pytest.raises(CorpusError, match=r"expected text that .* can hold"):
        written(module, [Document("d", corpus=bad)])


def test_json_holds_control_characters():
    document = Document("d", (Sentence("d.s0", "a\x00\r\n\tb"),))
    assert read(bioc_json, written(bioc_json, [document])[0]) == [document]


def test_xml_keeps_line_ends_and_outer_white_space():
    document = Document("d", (Sentence("d.s0", " a\r\n\tb\n "),))
    assert read(bioc_xml, written(bioc_xml, [document])[0]) == [document]


XML = """<?xml version="1.0"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubMed</source><date>20130422</date><key>x.key</key>
<document><id>7</id>
<passage><infon key="type">title</infon><offset>0</offset><text>Alpha and beta actin bind profilin</text>
<annotation id="1"><infon key="type">Gene</infon><infon key="NCBI Gene">58</infon>
<location offset="0" length="5"/><location offset="15" length="5"/><text>Alpha ... actin</text></annotation>
<annotation id="2"><infon key="type">Gene</infon>
<location offset="26" length="8"/><text>profilin</text></annotation>
<relation id="R1"><infon key="type">binds</infon>
<node refid="1" role="Theme"/><node refid="2" role="Arg2"/></relation>
</passage>
<passage><infon key="type">abstract</infon><offset>35</offset>
<sentence><infon key="n">1</infon><offset>35</offset><text>Actin is old.</text>
<annotation id="1"><location offset="35" length="5"/><text>Actin</text></annotation></sentence>
<sentence><offset>49</offset><text>So is it.</text></sentence>
<relation id="R1"><node refid="2" role="a"/><node refid="2" role="b"/></relation>
</passage>
<relation id="X"><infon key="type">three</infon>
<node refid="2" role="a"/><node refid="58" role="b"/><node refid="2" role="c"/></relation>
</document></collection>"""


def test_a_file_by_hand():
    (document,) = read(bioc_xml, XML)
    title, first, second = document.sentences
    assert (document.id, document.corpus) == ("7", "PubMed")
    assert [part.id for part in document.sentences] == ["7.s0", "7.s1", "7.s2"]
    assert title.entities == (
        Entity("1", "Alpha actin", ((0, 5), (15, 20)), "Gene", ("58",), infons=(("NCBI Gene", "58"),)),
        Entity("2", "profilin", ((26, 34),), "Gene"),
    )
    assert title.pairs == (
        Pair("R1", "1", "2", True, "binds", (("e1_role", "Theme"),)),
        # the id comes again in another passage, where it stands for another relation
        Pair("R1-2", "2", "2", True, None, (("e1_role", "a"), ("e2_role", "b"), ("orig_id", "R1"))),
    )
    assert first.infons == (("corpora:passage", "1"), ("corpora:passage:type", "abstract"), ("n", "1"))
    assert first.entities == (Entity("1-2", "Actin", ((0, 5),), orig_id="1"),)
    assert (first.offset, second.offset) == (35, 49)
    assert document.relations == (Relation("X", "three", (("a", "2"), ("b", "58"), ("c", "2"))),)
    for module, load in ((bioc_xml, biocxml.loads), (bioc_json, biocjson.loads)):
        data, _ = written(module, [document])
        assert read(module, data) == [document]
        passages = load(data.decode()).documents[0].passages
        assert [len(passage.sentences) for passage in passages] == [0, 2]
        assert [passage.infons for passage in passages] == [{"type": "title"}, {"type": "abstract"}]


def test_annotations_of_a_document_or_split_passage_go_to_the_sentence_that_holds_them():
    passage = {
        "offset": 10,
        "sentences": [{"offset": 10, "text": "One."}, {"offset": 15, "text": "Two actins."}],
        "annotations": [{"id": "a", "text": "Two", "locations": [{"offset": 15, "length": 3}]}],
    }
    notes = [{"id": "b", "text": "actins", "locations": [{"offset": 19, "length": 6}]}]
    (document,) = read(bioc_json, {"id": "d", "passages": [passage], "annotations": notes})
    assert [len(part.entities) for part in document.sentences] == [0, 2]


@pytest.mark.parametrize(
    ("places", "unit"),
    [([(15, 4), (2, 7)], "characters"), ([(16, 4), (3, 7)], "bytes")],
    ids=["characters", "bytes"],
)
@pytest.mark.parametrize("held", [0, 3])
def test_the_unit_of_offsets_is_found_by_the_text_and_holds_for_the_file(places, unit, held):
    second = {"offset": 3 if unit == "characters" else 5, "text": "x"}
    silent = {"id": "0", "passages": [{"offset": 0, "text": "αβ"}, second]}
    notes = [
        {"id": str(number), "text": text, "locations": [{"offset": 100 + start, "length": length}]}
        for number, ((start, length), text) in enumerate(zip(places, ["TCF4", "catenin"], strict=True))
    ]
    telling = {"id": "1", "passages": [{"offset": 100, "text": "β-catenin and  TCF4", "annotations": notes}]}
    found = read(bioc_json, [*[silent] * held, telling, silent])
    assert [part.offset for part in found[-1].sentences] == [0, 3]
    assert all(document == found[-1] for document in found[:held])
    assert [entity.spans for entity in found[held].sentences[0].entities] == [((15, 19),), ((2, 9),)]


def test_no_more_than_a_bounded_number_of_documents_is_held_back(monkeypatch):
    monkeypatch.setattr(bioc_offsets, "MAX_PENDING_DOCUMENTS", 2)
    documents = (
        {"id": str(number), "passages": [{"offset": 0, "text": "\u03b1\u03b2"}]} for number in itertools.count()
    )
    lines = (json.dumps(document).encode() + b"\n" for document in documents)
    source = BytesSource(b"", "memory.bioc")
    source.lines = lambda: ((number, line.decode()) for number, line in enumerate(lines, start=1))
    endless = bioc_json.read(source, ConversionLosses("BioC"))
    assert [next(endless).id for _ in range(5)] == list("01234")


def test_a_byte_offset_inside_a_character_is_an_error():
    good = {"id": "g", "text": "b", "locations": [{"offset": 2, "length": 1}]}
    bad = {"id": "half", "text": "b", "locations": [{"offset": 1, "length": 2}]}
    with pytest.raises(CorpusError, match=r"memory.bioc:1: half: expected locations that begin and end between"):
        read(bioc_json, {"id": "d", "passages": [{"offset": 0, "text": "βb", "annotations": [good, bad]}]})


def test_annotations_without_a_location_are_counted():
    losses = ConversionLosses("BioC")
    data = json.dumps({"id": "d", "passages": [{"offset": 0, "text": "x", "annotations": [{"id": "1"}]}]}).encode()
    (document,) = bioc_json.read(BytesSource(data, "memory.bioc"), losses)
    assert document.sentences[0].entities == ()
    assert losses.counts == {"annotations without a location": 1}


def test_text_of_a_passage_outside_its_sentences_is_counted():
    passage = {"offset": 0, "text": "One. Two.", "sentences": [{"offset": 0, "text": "One."}]}
    losses = ConversionLosses("BioC")
    (document,) = bioc_json.read(
        BytesSource(json.dumps({"id": "d", "passages": [passage]}).encode(), "memory.bioc"), losses
    )
    assert [part.text for part in document.sentences] == ["One."]
    assert losses.counts == {"passage texts that differ from their sentences": 1}


@FORMATS
def test_an_empty_id_is_an_error(module):
    entity = Entity("", "actin", ((0, 5),))
    with pytest.raises(CorpusError, match="d: expected ids that are not empty"):
        written(module, [Document("d", (Sentence("d.s0", "actin", (entity,)),))])


def test_relations_of_relations_and_remarks_of_the_collection_are_counted():
    passage = {
        "offset": 0,
        "text": "x",
        "relations": [{"id": "R1", "nodes": []}, {"id": "R2", "nodes": [{"refid": "R1", "role": "r"}]}],
    }
    losses = ConversionLosses("BioC")
    data = {"source": "s", "infons": {"a": "b"}, "documents": [{"id": "d", "passages": [passage]}]}
    (document,) = bioc_json.read(BytesSource(json.dumps(data).encode(), "memory.bioc"), losses)
    assert document.relations == (Relation("R1", "", ()),)
    assert losses.counts == {"relations of relations": 1, "remarks of the collection": 1}


@FORMATS
@pytest.mark.parametrize("name", ["LLL", "HPRD50", "BioInfer"])
@pytest.mark.skipif("PPI_CORPORA" not in os.environ, reason="PPI_CORPORA names no folder of corpora")
def test_real_corpora_survive_without_their_parses(module, name):
    path = Path(os.environ["PPI_CORPORA"]) / "ppi" / f"{name}.xml.gz"
    if not path.exists():
        pytest.skip(f"no {path.name} in PPI_CORPORA")
    wanted = [
        replace(document, sentences=tuple(replace(part, parses=()) for part in document.sentences))
        for document in turku.read(Source(path), ConversionLosses("Turku"))
    ]
    data, losses = written(module, wanted)
    assert not losses.counts
    assert read(module, data) == wanted
