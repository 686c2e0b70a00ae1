"""``ppi curate``: thin, so that it is enough to see that each action does what its function does."""

import json

import pytest
from judged import TYPED, Clock, judgement

import corpora
from ppi.cli import main
from ppi.server import HEAD, Curation, encode_line, read_curation


@pytest.fixture
def run(tmp_path):
    """A folder with judgements of two curators on three rows."""
    folder = tmp_path / "run"
    folder.mkdir()
    curation = Curation(folder / "curation.jsonl", clock=Clock())
    for of, (ada, bob) in enumerate([("right", "right"), ("wrong", "wrong direction"), ("right", "right")]):
        curation.judge(TYPED[of], ada, curator="Ada")
        curation.judge(TYPED[of], bob, curator="Bob")
    return folder


def test_status(run, capsys):
    assert main(["curate", "status", str(run)]) == 0
    assert capsys.readouterr().out == (
        "3 rows judged: right 4, wrong 1, wrong direction 1\n"
        "by Ada 3, Bob 3; last at 2026-01-02T03:04:11.000000Z\n"
        "curators are divided about 1 row\n"
    )
    with open(run / "curation.jsonl", "ab") as stream:
        stream.write(b'{"judgement": {')
    assert main(["curate", "status", str(run / "curation.jsonl"), "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["rows"], status["torn_lines"], status["divided"]) == (3, [8], 1)
    assert main(["curate", "status", str(run)]) == 0
    assert "torn by a crash and passed over: line 8" in capsys.readouterr().out


def test_merge(run, tmp_path, capsys):
    other, target = tmp_path / "other.jsonl", tmp_path / "merged.jsonl"
    other.write_bytes(HEAD + encode_line(judgement(of=4, curator="Eve")))
    assert main(["curate", "merge", str(run), str(other), "-o", str(target)]) == 0
    assert "2 files, 7 judgements and undos" in capsys.readouterr().err
    assert read_curation(target) == read_curation(other) | read_curation(run / "curation.jsonl")
    assert main(["curate", "merge", str(other), "-o", str(other)]) == 2
    assert "expected an output beside the inputs" in capsys.readouterr().err


def test_agreement(run, tmp_path, capsys):
    assert main(["curate", "agreement", str(run)]) == 0
    assert capsys.readouterr().out == (
        "Ada and Bob: 3 rows judged by both\n"
        "the same verdict: 0.667, kappa 0.400\n"  # by chance (2 * 2) / 9
        "whether they interact: kappa 0.000\n"
        "                 right  wrong  wrong direction\n"
        "          right      2      0                0\n"
        "          wrong      0      0                1\n"
        "wrong direction      0      0                0\n"
    )
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes((run / "curation.jsonl").read_bytes())
    assert main(["curate", "agreement", str(run), str(copy), "--by", "file", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["same"], found["kappa"]) == (2, 1.0, None)
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(HEAD + encode_line(judgement()))
    assert main(["curate", "agreement", str(alone)]) == 2
    assert "expected judgements of two curators, got those of one" in capsys.readouterr().err


def test_export(run, tmp_path, capsys):
    target = tmp_path / "judged.jsonl"
    assert main(["curate", "export", str(run), "-o", str(target)]) == 0
    assert "2 rows; 1 are left out, about which curators are divided" in capsys.readouterr().err
    (document,) = corpora.read(target)
    assert [pair.label for sentence in document.sentences for pair in sentence.pairs] == [True, True]
    assert main(["curate", "export", str(run), "--to", "indra", "--curator", "Bob"]) == 0
    curations = json.loads(capsys.readouterr().out)
    assert [each["tag"] for each in curations] == ["correct", "wrong_relation", "correct"]
    assert main(["curate", "export", str(run), "--curator", "Eve"]) == 2
    assert "expected a curator who judged something" in capsys.readouterr().err


def test_nothing_to_look_at(tmp_path, capsys):
    for path in (tmp_path, tmp_path / "none.parquet"):
        assert main(["curate", "status", str(path)]) == 1
        assert "expected a run with judgements, or a file of them, got neither; judge some" in capsys.readouterr().err


def test_the_formats_are_those_of_the_room():
    from ppi.cli.curate import FORMATS
    from ppi.server import JUDGEMENT_FORMATS

    assert tuple(JUDGEMENT_FORMATS) == FORMATS
