"""Add interactions to an index, as tables of Arrow, and sum them up: proteins, their names, and the edges between them.

Every protein and paper gets a number.  What is written in SQL here is fixed; values come as tables or are bound.

The tables that sum up are made anew whenever interactions were added.  Edges are those of
:func:`ppi.network.build_network` without a threshold of its own: what a run keeps was chosen when it was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from corpora import TYPES, CorpusError, Entity, printable
from ppi.core import DatabaseError
from ppi.export import PARQUET_COLUMNS, arrow_schema, make_arrow_tables, read_jsonl_papers, read_parquet_tables
from ppi.grounding import LONG_FORM, NAME_PREFIX, normalize_name, protein_key
from ppi.network import systematic_error
from ppi.server.database.index import (
    COPIED_COLUMNS,
    DOUBTS,
    HEDGED,
    LINE_COLUMNS,
    MAX_PROTEINS,
    MAX_RELATIONS,
    NEGATED,
    RELATION_BITS,
    TARGET_BITS,
)
from ppi.server.database.sources import PartFile
from ppi.server.runs.run_reader import group_by_document

#: Rows that are numbered together; the memory needed grows with them.
BATCH_ROWS = 20_000
#: Spellings of a protein that are kept for people to read.
MAX_PROTEIN_NAMES = 12


def add_parts(connection: Any, parts: Iterable[PartFile]) -> None:
    """Add the interactions of the parts, and note that they are in."""
    part_list = list(parts)
    for table in _merge_small_tables(table for part in part_list for table in _tables(part)):
        _add_batch(connection, table)
    for part in part_list:
        connection.execute("INSERT INTO part VALUES (?, ?, ?)", [part.name, part.size, part.mtime_ns])


def _tables(part: PartFile) -> Iterator[Any]:
    """The part as tables of Arrow, checked."""
    try:
        if part.is_parquet:
            tables = read_parquet_tables(part.path)
        else:
            tables = make_arrow_tables(group_by_document(read_jsonl_papers(part.path)))
        for table in tables:
            _check_table(table, part)
            yield _add_missing_columns(table)
    except CorpusError as error:
        raise DatabaseError(
            f"{printable(str(error))}; if it belongs to a run, start that again: damaged parts are made again"
        ) from None


def _check_table(table: Any, part: PartFile) -> None:
    """Refuse rows that cannot be numbered: the other checks are those of reading an interaction back."""
    import pyarrow.compute as pc

    for name in ("document", "sentence_id", "pair", "sentence", "name_1", "name_2", "probability"):
        if table[name].null_count:
            raise CorpusError(f"expected a value in every row of {name!r}, got none", path=part.path)
    bounds = pc.min_max(table["probability"]).as_py()
    if table.num_rows and not 0 <= bounds["min"] <= bounds["max"] <= 1:
        raise CorpusError(f"expected probabilities from 0 to 1, got {bounds}", path=part.path)


def _add_missing_columns(table: Any) -> Any:
    """The table with all columns: those of earlier versions lack some."""
    import pyarrow as pa

    schema = arrow_schema()
    missing = [name for name in PARQUET_COLUMNS if name not in table.column_names]
    for name in missing:
        table = table.append_column(schema.field(name), pa.nulls(table.num_rows, schema.field(name).type))
    return table.select(list(PARQUET_COLUMNS)).replace_schema_metadata(None)


def _merge_small_tables(tables: Iterable[Any]) -> Iterator[Any]:
    """Small tables put together, so that a thousand small parts do not make a thousand steps."""
    import pyarrow as pa

    pending: list[Any] = []
    rows = 0
    for table in tables:
        pending.append(table)
        rows += table.num_rows
        if rows >= BATCH_ROWS:
            yield pa.concat_tables(pending)
            pending, rows = [], 0
    if rows:
        yield pa.concat_tables(pending)


def _add_batch(connection: Any, table: Any) -> None:
    connection.register("incoming", table)
    try:
        _number_proteins(connection)
        connection.execute(_NEW_RELATIONS)
        _check_capacity(connection, "relation", MAX_RELATIONS)
        connection.execute(_NEW_PAPERS)
        connection.execute(_NEW_SENTENCES)
        for name, numbers in _BATCH_TABLES.items():
            connection.execute(f"CREATE TEMP TABLE {name} AS {numbers}")
        connection.execute(_ADD_INTERACTIONS)
    finally:
        connection.unregister("incoming")
        for name in ("mention", *_BATCH_TABLES):
            connection.execute(f"DROP TABLE IF EXISTS {name}")


def _number_proteins(connection: Any) -> None:
    """Every different mention gets the key that it has in a network, and every key a number."""
    import pyarrow as pa

    descriptions = [description for (description,) in connection.execute(_MENTIONS).fetchall()]
    schema = pa.schema([("description", pa.string()), ("key", pa.string())])
    keys = pa.table({"description": descriptions, "key": list(map(_mention_key, descriptions))}, schema)
    connection.register("keys", keys)
    connection.execute("CREATE TEMP TABLE mention AS SELECT description, key FROM keys")
    connection.unregister("keys")
    connection.execute(_NEW_PROTEINS)
    _check_capacity(connection, "protein", MAX_PROTEINS)


def _mention_key(description: str) -> str:
    """The key of a mention, made of what :data:`_MENTIONS` has of it."""
    mention = json.loads(description)
    infons = ((LONG_FORM, mention["long"]),) if mention["long"] else ()
    name = mention["name"] or "?"
    identifiers = tuple(identifier for identifier in mention["identifiers"] or () if identifier)
    return protein_key(Entity("e", name, ((0, len(name)),), mention["type"], identifiers, infons=infons))


def _check_capacity(connection: Any, table: str, maximum: int) -> None:
    count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    if count >= maximum:
        raise DatabaseError(
            f"expected fewer than {maximum:,} different entries of {table!r}, got {count:,}; split the run"
        )


def _mention_json(which: int) -> str:
    """What a mention's key is made of, as JSON: nothing in a name can be taken for the border of another field."""
    long = f"list_filter(remarks_{which}, lambda remark: remark.key = '{LONG_FORM}')[1].value"
    return (
        f"CAST(to_json({{name: name_{which}, identifiers: identifiers_{which}, type: type_{which}, long: {long}}}) "
        "AS VARCHAR)"
    )


