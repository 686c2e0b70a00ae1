"""The PubTator format: there and back, what it cannot hold, and bad files."""

import contextlib
import io

import pytest
from bioc import pubtator as independent
from byte_sources import BytesSource, mutated
from hypothesis import given
from hypothesis import strategies as st

from corpora.errors import CorpusError, FormatError, ValidationError
from corpora.formats import pubtator
from corpora.loss import ConversionLosses
from corpora.types import ConceptRelation, DependencyGraph, Document, Entity, Pair, Relation, Sentence, Token

FILE = """\
12345|t|Profilin binds actin.
12345|a|It does so in platelets.
12345\t0\t8\tProfilin\tGene\t5216
12345\t15\t20\tactin\tGene\t60;71
12345\t36\t45\tplatelets\tCell\t-
12345\tBind\t5216\tGene|60
12345\tAssociation\t5216\t71\tNovel

7|t|Old and new cancer
7|a|
7\t0\t18\tOld and new cancer\tDisease\tD1|D2\told cancer|new cancer
7\t12\t18\tcancer\tDisease
"""

# no tabs and line breaks; nothing at which another reader would end a line or strip it
CHARACTERS = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"])
NAMES = st.text(CHARACTERS, min_size=1, max_size=6)
IDS = NAMES.filter(lambda id: "|" not in id)
IDENTIFIERS = st.text("ABC:0123456789", min_size=2, max_size=5)


def read(data: str | bytes, problems=None) -> list[Document]:
    data = data.encode() if isinstance(data, str) else data
    return list(
        pubtator.read(BytesSource(data, "file.pubtator", problems=problems), ConversionLosses("PubTator", strict=True))
    )


def written(documents) -> tuple[str, ConversionLosses]:
    output, losses = io.BytesIO(), ConversionLosses("PubTator")
    pubtator.write(documents, output, losses)
    return output.getvalue().decode(), losses


def lost(document: Document) -> dict[str, int]:
    return dict(written([document])[1].counts)


@st.composite
def documents(draw):
    """What the format can hold: a title, perhaps an abstract, contiguous mentions, relations of concepts."""
    id, entities, parts, offset = draw(IDS), 0, [], 0
    for kind in draw(st.sampled_from([["title"], ["title", "abstract"]])):
        text = draw(st.text(CHARACTERS, max_size=10))
        found = []
        spans = st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True).map(sorted)
        for start, end in draw(st.lists(spans, max_size=3)) if text else ():
            entities += 1
            remarks = draw(st.sampled_from([(), (("mentions", "a|b"),)]))
            known = tuple(draw(st.lists(IDENTIFIERS, max_size=2)))
            type = draw(st.none() | NAMES)
            found.append(Entity(f"T{entities}", text[start:end], ((start, end),), type, known, infons=remarks))
        parts.append(Sentence(f"{id}.s{len(parts)}", text, tuple(found), (), (), offset, infons=(("type", kind),)))
        offset += len(text) + 1
    known = sorted({each for part in parts for entity in part.entities for each in entity.identifiers})
    lines = []
    if known:
        ends = st.sampled_from(known)
        types = NAMES.filter(lambda type: not type.isdigit())
        extra = st.sampled_from([(), (("novelty", "Novel"),)])
        lines = draw(st.lists(st.tuples(types, ends, ends, extra), max_size=3, unique=True))
    relations = tuple(
        ConceptRelation(f"R{number}", type, e1, e2, infons)
        for number, (type, e1, e2, infons) in enumerate(lines, start=1)
    )
    return Document(id, tuple(parts), concept_relations=relations)


@given(st.lists(documents(), max_size=3))
def test_reading_what_was_written_gives_equal_documents(wanted):
    text, losses = written(wanted)
    assert not losses.counts
    assert read(text) == wanted


MARKED = """\
12|t|p53 binds Mdm2 and VEGF.
12\t0\t3\tp53\tGene\t22059(Tax:10090)
12\t10\t14\tMdm2\tGene\t17246(Tax:10090)
12\t19\t23\tVEGF\tGene\t7422;22339(Tax:10090)
12\tBind\t22059(Tax:10090)\t17246(Tax:10090)
12\tBind\t22059(Tax:10090)\t7422
"""


