"""From kept judgements to a model with feedback, with the model that ships."""

import pytest
from judged import TYPED, at, judgement

from ppi.cli import main
from ppi.core import CurationError
from ppi.extraction import Extractor
from ppi.server.curation.feedback_model import train_with_feedback, training_labels
from ppi.server.curation.judgement import Judgement
from ppi.server.curation.judgement_file import HEAD, encode_line


def test_what_a_model_is_told():
    ((row, lesson),) = training_labels([judgement("wrong type", of=1, type="binding")])
    assert (row.document, row.sentence, row.first, row.second) == ("4711", TYPED[1].sentence, ((0, 7),), ((29, 34),))
    assert (lesson.verdict, lesson.type, lesson.first_acts, lesson.right_type) == (
        "wrong type",
        "modification",
        False,
        "binding",
    )


def test_nothing_can_be_learned_of_one_mention_twice():
    import annotated

    itself = annotated.one_protein().interactions[2]
    with pytest.raises(CurationError, match="expected judgements of two proteins in a sentence, got none"):
        train_with_feedback([Judgement("right", itself, "Ada", at(0))])


def test_the_verb_writes_a_model_that_can_be_loaded(tmp_path, capsys):
    said = [judgement("wrong", of=of, seconds=of) for of in range(3)] + [judgement("right", of=3, seconds=3)]
    path, model = tmp_path / "curation.jsonl", tmp_path / "model.zip"
    path.write_bytes(HEAD + b"".join(map(encode_line, said)))
    assert main(["curate", "update", str(path), "-o", str(model)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("learned from 4 judgements of 4 pairs in 1 document\n")
    assert "interaction" in out
    changed = Extractor.load(model)
    assert changed.facts_["feedback"][0]["verdicts"] == {"right": 1, "wrong": 3}
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(HEAD)
    assert main(["curate", "update", str(empty), "-o", str(model)]) == 1
    assert "expected judgements to learn from, got none that hold" in capsys.readouterr().err
