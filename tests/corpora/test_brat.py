"""brat standoff: there and back, what it cannot hold, other people's folders, and bad files."""

import contextlib
import os
import tarfile
import tempfile
from pathlib import Path

import pytest
from bioc import brat as independent
from byte_sources import mutated
from hypothesis import given
from hypothesis import strategies as st

import corpora
from corpora.errors import CorpusError, CorpusNotFoundError, FormatError, Problem, ValidationError
from corpora.formats import brat
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import DependencyGraph, Document, Entity, Pair, Relation, Sentence, Token, text_at

TEXT = "Alpha and beta actin\nbind profilin.\n"
ANN = """\
T1\tProtein 0 5;15 20\tAlpha actin
T2\tProtein 15 25\tactin bind
T3\tProtein 26 34\tprofilin
T4\tBinding 21 25\tbind
N1\tReference T3 Entrez:5216\tprofilin
N2\tReference T3 unknown:P07737\tprofilin
R1\tbinds Arg1:T1 Arg2:T3\t
R2\tpart-of Part:T1 Arg2:T2
E1\tBinding:T4 Theme:T1 Theme2:T3
*\tEquiv T1 T2 T3
A1\tNegation E1
M1\tConfidence R1 low
#1\tAnnotatorNotes T1\tis it really?
"""

CHARACTERS = st.characters(exclude_categories=["Cs"])
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1, max_size=6)
VALUES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=6)
REMARKS = st.lists(st.tuples(WORDS.filter(lambda name: "_role" not in name), VALUES), max_size=2).map(tuple)


def read(folder: Path, problems: list[Problem] | None = None) -> list[Document]:
    return list(brat.read(Source(folder, problems=problems), ConversionLosses("brat", strict=True)))


def losses_of(folder: Path) -> tuple[list[Document], dict[str, int]]:
    losses = ConversionLosses("brat")
    return list(brat.read(Source(folder), losses)), dict(losses.counts)


def put(folder: Path, text: str | bytes = TEXT, ann: str | bytes = ANN, name: str = "d") -> Path:
    for ending, content in ((".txt", text), (".ann", ann)):
        (folder / f"{name}{ending}").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@st.composite
def documents(draw, id: str = "d"):
    """What the format can hold: one sentence, positive pairs, events, equivalences, words as names."""
    text = draw(st.text(CHARACTERS, max_size=15))
    entities = []
    if text:
        cuts = st.lists(st.integers(0, len(text)), min_size=2, max_size=4, unique=True).map(sorted)
        for number, places in enumerate(draw(st.lists(cuts, max_size=3)), start=1):
            spans = tuple(zip(places[::2], places[1::2], strict=False))
            identifiers = tuple(draw(st.lists(WORDS.filter(lambda id: not id.startswith("unknown:")), max_size=2)))
            remarks = draw(REMARKS)
            entity = Entity(f"T{number}", text_at(text, spans), spans, draw(WORDS), identifiers, infons=remarks)
            entities.append(entity)
    pairs, relations = [], []
    if entities:
        ids = st.sampled_from([entity.id for entity in entities])
        for number, (e1, e2) in enumerate(draw(st.lists(st.tuples(ids, ids), max_size=2))):
            roles = draw(st.sampled_from([(), (("e1_role", "Theme"),), (("e1_role", "a"), ("e2_role", "b:c"))]))
            pairs.append(Pair(f"R{number}", e1, e2, True, draw(WORDS), roles + draw(REMARKS)))
        for number, event in enumerate(draw(st.lists(st.booleans(), max_size=3)), start=1):
            found = draw(st.lists(ids, min_size=1, max_size=3))
            if event:
                roles = ["Trigger", *(draw(WORDS) for _ in found[1:])]
                arguments = tuple(zip(roles, found, strict=True))
                relations.append(Relation(f"E{number}", draw(WORDS), arguments, draw(REMARKS)))
            else:
                number = 1 + sum(each.id.startswith("*") for each in relations)
                relations.append(Relation(f"*{number}", draw(WORDS), tuple(("Arg", each) for each in found)))
    return Document(id, (Sentence(f"{id}.s0", text, tuple(entities), tuple(pairs)),), tuple(relations))