def test_the_species_behind_a_number_is_a_remark_there_and_back():
    (document,) = read(MARKED)
    p53, mdm2, vegf = document.sentences[0].entities
    assert (p53.identifiers, p53.infons) == (("22059",), (("taxid", "10090"),))
    assert (vegf.identifiers, vegf.infons) == (("7422", "22339"), (("taxids", "22339=10090"),))
    assert [relation.second for relation in document.concept_relations] == [*mdm2.identifiers, "7422"]
    text, losses = written([document])
    assert (text, dict(losses.counts)) == (MARKED, {})
    (seen,) = independent.loads(text)
    assert [note.id for note in seen.annotations][:2] == ["22059(Tax:10090)", "17246(Tax:10090)"]
    assert seen.relations[0].id1 == seen.annotations[0].id


def test_a_species_without_an_identifier_has_no_place():
    entity = Entity("T1", "p53", ((0, 3),), "Gene", ("1", "2"), infons=(("taxid", "9606"),))
    found = Document("7", (Sentence("7.s0", "p53", (entity,), infons=(("type", "title"),)),))
    assert lost(found) == {"remarks": 1}
    assert "7\t0\t3\tp53\tGene\t1;2\n" in written([found])[0]


@given(st.lists(documents(), max_size=3))
def test_an_independent_reader_sees_the_same(wanted):
    wanted = [document for document in wanted if any(part.text for part in document.sentences)]
    text, _ = written(wanted)
    seen = independent.loads(text)
    assert [document.pmid for document in seen] == [document.id for document in wanted]
    for document, ours in zip(seen, wanted, strict=True):
        assert [document.title, document.abstract or ""][: len(ours.sentences)] == [
            part.text for part in ours.sentences
        ]
        assert [(note.start, note.end, note.text) for note in document.annotations] == [
            (part.offset + entity.start, part.offset + entity.end, entity.text)
            for part in ours.sentences
            for entity in part.entities
        ]
        assert [(each.type, each.id1, each.id2) for each in document.relations] == [
            (each.type, each.first, each.second) for each in ours.concept_relations
        ]


def test_a_file_by_hand():
    first, second = read(FILE)
    title, abstract = first.sentences
    assert (title.id, title.text, title.infons) == ("12345.s0", "Profilin binds actin.", (("type", "title"),))
    assert (abstract.id, abstract.offset, abstract.infons) == ("12345.s1", 22, (("type", "abstract"),))
    assert title.entities == (
        Entity("T1", "Profilin", ((0, 8),), "Gene", ("5216",)),
        Entity("T2", "actin", ((15, 20),), "Gene", ("60", "71")),
    )
    assert abstract.entities == (Entity("T3", "platelets", ((14, 23),), "Cell"),)
    assert first.concept_relations == (
        ConceptRelation("R1", "Bind", "5216", "60"),
        ConceptRelation("R2", "Association", "5216", "71", (("novelty", "Novel"),)),
    )
    composite, bare = second.sentences[0].entities
    assert (composite.identifiers, composite.infons) == (("D1", "D2"), (("mentions", "old cancer|new cancer"),))
    assert (bare.type, bare.identifiers) == ("Disease", ())
    assert second.sentences[1].text == ""
    assert read(written([first, second])[0]) == [first, second]


def test_documents_need_no_empty_line_between_them():
    assert [document.id for document in read("1|t|A\n1|a|B\n2|t|C\n2|a|D\n3|t|E")] == ["1", "2", "3"]


def test_mentions_are_numbered_in_the_order_of_the_text_s_parts():
    (document,) = read("1|t|A\n1|a|B\n1\t2\t3\tB\tGene\t2\n1\t0\t1\tA\tGene\t1\n")
    assert [(entity.id, entity.text) for part in document.sentences for entity in part.entities] == [
        ("T1", "A"),
        ("T2", "B"),
    ]


def test_windows_line_ends_and_a_byte_order_mark_are_no_text():
    assert read("\ufeff" + FILE.replace("\n", "\r\n")) == read(FILE)


def entity(id: str, text: str, start: int, *identifiers: str) -> Entity:
    return Entity(id, text, ((start, start + len(text)),), "Gene", identifiers)


