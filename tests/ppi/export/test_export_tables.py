"""CSV, Parquet and JSON lines."""

import csv
import io
import json
import re
import sys
from dataclasses import replace

import annotated
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import CorpusError
from ppi.annotation import (
    INTERACTION_COLUMNS,
    OTHER_FEATURES,
    RELATION_FIELDS,
    encodable_text,
    evidence_to_json,
    from_json,
    to_json,
)
from ppi.core import MissingExtraError
from ppi.export import jsonl, parquet
from ppi.export.formats import dumps, write
from ppi.export.spreadsheets import escape_formula

HOW = (
    *("type", "sign", "kind", "agent", "target", "negated", "hedged"),
    *("probability_binding", "probability_modification", "probability_regulation"),
)
WHO = ("symbol", "taxid", "species", "entity_kind", "uniprot")


def csv_rows(data: bytes) -> list[dict[str, str]]:
    text = data.decode("utf-8")
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_columns_by_hand():
    rows = csv_rows(dumps([annotated.profilin(explained=True)], "csv"))
    assert list(rows[0]) == list(INTERACTION_COLUMNS)
    assert rows[0] == {
        "document": "10022882",
        "pubmed": "10022882",
        "sentence_id": "10022882.s1.0",
        "pair": "10022882.s1.0.e0-10022882.s1.0.e1",
        "name_1": "Profilin",
        "name_2": "actin",
        "start_1": "20",
        "end_1": "28",
        "start_2": "35",
        "end_2": "40",
        "spans_1": "20-28",
        "spans_2": "35-40",
        "identifiers_1": "ncbigene:5216",
        "identifiers_2": "ncbigene:60|ncbigene:71",
        "grounding_1": "exact name",
        "grounding_2": "exact synonym",
        "probability": "0.93",
        "score": "0.8600000000000001",
        "sentence": "Profilin binds actin and inhibits its polymerization.",
        "path": "binds -nsubj-> Profilin, binds -dobj-> actin",
        **dict.fromkeys(HOW, ""),
        "negated": "false",
        "hedged": "false",
        "type_1": "protein",
        "type_2": "protein",
        "symbol_1": "PFN1",
        "symbol_2": "",
        "taxid_1": "9606",
        "taxid_2": "",
        "species_1": "Homo sapiens",
        "species_2": "",
        "entity_kind_1": "",
        "entity_kind_2": "",
        "uniprot_1": "",
        "uniprot_2": "",
        "aliases_1": "",
        "aliases_2": "",
        "same": "false",
        "homo": "false",
        "year": "",
    }
    (row, _) = csv_rows(dumps([annotated.discontinuous()], "csv"))
    assert (row["start_1"], row["end_1"], row["spans_1"]) == ("0", "22", "0-5;15-22")


def unguarded(cell):
    """The text that a guarded cell stands for."""
    return cell[1:] if re.match(r"'+([\x00-\x1f\x7f-\x9f]|[\s\u200b\u2060\ufeff]*[=+\-@＝＋－＠])", cell) else cell


def test_csv_says_how_they_interact():
    rows = csv_rows(dumps([annotated.typed()], "csv"))
    assert INTERACTION_COLUMNS[20 : 20 + len(HOW) + 2] == (*HOW, "type_1", "type_2")
    assert [[row[name] for name in HOW[:7]] for row in rows] == [
        ["binding", "", "", "", "", "false", "false"],
        ["modification", "", "phosphorylation", "2", "1", "false", "false"],
        ["regulation", "positive", "", "1", "2", "false", "false"],
        ["regulation", "negative", "", "1", "2", "false", "false"],
        ["regulation", "", "", "1", "2", "false", "false"],
        ["binding", "", "", "", "", "true", "false"],
        ["modification", "", "", "1", "2", "false", "true"],
    ]
    assert [rows[1][name] for name in HOW[7:]] == ["0.05", "0.6", "0.2"]


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_tables_say_who_is_who(format):
    data = dumps([annotated.families()], format)
    (row,) = csv_rows(data) if format == "csv" else pq.read_table(io.BytesIO(data)).to_pylist()
    found = {name: [row[f"{name}_{which}"] or None for which in (1, 2)] for name in WHO}
    assert found == {
        "symbol": ["AMPK", "thrA"],
        "taxid": [None, "562"],
        "species": [None, "Escherichia coli"],
        "entity_kind": ["complex", None],
        "uniprot": [None, "P00561"],
    }