@given(documents("b"), documents("a/c d"))
def test_reading_what_was_written_gives_equal_documents(second, first):
    with tempfile.TemporaryDirectory() as folder:
        losses = ConversionLosses("brat")
        brat.write_folder([second, first], Path(folder), losses)
        assert not losses.counts
        assert read(Path(folder)) == [first, second]


@given(documents())
def test_an_independent_reader_sees_the_same(document):
    (sentence,) = document.sentences
    with tempfile.TemporaryDirectory() as folder:
        brat.write_folder([document], Path(folder), ConversionLosses("brat"))
        lines = (Path(folder) / "d.ann").read_bytes().decode().split("\n")
    # it knows no normalizations, and no line ends but \\n
    seen = [line for line in lines if line.startswith(("T", "R", "E"))]
    entities = [independent.decoder.loads_brat_entity(line) for line in seen if line[0] == "T"]
    assert [(each.id, each.type, sorted((i.begin, i.end) for i in each.locations)) for each in entities] == [
        (entity.id, entity.type, sorted(entity.spans)) for entity in sentence.entities
    ]
    related = [independent.decoder.loads_brat_relation(line) for line in seen if line[0] == "R"]
    assert [(each.id, each.type) for each in related] == [(pair.id, pair.type) for pair in sentence.pairs]


def test_a_file_by_hand(tmp_path):
    (document,) = read(put(tmp_path))
    (sentence,) = document.sentences
    assert (document.id, sentence.id, sentence.text, sentence.offset) == ("d", "d.s0", TEXT, 0)
    assert sentence.entities == (
        Entity("T1", "Alpha actin", ((0, 5), (15, 20)), "Protein", infons=(("AnnotatorNotes", "is it really?"),)),
        Entity("T2", "actin\nbind", ((15, 25),), "Protein"),
        Entity("T3", "profilin", ((26, 34),), "Protein", ("Entrez:5216", "P07737")),
        Entity("T4", "bind", ((21, 25),), "Binding"),
    )
    assert sentence.pairs == (
        Pair("R1", "T1", "T3", True, "binds", (("Confidence", "low"),)),
        Pair("R2", "T1", "T2", True, "part-of", (("e1_role", "Part"),)),
    )
    assert document.relations == (
        Relation("E1", "Binding", (("Trigger", "T4"), ("Theme", "T1"), ("Theme2", "T3")), (("Negation", "true"),)),
        Relation("*1", "Equiv", (("Arg", "T1"), ("Arg", "T2"), ("Arg", "T3"))),
    )


def test_one_file_of_a_folder_can_be_read(tmp_path):
    put(put(tmp_path), name="e")
    for ending in (".txt", ".ann"):
        assert [document.id for document in read(tmp_path / f"e{ending}")] == ["e"]


def test_texts_keep_their_line_ends(tmp_path):
    put(tmp_path, "a\r\nb\r\n", "T1\tX 3 4\tb\n")
    assert read(tmp_path)[0].sentences[0].text == "a\r\nb\r\n"


def test_bionlp_pairs_of_annotation_files_are_read(tmp_path):
    (tmp_path / "d.txt").write_text("A binds B")
    (tmp_path / "d.a1").write_text("T1\tProtein 0 1\tA\nT2\tProtein 8 9\tB\n")
    (tmp_path / "d.a2").write_text("T3\tBinding 2 7\tbinds\nE1\tBinding:T3 Theme:T1 Theme2:T2\nM1\tSpeculation E1\n")
    (document,) = read(tmp_path)
    assert len(document.sentences[0].entities) == 3
    assert document.relations[0].infons == (("Speculation", "true"),)


