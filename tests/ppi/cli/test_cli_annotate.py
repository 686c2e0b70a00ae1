import io
import json
import warnings

import pytest

import corpora
from ppi.annotation import MODEL_FILE, SCHEMA, TYPED_HEADING
from ppi.cli import annotator_settings, build_parser, main
from ppi.extraction import Extractor


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def text_file(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("Profilin binds actin.\n\nCofilin interacts with actin.\n")
    return path


def test_a_table_by_default(capsys, text_file):
    code, out, err = run(capsys, "annotate", str(text_file), "--min-probability", "0", "--sort", "document")
    assert code == 0
    heading, first, *_ = out.splitlines()
    assert heading == TYPED_HEADING
    assert first.split()[1:] == ["Profilin", "--", "actin", "binding"]
    assert out.splitlines()[2].strip() == "one: Profilin binds actin."
    assert "interactions in 1 document" in err


def test_quiet(capsys, text_file):
    assert run(capsys, "annotate", str(text_file), "--quiet")[2] == ""


def test_evidence_in_the_table(capsys, text_file):
    out = run(capsys, "annotate", str(text_file), "--min-probability", "0", "--explain")[1]
    assert "       “binds” stands on the path between them" in out
    assert "they are joined by: binds -nsubj-> Profilin, binds -dobj-> actin" in out
    assert "  up: " in out


def test_standard_input(capsys, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"Profilin binds actin."))
    monkeypatch.setattr("sys.stdin", stdin)
    code, out, _ = run(capsys, "annotate", "-", "--from", "text", "--min-probability", "0")
    assert (code, "Profilin" in out) == (0, True)


def test_inputs_of_several_formats(capsys, tmp_path, text_file):
    corpora.write(corpora.load("abstracts")[:2], tmp_path / "two.bioc.json")
    output = tmp_path / "out.jsonl"
    assert run(capsys, "annotate", str(text_file), str(tmp_path / "two.bioc.json"), "-o", str(output))[0] == 0
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert {row["document"] for row in rows} == {"one", "demo-1", "demo-2"}


def test_given_entities_are_used(capsys, tmp_path):
    path = tmp_path / "given.pubtator"
    path.write_text("1|t|The weather was fine.\n1|a|\n1\t4\t11\tweather\tGene\t7\n1\t16\t20\tfine\tGene\t8\n\n")
    out = run(capsys, "annotate", str(path), "--min-probability", "0")[1]
    _, who, where = out.splitlines()
    assert set(who.split()) >= {"weather", "(7)", "fine", "(8)"}
    assert where.strip() == "1: The weather was fine."


def test_a_bad_record_is_named_and_the_others_are_done(capsys, tmp_path):
    path = tmp_path / "mixed.pubtator"
    good = "{0}|t|Profilin binds actin.\n{0}|a|\n{0}\t0\t8\tProfilin\tGene\t1\n{0}\t15\t20\tactin\tGene\t2\n\n"
    path.write_text(good.format(1) + good.format(2).replace("\tactin\t", "\tmyosin\t") + good.format(3))
    code, out, err = run(capsys, "annotate", str(path), "--min-probability", "0")
    assert code == 1
    # the mention that contradicts the text is left out, and with it the pair
    assert [line.split()[0] for line in out.splitlines()[2::2]] == ["1:", "3:"]
    assert "mixed.pubtator:9: 2: expected the text 'myosin' at 15-20, got 'actin'" in err
    assert "1 left out" in err


def test_a_document_that_cannot_be_annotated_is_named_with_its_file(capsys, tmp_path):
    path = tmp_path / "clash.jsonl"
    sentences = [{"id": "s", "text": "A binds B. C binds D."}, {"id": "s.0", "text": "E binds F."}]
    path.write_text(json.dumps({"id": "bad", "sentences": sentences}) + "\n")
    code, _, err = run(capsys, "annotate", str(path))
    assert code == 1
    assert "clash.jsonl: bad: " in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--min-probability", "2"], "expected a probability from 0 to 1, got 2.0"),
        (["--families", "x.csv"], "expected --lexicon beside --families"),
        (["-o", "out.unknown"], "expected an ending that tells the format"),
    ],
)
def test_usage_errors(capsys, text_file, arguments, message):
    code, _, err = run(capsys, "annotate", str(text_file), *arguments)
    assert (code, message in err) == (2, True)


@pytest.mark.parametrize("to", ["table", "csv"])
def test_a_file_that_is_not_there_is_known_before_anything_is_written(capsys, text_file, to):
    code, out, err = run(capsys, "annotate", str(text_file), "no-such-file.txt", "--to", to)
    assert (code, out) == (1, "")
    assert "expected a file or the name of a corpus, got 'no-such-file.txt'" in err


