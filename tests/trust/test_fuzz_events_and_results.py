"""Event files, results and what the server takes back, with values and lines changed: read, or one of our errors."""

import io
import json
import tarfile
import warnings

import annotated
import hypothesis
import pytest
from byte_sources import mutated, with_other_value
from event_documents import event_corpus
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
from ppi.core import PpiError
from ppi.export import SOURCE, dumps, read_jsonl, read_parquet
from ppi.grounding import Lexicon
from ppi.network import build_network

IDS = [*(f"T{n}" for n in range(1, 9)), *(f"E{n}" for n in range(1, 8)), "M1", "*", "R1", "E9", "T99999999999999999999"]
WORDS = ["Binding", "Theme", "Cause", "Theme2", "Protein", "Equiv", "Negation", "Regulation", ":", ";", "0", "17"]


def check(read):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read()
        except (PpiError, corpora.CorpusError) as error:
            assert "expected" in str(error)
            assert len(str(error)) < 2000
            return None


@pytest.fixture(scope="module")
def standoff(tmp_path_factory):
    """The files of two documents with events of all types."""
    folder = tmp_path_factory.mktemp("events")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corpora.LossWarning)
        corpora.write(event_corpus("a", 2), folder / "seed", "bionlp")
    return {file.name: file.read_text() for file in sorted((folder / "seed").iterdir())}


def lines_mixed(text):
    """The lines in another order, some left out or doubled, some with other ids, roles and numbers."""
    line = st.sampled_from(text.splitlines())
    other = st.sampled_from([*IDS, *WORDS])
    changed = st.builds(
        lambda line, place, word, tab: _with_word(line, place, word, tab), line, st.integers(0, 8), other, st.booleans()
    )
    return st.lists(line | changed, max_size=14).map("\n".join)


def _with_word(line, place, word, tab):
    parts = line.replace(":", " : ").replace("\t", " \t ").split(" ")
    parts[place % len(parts)] = word
    return ("\t" if tab else " ").join(parts).replace(" : ", ":").replace(" \t ", "\t")


def test_lines_of_event_files_in_any_order(standoff, tmp_path):
    @given(st.fixed_dictionaries({name: lines_mixed(text) for name, text in standoff.items() if ".a" in name}))
    @settings(max_examples=200)
    def run(changed):
        for name, text in {**standoff, **changed}.items():
            (tmp_path / name).write_text(text)
        for problems in (None, []):
            found = check(lambda problems=problems: list(corpora.read(tmp_path, "bionlp", problems=problems)))
            for document in found or ():
                assert corpora.Document.from_json(document.to_json()) == document
                build_examples(document)

    run()


def build_examples(document):
    """What an event corpus is for: it teaches, or says why it cannot."""
    from ppi.extraction import collect_examples

    check(lambda: collect_examples([document]))


