from .document_formats import AGENT, TARGET, write_brat_configuration
from .formats import (
    FORMATS,
    NETWORK_FORMATS,
    ExportFormat,
    PageFacts,
    dumps,
    format_named,
    format_of,
    write,
    write_network,
    write_zip,
)
from .indra_json import SOURCE, evidence_json, statement_json
from .jsonl import encode_json, read_jsonl, read_jsonl_papers, write_jsonl
from .mitab import write_mitab
from .network_files import write_annotated_graphml, write_network_csv
from .parquet import (
    PARQUET_COLUMNS,
    arrow_schema,
    interaction_of,
    make_arrow_tables,
    read_parquet,
    read_parquet_tables,
    require_pyarrow,
)
from .spreadsheets import escape_formula, write_csv

__all__ = [
    "AGENT",
    "FORMATS",
    "NETWORK_FORMATS",
    "PARQUET_COLUMNS",
    "SOURCE",
    "TARGET",
    "ExportFormat",
    "PageFacts",
    "arrow_schema",
    "dumps",
    "encode_json",
    "escape_formula",
    "evidence_json",
    "format_named",
    "format_of",
    "interaction_of",
    "make_arrow_tables",
    "read_jsonl",
    "read_jsonl_papers",
    "read_parquet",
    "read_parquet_tables",
    "require_pyarrow",
    "statement_json",
    "write",
    "write_annotated_graphml",
    "write_brat_configuration",
    "write_csv",
    "write_jsonl",
    "write_mitab",
    "write_network",
    "write_network_csv",
    "write_zip",
]