def test_notes_after_a_space_instead_of_a_tab_are_read(tmp_path):
    ann = "T1\tProtein 0 5\tAlpha\n#1\tAnnotatorNotes T1 T1|10|9606.ENSP1 or so\n#2\tAnnotatorNotes T1\n"
    (document,) = read(put(tmp_path, ann=ann))
    assert document.sentences[0].entities[0].infons == (
        ("AnnotatorNotes", "T1|10|9606.ENSP1 or so"),
        ("AnnotatorNotes", ""),
    )


def test_running_literature_is_read_from_its_archive(corpora_folder):
    found = corpora.load("literature-dev")
    sentences = [document.sentences[0] for document in found]
    assert len(found) == 133
    assert found[0].id == "literature-dev/10386600"
    pairs = [pair for sentence in sentences for pair in sentence.pairs]
    assert {pair.type for pair in pairs} == {"Complex_formation"}
    assert len(pairs) == 730
    skp2 = sentences[0].entities[0]
    assert skp2.infons[1] == ("AnnotatorNotes", "T1|10386600|1|1|0|3|9606.ENSP00000274255")
    assert all(value for sentence in sentences for entity in sentence.entities for _, value in entity.infons)


def test_archives_are_written_and_read_again(tmp_path):
    (document,) = read(put(tmp_path))
    for name in ("new.tar", "new.tar.gz", "again.tar.gz"):
        corpora.write([document], tmp_path / name, "brat")
        assert corpora.load(tmp_path / name) == [document]
    assert (tmp_path / "new.tar.gz").read_bytes() == (tmp_path / "again.tar.gz").read_bytes()


def test_what_our_types_cannot_hold_is_counted(tmp_path):
    more = (
        "E2\tRegulation:T4 Theme:E1\nR3\tcauses Arg1:E1 Arg2:E2\n*\tEquiv E1 E2\nA2\tNegation E2\nA3\tX A2\n"
        "N3\tReference T1 Entrez:58\tactin, alpha 1\nN4\tReference E1 GO:1\t\n# free\n#2\tfree words\n"
    )
    put(tmp_path, ann=ANN + more)
    (tmp_path / "README.txt").write_text("not a document")
    documents, counts = losses_of(tmp_path)
    assert [document.id for document in documents] == ["d"]
    assert counts == {
        "events of events": 1,
        "relations of events": 1,
        "equivalences of events": 1,
        "remarks on what is not kept": 2,
        "names in normalizations": 1,
        "normalizations of events and relations": 1,
        "free comments": 2,
        "text files without annotations beside them": 1,
    }


def test_what_the_format_cannot_hold_is_counted(tmp_path):
    graph = DependencyGraph(None, "t", (Token("1", 0, 1, "A"),))
    first = Sentence(
        "x",
        "A B",
        (
            Entity("e1", "A", ((0, 1),), None, ("with space", "9"), "o", (("two words", "v"), ("k", "a\tb"))),
            Entity("T1", "B", ((2, 3),), "cell line"),
        ),
        (Pair("p1", "e1", "T1", True), Pair("p2", "e1", "T1", False), Pair("p3", "e1", "T1")),
        (graph,),
        0,
        "o",
        (("type", "title"),),
    )
    second = Sentence("d.s1", "C", (Entity("T7", "C", ((0, 1),), "X"),))
    relations = (
        Relation("r1", "Cause", (("from", "e1"), ("to", "T7"))),
        Relation("r2", "Concepts", (("from", "9"), ("to", "e1"))),
        Relation("r3", "Three", (("a", "e1"), ("b", "T1"), ("c", "T7"))),
    )
    losses = ConversionLosses("brat")
    brat.write_folder([Document("d", (first, second), relations, "c", "o", (("a", "b"),))], tmp_path, losses)
    assert (tmp_path / "d.txt").read_text() == "A B\nC"
    assert (tmp_path / "d.ann").read_text().splitlines() == [
        "T2\tEntity 0 1\tA",
        "N1\tReference T2 unknown:9\tA",
        "T1\tcell_line 2 3\tB",
        "T7\tX 4 5\tC",
        "R1\tInteraction Arg1:T2 Arg2:T1",
        "R2\tCause from:T2 to:T7",
    ]
    assert losses.counts == {
        "parses": 1,
        "remarks": 4,
        "original ids": 3,
        "ids": 3,
        "sentence boundaries": 1,
        "sentence offsets": 1,
        "identifiers with white space": 1,
        "types with white space, or none": 3,
        "negative pairs": 1,
        "unannotated pairs": 1,
        "relations of the document, which become pairs": 1,
        "relations of concepts": 1,
        "relations of other than two mentions": 1,
    }
    assert len(read(tmp_path)[0].sentences[0].pairs) == 2


