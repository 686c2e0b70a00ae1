"""Judgements of what a run found: kept beside it, merged, compared, exported, and learned from."""

from ppi.curation.agreement import Agreement, agreements, agreements_of_files, cohen_kappa
from ppi.curation.judgement import Judgement, RowKey, Undo, row_key
from ppi.curation.merging import merge, read_curation, state_of_files
from ppi.curation.state import CurationState, KeptJudgement, fold
from ppi.curation.store import Curation, curation_path, find_curation
from ppi.curation.verdicts import VERDICTS

__all__ = [
    "VERDICTS",
    "Agreement",
    "Curation",
    "CurationState",
    "Judgement",
    "KeptJudgement",
    "RowKey",
    "Undo",
    "agreements",
    "agreements_of_files",
    "cohen_kappa",
    "curation_path",
    "find_curation",
    "fold",
    "merge",
    "read_curation",
    "row_key",
    "state_of_files",
]
