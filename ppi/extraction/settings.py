"""The extractor's settings: listed here and nowhere else, in a module that imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, Self

from ppi.errors import UsageError

KERNELS = ("all-paths", "context", "path", "composite")
VARIANTS = ("max", "sum")
LEARNERS = ("sparse-rls", "rls", "rank-rls", "rank-svm", "ridge")
#: What counts as a pair that does not interact (:mod:`ppi.extraction.gold`).
NEGATIVES = ("auto", "cooccurring", "none")


@dataclass(frozen=True)
class Settings:
    """How an extractor is made.

    Parameters
    ----------
    kernel
        ``"all-paths"`` (the published graph kernel), ``"context"``, ``"path"`` or ``"composite"``.
    variant
        ``"max"`` or ``"sum"``, of the all-paths kernel.
    learner
        ``"sparse-rls"``, ``"rls"``, ``"rank-rls"`` or ``"rank-svm"``, which see one set of pairs; or ``"ridge"``,
        with an intercept for each corpus, for training on several of them.
    regparam
        In units of the features' mean squared norm; None chooses by the AUC of leave-document-out (``ridge``: takes
        :data:`~ppi.extraction.ridge.REGPARAM`).
    n_basis
        Basis vectors of sparse RLS; with as many as examples it is RLS.
    parser
        Name of the parse to use; None takes the only one, or ``split_parse``.
    n_features
        None learns a vocabulary; a power of 2 hashes each kernel's features into that many columns.
    min_documents
        ``ridge`` drops features that fewer of its training documents have.
    random_state
        For drawing the basis vectors.

    Raises
    ------
    UsageError
        If a name is unknown, or ``min_documents`` is asked of another learner.
    """

    kernel: str = "all-paths"
    variant: str = "max"
    learner: str = "sparse-rls"
    regparam: float | None = None
    n_basis: int = 4000
    parser: str | None = None
    n_features: int | None = None
    min_documents: int = 1
    random_state: int = 0

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The settings of these names.

        Raises
        ------
        UsageError
            If there is no setting of such a name.
        """
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                meant = get_close_matches(name, known, 1)
                hint = f"; did you mean {meant[0]!r}?" if meant else ""
                raise UsageError(f"expected settings of an extractor, among {known}, got {name!r}{hint}")
        return cls(**given)

    def __post_init__(self) -> None:
        for what, value, known in (
            ("kernel", self.kernel, KERNELS),
            ("variant", self.variant, VARIANTS),
            ("learner", self.learner, LEARNERS),
        ):
            if value not in known:
                raise UsageError(f"expected a {what}, one of {list(known)}, got {value!r}")
        for what, number in (("n_basis", self.n_basis), ("min_documents", self.min_documents)):
            if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
                raise UsageError(f"expected {what} of 1 or more, got {number!r}")
        if self.regparam is not None and (not isinstance(self.regparam, Real) or not self.regparam > 0):
            raise UsageError(f"expected a positive regparam, or None to choose it, got {self.regparam!r}")
        if self.min_documents != 1 and self.learner != "ridge":
            raise UsageError(
                f"expected min_documents=1 with the learner {self.learner!r}, got {self.min_documents!r}; "
                "only 'ridge' drops rare features"
            )
