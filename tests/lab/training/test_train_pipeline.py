"""scripts/train_pipeline: what is used again, and what an interrupted training leaves."""

import pytest
from lab.training.pipeline import __main__ as program
from lab.training.pipeline import name_training, run, vectors


@pytest.fixture
def fakes(monkeypatch):
    """Training that writes a folder at once; the list is what was done."""
    done = []

    def train(part, *given, **overrides):
        *made_from, folder = given
        done.append((part, overrides))
        (folder / ("model-best" if part == "parser" else "model-last")).mkdir()
        if part != "vectors":
            assert made_from[1].is_dir()  # the vectors
        if overrides.get("stop"):
            raise KeyboardInterrupt

    monkeypatch.setattr(vectors, "train_vectors", lambda *given, **overrides: train("vectors", *given, **overrides))
    monkeypatch.setattr(vectors, "require_gensim", lambda: None)
    monkeypatch.setattr(run, "train_parser", lambda *given, **overrides: train("parser", *given, **overrides))
    monkeypatch.setattr(run, "train_names", lambda *given, **overrides: train("names", *given, **overrides))
    monkeypatch.setattr(run, "build", lambda *given: done.append(("build", given[1:])) or {"f": 1})
    monkeypatch.setattr(name_training, "require_torch", lambda: None)
    monkeypatch.setattr(name_training, "name_settings", lambda overrides: overrides)
    monkeypatch.setenv("PPI_CORPORA", "corpora")
    return done


def test_finished_parts_are_used_again(fakes, tmp_path, capsys):
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path)]
    assert program.main([*arguments, "--set", "names:epochs=3"]) == 0
    parts = (tmp_path / "parser" / "model-best", tmp_path / "names" / "model-last", tmp_path / "out")
    assert fakes == [("vectors", {}), ("parser", {}), ("names", {"epochs": 3}), ("build", parts)]
    assert capsys.readouterr().out == '{\n  "f": 1\n}\n'
    assert program.main(arguments) == 0
    assert fakes[4:] == [("build", parts)]
    assert program.main([*arguments, "--set", "parser:steps=1"]) == 1
    assert "is trained already; delete it first" in capsys.readouterr().err
    assert program.main([*arguments, "--set", "vectors:seed=2"]) == 1
    assert "expected no --set vectors:..." in capsys.readouterr().err


def test_the_checkpoints_of_an_interrupted_training_are_no_trained_parser(fakes, tmp_path):
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path)]
    with pytest.raises(KeyboardInterrupt):
        program.main([*arguments, "--set", "parser:stop=true"])
    assert program.main(arguments) == 0
    assert [part for part, _ in fakes] == ["vectors", "parser", "parser", "names", "build"]


def test_a_given_parser_is_not_trained(fakes, tmp_path):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "config.cfg").write_text("")
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path), "--parser-from", str(tmp_path / "given")]
    assert program.main(arguments) == 0
    assert [part for part, _ in fakes] == ["vectors", "names", "build"]
