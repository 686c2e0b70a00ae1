"""Proteins by what they are called."""

from __future__ import annotations

from collections.abc import Sequence

from ppi.database.connection import Reader
from ppi.database.types import KnownProtein
from ppi.grounding.normalization import normalize_name

_PROTEIN_COLUMNS = (
    "key, label, names, identifier, taxid, species, kind, uniprot, type, mentions, papers, sentences, partners"
)
#: More than these are not looked at: a name that begins so many others tells nothing.
_MAX_FORMS = 2000
#: How alike a name is that is offered for another (Jaro and Winkler's similarity).
_MIN_SIMILARITY = 0.85


def find_protein_ids(reader: Reader, name: str) -> list[int]:
    """The numbers of the proteins that are called so, in any spelling, the commonest first; of a key, that alone."""
    if key_rows := reader.rows("SELECT id FROM known WHERE key = ?", [name]):
        return [key_rows[0][0]]
    forms = list({normalize_name(name), name.strip().lower()} - {""})
    rows = reader.rows(
        "SELECT protein FROM name WHERE list_contains(?, form) GROUP BY protein ORDER BY max(mentions) DESC, protein",
        [forms],
    )
    return [row[0] for row in rows]


def suggest_proteins(reader: Reader, text: str, *, limit: int) -> list[tuple[str, KnownProtein]]:
    """Proteins with a name that begins so, each once with the commonest such name."""
    starts = {normalize_name(text), text.strip().lower()} - {""}
    if not starts:
        return []
    values = {"most": limit, "forms": _MAX_FORMS, **{f"start_{n}": start for n, start in enumerate(sorted(starts))}}
    begins = " OR ".join(f"starts_with(form, $start_{n})" for n in range(len(starts)))
    rows = reader.rows(
        f"""
        WITH hit AS (SELECT protein, shown, mentions, form = $start_0 AS whole FROM name WHERE {begins}
                     ORDER BY whole DESC, mentions DESC, form, protein LIMIT $forms)
        SELECT protein, arg_max(shown, (whole, mentions)) FROM hit
        GROUP BY protein ORDER BY max((whole, mentions)) DESC, protein LIMIT $most
        """,
        values,
    )
    proteins = {protein.key: protein for protein in fetch_proteins(reader, [number for number, _ in rows])}
    return [(name, protein) for (_, name), protein in zip(rows, proteins.values(), strict=True)]


def similar_names(reader: Reader, name: str, *, limit: int = 5) -> list[str]:
    """Names of the run that are spelled nearly so, the most similar first."""
    rows = reader.rows(
        """
        SELECT shown FROM (
            SELECT shown, mentions, jaro_winkler_similarity(form, $form) AS alike FROM name
        ) WHERE alike >= $least GROUP BY shown ORDER BY max(alike) DESC, max(mentions) DESC, shown LIMIT $most
        """,
        {"form": normalize_name(name) or name.lower(), "least": _MIN_SIMILARITY, "most": limit},
    )
    return [row[0] for row in rows]


def fetch_proteins(reader: Reader, numbers: Sequence[int]) -> list[KnownProtein]:
    """The proteins of these numbers, in their order."""
    rows = reader.rows(
        f"SELECT id, {_PROTEIN_COLUMNS} FROM known WHERE id IN (SELECT unnest(?::INTEGER[]))", [list(numbers)]
    )
    proteins = {number: _protein(*fields) for number, *fields in rows}
    return [proteins[number] for number in numbers]


def _protein(key, label, names, *rest) -> KnownProtein:
    return KnownProtein(key, label, tuple(names), *rest)
