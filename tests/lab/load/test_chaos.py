"""A small chaos trial with an annotator that is quick; what a trial finds out, it finds out about bad runs, too."""

import json
import os
from pathlib import Path

import pytest
from lab.load.chaos.__main__ import main
from lab.load.chaos.comparing import compare
from lab.load.chaos.material import paragraphs, write_inputs
from lab.load.chaos.memory import Memory

import corpora
from ppi.core import UsageError

ROOT = Path(__file__).parents[3]
KINDS = 13


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("".join(f"Abc Def {number} SLOW\n" for number in range(300)))
    return path


@pytest.mark.slow
def test_a_fault_of_each_kind_leaves_the_rows_of_an_undisturbed_run(tmp_path, text, monkeypatch, capsys):
    paths = [ROOT / "tests" / "support", ROOT, ROOT / "scripts"]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    arguments = ["--work", str(tmp_path / "work"), "--text", str(text), "--paragraphs", "300", "--chunk", "5"]
    arguments += ["--faults", str(KINDS), "--poison", "1", "--memory-limit", "500"]
    code = main([*arguments, "--annotator", "fake_annotator:FakeSettings", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["wrong"] == []
    assert found["comparison"]["rows"] > 150
    assert found["comparison"]["rows_that_differ"] == 0
    assert found["comparison"]["missing"] == []
    assert found["comparison"]["documents_failed"] == 3  # the poisoned ones
    assert sum(found["faults"].values()) >= KINDS - 3  # some may find nobody to disturb
    assert found["starts"] > 6
    assert code == 0


def test_each_paragraph_is_in_the_inputs_once(tmp_path, text):
    texts = paragraphs(text, 200)
    paths = write_inputs(tmp_path / "inputs", texts, chunk=10, full_texts=4, poison=1)
    read = [document for path in paths for document in corpora.read(path, problems=[])]
    together = " ".join(sentence.text for document in read for sentence in document.sentences)
    assert all(together.count(f"{each} ") + together.endswith(each) == 1 for each in texts)
    assert [each.id for each in read if each.id.startswith("beside")] == [f"beside-poison-0-{n}" for n in range(4)]
    records = [len(path.read_bytes().splitlines()) for path in paths if path.name.startswith("records")]
    assert records.count(21) == 4  # the last of each is alone in its task
    assert paths == write_inputs(tmp_path / "inputs", texts, chunk=10, full_texts=4, poison=1)


def test_a_text_that_is_too_short_is_said_so(text):
    with pytest.raises(UsageError, match="expected a text of 301 paragraphs, got 300"):
        paragraphs(text, 301)


class TestComparing:
    @staticmethod
    def run(folder, rows, lost=(), number=0):
        (folder / "parts").mkdir(parents=True)
        (folder / "errors").mkdir()
        head = [{"format": "f"}, {"input": {"path": "in", "number": 0}}, {"input": {"path": "in", "number": number}}]
        (folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in head))
        (folder / "parts" / f"{number:05}-in-00000.jsonl").write_text("".join(f"{row}\n" for row in rows))
        failures = [{"path": "in", "record": n, "document": "d", "reason": why, "lost": True} for n, why in lost]
        (folder / "errors" / "p.jsonl").write_text("".join(json.dumps(each) + "\n" for each in failures))
        return folder

    def test_the_number_of_an_input_does_not_matter(self, tmp_path):
        one, two = self.run(tmp_path / "a", [1, 2], number=3), self.run(tmp_path / "b", [1, 2])
        found = compare(one, two)
        assert (found.rows, found.rows_that_differ, found.missing) == (2, 0, ())

    def test_rows_that_differ_and_documents_that_are_missing_are_counted(self, tmp_path):
        one = self.run(tmp_path / "a", [1, 5], [(1, "bad"), (4, "killed"), (5, "killed, 2 times")])
        two = self.run(tmp_path / "b", [1, 2, 3], [(1, "bad")])
        found = compare(one, two)
        assert found.rows_that_differ == 2
        assert found.missing == ("in, record 4, d",)
        assert found.given_up == ("in, record 5, d",)


def test_growth_is_from_the_second_tenth_to_the_last():
    found = Memory([(float(n), n, 50.0 if n < 10 else 100.0 + n / 10) for n in range(100)])
    assert found.first == pytest.approx(101.45)
    assert found.last == pytest.approx(109.45)
    assert found.growth == pytest.approx(109.45 / 101.45 - 1)