def _next_number(table: str, order: str) -> str:
    """Numbers behind those that are given already."""
    return f"(SELECT coalesce(max(id), -1) FROM {table}) + row_number() OVER (ORDER BY {order})"


_MENTIONS = f"SELECT {_mention_json(1)} FROM incoming UNION SELECT {_mention_json(2)} FROM incoming"
_NEW_PROTEINS = f"""
    INSERT INTO protein SELECT {_next_number("protein", "key")}, key
    FROM (SELECT DISTINCT key FROM mention) ANTI JOIN protein USING (key)
"""
_DIRECTED = "(agent IS NOT NULL AND target IS NOT NULL)"
_NEW_RELATIONS = f"""
    INSERT INTO relation SELECT {_next_number("relation", "type, sign, kind, directed")}, type, sign, kind, directed
    FROM (SELECT DISTINCT type, sign, kind, {_DIRECTED} AS directed FROM incoming) AS new
    WHERE NOT EXISTS (
        SELECT 1 FROM relation AS old WHERE old.type IS NOT DISTINCT FROM new.type
        AND old.sign IS NOT DISTINCT FROM new.sign AND old.kind IS NOT DISTINCT FROM new.kind
        AND old.directed = new.directed
    )
"""
_PAPER = "coalesce(pubmed, document)"
_NEW_PAPERS = f"""
    INSERT INTO paper SELECT {_next_number("paper", "name")}, name
    FROM (SELECT DISTINCT {_PAPER} AS name FROM incoming) ANTI JOIN paper USING (name)
"""
_NEW_SENTENCES = f"""
    INSERT INTO sentence SELECT {_next_number("sentence", "document, sentence_id")}, document, sentence_id
    FROM (SELECT DISTINCT document, sentence_id FROM incoming)
    ANTI JOIN sentence USING (document, sentence_id)
"""
#: The numbers that a batch needs, so that its join holds those in memory and not everybody's.
_BATCH_TABLES = {
    "batch_protein": "SELECT mention.description, protein.id, protein.key FROM protein JOIN mention USING (key)",
    "batch_paper": f"SELECT id, name FROM paper SEMI JOIN (SELECT {_PAPER} AS name FROM incoming) USING (name)",
    "batch_place": "SELECT id, document, sentence_id FROM sentence "
    "SEMI JOIN (SELECT document, sentence_id FROM incoming) USING (document, sentence_id)",
}
_LINE = "CAST(json_array({}) AS VARCHAR)".format(", ".join(f'known."{name}"' for name in LINE_COLUMNS))
_TYPE_PROBABILITY = " ".join(f"WHEN '{type}' THEN probability_{type}" for type in TYPES)
#: As :func:`ppi.network.aggregation.key_order` has it: identifiers before names.
_IN_ORDER = f"(starts_with(a.key, '{NAME_PREFIX}'), a.key) <= (starts_with(b.key, '{NAME_PREFIX}'), b.key)"
_FIRST_IS_SOURCE = f"CASE WHEN {_DIRECTED} THEN agent = 1 ELSE {_IN_ORDER} END"
_ADD_INTERACTIONS = f"""
    INSERT INTO interaction
    WITH known AS (
        SELECT incoming.*, a.id AS a, b.id AS b, {_FIRST_IS_SOURCE} AS forward, {_DIRECTED} AS directed
        FROM incoming JOIN batch_protein AS a ON a.description = {_mention_json(1)}
        JOIN batch_protein AS b ON b.description = {_mention_json(2)}
    )
    SELECT {", ".join(f'known."{name}"' for name in COPIED_COLUMNS)}, {_LINE}, lower(known.sentence),
        len(identifiers_1) = 1, len(identifiers_2) = 1, known.a, known.b,
        ((if(forward, known.a, known.b)::BIGINT << {TARGET_BITS + RELATION_BITS})
            + (if(forward, known.b, known.a)::BIGINT << {RELATION_BITS}) + relation.id) AS edge,
        batch_paper.id, batch_place.id,
        coalesce(CASE known.type {_TYPE_PROBABILITY} END, probability),
        if(negated, {NEGATED}, 0) + if(hedged, {HEDGED}, 0), known.a <> known.b OR coalesce(homo, false)
    FROM known
    JOIN relation ON relation.type IS NOT DISTINCT FROM known.type AND relation.sign IS NOT DISTINCT FROM known.sign
        AND relation.kind IS NOT DISTINCT FROM known.kind AND relation.directed = known.directed
    JOIN batch_paper ON batch_paper.name = {_PAPER}
    JOIN batch_place ON batch_place.document = known.document AND batch_place.sentence_id = known.sentence_id
"""


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

    sql = "SELECT DISTINCT shown FROM spelling ANTI JOIN form USING (shown) ORDER BY shown"
    new = [spelling for (spelling,) in connection.execute(sql).fetchall()]
    forms = pa.table({"shown": pa.array(new, pa.string()), "form": list(map(normalize_name, new))})
    connection.register("forms", forms)
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
    WITH side AS ({_SIDES}), facts AS (
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
    FROM protein JOIN facts ON facts.protein = protein.id JOIN paper ON paper.protein = protein.id
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
