"""Bad BioC files: each gives one of our errors, with file, line or JSON path, and id."""

import contextlib
import json

import pytest
from byte_sources import BytesSource, mutated
from hypothesis import example, given
from hypothesis import strategies as st

from corpora.errors import CorpusError, FormatError, ValidationError
from corpora.formats import bioc_json, bioc_xml
from corpora.loss import ConversionLosses

XML = """<?xml version="1.0"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>s</source><date/><key/>
<document><id>d</id>
<passage><infon key="type">title</infon><offset>0</offset><text>Profilin binds \u03b2-actin</text>
<annotation id="1"><location offset="0" length="8"/><text>Profilin</text></annotation>
<annotation id="2"><location offset="15" length="7"/><text>\u03b2-actin</text></annotation>
<relation id="R"><node refid="1" role="a"/><node refid="2" role="b"/></relation>
</passage></document></collection>"""

NOTES = [
    {"id": "1", "infons": {}, "text": "Profilin", "locations": [{"offset": 0, "length": 8}]},
    {"id": "2", "infons": {}, "text": "actin", "locations": [{"offset": 15, "length": 5}]},
]
RELATION = {"id": "R", "infons": {}, "nodes": [{"refid": "1", "role": "a"}, {"refid": "2", "role": "b"}]}
PASSAGE = {
    "offset": 0,
    "infons": {},
    "text": "Profilin binds actin",
    "annotations": NOTES,
    "relations": [RELATION],
}
DOCUMENT = {"id": "d", "infons": {}, "passages": [PASSAGE]}


def read(module, data, problems=None):
    data = data.encode() if isinstance(data, str) else data
    return list(module.read(BytesSource(data, "file.bioc", problems=problems), ConversionLosses("BioC")))


def test_the_good_files_are_good():
    assert len(read(bioc_xml, XML)[0].sentences[0].pairs) == 1
    assert len(read(bioc_json, json.dumps(DOCUMENT))[0].sentences[0].pairs) == 1


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("</collection>", "", FormatError, r"file.bioc:9: expected well-formed XML"),
        ("collection>", "corpus>", FormatError, r"expected <collection> as the outermost"),
        ("<id>d</id>", "", FormatError, r"file.bioc:4: expected an <id> in <document>"),
        ("<offset>0</offset>", "", FormatError, r"file.bioc:5: expected an <offset> in <passage>"),
        ("<offset>0<", "<offset>zero<", FormatError, r"file.bioc:5: expected a number as an <offset>, got 'zero'"),
        ('offset="0"', "", FormatError, r"file.bioc:6: 1: expected a number as offset= of a <location>"),
        ('length="8"', f'length="{"9" * 5000}"', FormatError, r"expected a number as length= of a <location>"),
        ("binds", "&binds;", FormatError, r"file.bioc:5: expected only text in <text>"),
        ("binds", "<b>binds</b>", FormatError, r"file.bioc:5: expected only text in <text>"),
        ('"BioC.dtd">', '"BioC.dtd" [<!ENTITY a "b">]>', FormatError, "entity declarations"),
        ('length="8"', 'length="80"', ValidationError, r"file.bioc:6: 1: expected locations inside the 22 char"),
        ('length="8"', 'length="0"', ValidationError, r"file.bioc:6: 1: expected locations inside"),
        ('offset="0"', 'offset="-1"', ValidationError, r"file.bioc:6: 1: expected locations inside"),
        (
            'length="8"',
            'length="7"',
            ValidationError,
            r"file.bioc:6: 1: expected the text 'Profilin' at .*'Profili'",
        ),
        ('id="2"', 'id="1"', ValidationError, r"file.bioc:7: 1: expected unique annotation ids"),
        ('refid="2"', 'refid="3"', ValidationError, r"file.bioc:8: R: expected an annotation .* '3'"),
    ],
)
def test_bad_xml_names_file_line_and_id(old, new, kind, message):
    with pytest.raises(kind, match=message):
        read(bioc_xml, XML.replace(old, new))


