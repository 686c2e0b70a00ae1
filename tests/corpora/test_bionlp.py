"""BioNLP standoff: there and back, what it cannot hold, the shared tasks' own files, and bad ones."""

import contextlib
import json
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from byte_sources import mutated
from document_strategies import NAMES, WORDS, events_of
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
from corpora.errors import CorpusError, FormatError, LossError, LossWarning
from corpora.formats import bionlp
from corpora.formats.bionlp_writer import ENTITY_TYPES, MODIFICATIONS, ROLES
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Entity, Event, Pair, Relation, Sentence, Trigger, text_at
from corpora.validation import find_problems
from ppi.cli import main

TEXT = "MUC1 (mucin) inhibits phosphorylation of TBK1 at S172, not of\nIKK. It does so here."
A1 = "T1\tProtein 0 4\tMUC1\nT2\tProtein 6 11\tmucin\nT3\tProtein 41 45\tTBK1\nT4\tProtein 62 65\tIKK\n"
A2 = """\
*\tEquiv T1 T2
T5\tNegative_regulation 13 21\tinhibits
T6\tPhosphorylation 22 37\tphosphorylation
T7\tEntity 49 53\tS172
T8\tAnaphora 67 69\tIt
E1\tNegative_regulation:T5 Theme:E2 Cause:T1
E2\tPhosphorylation:T6 Theme:T3 Site:T7
E3\tPhosphorylation:T6 Theme:T4
E4\tNegative_regulation:T5 Theme:E3 Cause:T1
M1\tNegation E4
M2\tSpeculation E4
R1\tCoreference Subject:T8 Object:T1
"""
CORPORA = {  # documents, entities, triggers, events, equivalences, modifications
    "bionlp-st-2011-ge": (1167, 16976, 10270, 13560, 699, 1841),
    "bionlp-st-2013-ge": (471, 8366, 4676, 6016, 94, 957),
    "bionlp-st-2013-pc": (350, 10589, 6220, 8121, 583, 397),
    "bionlp-st-2013-cg": (400, 14699, 9790, 11718, 642, 884),
    "bionlp-st-2011-epi": (800, 10938, 2038, 2453, 608, 252),
}


def put(folder: Path, a1: str | bytes = A1, a2: str | bytes = A2, text: str | bytes = TEXT, name: str = "d") -> Path:
    folder.mkdir(exist_ok=True)
    for ending, content in ((".txt", text), (".a1", a1), (".a2", a2)):
        (folder / f"{name}{ending}").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def read(folder: Path, problems=None) -> list[Document]:
    return list(bionlp.read(Source(folder, problems=problems), ConversionLosses("bionlp", strict=True)))


def test_a_file_by_hand(tmp_path):
    (document,) = corpora.load(put(tmp_path))
    (sentence,) = document.sentences
    assert (document.id, sentence.id, sentence.text, sentence.offset) == ("d", "d.s0", TEXT, 0)
    assert [(entity.id, entity.type, entity.text) for entity in sentence.entities] == [
        ("T1", "Protein", "MUC1"),
        ("T2", "Protein", "mucin"),
        ("T3", "Protein", "TBK1"),
        ("T4", "Protein", "IKK"),
        ("T7", "Entity", "S172"),
        ("T8", "Anaphora", "It"),
    ]
    assert document.triggers == (
        Trigger("T5", "inhibits", ((13, 21),), "Negative_regulation"),
        Trigger("T6", "phosphorylation", ((22, 37),), "Phosphorylation"),
    )
    assert document.events == (
        Event("E1", "Negative_regulation", "T5", (("Theme", "E2"), ("Cause", "T1"))),
        Event("E2", "Phosphorylation", "T6", (("Theme", "T3"), ("Site", "T7"))),
        Event("E3", "Phosphorylation", "T6", (("Theme", "T4"),)),
        Event("E4", "Negative_regulation", "T5", (("Theme", "E3"), ("Cause", "T1")), ("Negation", "Speculation")),
    )
    assert document.equivalences == (("T1", "T2"),)
    assert document.relations == (Relation("R1", "Coreference", (("Subject", "T8"), ("Object", "T1"))),)
    assert not sentence.pairs


def test_what_is_written_is_what_was_read(tmp_path):
    corpora.write(corpora.load(put(tmp_path / "in")), tmp_path / "out", "bionlp", strict=True)
    for ending in (".txt", ".a1", ".a2"):
        old, new = ((tmp_path / folder / f"d{ending}").read_text() for folder in ("in", "out"))
        assert sorted(old.splitlines()) == sorted(new.splitlines())