def test_sentences_without_a_title_become_the_abstract_and_offsets_follow():
    parts = (
        Sentence("d.s0", "A binds.", (entity("x", "A", 0, "1"),)),
        Sentence("d.s1", "B too.", (entity("y", "B", 0, "2"),)),
    )
    text, losses = written([Document("d", parts)])
    assert text == "d|t|\nd|a|A binds. B too.\nd\t1\t2\tA\tGene\t1\nd\t10\t11\tB\tGene\t2\n"
    assert losses.counts == {"sentence boundaries": 1, "sentence offsets": 2, "ids": 4}
    assert [part.text for part in read(text)[0].sentences] == ["", "A binds. B too."]


@pytest.mark.parametrize(
    "remark",
    [("type", "Title"), ("section_type", "TITLE"), ("section", "Title"), ("corpora:passage:type", "title")],
)
def test_a_title_is_known_by_its_remark(remark):
    text, _ = written([Document("d", (Sentence("d.s0", "A", infons=(remark,)), Sentence("d.s1", "B")))])
    assert text == "d|t|A\nd|a|B\n"


def test_positive_pairs_of_grounded_mentions_become_relations():
    mentions = (entity("T1", "A", 0, "1", "2"), entity("T2", "B", 1, "3"), entity("T3", "C", 2))
    pairs = (
        Pair("p1", "T1", "T2", True, "Bind"),
        Pair("p2", "T2", "T1", True),
        Pair("p3", "T1", "T3", True),
        Pair("p4", "T1", "T2", False),
        Pair("p5", "T1", "T2", None),
    )
    title = Sentence("d.s0", "ABC", mentions, pairs, infons=(("type", "title"),))
    text, losses = written([Document("d", (title,))])
    assert text.splitlines()[4:] == [
        "d\tBind\t1\t3",
        "d\tBind\t2\t3",
        "d\tInteraction\t3\t1",
        "d\tInteraction\t3\t2",
    ]
    assert losses.counts == {
        "mentions of positive pairs, which become relations of concepts": 2,
        "pairs of ungrounded entities": 1,
        "negative pairs": 1,
        "unannotated pairs": 1,
    }
    assert len(read(text)[0].concept_relations) == 4


TITLE = (("type", "title"),)


@pytest.mark.parametrize(
    ("document", "counts"),
    [
        (
            Document("d", (Sentence("d.s0", "A b", (Entity("e", "A b", ((0, 1), (2, 3))),), infons=TITLE),)),
            {"discontinuous entities": 1},
        ),
        (
            Document(
                "d",
                (Sentence("d.s0", "A", parses=(DependencyGraph(None, "t", (Token("1", 0, 1, "A"),)),), infons=TITLE),),
            ),
            {"parses": 1},
        ),
        (Document("d", (Sentence("d.s0", "A\tb\r\nc", infons=TITLE),)), {"tabs and line breaks": 3}),
        (
            Document("d", (Sentence("d.s0", "A", (entity("T1", "A", 0, "1;2"),), infons=TITLE),)),
            {"identifiers with separators in them": 1},
        ),
        (
            Document("d", (Sentence("d.s0", "A", infons=(*TITLE, ("x", "y")), orig_id="o"),)),
            {"remarks": 1, "original ids": 1},
        ),
        (Document("d", (Sentence("other", "A", infons=TITLE, offset=4),)), {"ids": 1, "sentence offsets": 1}),
        (
            Document(
                "d",
                (Sentence("d.s0", "A", (entity("T1", "A", 0, "1"),), infons=TITLE),),
                (Relation("R1", "t", (("Arg1", "1"),)),),
            ),
            {"relations that do not join two concepts": 1},
        ),
        (
            Document(
                "d",
                (Sentence("d.s0", "A", (entity("T1", "A", 0, "1"),), infons=TITLE),),
                (Relation("R", "t", (("a", "1"), ("b", "T1"))),),
            ),
            {"ids": 1, "roles": 1},
        ),
        (
            Document(
                "d",
                (Sentence("d.s0", "A", (entity("T1", "A", 0, "1"),), infons=TITLE),),
                (Relation("R1", "7", (("Arg1", "1"), ("Arg2", "1"))),),
            ),
            {"relations whose type is a number": 1},
        ),
    ],
)
def test_what_cannot_be_held_is_counted_and_the_rest_can_be_read(document, counts):
    assert lost(document) == counts
    assert len(read(written([document])[0])) == 1