@pytest.mark.parametrize("id", ["", "../x", "a//b", "/a", ".hidden", "a\0b", "x" * 400])
def test_an_id_that_is_no_file_name_is_an_error_and_writes_nothing_outside(tmp_path, id):
    folder = tmp_path / "new"
    with pytest.raises(CorpusError, match="expected a document id that"):
        brat.write_folder([Document(id)], folder, ConversionLosses("brat"))
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def test_two_documents_of_one_id_are_an_error(tmp_path):
    with pytest.raises(CorpusError, match=r"d: expected a document id that makes a new file, got: File exists"):
        brat.write_folder([Document("d"), Document("d")], tmp_path, ConversionLosses("brat"))


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("T1\t", "T1 ", FormatError, r"d.ann:1: expected an id, a tab and an annotation"),
        ("T1\tP", "Q1\tP", FormatError, r"d.ann:1: expected a line of kind T, R, E"),
        ("T1\tP", "\tP", FormatError, r"d.ann:1: expected a line of kind T, R, E"),
        ("0 5;15 20", "0 5,15 20", FormatError, r"d.ann:1: T1: expected 'TYPE START END'"),
        ("26 34\tprofilin", "26 34", FormatError, r"d.ann:3: T3: expected 'TYPE START END'"),
        ("26 34", "27 35", ValidationError, r"d.ann:3: T3: expected the text 'profilin' at .*, got 'rofilin.'"),
        ("26 34", "26 340", ValidationError, r"d.ann:3: T3: expected spans inside the 36 characters"),
        ("26 34", "34 26", ValidationError, r"d.ann:3: T3: expected spans inside"),
        ("T2\t", "T1\t", ValidationError, r"d.ann:2: T1: expected unique annotation ids"),
        (
            "Arg2:T3",
            "Arg2:T9",
            ValidationError,
            r"d.ann:7: R1: expected the id of a text-bound annotation, got 'T9'",
        ),
        ("Arg2:T3", "Arg2:E9", ValidationError, r"d.ann:7: R1: expected the id of an annotation, got 'E9'"),
        ("Arg2:T3", "", FormatError, r"d.ann:7: R1: expected 'TYPE Arg1:T1 Arg2:T2'"),
        ("Arg2:T3", "T3", FormatError, r"d.ann:7: R1: expected 'ROLE:ID', got 'T3'"),
        ("Binding:T4", "Binding", FormatError, r"d.ann:9: E1: expected 'ROLE:ID', got 'Binding'"),
        ("Equiv T1", "Equiv T9", ValidationError, r"d.ann:10: \*: expected the id of a text-bound"),
        ("Reference T3 ", "Reference ", FormatError, r"d.ann:5: N1: expected 'Reference T1 DATABASE:ID'"),
        (
            "Negation E1",
            "Negation E7",
            ValidationError,
            r"d.ann:11: A1: expected the id of an annotation, got 'E7'",
        ),
        ("Negation E1", "Negation", FormatError, r"d.ann:11: A1: expected an attribute's name and target"),
        (
            "AnnotatorNotes T1",
            "AnnotatorNotes T9",
            ValidationError,
            r"d.ann:13: #1: expected the id of an annotation",
        ),
    ],
)
def test_bad_lines_name_file_line_and_id(tmp_path, old, new, kind, message):
    with pytest.raises(kind, match=message):
        read(put(tmp_path, ann=ANN.replace(old, new, 1)))