@pytest.mark.parametrize("name", ["new", "new.tar", "new.tar.gz", "new.tgz"])
def test_folders_and_archives_are_written_and_read_again(tmp_path, name):
    documents = [replace(each, id=f"train/{each.id}") for each in corpora.load(put(tmp_path / "in"))]
    read_again = [replace(each, sentences=(replace(each.sentences[0], id="train/d.s0"),)) for each in documents]
    corpora.write(read_again, tmp_path / name, "bionlp")
    assert (tmp_path / name).is_dir() == (name == "new")
    assert corpora.load(tmp_path / name) == read_again


@pytest.mark.parametrize("ending", [".a1", ".a2", ".txt"])
def test_one_file_of_a_document_stands_for_it(tmp_path, ending):
    put(put(tmp_path), name="e")
    found = corpora.load(tmp_path / f"e{ending}", "bionlp" if ending == ".txt" else None)
    assert [document.id for document in found] == ["e"]


def test_folders_with_ann_files_stay_brat(tmp_path):
    (put(tmp_path) / "e.ann").write_text("")
    (tmp_path / "e.txt").write_text("x")
    with pytest.warns(LossWarning, match="read from brat cannot hold: .*events of events"):
        assert [document.events for document in corpora.load(tmp_path)] == [(), ()]


def test_a_test_set_without_a2_is_read_without_events(tmp_path):
    (put(tmp_path) / "d.a2").unlink()
    (document,) = corpora.load(tmp_path)
    assert len(document.sentences[0].entities) == 4
    assert not document.events


def test_discontinuous_spans_and_triggers_without_events(tmp_path):
    put(tmp_path, "T1\tProtein 0 5;15 20\talpha actin\n", "T2\tBinding 6 9\tand\n", "alpha and beta actin")
    (document,) = read(tmp_path)
    assert document.sentences[0].entities[0].spans == ((0, 5), (15, 20))
    assert document.triggers == (Trigger("T2", "and", ((6, 9),), "Binding"),)


def test_notes_and_relations_of_triggers_are_counted_as_lost(tmp_path):
    put(tmp_path, a2=A2 + "#1\tAnnotatorNotes T1\twhy?\nR2\tCoreference Subject:T8 Object:T5\n")
    with pytest.warns(LossWarning, match="read from bionlp cannot hold: 1 notes, 1 relations of triggers"):
        corpora.load(tmp_path)