def test_tabs_and_line_breaks_become_spaces_in_text_and_mention():
    title = Sentence("d.s0", "A\tB\nC", (Entity("T1", "A\tB\nC", ((0, 5),)),), infons=TITLE)
    (document,) = read(written([Document("d", (title,))])[0])
    assert document.sentences[0].entities[0].text == "A B C"


@pytest.mark.parametrize("id", ["a|b", "a\tb", "", "a\nb"])
def test_an_id_that_would_break_the_lines_is_an_error(id):
    with pytest.raises(CorpusError, match="expected a document id without"):
        written([Document(id)])


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("12345|t|", "12345 ", FormatError, r"file.pubtator:1: expected 'ID\|t\|TITLE' to begin a document"),
        ("12345|a|", "12346|a|", FormatError, r"file.pubtator:2: expected the abstract of document '12345'"),
        (
            "12345\t0",
            "1234\t0",
            ValidationError,
            r"file.pubtator:3: expected a line of document '12345', got one of",
        ),
        (
            "\t0\t8\t",
            "\t1\t9\t",
            ValidationError,
            r"file.pubtator:3: 12345: expected the text 'Profilin' at 1-9, got",
        ),
        (
            "\t36\t45",
            "\t36\t47",
            ValidationError,
            r"file.pubtator:5: 12345: expected a mention inside the title or",
        ),
        (
            "\t15\t20\tactin",
            "\t15\t23\tactin. It",
            ValidationError,
            r"file.pubtator:4: 12345: expected a mention inside",
        ),
        ("\t0\t8\t", "\t0\teight\t", FormatError, r"file.pubtator:3: 12345: expected a mention \(6 columns\) or"),
        ("\tGene\t5216\n", "\n", FormatError, r"file.pubtator:3: 12345: expected id, start, .* got 4 columns"),
        (
            "Bind\t5216",
            "Bind\t-",
            ValidationError,
            r"file.pubtator:6: 12345: expected an identifier at each end .* '-'",
        ),
        (
            "Bind\t5216\tGene|60",
            "Bind",
            FormatError,
            r"file.pubtator:6: 12345: expected a mention .* got 2 columns",
        ),
    ],
)
def test_bad_lines_name_file_line_and_document(old, new, kind, message):
    with pytest.raises(kind, match=message):
        read(FILE.replace(old, new, 1))


def test_wrong_encoding_is_an_error():
    with pytest.raises(FormatError, match=r"file.pubtator:1: expected UTF-8"):
        read("1|t|\u03b2".encode("utf-16"))


def test_every_problem_of_a_file_can_be_collected():
    problems = []
    found = read(FILE.replace("\t0\t8\t", "\t1\t9\t").replace("\t12\t18", "\t12\t180"), problems)
    assert [document.id for document in found] == ["12345", "7"]
    # without Profilin no mention has 5216, but its relations say something nevertheless
    assert [problem.line for problem in problems] == [3, 12]
    assert [(each.first, each.second) for each in found[0].concept_relations] == [("5216", "60"), ("5216", "71")]


def test_an_end_with_several_identifiers_makes_a_relation_of_each():
    (document,) = read("1|t|A binds B\n1\tBind\tGene|7;8\t9\tNo\n")
    assert [(each.id, each.first, each.second) for each in document.concept_relations] == [
        ("R1", "7", "9"),
        ("R2", "8", "9"),
    ]
    with pytest.raises(FormatError, match=r"file.pubtator:2: 1: expected at most 100,000 annotations"):
        read(f"1|t|A binds B\n1\tBind\t{';'.join('a' * 400)}\t{';'.join('b' * 400)}\n")


def test_relations_of_identifiers_that_the_columns_cannot_hold_are_counted():
    relations = (ConceptRelation("R1", "Bind", "a;b", "c"), ConceptRelation("R2", "Bind", "c", "d", (("score", "1"),)))
    assert lost(Document("d", concept_relations=relations)) == {
        "relations of identifiers with separators in them": 1,
        "ids": 1,
        "remarks": 1,
    }


@pytest.mark.parametrize("problems", [None, []], ids=["raising", "collecting"])
@given(mutated(FILE.encode(), [b"|", b"\t", b"0", b"-", b"\xff", b"\n", b"1|t|"]) | st.binary(max_size=40))
def test_no_bytes_make_the_reader_raise_anything_else(problems, data):
    with contextlib.suppress(CorpusError):
        read(data, problems)
