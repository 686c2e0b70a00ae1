"""The pages say what is there: verbs, packages, routes, files, and the figures of the models' headers."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from corpora import FORMATS as DOCUMENT_FORMATS
from ppi.cli import VERBS, build_parser
from ppi.export import FORMATS as EXPORT_FORMATS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


def verbs():
    """The verbs of the command line; those with actions as two words."""
    chosen = next(action for action in build_parser()._actions if action.dest == "verb")
    for name, parser in chosen.choices.items():
        inner = [action for action in parser._actions if action.dest == "action"]
        yield from (f"{name} {each}" for each in inner[0].choices) if inner else [name]


def test_every_verb_is_described():
    assert len(list(verbs())) >= len(VERBS)
    page = text_of("commands.md")
    assert [verb for verb in verbs() if f"`ppi {verb} " not in page and f"`ppi {verb}`" not in page] == []


def test_every_format_is_described():
    page = text_of("formats.md")
    names = {*DOCUMENT_FORMATS, *EXPORT_FORMATS}
    assert [name for name in names if f"`{name}`" not in page] == []
    assert [ending for each in DOCUMENT_FORMATS.values() for ending in each.endings if f"`{ending}`" not in page] == []


def test_every_package_is_described():
    packages = {path.parent.name for path in (ROOT / "ppi").glob("*/__init__.py")}
    assert packages
    page, drawing = text_of("architecture.md"), (DOCS / "architecture.svg").read_text(encoding="utf-8")
    for package in packages:
        assert f"`{package}`" in page, package
        assert package in drawing, package


def test_every_route_is_described():
    pytest.importorskip("fastapi")
    from ppi.server import create_app

    page = text_of("web_api.md")
    for path, methods in create_app(database=object()).openapi()["paths"].items():
        for method in methods:
            assert re.search(rf"`{method.upper()} {path}[`?]", page), (method, path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_pages_name_exist(page):
    text = page.read_text(encoding="utf-8")
    code = re.findall(r"`((?:corpora|kernels|learners|ppi|scripts|tests)/[\w./-]+)", text)
    run = re.findall(r"^(?:bash )?(scripts/\w+)", text, re.MULTILINE)
    assert [name for name in {*code, *run} if "NAME" not in name and not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    built = {DOCS / "schemas" / "web-api.json"}  # written when the site is built
    assert [
        target for target in targets if not (page.parent / target).exists() and page.parent / target not in built
    ] == []


def percent(*values):
    return " / ".join(f"{value:.1f}" for value in values)


def test_card_of_the_pipeline_has_its_figures():
    meta = json.loads((ROOT / "ppi/language/model/meta.json").read_text(encoding="utf-8"))
    card, figures = text_of("models/pipeline.md"), meta["performance"]
    assert f"version {meta['version']}" in card
    for name in ("craft-dev", "craft-dev, own tokens", "genia-dev, mapped"):
        assert percent(*(figures[name][key] for key in ("uas", "las", "tag"))) in card, name
    for name in ("bc2gm-devel", "jnlpba, held-out abstracts"):
        assert percent(*(figures[name][key] for key in ("precision", "recall", "f"))) in card, name
    for kind in ("overlap", "exact"):
        assert percent(*(each[kind] for each in figures["recall of the entities of"].values())) in card, kind
    for source in meta["sources"]:
        assert source["license"] in card
        assert source["url"] in card


def header_of(path):
    with zipfile.ZipFile(ROOT / path) as archive:
        return json.loads(archive.read("model.json"))


def rows_of(page):
    """The cells of each row of the tables of a page."""
    lines = text_of(page).splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def test_card_of_the_lexicon_has_its_counts_and_terms():
    header, rows = header_of("ppi/grounding/lexicon.zip"), rows_of("models/lexicon.md")
    shown = {row[0]: (row[1], row[2], row[5]) for row in rows if len(row) == 6}
    for source in header["sources"]:
        assert shown[source["name"]] == (f"{source['entries']:,}", f"{source['names']:,}", source["licence"])
    notice = (ROOT / "ppi/grounding/NOTICE.txt").read_text(encoding="utf-8")
    for source in header["sources"]:
        if source["licence"] == "CC BY 4.0":
            assert source["maker"] in notice
            assert source["maker"] in text_of("models/lexicon.md")


def test_card_of_the_extraction_model_has_its_counts():
    header, rows = header_of("ppi/annotation/model.zip"), rows_of("models/extraction.md")
    facts, outputs = header["facts"], header["outputs"]
    assert ["corpus", "pairs", *outputs, "licence"] in rows
    for name, counts in facts["corpora"].items():
        figures = [f"{counts[output]:,}" if output in counts else "" for output in ("pairs", *outputs)]
        assert any(row[:-1] == [f"`{name}`", *figures] for row in rows), (name, figures)
    assert f"{facts['features']:,}" in text_of("models/extraction.md")
    assert f"{100 * facts['share']:.0f} % interact" in text_of("models/extraction.md")


@pytest.mark.parametrize(
    ("measure", "digits", "factor", "pages"),
    [
        ("average_precision", 1, 100, ["models/extraction.md"]),
        ("accuracy", 1, 100, ["models/extraction.md"]),
        ("calibration_error", 3, 1, ["models/extraction.md", "quality.md"]),
    ],
)
def test_card_of_the_extraction_model_has_its_figures(measure, digits, factor, pages):
    facts = header_of("ppi/annotation/model.zip")["facts"]
    events = [name for name, counts in facts["corpora"].items() if "modification" in counts]
    columns = [*events, "pooled"] if measure == "calibration_error" else events
    for output, by_corpus in facts["held_out"][measure].items():
        assert by_corpus.keys() <= {*columns}
        figures = [f"{factor * by_corpus[name]:.{digits}f}" if name in by_corpus else "" for name in columns]
        for page in pages:
            assert any(output in row[0] and row[1:] == figures for row in rows_of(page)), (page, output, figures)


@pytest.mark.parametrize("page", ["models/extraction.md", "quality.md"])
def test_figures_on_raw_text_are_those_of_the_header(page):
    found = header_of("ppi/annotation/model.zip")["facts"]["held_out"]["found_names"]
    assert found
    for corpus, steps in found.items():
        cells = [f"{100 * at['precision']:.1f} / {100 * at['recall']:.1f}" for at in steps.values()]
        assert [corpus, *cells] in rows_of(page)


def test_card_of_the_beams_ranker_has_its_figures():
    card, facts = text_of("models/beam_ranker.md"), header_of("ppi/language/reranking/model.zip")["facts"]
    assert f"{facts['trees']:,} trees of {facts['sentences']:,} sentences" in card
    assert f"regparam {facts['regparam']:g}" in card
    names = ("first", "most_probable", "reranked", "oracle", "share_of_the_way")
    for part in ("craft-dev", "genia-dev", "validation"):
        figures = facts[part]
        shares = " | ".join(f"{100 * figures[name]:.{1 if name == names[-1] else 2}f}" for name in names)
        assert f"| {shares} | {figures['error_own']:.3f} | {figures['error']:.3f} |" in card


def test_card_of_link_grammars_ranker_has_its_figures():
    header = header_of("ppi/parse_ranking/model/link-grammar.zip")
    card, facts = text_of("models/link_grammar_ranker.md"), header["facts"]
    assert f"{facts['parses']:,}" in card
    assert f"{facts['sentences']:,} sentences" in card
    assert f"regparam {header['regparam']:g}" in card
    test = facts["test"]
    for name in ("ranker", "generator"):
        assert f"| {test[name]['error']:.3f} | {test[name]['first_f']:.3f} |" in card
    for name in ("mean_f", "oracle_f"):
        assert f"| {test[name]:.3f} |" in card


def test_citation_names_this_version():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"', project, re.MULTILINE)[1]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