A2_CASES = {
    "an event that refers to itself": (("Theme:E2 Cause", "Theme:E1 Cause"), r"d.a2:6: E1: expected an event of other"),
    "events in a circle": (("Theme:T4", "Theme:E4"), r"d.a2:(8|9): E.: .* refers to itself: E. -> E. -> E."),
    "a missing event": (
        ("Theme:E2", "Theme:E9"),
        r"d.a2:6: E1: expected the id of an entity or event as Theme, got 'E9'",
    ),
    "a missing entity": (("Cause:T1", "Cause:T99"), r"d.a2:6: E1: .* as Cause, got 'T99', which is missing; add it or"),
    "a trigger as an argument": (("Theme:T3", "Theme:T5"), r"d.a2:7: E2: expected the id of an entity or event"),
    "a missing trigger": (("tion:T6 Theme:T4", "tion:T66 Theme:T4"), r"d.a2:8: E3: expected the id of a trigger"),
    "an entity as a trigger": (("tion:T6 Theme:T4", "tion:T1 Theme:T4"), r"d.a2:8: E3: expected the id of a trigger"),
    "an unknown role": (("Site:T7", "Agent:T7"), r"d.a2:7: E2: expected a role, one of Theme, .*, got 'Agent'; rename"),
    "no role": (("Site:T7", "T7"), r"d.a2:7: E2: expected 'ROLE:ID', got 'T7'"),
    "no type": (("E3\tPhosphorylation:", "E3\t:"), r"d.a2:8: E3: expected 'TYPE:TRIGGER', got ':T6'"),
    "offsets of other text": (("13 21", "14 22"), r"d.a2:2: T5: expected the text 'inhibits' at .*, got 'nhibits '"),
    "offsets outside": (("13 21", "13 210"), r"d.a2:2: T5: expected spans inside the 83 characters"),
    "offsets that are none": (("13 21", "x 21"), r"d.a2:2: T5: expected 'TYPE START END'"),
    "an equivalence with itself": (("Equiv T1 T2", "Equiv T1 T1"), r"d.a2:1: \*: expected two or more different"),
    "equivalences in a circle": (("M1", "*\tEquiv T2 T3\n*\tEquiv T1 T3\nM1"), r"d.a2:11: \*: .* close a circle"),
    "an equivalence of an event": (("Equiv T1 T2", "Equiv T1 E2"), r"d.a2:1: \*: expected ids of entities"),
    "an equivalence of one": (("Equiv T1 T2", "Equiv T1"), r"d.a2:1: \*: expected 'Equiv T1 T2', got 'Equiv T1'"),
    "another star": (("Equiv T1 T2", "Same T1 T2"), r"d.a2:1: \*: expected 'Equiv T1 T2'"),
    "a repeated event": (("E3\t", "E2\t"), r"d.a2:8: E2: expected unique annotation ids, .*first in line 7 of d.a2"),
    "an id of .a1": (("T5\t", "T1\t"), r"d.a2:2: T1: expected unique annotation ids, .*first in line 1 of d.a1"),
    "a modification of nothing": (
        ("Negation E4", "Negation E9"),
        r"d.a2:10: M1: expected the id of an event, got 'E9'",
    ),
    "a modification of an entity": (("Negation E4", "Negation T1"), r"d.a2:10: M1: expected the id of an event"),
    "an unknown modification": (("Negation E4", "Doubt E4"), r"d.a2:10: M1: expected 'Negation E1' or 'Specul"),
    "a relation of a missing entity": (
        ("Object:T1", "Object:T99"),
        r"d.a2:12: R1: expected the id of an entity as Obj",
    ),
    "a relation of one": ((" Object:T1", ""), r"d.a2:12: R1: expected 'TYPE Subject:T1 Object:T2'"),
    "an unknown kind": (("M1\t", "A1\t"), r"d.a2:10: expected a line of kind T, E, M, R, \* or #"),
    "a space for a tab": (("M1\t", "M1 "), r"d.a2:10: expected an id, a tab and an annotation"),
    "an id without number": (("M1\t", "M\t"), r"d.a2:10: expected an id such as M1, got 'M'"),
}


