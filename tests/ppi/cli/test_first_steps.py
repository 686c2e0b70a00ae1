"""The first commands of somebody who has just installed the wheel: in an empty folder, with nothing compiled before."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest


def test_the_installation_is_the_wheel_and_not_the_checkout(installed_wheel):
    told = installed_wheel.python("import ppi, corpora, kernels, learners; print(ppi.__file__, corpora.__file__)")
    environment = installed_wheel.scripts.parent
    assert all(Path(path).is_relative_to(environment) for path in told.stdout.split()), told
    assert installed_wheel.ppi("--version").stdout.startswith("ppi ")


@pytest.fixture
def steps(installed_wheel):
    """The installation in its folder, emptied; what one test has compiled, the next one finds."""
    for path in installed_wheel.folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return installed_wheel


def test_a_text_from_a_pipe_is_annotated(steps):
    done = steps.ppi("annotate", "-", input="Profilin binds actin.\n")
    assert done.returncode == 0, done.stderr
    heading, who, where = done.stdout.splitlines()
    assert heading.split() == ["prob.", "protein", "protein", "type"]
    assert [word for word in who.split() if not word.startswith("(")][1:] == ["Profilin", "--", "actin", "binding"]
    assert where.strip() == "stdin: Profilin binds actin."
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_text_from_a_pipe_is_parsed_with_its_names_and_without_a_warning(steps):
    done = steps.ppi("parse", "-", input="Profilin binds actin.\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Entity=stdin.s0.e0:PROTEIN:0-8" in done.stdout
    (steps.folder / "parsed.conllu").write_text(done.stdout)
    told = steps.ppi("corpus", "stats", "parsed.conllu", "--json")
    assert json.loads(told.stdout)[0]["entities"] == 2


def test_parses_of_a_text_from_a_pipe_are_ranked(steps):
    done = steps.ppi("rank-parses", "-", "--top", "1", input="Profilin binds actin.\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "# text = Profilin binds actin." in done.stdout


@pytest.mark.parametrize("verb", ["annotate", "parse", "rank-parses"])
def test_a_text_in_the_place_of_a_file_says_what_to_type(steps, verb):
    done = steps.ppi(verb, "Profilin binds actin")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f'ppi: error: expected a file, got a text; for a text: echo "Profilin binds actin" | ppi {verb} -\n'
    )


def test_a_name_that_is_nearly_right_is_suggested(steps):
    (steps.folder / "abstracts-1999.txt").write_text("Profilin binds actin.")
    done = steps.ppi("annotate", "abstract-1999.txt")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "did you mean 'abstracts-1999.txt'?" in done.stderr


def test_a_folder_of_texts_is_documents(steps):
    (steps.folder / "texts").mkdir()
    (steps.folder / "texts" / "one.txt").write_text("Profilin binds actin.")
    (steps.folder / "texts" / "two.txt").write_text("Cofilin binds actin.")
    for more in ([], ["--from", "text"]):
        done = steps.ppi("annotate", "texts", "--sort", "document", *more)
        assert done.returncode == 0
        assert [line.split()[0] for line in done.stdout.splitlines()[2::2]] == ["one:", "two:"]
        assert done.stderr == "ppi: 2 interactions in 2 documents\n"


@pytest.mark.parametrize("verb", [["annotate"], ["parse"], ["rank-parses"], ["corpus", "stats"], ["corpus", "convert"]])
def test_nothing_read_is_never_a_quiet_success(steps, verb):
    (steps.folder / "empty").mkdir()
    (steps.folder / "empty.txt").touch()
    for name in ("empty", "empty.txt"):
        done = steps.ppi(*verb, name, *(["out.jsonl"] if "convert" in verb else []))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert done.stderr.startswith(f"ppi: error: {name}: expected ")
        assert not (steps.folder / "out.jsonl").exists()


def test_what_curators_have_is_read(steps):
    (steps.folder / "saved.nbib").write_text("PMID- 10022882\nTI  - Profilin binds\n      actin.\n")
    (steps.folder / "table.csv").write_text("PMID,Abstract\n10022883,Cofilin binds actin.\n")
    (steps.folder / "article.nxml").write_text(
        "<article><front><article-meta><article-id pub-id-type='pmc'>7</article-id></article-meta></front><body><sec>"
        "<title>Results</title><p>Bad binds Bax [<xref ref-type='bibr'>1</xref>].</p></sec></body></article>"
    )
    done = steps.ppi("annotate", "saved.nbib", "table.csv", "article.nxml", "--to", "tsv")
    assert done.returncode == 0, done.stderr
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    found = [dict(zip(header, row)) for row in rows]
    assert [(row["document"], row["name_1"], row["name_2"]) for row in found] == [
        ("10022882", "Profilin", "actin"),
        ("10022883", "Cofilin", "actin"),
        ("PMC7", "Bad", "Bax"),
    ]
    assert "ppi: table.csv: columns: id = PMID, text = Abstract\n" in done.stderr


def test_ids_alone_say_where_their_texts_are(steps):
    done = steps.ppi("annotate", "-", input="10022882\n10022883\n")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "got a list of ids; get their texts first: search for the ids on pubmed.ncbi.nlm.nih.gov" in done.stderr


def test_a_wrong_format_is_named_before_anything_is_loaded(steps):
    """Neither the parser nor the models, which take seconds."""
    (steps.folder / "paper.txt").write_bytes(b"%PDF-1.7\n")
    program = (
        "import sys; from ppi.cli import main; code = main(sys.argv[1:]); "
        "print(code, [name for name in ('spacy', 'numba', 'scipy.sparse') if name in sys.modules])"
    )
    done = steps.python(program, "annotate", "paper.txt")
    assert "paper.txt: expected texts, got a PDF; turn it into text first" in done.stderr
    assert done.stdout == "1 []\n"


def test_what_was_found_is_exported_and_a_table_says_what_to_run_first(steps):
    assert steps.ppi("annotate", "-", "-o", "found.jsonl", input="Profilin binds actin.\n").returncode == 0
    for format in ("html", "bioc-xml", "brat", "xlsx", "csv"):
        done = steps.ppi("export", "found.jsonl", "--to", format, "-o", f"found.{format}")
        assert (done.returncode, done.stdout) == (0, "")
        assert (steps.folder / f"found.{format}").exists()
    done = steps.ppi("export", "found.csv", "--to", "mitab")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "got a CSV table, which cannot be read back; write them first: ppi annotate INPUT --to jsonl" in done.stderr


def test_the_first_lines_of_the_readme_install_it():
    text = (Path(__file__).parents[3] / "README.md").read_text()
    install = text.partition("## Install")[2].partition("\n## ")[0]
    assert "pip install ppi-miner" in install
    assert "pip install ." in install
    extras = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert all(f"`{extra}`" in install for extra in extras)