@pytest.mark.parametrize("packed", ["tar", "tar.gz"])
def test_archives_of_event_files_with_bytes_changed(standoff, tmp_path, packed):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz" if packed == "tar.gz" else "w") as archive:
        for name, text in standoff.items():
            member = tarfile.TarInfo(f"corpus/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    path = tmp_path / f"events.{packed}"
    path.write_bytes(buffer.getvalue())
    assert len(check(lambda: list(corpora.read(path, "bionlp")))) == 2

    @given(mutated(buffer.getvalue(), [b"E1", b"T1", b"\t", b"\n", b"0" * 12, b"../", b"\0" * 512]))
    @settings(max_examples=100)
    def run(data):
        path.write_bytes(data)
        check(lambda: list(corpora.read(path, "bionlp")))

    run()


def test_any_value_in_documents_with_events(tmp_path):
    text = json.dumps(event_corpus("a", 1)[0].to_json())
    path = tmp_path / "events.jsonl"

    @given(with_other_value(text))
    @settings(max_examples=200)
    def run(value):
        path.write_text(json.dumps(value))
        check(lambda: list(corpora.read(path, "jsonl")))

    run()


@pytest.fixture(scope="module")
def results():
    return [annotated.typed(), annotated.discontinuous(), annotated.profilin()]


def test_any_value_in_a_line_of_results(results, tmp_path):
    lines = dumps(results, "jsonl", explain=True).decode().splitlines()
    path = tmp_path / "found.jsonl"

    @given(st.sampled_from(lines).flatmap(with_other_value))
    @settings(max_examples=300)
    def run(value):
        path.write_text(json.dumps(value))
        check(lambda: build_network(read_jsonl(path)))

    run()


@pytest.mark.parametrize("field", ["probability", "score", "offset"])
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_beyond_any_float(results, tmp_path, field, sign):
    value = json.loads(dumps(results, "jsonl").splitlines()[0])
    path = tmp_path / "found.jsonl"
    path.write_text(json.dumps({**value, field: sign * 10**400}))
    with pytest.raises(corpora.CorpusError, match=r"found\.jsonl:1: expected an? (number|offset).*got -?1000"):
        list(read_jsonl(path))


def test_parquet_with_bytes_changed(results, tmp_path):
    pytest.importorskip("pyarrow")
    seed, path = dumps(results, "parquet"), tmp_path / "found.parquet"
    path.write_bytes(seed)
    assert len(check(lambda: list(read_parquet(path)))) == sum(len(one.interactions) for one in results)

    @given(mutated(seed, [b"\0", b"\xff\xff\xff\xff", b"PAR1"]))
    @settings(max_examples=100)
    def run(data):
        path.write_bytes(data)
        check(lambda: build_network(read_parquet(path)))

    run()


def test_parquet_columns_of_every_other_type(results, tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(io.BytesIO(dumps(results, "parquet")))
    path = tmp_path / "found.parquet"
    for name in table.column_names:
        for kind in (pa.string(), pa.int32(), pa.float64(), pa.list_(pa.int64()), pa.binary(), pa.null()):
            place, field = table.column_names.index(name), table.schema.field(name)
            if field.type.equals(kind):
                continue
            empty = pa.array([None] * len(table), kind)
            pq.write_table(table.set_column(place, pa.field(name, kind), empty), path)
            with pytest.raises(
                corpora.CorpusError, match=rf"found\.parquet: expected the column '{name}' of type"
            ) as caught:
                list(read_parquet(path))
            assert "\n" not in str(caught.value)


def test_parquet_values_that_no_interaction_has(results, tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(io.BytesIO(dumps(results, "parquet")))
    path = tmp_path / "found.parquet"
    spans = [{"start": -5, "end": 10**9}], [{"start": None, "end": 3}], [None], []
    bad = {
        **dict.fromkeys(("document", "sentence_id", "pair", "sentence", "entity_1", "name_2"), (None,)),
        **dict.fromkeys(("probability", "probability_binding"), (-0.1, 1.5, float("nan"), float("inf"))),
        "score": (float("nan"), None),
        "offset": (-1, 2**62, None),
        "agent": (0, 3, -1),
        "target": (7,),
        "type": ("unknown",),
        "sign": ("neutral",),
        "spans_1": spans,
        "identifiers_1": ([None],),
        "remarks_2": ([None], [{"key": None, "value": "x"}]),
    }
    for name, values in bad.items():
        place, kind = table.column_names.index(name), table.schema.field(name).type
        for value in values:
            column = pa.array([value, *table[name].to_pylist()[1:]], kind)
            pq.write_table(table.set_column(place, table.schema.field(name), column), path)
            with pytest.raises(corpora.CorpusError, match=r"found\.parquet:1: .*expected") as caught:
                list(read_parquet(path))
            assert "\n" not in str(caught.value)


@given(st.lists(annotated.annotated(typed=True), max_size=2))
@settings(max_examples=100, deadline=None)
def test_indra_statements_are_json_with_two_agents_whatever_the_texts(many):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        statements = json.loads(dumps(many, "indra"))
    for statement in statements:
        agents = statement.get("members") or [
            statement[name] for name in ("enz", "sub", "subj", "obj") if name in statement
        ]
        assert len(agents) == 2
        assert all(agent["name"] and agent["db_refs"]["TEXT"] for agent in agents)
        assert 0 <= statement["belief"] <= 1
        assert statement["evidence"][0]["source_api"] == SOURCE
    assert len({statement["id"] for statement in statements}) <= len(statements)


GENES = "\t".join(
    ["9606", "7157", "TP53", "-", "P53|LFS1", "-", "17", "-", "tumor protein", "protein-coding", *"-" * 6]
)


@given(
    st.lists(st.text(st.sampled_from("A1|-,;:\"'\t \u2028\x85é😀\ud7ff"), max_size=12), min_size=16, max_size=16),
    st.text(st.sampled_from("A1,\"' \n\r\t|:é"), max_size=60),
    st.text(max_size=12),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_lexicons_of_any_words(tmp_path, cells, families, name):
    (tmp_path / "genes").write_text(GENES + "\n" + "\t".join(cells) + "\n", newline="")
    (tmp_path / "families.csv").write_text(families, newline="")
    lexicon = check(lambda: Lexicon.read(tmp_path / "genes", tmp_path / "families.csv"))
    if lexicon is not None:
        for asked in (name, *cells):
            found = lexicon.candidates(asked)
            assert [each.rank for each in found] == sorted(each.rank for each in found)