@pytest.mark.parametrize("case", A2_CASES)
def test_bad_lines_name_file_line_and_id(tmp_path, case):
    (old, new), message = A2_CASES[case]
    assert old in A2
    path = put(tmp_path / "in", a2=A2.replace(old, new, 1))
    with pytest.raises(CorpusError, match=message):
        corpora.load(path)
    problems = list(find_problems(path))
    # where an id was given twice, what refers to the one it should have been leads nowhere, too
    assert len(problems) == 1 or case in ("a repeated event", "an id of .a1")
    with pytest.raises(CorpusError, match=message):
        corpora.write(corpora.read(path), tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_events_in_a1_are_refused(tmp_path):
    with pytest.raises(FormatError, match=r"d.a1:1: expected a line of kind T, \* or #, got 'E1"):
        read(put(tmp_path, a1="E1\tBinding:T1\n"))


def test_every_problem_of_a_folder_is_listed_once_and_other_documents_are_read(tmp_path, capsys):
    put(tmp_path, A1.replace("41 45", "40 44"), A2.replace("Site", "Place").replace("Negation E4", "Negation E9"))
    put(tmp_path, name="e")
    problems = []
    assert [document.id for document in read(tmp_path, problems)] == ["e"]
    places = [(Path(problem.path).name, problem.line, problem.id) for problem in problems]
    assert places == [("d.a1", 3, "T3"), ("d.a2", 7, "E2"), ("d.a2", 10, "M1")]
    assert main(["corpus", "validate", str(tmp_path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_missing_file_is_an_error(tmp_path):
    (put(tmp_path / "a") / "d.a1").unlink()
    with pytest.raises(FormatError, match=r"d.a2: d: expected d.a1 beside d.a2, got none; put it there"):
        corpora.load(tmp_path / "a")
    (put(tmp_path / "b") / "d.txt").unlink()
    (tmp_path / "b" / "d.a2").unlink()
    with pytest.raises(FormatError, match=r"d.a1: d: expected d.txt beside d.a1, got none; put it there"):
        corpora.load(tmp_path / "b")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "d.txt").write_text("x")
    with pytest.raises(FormatError, match=r"d: expected d.a1 beside d.txt"):
        corpora.load(tmp_path / "c" / "d.txt", "bionlp")


@pytest.mark.parametrize("ending", ["txt", "a1", "a2"])
def test_bytes_that_are_not_utf8_are_an_error(tmp_path, ending):
    put(tmp_path, **{"text" if ending == "txt" else ending: b"\n\xff"})
    with pytest.raises(FormatError, match=rf"d.{ending}:2: expected UTF-8, got byte b'\\xff'"):
        read(tmp_path)


@st.composite
def documents(draw, id: str = "d"):
    """What the format can hold: one sentence, entities and triggers with words as types, known roles."""
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=15))
    entities = []
    if text:
        cuts = st.lists(st.integers(0, len(text)), min_size=2, max_size=4, unique=True).map(sorted)
        for number, places in enumerate(draw(st.lists(cuts, max_size=4)), start=1):
            spans = tuple(zip(places[::2], places[1::2], strict=False))
            type = draw(NAMES | st.sampled_from(ENTITY_TYPES))
            entities.append(Entity(f"T{number}", text_at(text, spans), spans, type))
        entities.sort(key=lambda entity: entity.type in ENTITY_TYPES)  # those of .a2 come last
    sentence = Sentence(f"{id}.s0", text, tuple(entities))
    roles = st.builds("{}{}".format, st.sampled_from(ROLES), st.sampled_from(["", "2", "3"]))
    found = draw(events_of([sentence], types=NAMES, roles=roles, modifications=st.sampled_from(MODIFICATIONS)))
    relations = ()
    if entities and draw(st.booleans()):
        ids = st.sampled_from([entity.id for entity in entities])
        relations = (Relation("R1", draw(WORDS), (("Subject", draw(ids)), ("Object", draw(ids)))),)
    return Document(id, (sentence,), relations, **found)


@given(documents("b"), documents("a/c d"))
def test_reading_what_was_written_gives_equal_documents(second, first):
    with tempfile.TemporaryDirectory() as folder:
        losses = ConversionLosses("bionlp")
        bionlp.write_folder([second, first], Path(folder), losses)
        assert not losses.counts
        assert read(Path(folder)) == [first, second]


def test_offsets_of_split_documents_stay_right(tmp_path):
    (document,) = corpora.load(put(tmp_path / "in"))
    whole = document.sentences[0]
    first = Sentence("x", TEXT[:66], tuple(entity for entity in whole.entities if entity.id != "T8"))
    second = Sentence("y", TEXT[67:], (Entity("T8", "It", ((0, 2),), "Anaphora"),), offset=67)
    with pytest.warns(LossWarning, match="bionlp cannot hold: 2 ids, 1 sentence boundaries"):
        corpora.write([replace(document, sentences=(first, second))], tmp_path / "out", "bionlp")
    (written,) = corpora.load(tmp_path / "out")
    assert (written.events, written.triggers) == (document.events, document.triggers)
    assert written.sentences[0].text.split() == TEXT.split()


def test_what_the_format_cannot_hold_is_counted(tmp_path):
    first = Sentence(
        "d.s0",
        "A B",
        (Entity("e1", "A", ((0, 1),), "cell line", ("9",), "o", (("k", "v"),)), Entity("T1", "B", ((2, 3),), "X")),
        (Pair("p", "e1", "T1", True),),
    )
    second = Sentence("d.s1", "C D", (), (), offset=2)  # overlaps the first
    triggers = (
        Trigger("t", "A B", ((0, 3),), "Y"),
        Trigger("T9", "zz", ((90, 92),), "Y"),
        Trigger("T8", "D", ((4, 5),), "Y"),
    )
    events = (
        Event("E1", "Y", "T9"),
        Event("x", "Y", "t", (("Theme", "e1"),), ("Negation", "Doubt")),
        Event("E2", "Y", "t", (("Theme", "E1"),)),
        Event("E3", "Y", "t", (("Agent", "T1"),)),
        Event("E4", "Y", "T8", (("Theme", "x"),)),
    )
    relations = (Relation("r", "Z", (("a", "e1"), ("b", "T1"))), Relation("R2", "Z", (("a", "9"), ("b", "T1"))))
    document = Document("d", (first, second), relations, "c", "o", (("a", "b"),), triggers, events, (("e1", "T1"),))
    losses = ConversionLosses("bionlp")
    bionlp.write_folder([document], tmp_path, losses)
    assert (tmp_path / "d.txt").read_text() == "A B\nC D"
    assert (tmp_path / "d.a1").read_text().splitlines() == ["T2\tcell_line 0 1\tA", "T1\tX 2 3\tB"]
    assert (tmp_path / "d.a2").read_text().splitlines() == [
        "*\tEquiv T2 T1",
        "T3\tY 0 3\tA B",
        "T8\tY 6 7\tD",
        "E5\tY:T3 Theme:T2",
        "E4\tY:T8 Theme:E5",
        "M1\tNegation E5",
        "R1\tZ a:T2 b:T1",
    ]
    assert losses.counts == {
        "original ids": 2,
        "remarks": 2,
        "sentence boundaries": 1,
        "sentence offsets": 1,
        "pairs": 1,
        "ids": 4,
        "identifiers": 1,
        "types with white space, or none": 1,
        "triggers outside of sentences, with their events": 1,
        "events whose trigger, roles or arguments cannot be written": 3,
        "modifications of other kinds": 1,
        "relations of other than two mentions": 1,
    }
    assert len(read(tmp_path)) == 1


@pytest.mark.parametrize("format", ["turku", "bioc-xml", "bioc-json", "pubtator", "conllu", "conllx", "brat"])
def test_formats_without_events_say_so_once_or_refuse(tmp_path, format):
    path = put(tmp_path / "in")
    with pytest.warns(LossWarning) as caught:
        corpora.write(corpora.read(path), tmp_path / "out", format)
    (warning,) = caught
    assert all(part in str(warning.message) for part in ("2 triggers", "4 events", "1 equivalences"))
    with pytest.raises(LossError, match="4 events"):
        corpora.write(corpora.read(path), tmp_path / "strict", format, strict=True)
    assert not (tmp_path / "strict").exists()


def test_statistics_count_triggers_and_events(tmp_path, capsys):
    path = put(tmp_path / "in")
    assert main(["corpus", "stats", str(path), "sample", "--json"]) == 0
    row, sample = json.loads(capsys.readouterr().out)
    assert (row["documents"], row["entities"], row["triggers"], row["events"]) == (1, 6, 2, 4)
    assert not {"triggers", "events"} & sample.keys()
    assert main(["corpus", "stats", "sample", str(path)]) == 0
    header, first, second = (line.split() for line in capsys.readouterr().out.splitlines())
    assert header[-3:] == ["triggers", "events", "parsers"]
    assert (first[-3:], second[-2:]) == (["0", "0", "gold"], ["2", "4"])


def test_conversion_to_json_lines_and_back_keeps_events(tmp_path):
    path = put(tmp_path / "in")
    assert main(["corpus", "convert", str(path), str(tmp_path / "d.jsonl"), "--strict"]) == 0
    assert main(["corpus", "convert", str(tmp_path / "d.jsonl"), str(tmp_path / "d.tgz"), "--to", "bionlp"]) == 0
    assert corpora.load(tmp_path / "d.tgz") == corpora.load(path)


@pytest.mark.parametrize("problems", [None, []], ids=["raising", "collecting"])
@given(
    mutated(A2.encode(), [b":", b"\t", b"0", b" ", b"\xff", b"\n", b"T1", b"E1", b"#", b"*\t", b"Theme:E1"])
    | st.binary(max_size=40)
)
@settings(max_examples=150)
def test_no_bytes_make_the_reader_raise_anything_else(problems, data):
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(CorpusError):
        list(bionlp.read(Source(put(Path(folder), a2=data), problems=problems), ConversionLosses("bionlp")))


@pytest.mark.parametrize("name", CORPORA)
def test_the_shared_tasks_are_read_and_written_line_for_line(corpora_folder, tmp_path, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LossWarning)  # coreference of event triggers
        found = corpora.load(name)
    counts = (
        len(found),
        sum(len(document.sentences[0].entities) for document in found),
        sum(len(document.triggers) for document in found),
        sum(len(document.events) for document in found),
        sum(len(document.equivalences) for document in found),
        sum(len(event.modifications) for document in found for event in document.events),
    )
    assert counts == CORPORA[name]
    assert {document.id.split("/")[0] for document in found} == {"train", "devel"}
    corpora.write(found, tmp_path / "out.tar.gz", "bionlp", strict=True)
    assert corpora.load(tmp_path / "out.tar.gz") == found


def test_validation_finds_no_problem_in_the_shared_tasks(corpora_folder):
    assert not list(find_problems(corpora_folder / "events" / "bionlp-st-2013-cg.tar.gz"))
