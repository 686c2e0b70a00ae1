"""The extractor's settings: listed here and nowhere else, in a module that imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, Self

from ppi.core import UsageError
from ppi.extraction import plugins

KERNELS = ("all-paths", "context", "path", "composite", "composite-clusters", "composite-layers")
VARIANTS = ("max", "sum")
LEARNERS = ("sparse-rls", "rls", "rank-rls", "rank-svm", "ridge")
DEGREES = (1, 2)
#: What has a square: kernels that are cosines, and learners that see only the kernel matrix.
SQUARED_KERNELS = ("context", "path", "composite", "composite-clusters", "composite-layers")
SQUARED_LEARNERS = ("sparse-rls", "rls", "rank-rls")
#: What counts as a pair that does not interact (:mod:`ppi.extraction.pair_labels`).
NEGATIVES = ("auto", "cooccurring", "none")


@dataclass(frozen=True)
class Settings:
    """How an extractor is made.

    Parameters
    ----------
    kernel
        ``"all-paths"`` (the published graph kernel), ``"context"``, ``"path"``, ``"composite"``,
        ``"composite-clusters"`` or ``"composite-layers"``; the name of one that an installed package offers
        (:mod:`ppi.extraction.plugins`); or an object that fulfils :class:`kernels.FeatureMap`.
    variant
        ``"max"`` or ``"sum"``, of the all-paths kernel.
    degree
        2 takes the square (0.3 + 0.7 k)^2 of a kernel that is a cosine, for the least-squares learners; such a model
        keeps its training pairs (:mod:`ppi.extraction.trained_model`).
    learner
        ``"sparse-rls"``, ``"rls"``, ``"rank-rls"`` or ``"rank-svm"``, which see one set of pairs; or ``"ridge"``,
        with an intercept for each corpus, for training on several of them.  Or the name of one that an installed
        package offers, or a linear estimator by scikit-learn's contract, with ``coef_`` when fitted.
    regparam
        In units of the features' mean squared norm (rounded to a power of 2, but for ``ridge``); None chooses by the
        AUC of leave-document-out (``ridge``: takes :data:`~ppi.extraction.ridge.RIDGE_REGPARAM`).
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

    kernel: Any = "all-paths"
    variant: str = "max"
    degree: int = 1
    learner: Any = "sparse-rls"
    regparam: float | None = None
    n_basis: int = 4000
    parser: str | None = None
    n_features: int | None = None
    min_documents: int = 1
    random_state: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The settings of these names; UsageError for an unknown name."""
        setting_names = [field.name for field in fields(cls)]
        for name in values:
            if name not in setting_names:
                suggestions = get_close_matches(name, setting_names, 1)
                hint = f"; did you mean {suggestions[0]!r}?" if suggestions else ""
                raise UsageError(f"expected settings of an extractor, among {setting_names}, got {name!r}{hint}")
        return cls(**values)

    def __post_init__(self) -> None:
        for what, value, allowed in (("variant", self.variant, VARIANTS), ("degree", self.degree, DEGREES)):
            if value not in allowed:
                raise UsageError(f"expected a {what}, one of {list(allowed)}, got {value!r}")
        _check_choice("kernel", self.kernel, KERNELS, ("fit_transform", "transform"))
        _check_choice("learner", self.learner, LEARNERS, ("fit", "get_params"))
        for what, number in (("n_basis", self.n_basis), ("min_documents", self.min_documents)):
            if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
                raise UsageError(f"expected {what} of 1 or more, got {number!r}")
        if self.regparam is not None and (not isinstance(self.regparam, Real) or not self.regparam > 0):
            raise UsageError(f"expected a positive regparam, or None to choose it, got {self.regparam!r}")
        if self.degree != 1 and not (self.kernel in SQUARED_KERNELS and self.learner in SQUARED_LEARNERS):
            raise UsageError(
                f"expected degree=1 with the kernel {self.kernel_name!r} and the learner {self.learner_name!r}, got "
                f"{self.degree!r}; only {list(SQUARED_KERNELS)} are squared, for {list(SQUARED_LEARNERS)}"
            )
        if self.min_documents != 1 and self.learner != "ridge":
            raise UsageError(
                f"expected min_documents=1 with the learner {self.learner!r}, got {self.min_documents!r}; "
                "only 'ridge' drops rare features"
            )
        if self.n_features is not None and self.has_custom_kernel:
            raise UsageError(
                f"expected no n_features with the kernel {self.kernel_name!r}, got {self.n_features!r}; "
                "only the kernels of this package are hashed"
            )
        if self.regparam is not None and self.has_custom_learner:
            raise UsageError(
                f"expected no regparam with the learner {self.learner_name!r}, got {self.regparam!r}; "
                "give it to the learner itself"
            )

    @property
    def has_custom_kernel(self) -> bool:
        """Whether the kernel is not one of this package."""
        return not (isinstance(self.kernel, str) and self.kernel in KERNELS)

    @property
    def has_custom_learner(self) -> bool:
        """Whether the learner is not one of this package."""
        return not (isinstance(self.learner, str) and self.learner in LEARNERS)

    @property
    def kernel_name(self) -> str:
        """How the kernel is called in figures and messages: its name, or the class of an object."""
        return _display_name(self.kernel)

    @property
    def learner_name(self) -> str:
        """How the learner is called in figures and messages."""
        return _display_name(self.learner)

    def to_dict(self) -> dict[str, Any]:
        """All settings by name, as plain values: objects by what they are called."""
        return {**vars(self), "kernel": self.kernel_name, "learner": self.learner_name}


def _display_name(value: Any) -> str:
    if isinstance(value, str):
        return value
    return value.name if isinstance(value, plugins.AbsentLearner) else type(value).__name__


def _check_choice(what: str, value: Any, allowed: tuple[str, ...], members: tuple[str, ...]) -> None:
    """Refuse a name that neither this package nor another offers, and an object that cannot be what is wanted."""
    if isinstance(value, str):
        if value not in allowed and value not in plugins.list_names(what):
            names = [*allowed, *plugins.list_names(what)]
            raise UsageError(f"expected a {what}, one of {names}, got {value!r}")
        return
    if isinstance(value, type) or not all(hasattr(value, member) for member in members):
        hint = "call it" if isinstance(value, type) else f"an object of your own has {' and '.join(members)}"
        raise UsageError(f"expected a {what}, one of {list(allowed)}, got {value!r}; {hint}")
