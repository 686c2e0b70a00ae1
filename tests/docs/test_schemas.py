"""What the commands write is what docs/schemas describes, and nothing that they write is missing there."""

import json
from pathlib import Path

import annotated
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from ppi.cli import main
from ppi.export import write

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
SCHEMAS = {name: json.loads((FOLDER / f"{name}.json").read_text()) for name in ("document", "interaction", "network")}
REGISTRY = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in SCHEMAS.values())


def closed(schema):
    """The schema with every object closed, so that a field without description is an error."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(value) for name, value in schema.items()}
    return {**inner, "additionalProperties": False} if schema.get("type") == "object" else inner


def check(name, values):
    validator = Draft202012Validator(closed(SCHEMAS[name]), registry=REGISTRY)
    assert values
    for value in values:
        validator.validate(value)


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The interactions of the bundled abstracts, with their evidence."""
    path = tmp_path_factory.mktemp("schemas") / "found.jsonl"
    assert main(["annotate", "abstracts", "--to", "jsonl", "-o", str(path), "--explain", "--quiet"]) == 0
    return path


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_valid(name):
    Draft202012Validator.check_schema(SCHEMAS[name])


def test_interactions_are_as_described(found):
    lines = lines_of(found)
    assert all("evidence" in line for line in lines)
    check("interaction", lines)


def test_a_field_that_is_missing_or_wrong_is_noticed(found):
    validator = Draft202012Validator(SCHEMAS["interaction"])
    line = lines_of(found)[0]
    assert validator.is_valid({**line, "a field of later": 1})
    assert not validator.is_valid({**line, "probability": 1.5})
    assert not validator.is_valid({name: value for name, value in line.items() if name != "pair"})
    assert not validator.is_valid({**line, "proteins": line["proteins"][:1]})


def test_networks_are_as_described(found, tmp_path):
    assert main(["network", str(found), "--to", "json", "-o", str(tmp_path / "network.json")]) == 0
    check("network", [json.loads((tmp_path / "network.json").read_text(encoding="utf-8"))])


def test_interactions_and_networks_with_types_are_as_described(tmp_path):
    found = tmp_path / "typed.jsonl"
    write([annotated.typed(explained=True)], found, explain=True)
    lines = lines_of(found)
    assert {line["type"] for line in lines} == {"binding", "modification", "regulation"}
    check("interaction", lines)
    assert main(["network", str(found), "--include-hedged", "-o", str(tmp_path / "network.json")]) == 0
    check("network", [json.loads((tmp_path / "network.json").read_text(encoding="utf-8"))])
    validator = Draft202012Validator(SCHEMAS["interaction"])
    assert not validator.is_valid({**lines[0], "type": "friendship"})
    assert not validator.is_valid({**lines[0], "agent": lines[0]["proteins"][0]["id"]})


@pytest.mark.parametrize("corpus", ["sample", "abstracts"])
def test_documents_are_as_described(corpus, tmp_path):
    assert main(["corpus", "convert", corpus, str(tmp_path / "documents.jsonl")]) == 0
    check("document", lines_of(tmp_path / "documents.jsonl"))
