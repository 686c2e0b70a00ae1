"""Tables of an index that sum up the interactions: proteins, their names, and the edges between them.

They are made anew whenever interactions were added.  Edges are those of :func:`ppi.network.build_network` without a
threshold of its own: what a run keeps was chosen when it was made.
"""

from __future__ import annotations

from typing import Any

from ppi.database.tables import DOUBTS, HEDGED, NEGATED, RELATION_BITS, TARGET_BITS
from ppi.grounding.identity import NAME_PREFIX
from ppi.grounding.normalization import normalize_name
from ppi.network.combining import systematic_error

#: Spellings of a protein that are kept for people to read.
MAX_PROTEIN_NAMES = 12


def build_aggregates(connection: Any) -> None:
    """Make the tables that sum up."""
    for table in ("edge", "spelling", "name", "known"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.execute(_EDGES, {"error": systematic_error()})
    connection.execute(_SPELLINGS)
    _add_forms(connection)
    connection.execute(_PROTEINS)
    connection.execute(_NAMES)
    connection.execute("DROP TABLE spelling")


def _add_forms(connection: Any) -> None:
    """Spellings without their accidents; those that are known already are not done again."""
    import pyarrow as pa

    new = [
        row[0]
        for row in connection.execute(
            "SELECT DISTINCT shown FROM spelling ANTI JOIN form USING (shown) ORDER BY shown"
        ).fetchall()
    ]
    connection.register(
        "forms", pa.table({"shown": pa.array(new, pa.string()), "form": list(map(normalize_name, new))})
    )
    connection.execute("INSERT INTO form SELECT shown, form FROM forms")
    connection.unregister("forms")


_TARGET_MASK = 2**TARGET_BITS - 1
#: Papers combined as in :mod:`ppi.network.combining`: the logarithm of the chance that all of them are wrong.
_LOG_ERROR = "CASE WHEN p < 1 - $error THEN ln(1 - p / (1 - $error)) ELSE CAST('-infinity' AS DOUBLE) END"
_EDGES = f"""
    CREATE TABLE edge AS
    WITH paper_of AS (
        SELECT edge, paper, max(type_probability) AS p, count(*) AS mentions
        FROM interaction WHERE stands AND doubt = 0 GROUP BY edge, paper
    ), stated AS (
        SELECT edge, greatest(max(p), (1 - $error) * (1 - exp(sum({_LOG_ERROR})))) AS probability,
            count(*) AS papers, sum(mentions)::BIGINT AS mentions
        FROM paper_of GROUP BY edge
    ), place_of AS (
        SELECT edge, place, min(doubt) AS doubt FROM interaction WHERE stands GROUP BY edge, place
    ), places AS (
        SELECT edge, count(*) FILTER (doubt = 0) AS sentences, count(*) FILTER (doubt = {HEDGED}) AS hedged,
            count(*) FILTER (doubt >= {NEGATED}) AS negated
        FROM place_of GROUP BY edge
    ), best AS (
        SELECT edge, arg_max(rowid, type_probability - doubt) AS best, min(year) AS first_year, max(year) AS last_year,
            {", ".join(f"max(probability) FILTER (doubt = {doubt}) AS best_{doubt}" for doubt in DOUBTS)}
        FROM interaction WHERE stands GROUP BY edge
    )
    SELECT places.edge AS id, (places.edge >> {TARGET_BITS + RELATION_BITS})::INTEGER AS source,
        ((places.edge >> {RELATION_BITS}) & {_TARGET_MASK})::INTEGER AS target,
        relation.type, relation.sign, relation.kind, relation.directed,
        coalesce(probability, 0) AS probability, coalesce(papers, 0)::INTEGER AS papers,
        sentences::INTEGER AS sentences, coalesce(mentions, 0)::INTEGER AS mentions,
        hedged::INTEGER AS hedged, negated::INTEGER AS negated, best, first_year, last_year,
        {", ".join(f"best_{doubt}" for doubt in DOUBTS)}
    FROM places JOIN best USING (edge) LEFT JOIN stated USING (edge)
    JOIN relation ON relation.id = places.edge & {2**RELATION_BITS - 1}
    ORDER BY probability DESC, papers DESC, sentences DESC, id
"""
_SPACES = "trim(regexp_replace({name}, '\\s+', ' ', 'g'))"
_SPELLINGS = f"""
    CREATE TEMP TABLE spelling AS
    SELECT protein, {_SPACES.format(name="name")} AS shown, sum(mentions)::BIGINT AS mentions FROM (
        SELECT first AS protein, name_1 AS name, count(*) AS mentions FROM interaction GROUP BY ALL
        UNION ALL SELECT second, name_2, count(*) FROM interaction WHERE first <> second GROUP BY ALL
        UNION ALL SELECT first, unnest(aliases_1) AS name, 1 FROM interaction
        UNION ALL SELECT second, unnest(aliases_2) AS name, 1 FROM interaction
    ) WHERE name IS NOT NULL GROUP BY ALL
"""
_SIDES = """
    SELECT first AS protein, paper, place, sure_1 AS sure, symbol_1 AS symbol, taxid_1 AS taxid,
        species_1 AS species, entity_kind_1 AS kind, uniprot_1 AS uniprot, type_1 AS type FROM interaction
    UNION ALL SELECT second, paper, place, sure_2, symbol_2, taxid_2, species_2, entity_kind_2,
        uniprot_2, type_2 FROM interaction
"""
_PROTEINS = f"""
    CREATE TABLE known AS
    WITH side AS ({_SIDES}), told AS (
        SELECT protein, any_value(symbol) FILTER (sure) AS symbol, any_value(taxid) FILTER (sure) AS taxid,
            any_value(species) FILTER (sure) AS species, any_value(kind) FILTER (sure) AS kind,
            any_value(uniprot) FILTER (sure) AS uniprot, mode(type) AS type
        FROM side GROUP BY protein
    ), paper AS (
        SELECT protein, count(*) AS papers FROM (SELECT DISTINCT protein, paper FROM side) GROUP BY protein
    ), place AS (
        SELECT protein, count(*) AS sentences FROM (SELECT DISTINCT protein, place FROM side) GROUP BY protein
    ), listed AS (
        SELECT protein, list(shown ORDER BY mentions DESC, shown)[:{MAX_PROTEIN_NAMES}] AS names,
            sum(mentions)::BIGINT AS mentions
        FROM spelling GROUP BY protein
    ), ends AS (
        SELECT source AS protein, target AS partner FROM edge UNION SELECT target, source FROM edge
    ), partner AS (
        SELECT protein, count(*) AS partners FROM ends GROUP BY protein
    )
    SELECT protein.id, protein.key, coalesce(symbol, names[1]) AS label, names,
        if(starts_with(protein.key, '{NAME_PREFIX}'), NULL, protein.key) AS identifier,
        taxid, species, kind, uniprot, type, mentions, papers::INTEGER AS papers, sentences::INTEGER AS sentences,
        coalesce(partners, 0)::INTEGER AS partners
    FROM protein JOIN told ON told.protein = protein.id JOIN paper ON paper.protein = protein.id
    JOIN place ON place.protein = protein.id JOIN listed ON listed.protein = protein.id
    LEFT JOIN partner ON partner.protein = protein.id
    ORDER BY sentences DESC, protein.key
"""
#: What a protein can be found by: spellings, its symbol, its identifier with and without what stands before the colon,
#: and its accession.  Several of them may be one form; the commonest is shown.
_NAMES = """
    CREATE TABLE name AS
    WITH found AS (
        SELECT protein, form, shown, mentions FROM spelling JOIN form USING (shown) WHERE form <> ''
        UNION ALL SELECT protein, lower(shown), shown, mentions FROM spelling
        UNION ALL SELECT id, lower(label), label, mentions FROM known
        UNION ALL SELECT id, lower(key), key, 0 FROM known
        UNION ALL SELECT id, lower(split_part(key, ':', 2)), key, 0 FROM known WHERE identifier LIKE '%:%'
        UNION ALL SELECT id, lower(uniprot), uniprot, 0 FROM known WHERE uniprot IS NOT NULL
        UNION ALL SELECT id, 'uniprot:' || lower(uniprot), uniprot, 0 FROM known WHERE uniprot IS NOT NULL
    )
    SELECT form, protein, arg_max(shown, mentions) AS shown, max(mentions) AS mentions
    FROM found GROUP BY form, protein ORDER BY form, protein
"""
