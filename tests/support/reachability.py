"""Which top-level definitions of the packages are reached from given ones, by reading the code.

A definition is a function, a class or an assigned name of a module.  It is reached by name: from a reached definition
(through imports, ``module.name``, or a text such as ``"ppi.export.jsonl:write"`` that names it), or from what a module
does when it is imported, once something of that module is reached.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: (module, name); the name ``""`` is what the module does when it is imported.
Definition = tuple[str, str]
_PLACE = re.compile(r"(?:ppi|corpora|kernels|learners)(?:\.\w+)+(?::\w+)?")
_IMPORT = re.compile(r"from ((?:ppi|corpora|kernels|learners)(?:\.\w+)*) import (\w+)")


@dataclass
class Module:
    """What a module defines, and what its names stand for."""

    name: str
    definitions: dict[str, ast.AST] = field(default_factory=dict)
    imported: dict[str, Definition] = field(default_factory=dict)
    at_import: list[ast.AST] = field(default_factory=list)


def read_modules(root: Path, packages: Iterable[str]) -> dict[str, Module]:
    """All modules of the packages by name."""
    found = {}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = _read(name, ast.parse(path.read_text(encoding="utf-8")))
            if (stub := path.with_suffix(".pyi")).exists():  # the interface of a package, imported on first use
                interface = _read(name, ast.parse(stub.read_text(encoding="utf-8")))
                found[name].imported |= interface.imported
                found[name].definitions |= interface.definitions
    return found


def _read(name: str, tree: ast.Module) -> Module:
    module = Module(name)
    for node in ast.walk(tree):  # imports inside functions name the same things
        if isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:  # only a package's stub imports relative to itself
                source = f"{name}.{source}".rstrip(".")
            module.imported.update({each.asname or each.name: (source, each.name) for each in node.names})
        elif isinstance(node, ast.Import):
            module.imported.update({each.asname or each.name.split(".")[0]: (each.name, "") for each in node.names})
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.definitions[node.name] = node
            if node.decorator_list and isinstance(node.decorator_list[0], ast.Call):
                module.at_import.extend(node.decorator_list)  # a registry's decorator
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
            module.definitions.update(dict.fromkeys(names, node))
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            module.at_import.append(node)
    return module


def reached_from(roots: Iterable[Definition], modules: dict[str, Module]) -> set[Definition]:
    """Everything that the roots reach, the roots among it."""
    reached: set[Definition] = set()
    waiting = [each for root in roots for each in _resolved(root, modules)]
    while waiting:
        here = waiting.pop()
        if here in reached:
            continue
        reached.add(here)
        module = modules[here[0]]
        waiting.append((here[0], ""))
        nodes = module.at_import if here[1] == "" else [module.definitions[here[1]]]
        for node in nodes:
            for wanted in _references(node, module):
                waiting.extend(_resolved(wanted, modules))
    return reached


def _references(node: ast.AST, module: Module) -> Iterator[Definition]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield module.imported.get(each.id, (module.name, each.id))
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            source, inner = module.imported.get(each.value.id, ("", ""))
            yield (f"{source}.{inner}" if inner else source), each.attr
        elif isinstance(each, ast.ImportFrom) and each.module:
            yield from ((each.module, alias.name) for alias in each.names)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield from _IMPORT.findall(each.value)
            if _PLACE.fullmatch(each.value):
                place, _, name = each.value.partition(":")
                yield place, name


def _resolved(wanted: Definition, modules: dict[str, Module]) -> Iterator[Definition]:
    """The definition that a name stands for, through re-exports; nothing for names of other packages."""
    source, name = wanted
    seen = set()
    while source in modules and (source, name) not in seen:
        seen.add((source, name))
        module = modules[source]
        if name == "" or name in module.definitions:
            yield source, name
            return
        if name not in module.imported or module.imported[name] == (source, name):
            if f"{source}.{name}" in modules:  # a module of the package
                yield f"{source}.{name}", ""
            return
        source, name = module.imported[name]