def test_a_file_that_cannot_be_read_has_no_heading(capsys, tmp_path):
    (tmp_path / "bad.xml").write_text("no XML")
    code, out, err = run(capsys, "annotate", str(tmp_path / "bad.xml"))
    assert (code, out) == (1, "")
    assert "bad.xml" in err


def test_the_model_can_be_named(capsys, text_file):
    assert run(capsys, "annotate", str(text_file), "--model", str(MODEL_FILE))[0] == 0
    code, _, err = run(capsys, "annotate", str(text_file), "--model", str(text_file))
    assert (code, "expected a model file (a zip)" in err) == (1, True)


def test_json_lines_alone_on_standard_output(capfd, text_file):
    assert main(["annotate", str(text_file), "--to", "jsonl", "--min-probability", "0", "--explain"]) == 0
    out, err = capfd.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["schema"] for row in rows] == [SCHEMA] * len(rows)
    assert {"path", "features", "words", "svg"} <= set(rows[0]["evidence"])
    assert err.endswith(f"ppi: {len(rows)} interactions in 1 document\n")


@pytest.mark.parametrize("name", ["out.csv", "out.html", "out.sif", "out.jsonl.gz", "out.brat"])
def test_a_file_leaves_standard_output_empty(capsys, text_file, tmp_path, name):
    code, out, err = run(capsys, "annotate", str(text_file), "-o", str(tmp_path / name), "--quiet")
    assert (code, out, err) == (0, "", "")
    assert (tmp_path / name).exists()


def test_a_table_in_a_file(capsys, text_file, tmp_path):
    printed = run(capsys, "annotate", str(text_file), "--min-probability", "0")[1]
    assert run(capsys, "annotate", str(text_file), "--min-probability", "0", "--to", "table", "-o", "-")[1] == printed
    output = tmp_path / "table.out"
    assert run(capsys, "annotate", str(text_file), "--min-probability", "0", "--to", "table", "-o", str(output))[0] == 0
    assert output.read_text() == printed


def test_a_terminal_is_no_place_for_parquet(capsys, text_file, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    code, out, err = run(capsys, "annotate", str(text_file), "--to", "parquet")
    assert (code, out) == (2, "")
    assert "expected --output FILE for parquet, got a terminal" in err


def test_a_model_of_other_parses_is_one_line(capsys, text_file, tmp_path):
    extractor = Extractor(kernel="path", learner="rls").fit(corpora.load("sample"))
    extractor.facts_ = {**extractor.facts_, "parser": "split_parse"}
    extractor.save(tmp_path / "model.zip")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        code, _, err = run(capsys, "annotate", str(text_file), "--model", str(tmp_path / "model.zip"), "--quiet")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith(
        "ppi: warning: expected parses of 'split_parse', which the model was trained on, got those of"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lexicon", "no-such.gene_info"], "no-such.gene_info"),
        (["--model", "no-such.zip"], "no-such.zip"),
        (["--parser", "no_such_pipeline"], "'no_such_pipeline'"),
        (["--from", "docx"], "'docx'"),
        (["--from", "pubmed"], "one.txt"),
    ],
)
def test_failures_are_one_line_and_nothing_is_written(capsys, text_file, tmp_path, arguments, message):
    output = tmp_path / "out.jsonl"
    code, out, err = run(capsys, "annotate", str(text_file), "-o", str(output), *arguments)
    assert (code, out, err.count("\n"), output.exists()) == (1, "", 1, False)
    assert err.startswith("ppi: error: ")
    assert message in err


def test_a_type_is_asked_for(capsys, text_file):
    arguments = ("--to", "jsonl", "--min-probability", "0", "--type", "binding")
    code, out, err = run(capsys, "annotate", str(text_file), *arguments)
    if code == 0:
        assert {json.loads(line)["type"] for line in out.splitlines()} == {"binding"}
    else:  # the model in use has no types
        assert (code, "expected a model that knows types" in err) == (2, True)


def test_with_reranked_parses(capsys, text_file):
    code, out, err = run(capsys, "annotate", str(text_file), "--rerank", "--to", "jsonl")
    assert code == 0, err
    assert [json.loads(line)["schema"] for line in out.splitlines()]


@pytest.mark.parametrize("option", ["--prevalence", "--share"])
def test_the_prevalence_reaches_the_annotator_under_its_old_name_too(option):
    args = build_parser("annotate").parse_args(["annotate", "in.txt", option, "0.3"])
    assert annotator_settings(args).prevalence == 0.3
    assert annotator_settings(build_parser("annotate").parse_args(["annotate", "in.txt"])).prevalence is None
