"""The plan behind scripts/train_all: order, what is skipped, what is made again."""

from functools import partial

import pytest
from lab.frame.cache import Cache
from lab.training import __main__ as train_all
from lab.training import shipped
from lab.training.plan import Step, carry_out

from ppi.core import MissingModelError, RunError, UsageError
from ppi.language import load_shipped_pipeline, use_pipeline

GROUNDING = ("GENE_CHOICE", "CELL_LINES")


@pytest.fixture
def fakes(monkeypatch):
    """Steps that write a word instead of training; the list is what was done, with the pipeline in use."""
    done = []

    def make(name, outputs, folder):
        done.append(name)
        for output in outputs:
            (folder / output).parent.mkdir(exist_ok=True)
            (folder / output).write_text(f"{name} {len(done)}")
        return 0

    outputs = {
        "pipeline": ["pipeline"],
        "extraction": ["extraction.zip", "held-out", "calibration.svg"],
        "rankers": ["parse-rankers/beam.zip", "parse-rankers/link-grammar.zip"],
    }
    monkeypatch.setattr(train_all, "_build_lexicon", partial(make, "lexicon", ["lexicon.zip"]))
    for name, files in outputs.items():
        monkeypatch.setattr(train_all, f"_train_{name}", partial(make, name, files))
    monkeypatch.setattr(train_all, "_end_to_end", partial(make, "end-to-end", ["end-to-end.json"]))
    monkeypatch.setattr(train_all, "_train_grounding", lambda: make("grounding", GROUNDING, shipped.GENE_CHOICE.parent))
    monkeypatch.setattr(train_all, "_pages", lambda folder: done.append("pages") or 0)
    return done


def run(folder, *options):
    return train_all.main(["--corpora", str(folder), "--output", str(folder / "models"), *options])


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))


def test_models_are_made_in_order_and_once(fakes, tmp_path, capsys):
    assert run(tmp_path) == 0
    assert fakes == ["lexicon", "pipeline", "extraction", "rankers"]
    assert "pages: skipped" in capsys.readouterr().err
    assert run(tmp_path) == 0
    assert fakes == ["lexicon", "pipeline", "extraction", "rankers"]
    said = capsys.readouterr().err
    assert said.count("skipped, it is there") == 4
    assert "made: nothing, all is there" in said


def test_a_deleted_model_is_made_again_and_so_is_what_rests_on_it(fakes, tmp_path):
    run(tmp_path)
    (tmp_path / "models" / "calibration.svg").unlink()
    run(tmp_path)
    assert fakes[4:] == ["extraction"]
    (tmp_path / "models" / "pipeline").unlink()
    run(tmp_path)
    assert fakes[5:] == ["pipeline", "extraction", "rankers"]


def test_a_run_that_fails_goes_on_with_the_step_that_failed(fakes, tmp_path, monkeypatch, capsys):
    extraction = train_all._train_extraction
    monkeypatch.setattr(train_all, "_train_extraction", lambda folder: 1)
    assert run(tmp_path) == 1
    assert "expected extraction to be made, got exit code 1" in capsys.readouterr().err
    monkeypatch.setattr(train_all, "_train_extraction", extraction)
    assert run(tmp_path) == 0
    assert fakes == ["lexicon", "pipeline", "extraction", "rankers"]


def test_only_some(fakes, tmp_path, capsys):
    assert run(tmp_path, "--only", "parse-rankers") == 1
    assert "expected pipeline for parse-rankers, got no" in capsys.readouterr().err
    assert run(tmp_path, "--only", "pipeline", "parse-rankers") == 0
    assert fakes == ["pipeline", "rankers"]
    assert "extraction: skipped, not asked for" in capsys.readouterr().err
    assert run(tmp_path, "--only", "grammar") == 1
    assert (
        "expected --only to name some of lexicon, pipeline, extraction, parse-rankers, got grammar"
        in capsys.readouterr().err
    )


def test_installed_models_take_their_places_before_the_pages_are_made(fakes, tmp_path, monkeypatch):
    for name in ("LEXICON", "PIPELINE", "EXTRACTION", *GROUNDING):
        monkeypatch.setattr(shipped, name, tmp_path / "package" / name)
    for name in ("beam", "link-grammar"):
        monkeypatch.setitem(shipped.RANKERS, name, tmp_path / "package" / name)
    monkeypatch.setattr(train_all, "ROOT", tmp_path)
    for folder in ("docs", "package"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs" / "parse_ranking.md").write_text("page")
    (tmp_path / "package" / "EXTRACTION").write_text("old")
    run(tmp_path)
    assert run(tmp_path, "--install") == 0
    assert fakes == ["lexicon", "pipeline", "extraction", "rankers", "grounding", "end-to-end", "pages"]
    assert (tmp_path / "package" / "EXTRACTION").read_text() == "extraction 3"
    assert (tmp_path / "package" / "beam").read_text() == "rankers 4"
    assert (tmp_path / "docs" / "calibration.svg").read_text() == "extraction 3"
    places = sorted(path.name for path in (tmp_path / "package").iterdir())
    assert places == ["CELL_LINES", "EXTRACTION", "GENE_CHOICE", "LEXICON", "PIPELINE", "beam", "link-grammar"]


def test_a_step_that_makes_nothing_has_failed(tmp_path):
    lazy = Step("lazy", [tmp_path / "model"], lambda: 0)
    with pytest.raises(RunError, match="expected lazy to be made, got exit code 0 and no"):
        carry_out([lazy], cache=Cache(tmp_path / "finished"), say=lambda text: None)


def test_a_folder_is_installed_whole(tmp_path):
    for name, files in (("old", ["a", "b"]), ("new", ["b", "c"])):
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text(name)
    shipped.install(tmp_path / "new", tmp_path / "old")
    assert {path.name: path.read_text() for path in (tmp_path / "old").iterdir()} == {"b": "new", "c": "new"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "old"]


def test_the_new_pipeline_is_the_shipped_one_while_others_are_trained(tmp_path):
    with use_pipeline(tmp_path), pytest.raises(MissingModelError, match=str(tmp_path)):
        load_shipped_pipeline()
    assert "parser" in load_shipped_pipeline().pipe_names


def test_steps_name_what_they_need():
    plan = train_all.steps(train_all.ROOT / "build", install=True)
    seen = set()
    for step in plan:
        assert set(step.needs) <= seen
        seen.add(step.name)
    models = ["lexicon", "pipeline", "extraction", "parse-rankers"]
    assert [step.name for step in plan] == [*models, "install", "grounding", "end-to-end", "pages"]


def test_an_unknown_name_is_refused(tmp_path):
    with pytest.raises(UsageError, match="expected --only to name some of one, got two"):
        carry_out([Step("one", [], lambda: 0)], cache=Cache(), only=["two"], say=lambda text: None)
