"""Counting what a reader says of statements about one protein; the corpora, if they are there, give the table."""

import json

import pytest
from lab.types import self_statements
from lab.types.self_statements import Place, counts, found_in, main, verdicts

from corpora import Document, Entity, Sentence
from ppi.annotation import COUNTS_FILE

DOCUMENT = Document("d", (Sentence("s", "Bax forms homodimers.", (Entity("e", "Bax", ((0, 3),)),), offset=10),))


def test_places_are_those_of_the_document():
    ((place, statement, sentence),) = found_in("source", [DOCUMENT])
    assert place == Place("source", "d", 20, "homo")
    assert (statement.entity.text, sentence.id) == ("Bax", "s")


def test_the_table_that_ships_is_that_of_the_verdicts():
    read = verdicts()
    assert len(read) >= 130
    table = json.loads(COUNTS_FILE.read_text())["classes"]
    assert table.keys() == {place.rule for place in read}
    # verdicts stay when a rule changes so that something is not found any more
    for rule, count in counts(read, read).items():
        assert table[rule]["read"] <= count["read"]


def test_listing_and_counting(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(self_statements, "all_found", lambda folder: found_in("source", [DOCUMENT]))
    monkeypatch.setattr(self_statements, "COUNTS_FILE", tmp_path / "counts.json")
    monkeypatch.setattr(self_statements, "verdicts", dict)
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))  # which the option sets, too: put back at the end
    assert main(["--corpora", str(tmp_path), "--list"]) == 0
    assert capsys.readouterr().out.split("\t")[:4] == ["source", "d", "20", "homo"]
    monkeypatch.setattr(self_statements, "verdicts", lambda: {Place("source", "d", 20, "homo"): True})
    assert main(["--corpora", str(tmp_path), "--write"]) == 0
    assert "| homo | 1 | 1 | 0.667 |" in capsys.readouterr().out
    assert json.loads((tmp_path / "counts.json").read_text()) == {"classes": {"homo": {"read": 1, "right": 1}}}


def test_without_corpora(monkeypatch, capsys):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    assert main([]) == 1
    assert "expected --corpora or the environment variable PPI_CORPORA" in capsys.readouterr().err


@pytest.mark.slow
def test_everything_that_is_found_was_read(corpora_folder):
    found = list(self_statements.all_found(corpora_folder))
    read = verdicts()
    assert sum(place in read for place, _, _ in found) >= 0.95 * len(found)
