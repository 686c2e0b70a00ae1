"""The application's exceptions, one small tree."""


class PpiError(Exception):
    """Root of what the application itself raises; the command line prints it as one line."""


class UsageError(PpiError):
    """Arguments that cannot be combined, or name something that does not exist."""


class MissingExtraError(PpiError):
    """An optional dependency is needed and not installed; the text names the extra."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"expected the package {package!r}, which is not installed; run: pip install 'ppi-miner[{extra}]'"
        )


class ParseError(PpiError, ValueError):
    """A text could not be parsed, or a parse does not fit its text."""


class UnknownParserError(ParseError):
    """A parser was named that is not there."""


class MissingModelError(ParseError):
    """A parser's trained model is missing or unreadable."""


class MissingProgramError(ParseError):
    """A parser that is a separate program is not installed or does not start; the text names its packages."""


class TrainingError(PpiError):
    """Documents that nothing can be learned from: no positive pair, no negative one, too few documents."""


class ModelFileError(PpiError):
    """A model file that is damaged, of another version, or no model at all."""


class AnnotationError(PpiError):
    """A document that cannot be annotated; the text names it."""


class ReportError(PpiError):
    """An evaluation report that cannot be read or compared."""


class RunError(PpiError):
    """A long run that cannot begin or go on: a folder in use, other settings, a full disk."""


class CurationError(PpiError):
    """Judgements that cannot be kept or read: a file of another version, a verdict that does not fit its sentence."""


class CurationFileError(CurationError):
    """The file of judgements cannot be read or written; what was to be kept is not."""


class DatabaseError(PpiError):
    """A run that cannot be opened or searched: of another version, damaged, or a query that takes too long."""


class NotInRunError(DatabaseError):
    """A protein or sentence that a run does not have; the text names similar proteins."""


class LoadingError(PpiError):
    """A process that cannot load what it serves; the text gives the reason."""


class LoadingInterruptedError(LoadingError):
    """A process that ended, or was ended, before it had loaded everything; another try may do better."""
