"""Judgements of what a run found: kept beside it, merged, compared, exported, and learned from."""

from ppi.curation.agreement import Agreement, agreement_of_files, agreements, cohen_kappa
from ppi.curation.judgement import Judgement, Row, Undo, row_of
from ppi.curation.merging import merge, read_curation
from ppi.curation.state import Kept, State, fold
from ppi.curation.store import Curation, curation_path
from ppi.curation.verdicts import TITLES, VERDICTS

__all__ = [
    "TITLES",
    "VERDICTS",
    "Agreement",
    "Curation",
    "Judgement",
    "Kept",
    "Row",
    "State",
    "Undo",
    "agreement_of_files",
    "agreements",
    "cohen_kappa",
    "curation_path",
    "fold",
    "merge",
    "read_curation",
    "row_of",
]