def test_parquet_of_before_what_the_lexicon_knows_is_read(tmp_path):
    write([annotated.families()], tmp_path / "new.parquet")
    table = pq.read_table(tmp_path / "new.parquet")
    pq.write_table(
        table.drop_columns([f"{name}_{which}" for name in WHO for which in (1, 2)]), tmp_path / "old.parquet"
    )
    assert list(parquet.read_parquet(tmp_path / "old.parquet")) == list(parquet.read_parquet(tmp_path / "new.parquet"))


def test_json_lines_keep_what_the_lexicon_knows(tmp_path):
    (line,) = dumps([annotated.families()], "jsonl").decode().splitlines()
    first, second = json.loads(line)["proteins"]
    assert first["identifiers"] == ["fplx:AMPK"]
    assert dict(first["infons"])["entity_kind"] == "complex"
    assert {("taxid", "562"), ("uniprot", "P00561")} < {tuple(each) for each in second["infons"]}


@given(annotated.annotated())
def test_csv_holds_any_text_and_no_cell_is_a_formula(each):
    rows = csv_rows(dumps([each], "csv"))
    assert len(rows) == len(each.interactions)
    for row, interaction in zip(rows, each.interactions, strict=True):
        assert unguarded(row["sentence"]) == encodable_text(interaction.sentence)
        assert [unguarded(row["name_1"]), unguarded(row["name_2"])] == [
            encodable_text(name) for name in interaction.names
        ]
        assert float(row["probability"]) == interaction.probability
        for name in ("document", "sentence_id", "name_1", "name_2", "sentence", "path"):
            assert not row[name].lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
            assert not row[name].startswith(("\t", "\r", "\n"))


@pytest.mark.parametrize(
    "text", ["\n=1+1", "\r\n@SUM(A1)", "＝1+1", "＋1", "－1", "＠x", " =1", "\u3000=1", "\ufeff=1", "\x00="]
)
def test_formulas_after_breaks_and_in_fullwidth_are_guarded(text):
    assert escape_formula(text) == f"'{text}"


@given(st.text("'=+-@a\t\r\n＝＠ \u3000\ufeff\x00"))
def test_guarding_against_formulas_can_be_undone(text):
    assert unguarded(escape_formula(text)) == text


@given(st.lists(annotated.annotated(), max_size=2))
def test_parquet_holds_the_same_rows(many):
    pq = pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(io.BytesIO(dumps(many, "parquet")))
    assert table.column_names == list(parquet.PARQUET_COLUMNS)
    assert table.column_names[: len(INTERACTION_COLUMNS)] == list(INTERACTION_COLUMNS)
    assert table.schema.metadata[b"ppi-miner.schema"] == b"ppi-interactions/1"
    written = table.to_pylist()
    expected = [each for one in many for each in one.interactions]
    assert len(written) == len(expected)
    for found, each in zip(written, expected, strict=True):
        assert found["sentence"] == encodable_text(each.sentence)
        assert found["identifiers_1"] == list(each.proteins[0].identifiers)
        spans = [(span["start"] - each.offset, span["end"] - each.offset) for span in found["spans_2"]]
        assert spans == list(each.proteins[1].spans)
        assert (found["probability"], found["score"]) == (each.probability, each.score)
        assert found["path"] is None


