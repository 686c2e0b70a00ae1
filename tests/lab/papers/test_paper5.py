import json

from lab.papers import paper5

import corpora


def test_published_tables_are_complete():
    for table in paper5.PUBLISHED_CROSS_CORPUS.values():
        assert [[value is None for value in row] for row in table] == [[i == j for j in range(5)] for i in range(5)]


def test_a_tiny_run_makes_all_five_tables(tmp_path, capsys, monkeypatch):
    documents = corpora.load("sample")
    for name, part in (("AImed", documents[:10]), ("LLL", documents[10:])):
        corpora.write(part, tmp_path / f"{name}.jsonl")
    rows = [f"{number % 3}\t{document.id}\n" for number, document in enumerate(documents[:10])]
    (tmp_path / "AImed-10fold.tsv").write_text("".join(rows))
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    assert paper5.main(["--corpora", "AImed", "LLL", "--seeds", "0", "--output", str(tmp_path / "out")]) == 0
    page = capsys.readouterr().out
    assert page == (tmp_path / "out" / "paper5.md").read_text()
    assert paper5.main(["--corpora", "AImed", "LLL", "--seeds", "0", "--workers", "2"]) == 0
    assert capsys.readouterr().out == page
    for number in range(1, 6):
        assert f"## Table {number}" in page
    assert "| published | 52.9 | 61.8 | 56.4 |" in page
    assert "[77.8]" in page
    figures = json.loads((tmp_path / "out" / "paper5.json").read_text())
    assert len(figures["cross_validation"]["AImed"][0]["folds"]) == 3
    assert [(cell["train"], cell["test"]) for cell in figures["cross_corpus"]] == [("AImed", "LLL"), ("LLL", "AImed")]