def test_wrong_encoding_of_xml_is_an_error():
    with pytest.raises(FormatError, match="expected well-formed XML"):
        read(bioc_xml, XML.encode("latin-1", "replace").replace(b"?-actin", b"\xe9-actin"))


def changed(**changes) -> str:
    return json.dumps({**DOCUMENT, "passages": [{**PASSAGE, **changes}]})


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ("", FormatError, "file.bioc: expected a BioC collection, got an empty file"),
        ("[1, 2", FormatError, r"file.bioc:1: expected JSON, got: .* at column"),
        ('[\n{"id": x}]', FormatError, "file.bioc:2: expected JSON, got: Expecting value at column 8"),
        (json.dumps(DOCUMENT) + "\n{", FormatError, "file.bioc:2: expected JSON"),
        ("7", FormatError, r"file.bioc:1: expected an object with .* at \$, got 7"),
        ("[[]]", FormatError, r"expected a document or collection at \$\[0\], got a list"),
        ('{"documents": 3}', FormatError, r"expected an object with 'documents'"),
        ('{"passages": []}', FormatError, r"file.bioc:1: expected an 'id' in the document at \$"),
        ('{"id": "d", "passages": 1}', FormatError, r"expected a list as \$.passages, got 1"),
        (
            '{"documents": [{"id": "d", "passages": [1]}]}',
            FormatError,
            r"object as \$.documents\[0\].passages\[0\]",
        ),
        (changed(offset="x"), FormatError, r"expected a number as \$.passages\[0\].offset, got 'x'"),
        (changed(offset=True), FormatError, r"expected a number as \$.passages\[0\].offset, got True"),
        (changed(text=["x"]), FormatError, r"expected text as \$.passages\[0\].text, got \['x'\]"),
        (changed(infons=3), FormatError, r"expected an object as \$.passages\[0\].infons, got 3"),
        (changed(text="Profilin"), ValidationError, r"file.bioc:1: 2: expected locations inside the 8 characters"),
        (
            changed(text="PROFILIN binds actin"),
            ValidationError,
            r"1: expected the text 'Profilin' at .* 'PROFILIN'",
        ),
        (changed(annotations=NOTES * 2), ValidationError, r"1: expected unique annotation ids"),
        (changed(relations=[RELATION] * 2), ValidationError, r"R: expected unique relation ids"),
        (changed(annotations=NOTES[:1]), ValidationError, r"R: expected an annotation .* '2', which is not there"),
        (
            changed(infons={"corpora:offset": "x"}),
            ValidationError,
            r"expected a number as corpora:offset, got 'x'",
        ),
        (changed(offset=-5, annotations=[], relations=[]), ValidationError, r"expected an offset from 0 to"),
        ("[" * 100_000, FormatError, "nested too deep"),
        (changed(infons={"x": "y"}).replace('"y"', "[" * 100_000 + "]" * 100_000), FormatError, "nested too deep"),
        ("9" * 5000, FormatError, "expected JSON that can be read"),
        (r'{"id": "\ud800", "passages": []}', FormatError, "expected JSON that can be read"),
    ],
)
def test_bad_json_names_file_line_and_place(data, kind, message):
    with pytest.raises(kind, match=message):
        read(bioc_json, data)


def test_an_id_that_two_passages_use_is_ambiguous_further_out():
    passages = [{**PASSAGE, "relations": []}, {**PASSAGE, "offset": 100, "annotations": []}]
    notes = [
        {**note, "locations": [{"offset": 100 + note["locations"][0]["offset"], "length": len(note["text"])}]}
        for note in NOTES
    ]
    passages[1]["annotations"] = notes
    data = json.dumps({"id": "d", "passages": passages, "relations": [RELATION]})
    with pytest.raises(
        ValidationError, match="R: expected an annotation of the document, got '1', which 2 of them are"
    ):
        read(bioc_json, data)


