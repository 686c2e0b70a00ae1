"""Connecting to a running Dask cluster."""

from __future__ import annotations

from typing import Any

from ppi.errors import MissingExtraError, RunError

CONNECT_TIMEOUT_SECONDS = 20


def connect_client(address: str) -> Any:
    """A ``distributed.Client`` of the scheduler there.

    Raises
    ------
    MissingExtraError
        If the package is not installed.
    RunError
        If nobody answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("distributed", "scale") from None
    try:
        return Client(address, timeout=CONNECT_TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(
            f"expected a Dask scheduler at {address!r}, got: {error or type(error).__name__}; start one with "
            "`dask scheduler`, and workers with `dask worker ADDRESS`"
        ) from None
