"""What clients hold of the server at a moment: bytes of requests that arrive or wait, and requests that are complete.

A client that announces much and sends little holds what it has sent, and none of the places for work: these are given
to requests that are there completely.  Nobody holds more than a share, so that one client alone never keeps the others
out.  A client is an address.
"""

from __future__ import annotations

from collections import Counter
from types import TracebackType

from ppi.web.limits import Limits
from ppi.web.problems import busy


class ClientQuotas:
    """Counts by client; of all clients together under None."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.bytes: Counter[str | None] = Counter()
        self.requests: Counter[str | None] = Counter()

    def open(self, client: str) -> RequestQuota:
        """What one request will hold, until the block that it is used for ends."""
        return RequestQuota(self, client, self._limits)


class RequestQuota:
    """What one request holds; nothing at first."""

    def __init__(self, quotas: ClientQuotas, client: str, limits: Limits) -> None:
        self._all, self._client, self._limits = quotas, client, limits
        self._bytes = self._requests = 0

    def __enter__(self) -> RequestQuota:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _add_usage(self._all.bytes, self._client, -self._bytes)
        _add_usage(self._all.requests, self._client, -self._requests)

    def take(self, n_bytes: int) -> None:
        """Hold more bytes.

        Raises
        ------
        Refusal
            ``busy``, if there are no more to be had.
        """
        _check_usage(self._all.bytes, self._client, n_bytes, self._limits.held_bytes, self._limits.client_share)
        _add_usage(self._all.bytes, self._client, n_bytes)
        self._bytes += n_bytes

    def take_place(self) -> None:
        """Hold a place for work.

        Raises
        ------
        Refusal
            ``busy``, if all are taken.
        """
        _check_usage(self._all.requests, self._client, 1, self._limits.requests, self._limits.client_share)
        _add_usage(self._all.requests, self._client, 1)
        self._requests += 1


def client_limit(limit: int, client_share: float) -> int:
    """How much of a limit one client may hold: at least 1.

    >>> client_limit(100, 0.5), client_limit(1, 0.5)
    (50, 1)
    """
    return max(1, int(limit * client_share))


def _check_usage(usage: Counter[str | None], client: str, amount: int, limit: int, client_share: float) -> None:
    if usage[None] + amount > limit or usage[client] + amount > client_limit(limit, client_share):
        raise busy()


def _add_usage(usage: Counter[str | None], client: str, amount: int) -> None:
    usage[None] += amount
    usage[client] += amount
    if not usage[client]:
        del usage[client]  # clients that have left are forgotten
