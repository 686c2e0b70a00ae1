"""What can go wrong in ``learners``: one small tree of exceptions, and what is worth a warning.

Everything that concerns the caller's input is a :class:`LearnerError`, which is a ``ValueError``, so code
written against scikit-learn's conventions catches it too.
"""

from sklearn.exceptions import ConvergenceWarning, NotFittedError


class LearnerError(ValueError):
    """Root of the tree: something about the input or the options cannot be used."""


class RegParamError(LearnerError):
    """``regparam`` is not a positive finite number."""


class KernelError(LearnerError):
    """``kernel`` is unknown, or what it returned is not a kernel matrix of the right shape."""


class GroupError(LearnerError):
    """``groups``, ``folds`` or hold-out index sets do not fit the data."""


class QueryError(GroupError):
    """``qid`` does not fit the data."""


class PreferenceError(LearnerError):
    """The preferences are malformed, or nothing is preferred to anything."""


class NearTieWarning(UserWarning):
    """Scores too close to divide by their difference count as ties."""


class BasisError(LearnerError):
    """The basis vectors (the reduced set) are not usable."""


class LabelError(LearnerError):
    """The targets or labels cannot be learned from or evaluated against."""


class DataFileError(LearnerError):
    """A data file cannot be read, or a line of it is wrong."""


class NotConvergedError(LearnerError):
    """An iterative method stopped at its iteration limit before reaching its tolerance."""


class NotConvergedWarning(ConvergenceWarning):
    """The same where the best of what was reached is kept."""


__all__ = [
    "BasisError",
    "DataFileError",
    "GroupError",
    "KernelError",
    "LabelError",
    "LearnerError",
    "NearTieWarning",
    "NotConvergedError",
    "NotConvergedWarning",
    "NotFittedError",
    "PreferenceError",
    "QueryError",
    "RegParamError",
]
