"""The file behind a path or the name of a corpus; and, where there is none, what was probably meant."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from corpora.errors import CorpusNotFoundError
from corpora.foreign import GET_TEXTS, is_pubmed_id
from corpora.source import file_stem

#: Names the folder in which :func:`find` looks for corpora.
CORPORA_VARIABLE = "PPI_CORPORA"
#: Files that ship with this package: an annotated sample corpus, and abstracts without annotation.
BUNDLED = {"sample": "sample.xml", "abstracts": "abstracts.pubtator"}
#: Endings of corpora.
_ENDINGS = (".xml", ".json", ".jsonl", ".ndjson", ".pubtator", ".conllu", ".conllx", ".conll", ".tar", ".tgz", ".txt")
#: Entries of a folder among which a similar name is looked for.
_MAX_SCANNED_ENTRIES = 10_000


def find(path_or_name: str | Path) -> Path:
    """The file behind a path or a corpus name.

    Raises
    ------
    CorpusNotFoundError
        If there is neither such a file nor such a corpus.
    """
    path = Path(path_or_name)
    # os.path.exists, unlike Path.exists, takes names that the system refuses for missing; "" would be this folder
    if str(path) == "-" or (str(path_or_name) and os.path.exists(path)):
        return path
    if str(path_or_name) in BUNDLED:
        return Path(__file__).parent / "data" / BUNDLED[str(path_or_name)]
    folder = os.environ.get(CORPORA_VARIABLE)
    corpora = _corpora(Path(folder)) if folder and path.name and path.name == str(path_or_name) else []
    matches = [candidate for candidate in corpora if file_stem(candidate).lower() == path.name.lower()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise CorpusNotFoundError(f"expected one corpus named {path.name!r}, got {[match.name for match in matches]}")
    where = f"nor a corpus in {CORPORA_VARIABLE}={folder}" if folder else "nor a known corpus"
    suggestion = suggest_name(path_or_name, [file_stem(candidate) for candidate in corpora])
    advice = f"; did you mean {suggestion!r}?" if suggestion else "" if folder else _SET_VARIABLE
    if not suggestion and is_pubmed_id(str(path_or_name)):
        advice = f"; if it is the id of a paper, {GET_TEXTS}"
    raise CorpusNotFoundError(
        f"expected a file or the name of a corpus, got {str(path_or_name)!r}, which is no file {where}{advice}"
    )


_SET_VARIABLE = f"; check the path (for corpora by name, set {CORPORA_VARIABLE} to the folder that holds them)"


def suggest_name(path: str | Path, corpora: list[str]) -> str | None:
    """A file, or corpus, of nearly that name: beside where it was looked for, or the same name with another ending."""
    target = Path(path)
    try:
        with os.scandir(target.parent) as entries:
            names = [
                entry.name for entry, _ in zip(entries, range(_MAX_SCANNED_ENTRIES)) if not entry.name.startswith(".")
            ]
    except (OSError, ValueError):
        names = []
    stems = {file_stem(name): name for name in sorted(names, reverse=True)}
    if target.name in stems:
        return str(target.with_name(stems[target.name]))
    close = difflib.get_close_matches(target.name, names, n=1, cutoff=0.75)
    if close:
        return str(target.with_name(close[0]))
    corpus_matches = difflib.get_close_matches(str(path), [*BUNDLED, *corpora], n=1, cutoff=0.75)
    return corpus_matches[0] if corpus_matches else None


def _corpora(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.name.removesuffix(".gz").lower().endswith(_ENDINGS))
