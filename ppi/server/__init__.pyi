from .curation.active_learning import STRATEGIES, CandidatePool, LabelledPool, select_candidates
from .curation.consensus import (
    Agreement,
    CurationState,
    KeptJudgement,
    agreements,
    agreements_of_files,
    cohen_kappa,
    fold_judgements,
)
from .curation.feedback_model import train_with_feedback
from .curation.judgement import Judgement, RowKey, Undo, format_time, row_key
from .curation.judgement_export import JUDGEMENT_FORMATS, write_judgements
from .curation.judgement_file import (
    HEAD,
    JudgementLine,
    encode_line,
    merge_judgement_files,
    read_curation,
    state_of_files,
)
from .curation.store import Curation, curation_path, find_curation
from .curation.summaries import agreement_text, feedback_text, status_json, status_text
from .database.opening import OpenRun, open_run
from .database.queries import Query, SearchResult
from .database.result_types import format_pairs
from .runs.chunks import Chunk, read_chunk
from .runs.long_run import CHUNK_RECORDS, DaskWorkers, LocalWorkers, Run, RunSummary, Workers, annotate_files
from .runs.manifest import PartFacts
from .runs.parts import PART_FORMATS
from .runs.run_reader import group_by_document, is_run, read_interactions, read_run
from .runs.supervisor import MEMORY_LIMIT_MB, TIME_LIMIT_SECONDS, Supervisor
from .web.app import create_app
from .web.curation_service import CurationService, new_token
from .web.database_answers import network_json, pair_page_json, protein_page_json, search_json, suggestions_json
from .web.feedback_process import FeedbackProcess, load_feedback_model
from .web.guard import LOOPBACK_NAMES
from .web.limits import Limits
from .web.protocol import make_protocol

__all__ = [
    "CHUNK_RECORDS",
    "HEAD",
    "JUDGEMENT_FORMATS",
    "LOOPBACK_NAMES",
    "MEMORY_LIMIT_MB",
    "PART_FORMATS",
    "STRATEGIES",
    "TIME_LIMIT_SECONDS",
    "Agreement",
    "CandidatePool",
    "Chunk",
    "Curation",
    "CurationService",
    "CurationState",
    "DaskWorkers",
    "FeedbackProcess",
    "Judgement",
    "JudgementLine",
    "KeptJudgement",
    "LabelledPool",
    "Limits",
    "LocalWorkers",
    "OpenRun",
    "PartFacts",
    "Query",
    "RowKey",
    "Run",
    "RunSummary",
    "SearchResult",
    "Supervisor",
    "Undo",
    "Workers",
    "agreement_text",
    "agreements",
    "agreements_of_files",
    "annotate_files",
    "cohen_kappa",
    "create_app",
    "curation_path",
    "encode_line",
    "feedback_text",
    "find_curation",
    "fold_judgements",
    "format_pairs",
    "format_time",
    "group_by_document",
    "is_run",
    "load_feedback_model",
    "make_protocol",
    "merge_judgement_files",
    "network_json",
    "new_token",
    "open_run",
    "pair_page_json",
    "protein_page_json",
    "read_chunk",
    "read_curation",
    "read_interactions",
    "read_run",
    "row_key",
    "search_json",
    "select_candidates",
    "state_of_files",
    "status_json",
    "status_text",
    "suggestions_json",
    "train_with_feedback",
    "write_judgements",
]
