"""``ppi network`` and ``ppi export``: what they read, write, and refuse."""

import csv
import io
import json
import sys
from dataclasses import replace

import annotated
import pytest

from ppi.annotation import SCHEMA
from ppi.cli import main
from ppi.export import FORMATS, NETWORK_FORMATS, write


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "found.jsonl"
    write([annotated.profilin(explained=True), annotated.discontinuous()], path, explain=True)
    return path


def run(capfdbinary, *arguments):
    code = main([str(each) for each in arguments])
    captured = capfdbinary.readouterr()
    return code, captured.out.decode(), captured.err.decode()


class TestNetwork:
    def test_csv_on_standard_output(self, lines, capfdbinary):
        code, out, err = run(capfdbinary, "network", lines)
        heading, *rows = csv.reader(io.StringIO(out))
        assert (code, err) == (0, "")
        assert heading[:2] == ["protein_1", "protein_2"]
        assert rows
        assert [float(row[4]) for row in rows] == sorted((float(row[4]) for row in rows), reverse=True)

    def test_json_has_one_shape(self, lines, capfdbinary):
        code, out, _ = run(capfdbinary, "network", lines, "--to", "json")
        found = json.loads(out)
        assert (code, set(found)) == (0, {"schema", "proteins", "edges"})
        assert set(found["proteins"][0]) == {
            *("key", "label", "names", "identifier", "taxid", "type", "entity_kind", "uniprot"),
        }
        edge = found["edges"][0]
        assert set(edge) == {"source", "target", "probability", "papers", "sentences", "mentions", "evidence"}
        assert edge["evidence"][0]["schema"] == SCHEMA

    def test_limits(self, lines, capfdbinary):
        def edges(*more):
            return json.loads(run(capfdbinary, "network", lines, "--to", "json", *more)[1])["edges"]

        everything = edges("--min-probability", "0")
        assert len(edges("--min-probability", "0.9")) < len(everything)
        assert edges("--min-papers", "2") == []
        assert all(edge["evidence"] == [] for edge in edges("--evidence", "0"))

    @pytest.mark.parametrize("format", NETWORK_FORMATS)
    def test_the_ending_tells_the_format(self, lines, tmp_path, capfdbinary, format):
        named, told = tmp_path / "named", tmp_path / f"told.{format}"
        assert run(capfdbinary, "network", lines, "--to", format, "-o", named) == (0, "", "")
        assert run(capfdbinary, "network", lines, "-o", told) == (0, "", "")
        assert named.read_bytes() == told.read_bytes()

    def test_standard_input(self, lines, capfdbinary, monkeypatch):
        expected = run(capfdbinary, "network", lines)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.read_bytes())))
        assert run(capfdbinary, "network", "-") == expected

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            (["-o", "net.docx"], 2, "expected an ending that tells the format"),
            (["--min-probability", "2"], 2, "expected a probability from 0 to 1, got 2.0"),
            (["--min-papers", "0"], 2, "expected min_papers >= 1"),
            (["no-such-file.jsonl"], 1, "no-such-file.jsonl: expected a readable file"),
        ],
    )
    def test_errors_are_one_line(self, lines, capfdbinary, arguments, code, message):
        found, out, err = run(capfdbinary, "network", lines, *arguments)
        assert (found, out, err.count("\n")) == (code, "", 1)
        assert message in err


class TestExport:
    def test_json_lines_come_back_as_they_were(self, tmp_path, capfdbinary):
        path = tmp_path / "found.jsonl"
        write([annotated.profilin(), annotated.discontinuous()], path)
        code, out, err = run(capfdbinary, "export", path, "--to", "jsonl")
        assert (code, out, err) == (0, path.read_text(), "")

    @pytest.mark.parametrize("format", [name for name, each in FORMATS.items() if not each.needs_texts])
    def test_every_format_that_needs_no_text(self, lines, tmp_path, capfdbinary, format):
        if format == "indra":  # which has no statements of interactions without a type
            write([replace(annotated.typed(), interactions=annotated.typed().interactions[:3])], lines)
        output = tmp_path / f"out{FORMATS[format].suffixes[0]}"
        assert run(capfdbinary, "export", lines, "-o", output) == (0, "", "")
        assert output.stat().st_size > 20

    def test_the_less_probable_are_left_out(self, lines, capfdbinary):
        out = run(capfdbinary, "export", lines, "--to", "jsonl", "--min-probability", "0.9")[1]
        assert out
        assert all(json.loads(line)["probability"] >= 0.9 for line in out.splitlines())

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            ([], 2, "expected --to FORMAT or --output FILE, got neither"),
            (["-o", "out.docx"], 2, "expected an ending that tells the format"),
            (["no-such-file.parquet", "--to", "csv"], 1, "no-such-file.parquet"),
        ],
    )
    def test_errors_are_one_line(self, lines, capfdbinary, arguments, code, message):
        found, _, err = run(capfdbinary, "export", lines, *arguments)
        assert (found, err.count("\n")) == (code, 1)
        assert message in err

    def test_a_line_that_is_no_interaction_has_its_place(self, lines, tmp_path, capfdbinary):
        lines.write_text(lines.read_text() + '{"schema": "other"}\n')
        output = tmp_path / "out.csv"
        code, _, err = run(capfdbinary, "export", lines, "-o", output)
        assert (code, output.exists()) == (1, False)
        assert f"{lines}:{len(lines.read_text().splitlines())}: expected the schema" in err


@pytest.fixture
def typed(tmp_path):
    path = tmp_path / "typed.jsonl"
    write([annotated.typed()], path)
    return path


class TestSelections:
    def exported(self, capfdbinary, typed, *more):
        code, out, _ = run(capfdbinary, "export", typed, "--to", "jsonl", *more)
        assert code == 0
        return [json.loads(line)["sentence"] for line in out.splitlines()]

    def test_export_leaves_out_what_is_doubtful(self, typed, capfdbinary):
        stated = [sentence for sentence, _ in annotated.TYPED_SENTENCES[:5]]
        denied, supposed = (sentence for sentence, _ in annotated.TYPED_SENTENCES[5:])
        assert self.exported(capfdbinary, typed) == stated
        assert self.exported(capfdbinary, typed, "--include-negated") == [*stated, denied]
        assert self.exported(capfdbinary, typed, "--include-hedged") == [*stated, supposed]

    def test_types_can_be_repeated(self, typed, capfdbinary):
        assert len(self.exported(capfdbinary, typed, "--type", "binding", "--type", "modification")) == 2
        assert len(self.exported(capfdbinary, typed, "--type", "regulation")) == 3

    def test_network(self, typed, capfdbinary):
        def relations(*more):
            code, out, _ = run(capfdbinary, "network", typed, "--to", "sif", *more)
            assert code == 0
            return sorted(line.split("\t")[1] for line in out.splitlines())

        assert relations() == ["activates", "binds", "inhibits", "phosphorylates", "regulates"]
        assert relations("--include-hedged", "--type", "modification") == ["modifies", "phosphorylates"]

    def test_unknown_types_are_a_usage_error(self, typed, capfdbinary):
        with pytest.raises(SystemExit) as stopped:
            main(["export", str(typed), "--to", "csv", "--type", "friendship"])
        assert stopped.value.code == 2
