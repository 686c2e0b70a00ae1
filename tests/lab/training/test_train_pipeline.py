"""scripts/train_pipeline: what is used again, and what an interrupted training leaves."""

import pytest
from lab.training.pipeline import __main__ as program
from lab.training.pipeline import gradient_training, name_training, parser_training, run, vectors

BEST = "model-best"


@pytest.fixture
def fakes(monkeypatch):
    """Training that writes a folder at once; the list is what was done."""
    done = []

    def fake(part, checkpoint="model-last"):
        def train(*given, **overrides):
            done.append((part, overrides))
            (given[-1] / checkpoint).mkdir()
            if overrides.get("stop") == part:
                raise KeyboardInterrupt

        return train

    monkeypatch.setattr(vectors, "train_vectors", fake("vectors"))
    monkeypatch.setattr(run, "train_vectors", fake("vectors"))
    monkeypatch.setattr(vectors, "require_gensim", lambda: None)
    monkeypatch.setattr(run, "train_on_treebanks", fake("treebanks", BEST))
    monkeypatch.setattr(run, "make_agreed", fake("agreed"))
    monkeypatch.setattr(run, "train_on_agreed", fake("parser", BEST))
    monkeypatch.setattr(run, "train_teacher", fake("teacher"))
    monkeypatch.setattr(run, "make_silver", fake("silver"))
    monkeypatch.setattr(run, "train_on_silver", fake("start", BEST))
    monkeypatch.setattr(run, "train_without", fake("jackknife", BEST))
    monkeypatch.setattr(run, "train_names", fake("names"))
    monkeypatch.setattr(run, "build", lambda *given: done.append(("build", given[1:])) or {"f": 1})
    monkeypatch.setattr(gradient_training, "require_torch", lambda: None)
    monkeypatch.setattr(name_training, "name_settings", lambda overrides: overrides)
    monkeypatch.setattr(parser_training, "stage_settings", lambda overrides: overrides)
    monkeypatch.setenv("PPI_CORPORA", "corpora")
    return done


def parts_of(done):
    return [part for part, _ in done]


#: What comes before the second stage of the parser.
BEFORE = ["vectors", "treebanks", "teacher", "silver", "agreed"]


def test_finished_parts_are_used_again(fakes, tmp_path, capsys):
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path)]
    assert program.main([*arguments, "--set", "names:epochs=3"]) == 0
    parts = (tmp_path / "parser" / BEST, tmp_path / "names" / "model-last", tmp_path / "out")
    assert fakes == [*((part, {}) for part in BEFORE), ("parser", {}), ("names", {"epochs": 3}), ("build", parts)]
    assert capsys.readouterr().out == '{\n  "f": 1\n}\n'
    assert program.main(arguments) == 0
    assert fakes[8:] == [("build", parts)]
    assert program.main([*arguments, "--set", "parser:treebanks.steps=1"]) == 1
    assert "is trained already; delete it first" in capsys.readouterr().err
    assert program.main([*arguments, "--set", "vectors:seed=2"]) == 1
    assert "expected no --set vectors:..." in capsys.readouterr().err


@pytest.mark.parametrize("stage", ["treebanks", "parser"])
def test_the_checkpoints_of_an_interrupted_training_are_no_trained_parser(fakes, tmp_path, stage):
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path)]
    with pytest.raises(KeyboardInterrupt):
        program.main([*arguments, "--set", f'parser:stop="{stage}"'])
    assert program.main(arguments) == 0
    wanted = [*BEFORE, "parser"]
    twice = wanted.index(stage)
    assert parts_of(fakes) == [*wanted[: twice + 1], *wanted[twice:], "names", "build"]


@pytest.mark.parametrize(("option", "left"), [("--parser-from", ["names"]), ("--names-from", [*BEFORE[1:], "parser"])])
def test_a_given_part_is_not_trained(fakes, tmp_path, option, left):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "config.cfg").write_text("")
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path), option, str(tmp_path / "given")]
    assert program.main(arguments) == 0
    assert parts_of(fakes) == ["vectors", *left, "build"]


def test_jackknifed_parsers_share_what_comes_before_and_are_made_once(fakes, tmp_path):
    sources = run.Sources(tmp_path)
    made = [run.jackknifed_parsers(sources, tmp_path / "vectors", tmp_path) for _ in range(2)]
    assert made[0] == made[1] == [tmp_path / f"jackknife-{group}" / BEST for group in range(5)]
    jackknife = [("jackknife", {"group": group}) for group in range(5)]
    assert fakes == [("vectors", {}), ("teacher", {}), ("silver", {}), ("start", {}), *jackknife]


def test_a_misspelt_setting_is_refused_before_anything_is_trained(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PPI_CORPORA", "corpora")
    monkeypatch.setattr(gradient_training, "require_torch", lambda: None)
    arguments = ["--output", str(tmp_path / "out"), "--work", str(tmp_path), "--set"]
    assert program.main([*arguments, "parser:treebank.steps=3"]) == 1
    assert "expected a setting of the parser" in capsys.readouterr().err