def test_wrong_encoding_is_an_error(tmp_path):
    with pytest.raises(FormatError, match=r"d.txt:2: expected UTF-8, got byte b'\\xff'"):
        read(put(tmp_path, text=b"a\n\xff"))
    with pytest.raises(FormatError, match=r"d.ann:1: expected UTF-8"):
        read(put(tmp_path, ann=b"\xff"))


def test_a_missing_half_is_an_error(tmp_path):
    with pytest.raises(CorpusNotFoundError, match="expected a folder, or one of its files"):
        read(tmp_path / "nothing")
    with pytest.raises(FormatError, match=r"expected a folder with .txt and .ann files"):
        read(tmp_path)
    (tmp_path / "d.txt").write_text("x")
    with pytest.raises(FormatError, match=r"expected d.ann beside d.txt, got none"):
        read(tmp_path / "d.txt")
    (tmp_path / "e.ann").write_text("")
    with pytest.raises(FormatError, match=r"expected e.txt beside"):
        losses_of(tmp_path)


def test_every_problem_of_a_folder_can_be_collected(tmp_path):
    put(tmp_path, ann=ANN.replace("26 34", "27 35").replace("E1\tBinding:T4", "E1\tBinding"))
    put(tmp_path, name="e")
    problems = []
    assert [document.id for document in read(tmp_path, problems)] == ["d", "e"]
    assert {Path(problem.path).name for problem in problems} == {"d.ann"}
    assert {3, 9} <= {problem.line for problem in problems}


@pytest.mark.parametrize("problems", [None, []], ids=["raising", "collecting"])
@given(
    mutated(ANN.encode(), [b":", b"\t", b"0", b" ", b"\xff", b"\n", b"T1", b"E1", b"#", b"*\t"])
    | st.binary(max_size=40)
)
def test_no_bytes_make_the_reader_raise_anything_else(problems, data):
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(CorpusError):
        list(brat.read(Source(put(Path(folder), ann=data), problems=problems), ConversionLosses("brat")))


@pytest.mark.skipif("PPI_CORPORA" not in os.environ, reason="PPI_CORPORA names no folder of corpora")
def test_jnlpba_is_read_and_written_byte_for_byte(tmp_path):
    archive = Path(os.environ["PPI_CORPORA"]) / "ner" / "jnlpba-train-standoff.tar.gz"
    if not archive.exists():
        pytest.skip(f"no {archive.name} in PPI_CORPORA")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "old", filter="data")
    (folder,) = (tmp_path / "old").iterdir()
    found = read(folder)
    entities = [entity for document in found for part in document.sentences for entity in part.entities]
    assert len(found) == 2000
    assert len(entities) == 51301
    assert sum(entity.type == "protein" for entity in entities) == 30269
    losses = ConversionLosses("brat")
    brat.write_folder(found, tmp_path / "new", losses)
    assert not losses.counts
    for path in folder.iterdir():
        assert (tmp_path / "new" / path.name).read_bytes() == path.read_bytes()


def test_reading_goes_on_past_files_that_are_not_utf8(tmp_path):
    for name, text, ann in (("a", b"\xff", b""), ("b", b"x", b"\xff\n"), ("c", b"x", b"")):
        (tmp_path / f"{name}.txt").write_bytes(text)
        (tmp_path / f"{name}.ann").write_bytes(ann)
    problems = []
    assert [document.id for document in read(tmp_path, problems)] == ["c"]
    assert [(Path(problem.path).name, problem.line) for problem in problems] == [("a.txt", 1), ("b.ann", 1)]
