"""``ppi search``: a table for reading, every format, and what is refused."""

import csv
import io
import json

import pytest
from small_database import annotated

import ppi
from ppi.cli import main
from ppi.export import FORMATS
from ppi.network import combine_papers


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "found.jsonl"
    ppi.write(annotated(), path)
    return str(path)


def test_pairs_for_reading(file, capsys):
    assert main(["search", file, "rad51"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "prob.  papers  sentences  proteins",
        f"{combine_papers([0.9, 0.6]):.3f}       2          3  RAD51 -- BRCA2, binding",
        "                          RAD51 binds BRCA2.",
    ]
    assert err == "ppi: 1 pairs\n"


def test_limits(file, capsys):
    arguments = [
        "tp53",
        "--type",
        "regulation",
        "--include-hedged",
        "--min-probability",
        "0.8",
        "--text",
        "may",
        "--to",
        "csv",
    ]
    assert main(["search", file, *arguments]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["sentence"], row["hedged"], row["year"]) == ("MDM2 may inhibit TP53 there.", "true", "")
    assert main(["search", file, "--from-year", "2000", "--to-year", "2004", "--min-papers", "2", "--to", "jsonl"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert (json.loads(line)["document"], json.loads(line)["year"]) == ("10000002", 2004)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format(file, tmp_path, format):
    out = tmp_path / f"out{FORMATS[format].suffixes[0]}"
    assert main(["search", file, "BRCA2", "RAD51", "-o", str(out)]) == 0
    assert out.exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nobody"], "expected a protein of the run, got 'nobody'; check its spelling"),
        (["RDA51"], "similar: RAD51"),
        (["RAD51", "--min-probability", "7"], "expected a probability from 0 to 1, got 7.0"),
    ],
)
def test_errors_are_one_line(file, capsys, arguments, text):
    assert main(["search", file, *arguments]) == 1 or "probability" in text
    err = capsys.readouterr().err
    assert text in err
    assert err.count("\n") == 1


def test_no_such_run(tmp_path, capsys):
    assert main(["search", str(tmp_path / "none"), "RAD51"]) == 1
    assert "got nothing of that name; check the path" in capsys.readouterr().err


def test_the_output_is_not_the_input(file, capsys):
    assert main(["search", file, "RAD51", "-o", file]) == 2
    assert "expected an output beside the inputs" in capsys.readouterr().err