def test_every_problem_of_a_file_can_be_collected():
    problems = []
    bad = changed(text="PROFILIN binds ACTIN")
    found = read(bioc_json, f"{bad}\n{json.dumps(DOCUMENT)}\n{changed(offset=None)}\n", problems)
    assert [document.id for document in found] == ["d"]
    assert [(problem.line, problem.id) for problem in problems] == [(1, "1"), (1, "2"), (3, None)]


@pytest.mark.parametrize("depth", range(900, 1000, 7))
def test_nesting_near_the_limit_is_read_or_refused(depth):
    data = json.dumps({**DOCUMENT, "deep": 1}).replace('"deep": 1', '"deep": ' + "[" * depth + "]" * depth)
    for text in (data, "[" * depth + data + "]" * depth):
        with contextlib.suppress(CorpusError):
            read(bioc_json, text)


PIECES = [b'"', b"<", b"0", b"-1", b"\xff", b"\n", b"&x;", b"null", b"[]"]
JUNK_KEYS = st.sampled_from(
    [
        "id",
        "infons",
        "passages",
        "documents",
        "PubTator3",
        "annotations",
        "relations",
        "nodes",
        "refid",
        "role",
        "role1",
        "role2",
        "offset",
        "length",
        "locations",
        "text",
        "sentences",
        "type",
        "identifier",
        "interaction",
        "source",
        "corpora:offset",
        "corpora:id",
        "corpora:identifiers",
        "corpora:passage",
        "corpora:level",
    ]
)
SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats() | st.sampled_from(["", "1", "a", "{", "[]", '["x"]'])
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(JUNK_KEYS, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("problems", [None, []], ids=["raising", "collecting"])
@given(mutated(XML.encode(), PIECES) | st.binary(max_size=40))
def test_no_bytes_make_the_xml_reader_raise_anything_else(problems, data):
    with contextlib.suppress(CorpusError):
        read(bioc_xml, data, problems)


@pytest.mark.parametrize("problems", [None, []], ids=["raising", "collecting"])
@given(mutated(json.dumps(DOCUMENT).encode(), PIECES) | st.binary(max_size=40))
def test_no_bytes_make_the_json_reader_raise_anything_else(problems, data):
    with contextlib.suppress(CorpusError):
        read(bioc_json, data, problems)


@pytest.mark.parametrize("problems", [None, []], ids=["raising", "collecting"])
@given(JUNK, st.sampled_from(list(PASSAGE)), JUNK_KEYS)
@example({"a": 1}, "annotations", "id")
def test_no_json_makes_the_reader_raise_anything_else(problems, junk, member, key):
    inner = {"id": "d", "passages": [{**PASSAGE, member: junk, key: junk}], key: junk}
    for value in (junk, {"id": "d", "passages": junk, "relations": junk}, inner):
        with contextlib.suppress(CorpusError):
            read(bioc_json, json.dumps(value), problems)


@pytest.mark.parametrize("indent", [None, 1])
def test_the_line_of_a_document_in_a_collection_spread_over_lines(indent):
    good = {"infons": {"passages": "{"}, "id": "good", "passages": [{"offset": 0, "text": 'a "passages": {"'}]}
    bad = {"id": "bad", "passages": [{"offset": -1, "text": "x"}]}
    parts = [json.dumps(each, indent=indent) for each in (good, bad, good | {"id": "other"}, bad | {"id": "worse"})]
    text = '\n{"source": "s", "documents": [\n' + ",\n".join(parts) + "]}"
    problems = []
    assert [document.id for document in read(bioc_json, text, problems)] == ["good", "other"]
    lines = text.splitlines()
    assert [(problem.id, problem.line) for problem in problems] == [
        (f"{id}.s0", place)
        for id in ("bad", "worse")
        for place, line in enumerate(lines if indent is None else lines[1:], start=1)
        if f'"id": "{id}"' in line
    ]


def test_elements_that_bioc_does_not_have_are_counted():
    losses = ConversionLosses("BioC")
    data = XML.replace("</passage>", "<figure/></passage><author/>", 1).encode()
    list(bioc_xml.read(BytesSource(data, "file.bioc"), losses))
    assert losses.counts == {"elements that BioC does not have": 2}
