"""Manifests that are damaged, forged or somebody else's: one line says so, and nothing is changed."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_runs import run_of, write_lines

from ppi.core import RunError
from ppi.server.runs.long_run import LocalWorkers, annotate_files
from ppi.server.runs.manifest import InputFile, Manifest, PartFacts, read_facts

SETTINGS = {"version": "1", "chunk_records": 10}
INPUT = {
    "number": 0,
    "path": "in.txt",
    "format": "text-lines",
    "size": 9,
    "status": "s",
    "digest": "d",
    "records": 1,
}
DONE = {
    "part": "00000-in-00000",
    "input": 0,
    "documents": 1,
    "interactions": 1,
    "failures": 0,
    "seconds": 0.5,
    "size": 3,
    "digest": "d",
    "errors": None,
}


def lines_of(head=None, input=None, done=None):
    head = {"format": "ppi-annotate-run", "version": 2, "settings": SETTINGS} | (head or {})
    values = [head, {"input": INPUT | (input or {})}, {"done": DONE | (done or {})}]
    return "".join(json.dumps(value) + "\n" for value in values).encode()


WHOLE = lines_of()


def opened(folder, content):
    folder.mkdir(exist_ok=True)
    (folder / "manifest.jsonl").write_bytes(content)
    manifest = Manifest.open(folder, SETTINGS)
    manifest.close()
    return manifest


def test_what_was_written_is_read(tmp_path):
    manifest = opened(tmp_path / "out", WHOLE)
    assert manifest.inputs == {"in.txt": InputFile(**INPUT)}
    assert manifest.done == {"00000-in-00000": PartFacts(**DONE)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x00\xff\xfe" * 1000, "at its beginning"),
        (b"my diary, with no line end", "at its beginning"),
        (b"my diary\n", "at its beginning"),
        (WHOLE.replace(b'"in.txt"', b'"\xff\xfe"'), "line 2"),
        (WHOLE + b"\x00\x00\n", "line 4"),
        (WHOLE + b"\n", "line 4"),
        (WHOLE + b"3\n", "expected an object, got 3"),
        (WHOLE + b"{}\n", "the field 'done' is missing"),
        (WHOLE + b"[" * 100_000 + b"\n", "line 4"),
        (lines_of(head={"settings": []}), "expected settings"),
        (lines_of(input={"number": "0"}), "expected int for 'number', got '0'"),
        (lines_of(input={"number": True}), "expected int for 'number', got True"),
        (lines_of(input={"size": -1}), "expected int for 'size'"),
        (lines_of(input={"size": 10**400}), "expected int for 'size'"),
        (lines_of(input={"path": None}), "expected str for 'path'"),
        (lines_of(input={"records": 10**11}), "expected no more records than 9 bytes can hold, got 100000000000"),
        (lines_of(input={"records": [1]}), "expected int | None for 'records'"),
        (lines_of(input={"more": 1}), "expected the fields number, path"),
        (lines_of(done={"part": "../../etc/passwd"}), "expected the name of a part"),
        (lines_of(done={"seconds": float("nan")}), "expected float for 'seconds'"),
        (lines_of(done={"failures": {}}), "expected int for 'failures'"),
    ],
)
def test_a_damaged_one_is_refused_in_one_line_and_left_as_it_is(tmp_path, content, message):
    with pytest.raises(RunError) as refused:
        opened(tmp_path / "out", content)
    text = str(refused.value)
    assert message in text
    assert text.endswith("; name another folder")
    assert len(text.splitlines()) == 1
    assert len(text) < 1000
    assert (tmp_path / "out" / "manifest.jsonl").read_bytes() == content


@pytest.mark.usefixtures("without_processes")
def test_records_that_the_file_does_not_have_do_not_keep_a_run_busy(tmp_path):
    path = write_lines(tmp_path / "in.txt", ["Abc Def"] * 5)
    annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
    manifest = tmp_path / "out" / "manifest.jsonl"
    manifest.write_text(manifest.read_text().replace('"records": 5', '"records": 100000000000'))
    with pytest.raises(RunError, match="no more records than 40 bytes can hold"):
        annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))


@pytest.mark.usefixtures("without_processes")
def test_a_size_that_is_not_the_files_is_a_change(tmp_path):
    path = write_lines(tmp_path / "in.txt", ["Abc Def"] * 5)
    annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1))
    manifest = tmp_path / "out" / "manifest.jsonl"
    manifest.write_text(manifest.read_text().replace('"size": 40', '"size": 4000000', 1))
    assert annotate_files(run_of(tmp_path / "out", path), LocalWorkers(1)).parts == 1


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_cannot_be_opened_is_refused(tmp_path, kind):
    if kind == "folder":
        (tmp_path / "out" / "manifest.jsonl").mkdir(parents=True)
    else:
        (tmp_path / "out").write_text("a file")
    with pytest.raises(RunError, match="name another"):
        Manifest.open(tmp_path / "out", SETTINGS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 30), st.binary(max_size=8)), min_size=1, max_size=4)
)
def test_whatever_happens_to_its_bytes_it_is_read_or_refused(tmp_path, changes):
    content = WHOLE
    for place, removed, put in changes:
        content = content[:place] + put + content[place + removed :]
    try:
        manifest = opened(tmp_path / "out", content)
    except RunError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert all(isinstance(facts, PartFacts) for facts in manifest.done.values())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.sampled_from([(InputFile, INPUT), (PartFacts, DONE)]), st.data())
def test_facts_of_other_types_are_refused(known, data):
    cls, value = known
    name = data.draw(st.sampled_from(sorted(value)))
    changed = value | {name: data.draw(VALUES)}
    try:
        facts = read_facts(cls, changed)
    except ValueError as error:
        assert str(error)
    else:
        assert type(getattr(facts, name)) is type(value[name]) or name in ("records", "errors", "seconds")
