"""Make all models that ship with the package again, in order: pipeline, extraction model, parse rankers.

Everything goes to a folder of its own; each model is made with the pipeline in that folder.  With --install
the models then take the places of those in the package, the choice among genes is learned with them, and what shows
the shipped models is made:
docs/calibration.svg, docs/parse_ranking.md, and the figures of raw text in FOLDER/end-to-end.json.  What is finished is
skipped: the same command goes on where it was stopped.  The whole job takes hours of one core.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.frame.cache import Cache, digest
from lab.frame.program import ROOT, corpora_folder, run_program
from lab.training import shipped
from lab.training.plan import Step, carry_out
from ppi.language import use_pipeline
from ppi.parse_ranking import GENERATORS

LEXICON_CODE = sorted((Path(__file__).parent / "lexicon").glob("*.py"))
PIPELINE_FILES = ("vectors.toml", "stages.toml", "parser.cfg", "teacher.toml", "names.toml")
PIPELINE_SETTINGS = [Path(__file__).parent / "pipeline" / name for name in PIPELINE_FILES]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make what is not there yet; say what is skipped."""
    parser = argparse.ArgumentParser(prog="scripts/train_all", description=__doc__)
    add = parser.add_argument
    add("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    add("--output", type=Path, default=ROOT / "build" / "models", metavar="FOLDER", help="(default: build/models)")
    add(
        "--only",
        nargs="+",
        default=[],
        metavar="NAME",
        help="of lexicon, pipeline, extraction, parse-rankers; with --install also install, grounding, end-to-end and "
        "pages",
    )
    add("--install", action="store_true", help="put the models in the places of those that ship")
    args = parser.parse_args(arguments)
    return run_program("scripts/train_all", lambda: _make_all(args))


def _make_all(args: argparse.Namespace) -> int:
    folder = args.output.resolve()
    corpora_folder(args.corpora)
    folder.mkdir(parents=True, exist_ok=True)
    plan = steps(folder, install=args.install)
    made = carry_out(plan, cache=Cache(folder / "finished"), only=args.only, say=_say)
    if not args.install:
        _say("pages: skipped, they show the models that ship; --install puts the new ones in their places")
    _say(f"made: {', '.join(made) or 'nothing, all is there'}")
    return 0


def steps(folder: Path, *, install: bool) -> list[Step]:
    """What is made, in order: the models, and with ``install`` the figures and pages that show them."""
    lexicon, pipeline, extraction = folder / "lexicon.zip", folder / "pipeline", folder / "extraction.zip"
    held_out, figure = folder / "held-out", folder / "calibration.svg"
    rankers = [folder / "parse-rankers" / f"{generator}.zip" for generator in GENERATORS]
    models = [
        Step("lexicon", [lexicon], lambda: _build_lexicon(folder), inputs={"sources": LEXICON_CODE}),
        Step("pipeline", [pipeline], lambda: _train_pipeline(folder), inputs={"settings": PIPELINE_SETTINGS}),
        Step("extraction", [extraction, held_out, figure], lambda: _train_extraction(folder), needs=["pipeline"]),
        Step("parse-rankers", rankers, lambda: _train_rankers(folder), needs=["pipeline"]),
    ]
    if not install:
        return models
    places = {
        lexicon: shipped.LEXICON,
        pipeline: shipped.PIPELINE,
        extraction: shipped.EXTRACTION,
        figure: ROOT / "docs" / figure.name,
        **{path: shipped.RANKERS[path.stem] for path in rankers},
    }
    made = [step.name for step in models]
    page = ROOT / "docs" / "parse_ranking.md"
    return [
        *models,
        Step("install", list(places.values()), lambda: _install(places), needs=made, quick=True),
        # with the lexicon and the pipeline that are now in the package
        Step("grounding", [shipped.GENE_CHOICE, shipped.CELL_LINES], _train_grounding, needs=["lexicon", "pipeline"]),
        Step("end-to-end", [folder / "end-to-end.json"], lambda: _end_to_end(folder), needs=["pipeline", "extraction"]),
        Step("pages", [page], lambda: _pages(folder), needs=["pipeline", "parse-rankers"]),
    ]


def _build_lexicon(folder: Path) -> int:
    from lab.training.lexicon.__main__ import main as build

    return build(["--output", str(folder / "lexicon.zip")])


def _train_grounding() -> int:
    from lab.training.grounding.__main__ import main as train

    return train([])


def _train_pipeline(folder: Path) -> int:
    from lab.training.pipeline.__main__ import main as train

    return train(["--output", str(folder / "pipeline"), "--work", str(_pipeline_work(folder))])


def _pipeline_work(folder: Path) -> Path:
    """Where the parts of the pipeline are kept; parts of other settings are not used again."""
    return folder / "work" / f"pipeline-{digest(PIPELINE_SETTINGS)}"


def _train_extraction(folder: Path) -> int:
    from lab.training.extraction.train import main as train

    with use_pipeline(folder / "pipeline"):
        outputs = {"--output": "extraction.zip", "--held-out": "held-out", "--figure": "calibration.svg"}
        return train([text for option, name in outputs.items() for text in (option, str(folder / name))])


def _train_rankers(folder: Path) -> int:
    from lab.training.parse_rankers.train import main as train

    with use_pipeline(folder / "pipeline"):
        places = {"--output": folder / "parse-rankers", "--work": folder / "work" / "candidates"}
        places["--pipeline-work"] = _pipeline_work(folder)
        return train([text for option, path in places.items() for text in (option, str(path))])


def _end_to_end(folder: Path) -> int:
    from lab.training.extraction.measure import main as measure

    path = folder / "end-to-end.json"
    with open(path.with_suffix(".part"), "w", encoding="utf-8") as output, contextlib.redirect_stdout(output):
        code = measure([str(folder / "held-out"), "--json"])
    if not code:
        path.with_suffix(".part").rename(path)
    return code


def _pages(folder: Path) -> int:
    from lab.papers.__main__ import main as reproduce

    with use_pipeline(folder / "pipeline"):
        return reproduce(["parse-ranking", "--work", str(folder / "work" / "candidates")])


def _install(places: dict[Path, Path]) -> int:
    for model, place in places.items():
        shipped.install(model, place)
        _say(f"installed {place}")
    return 0


def _say(text: str) -> None:
    sys.stderr.write(f"scripts/train_all: {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
