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
