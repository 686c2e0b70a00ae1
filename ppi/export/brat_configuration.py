"""``annotation.conf``, by which brat knows the types of a folder of annotations.

Without it brat shows such a folder with its own default types and marks every other as an error.  The file
(https://brat.nlplab.org/configuration.html) has four sections, of which each must be there: types of entities,
relations with the roles and types of their arguments, events (none), and attributes.
"""

from __future__ import annotations

from pathlib import Path

from corpora.formats.standoff import ROLES

BRAT_CONFIGURATION_FILE = "annotation.conf"
#: Attributes of relations that have no value: they hold, or are not there.
RELATION_FLAGS = ("negated", "hedged", "same", "homo")


def write_brat_configuration(folder: Path) -> None:
    """Write the file for the annotations that are in the folder, if there are any; one pass over them."""
    entities: set[str] = set()
    relations: dict[str, tuple[str, ...]] = {}
    files = sorted(folder.rglob("*.ann"))
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                _collect_brat_types(line, entities, relations)
    if not files:
        return
    text = _brat_section("entities", sorted(entities))
    text += _brat_section("relations", [_brat_relation(type, roles) for type, roles in sorted(relations.items())])
    text += _brat_section("events", [])
    text += _brat_section("attributes", [f"{flag}\tArg:<RELATION>" for flag in RELATION_FLAGS] if relations else [])
    (folder / BRAT_CONFIGURATION_FILE).write_text(text, encoding="utf-8")


def _collect_brat_types(line: str, entities: set[str], relations: dict[str, tuple[str, ...]]) -> None:
    id, tab, rest = line.partition("\t")
    if not tab:
        return
    type, *words = rest.split()
    if id.startswith("T"):
        entities.add(type)
    elif id.startswith("R"):
        relations[type] = tuple(word.partition(":")[0] for word in words)


def _brat_relation(type: str, roles: tuple[str, ...]) -> str:
    arguments = ", ".join(f"{role}:<ENTITY>" for role in roles)
    return f"{type}\t{arguments}" + (", <REL-TYPE>:symmetric" if roles == ROLES else "")


def _brat_section(name: str, lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in (f"[{name}]", "", *lines, ""))