@given(st.lists(annotated.annotated(typed=True), max_size=2))
def test_parquet_reads_back_as_it_was(tmp_path_factory, many):
    pytest.importorskip("pyarrow")
    path = tmp_path_factory.mktemp("parquet") / "x.parquet"
    write(many, path)
    expected = [comparable(each) for one in many for each in one.interactions]
    assert [comparable(found) for found, _ in parquet.read_parquet(path)] == expected


def comparable(interaction):
    mentions = [
        (
            encodable_text(each.id),
            encodable_text(each.text),
            each.spans,
            each.type,
            [encodable_text(one) for one in each.identifiers],
            [(encodable_text(key), encodable_text(value)) for key, value in each.infons],
        )
        for each in interaction.proteins
    ]
    names = (interaction.document, interaction.sentence_id, interaction.pair, interaction.sentence)
    how = [
        *(getattr(interaction, name) for name in ("types", "type", "sign", "kind", "negated", "hedged")),
        *(None if id is None else encodable_text(id) for id in (interaction.agent, interaction.target)),
    ]
    numbers = interaction.offset, interaction.probability, interaction.score
    return [encodable_text(name) for name in names], mentions, numbers, how


def test_parquet_of_before_there_were_types_is_read(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "old.parquet"
    table = pq.read_table(io.BytesIO(dumps([annotated.typed()], "parquet")))
    pq.write_table(table.drop_columns(list(HOW)), path)
    expected = [
        replace(each, types={}, type=None, agent=None, target=None, sign=None, kind=None, negated=False, hedged=False)
        for each in annotated.typed().interactions
    ]
    assert [found for found, _ in parquet.read_parquet(path)] == expected


def test_parquet_of_something_else_is_refused(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    (tmp_path / "cut.parquet").write_bytes(dumps([annotated.profilin()], "parquet")[:-20])
    with pytest.raises(CorpusError, match=r"other\.parquet.*ppi-interactions/1"):
        list(parquet.read_parquet(tmp_path / "other.parquet"))
    with pytest.raises(CorpusError, match=r"cut\.parquet.*complete Parquet"):
        list(parquet.read_parquet(tmp_path / "cut.parquet"))


def test_parquet_is_written_in_row_groups(monkeypatch):
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("ppi.export.parquet.GROUP_ROWS", 2)
    file = pq.ParquetFile(io.BytesIO(dumps([annotated.profilin()], "parquet")))
    assert [file.metadata.row_group(index).num_rows for index in range(file.num_row_groups)] == [2, 1]


def test_parquet_without_pyarrow_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ppi-miner\[parquet\]'"):
        write([], tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


@given(st.lists(annotated.annotated(typed=True), max_size=2))
def test_json_lines_read_back_as_they_were(tmp_path_factory, many):
    path = tmp_path_factory.mktemp("jsonl") / "x.jsonl"
    write(many, path)
    assert [found for found, _ in jsonl.read_jsonl(path)] == [each for one in many for each in one.interactions]


def test_json_lines_keep_the_evidence_only_if_asked(tmp_path):
    many = [annotated.profilin(explained=True)]
    assert b"evidence" not in dumps(many, "jsonl")
    path = tmp_path / "x.jsonl.gz"
    write(many, path, explain=True)
    (found, pubmed), *_ = jsonl.read_jsonl(path)
    assert (found, pubmed) == (_without_columns(many[0].interactions[0]), "10022882")


def _without_columns(interaction):
    """Columns of features are the model's, and are not written."""
    why = interaction.evidence.explanation
    features = [one._replace(column=-1) for one in why.features]
    return replace(interaction, evidence=replace(interaction.evidence, explanation=replace(why, features=features)))


def test_json_lines_say_how_they_interact_and_nothing_where_it_is_not_known():
    binding, phosphorylation, *_, denied, _ = map(json.loads, dumps([annotated.typed()], "jsonl").splitlines())
    assert {name: phosphorylation[name] for name in RELATION_FIELDS if name in phosphorylation} == {
        "type": "modification",
        "types": {"binding": 0.05, "modification": 0.6, "regulation": 0.2},
        "agent": "4711.s0.1.e1",
        "target": "4711.s0.1.e0",
        "kind": "phosphorylation",
    }
    assert {name for name in RELATION_FIELDS if name in binding} == {"type", "types"}
    assert denied["negated"] is True
    assert not set(RELATION_FIELDS) & good_line().keys()


def test_words_of_the_evidence_and_the_output_that_it_explains_come_back():
    why = replace(annotated.evidence(), negation_cues=("not",), hedge_cues=("may", "perhaps"))
    why = replace(why, explanation=replace(why.explanation, output="binding"))
    line = json.loads(json.dumps(evidence_to_json(why)))
    (found, _) = from_json({**good_line(), "evidence": line})
    assert found.evidence.reasons() == why.reasons()
    assert found.evidence.explanation.output == "binding"
    assert "output" not in evidence_to_json(annotated.evidence())


def test_features_beyond_the_weightiest_come_back_as_their_sum():
    interaction = annotated.profilin().interactions[0]
    explained = replace(interaction, evidence=annotated.evidence(features=50))
    line = json.loads(json.dumps(to_json(explained, explain=True)))
    assert len(line["evidence"]["features"]) == 20
    why = from_json(line)[0].evidence.explanation
    assert why.intercept + sum(one.value for one in why.features) == pytest.approx(why.score)
    assert why.features[-1].name == OTHER_FEATURES


def good_line() -> dict:
    return to_json(annotated.profilin().interactions[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: [], "expected an object with the schema 'ppi-interaction/1'"),
        (lambda line: {"id": "a document"}, "give a file that `ppi annotate --to jsonl` wrote"),
        (
            lambda line: {**line, "schema": "ppi-interaction/9"},
            "got 'ppi-interaction/9'; use the version",
        ),
        (lambda line: {**line, "proteins": line["proteins"][:1]}, "expected two proteins, got 1"),
        (lambda line: {**line, "probability": 1.5}, "expected a probability from 0 to 1, got 1.5"),
        (lambda line: {**line, "probability": "0.5"}, "expected a number as 'probability'"),
        (lambda line: {**line, "score": float("nan")}, "expected a number as 'score'"),
        (lambda line: {**line, "offset": True}, "expected int as 'offset', got True"),
        (lambda line: {**line, "sentence": ""}, "expected spans inside the 0 characters"),
        (lambda line: {**line, "evidence": {"features": 1}}, "expected list as 'features', got 1"),
        (lambda line: {**line, "pubmed": 5}, "expected str as 'pubmed', got 5"),
        (lambda line: {**line, "type": "friendship"}, r"expected one of .* as 'type', got 'friendship'"),
        (lambda line: {**line, "sign": "+"}, r"expected one of .* as 'sign'"),
        (lambda line: {**line, "types": {"binding": 2}}, "expected probabilities from 0 to 1 as 'types'"),
        (lambda line: {**line, "types": {"x": 0.5}}, "expected 'types' among"),
        (lambda line: {**line, "agent": "nobody"}, r"expected the ids .* as 'agent' and 'target'"),
        (lambda line: {**line, "negated": 1}, "expected bool as 'negated', got 1"),
    ],
)
def test_lines_that_are_no_interaction_are_named_with_file_and_line(tmp_path, change, message):
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(good_line()) + "\n\n" + json.dumps(change(good_line())) + "\n")
    reading = jsonl.read_jsonl(path)
    next(reading)
    with pytest.raises(CorpusError, match=rf"bad.jsonl:3: .*{message}".replace("(", r"\(")):
        next(reading)


def test_nothing_gives_a_header_or_an_empty_file():
    assert dumps([], "jsonl") == b""
    assert dumps([annotated.without_interactions()], "jsonl") == b""
    assert csv_rows(dumps([], "csv")) == []
    assert dumps([], "csv") == dumps([annotated.without_interactions()], "csv")
