"""The web server under load, on this machine only: a crowd of clients, slow ones, requests that are too large.

Starts `ppi serve`, sends it the abstracts that ship with the package, prints how many requests were answered and how
fast, how many were told "busy", and the memory of server and workers.  Exit 1 if anything else happened: another
error, a slow client that is kept, a large body that is not refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import corpora
from lab.frame.program import run_program
from lab.load.trial import Client, Server, crowd, oversized, serving, slow_body, slow_head


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and judge it."""
    parser = argparse.ArgumentParser(prog="scripts/load_test", description=__doc__)
    add = parser.add_argument
    add("--clients", type=int, default=50, help="at once (default: %(default)s)")
    add("--seconds", type=float, default=60.0, help="(default: %(default)s)")
    add("--workers", type=int, default=2, help="processes that annotate (default: %(default)s)")
    add("--slow", type=int, default=50, metavar="N", help="slow clients (default: %(default)s)")
    add("--json", action="store_true", help="print everything as JSON")
    args = parser.parse_args(arguments)
    return run_program("scripts/load_test", lambda: _test(args))


def _test(args: argparse.Namespace) -> int:
    texts = ["\n\n".join(sentence.text for sentence in document.sentences) for document in corpora.load("abstracts")]
    with serving("--workers", str(args.workers)) as server:
        measured = asyncio.run(
            whole_trial(server, texts, clients=args.clients, seconds=args.seconds, slow_clients=args.slow)
        )
        measured["server_said"] = [line.rstrip() for line in server.lines if not line.startswith("ppi: ")]
    print(json.dumps(measured, indent=2) if args.json else shown(measured))
    wrong = complaints(measured)
    print("\n".join(f"wrong: {line}" for line in wrong) or "nothing but answers and `busy`", file=sys.stderr)
    return 1 if wrong else 0


async def whole_trial(
    server: Server, texts: Sequence[str], *, clients: int, seconds: float, slow_clients: int
) -> dict[str, Any]:
    """The crowd; then slow clients, with a quick one beside them; then large bodies."""
    from ppi.server import Limits

    limits, address = Limits(), server.address
    many = await crowd(address, texts, clients=clients, seconds=seconds, server=server)
    patience = limits.request_seconds
    slow = asyncio.gather(
        *(slow_head(address, interval=2.0, patience=patience) for _ in range(slow_clients)),
        *(slow_body(address, interval=2.0, patience=patience) for _ in range(slow_clients)),
    )
    await asyncio.sleep(3)
    beside = await Client(address).post(json.dumps({"text": texts[0]}).encode())
    ends = await slow
    large = [await oversized(address, 10 * limits.body_bytes, chunked=chunked) for chunked in (False, True)]
    return {
        **many.to_dict(),
        "slow_heads_dropped_after": sorted(ends[:slow_clients], key=lambda seconds: -1 if seconds is None else seconds),
        "slow_bodies_got": sorted(ends[slow_clients:], key=str),
        "beside_slow_ones": {"status": beside.status, "seconds": beside.seconds},
        "oversized_got": [answer.status for answer in large],
        "memory_at_the_end_megabytes": round(server.memory() / 2**20, 1),
    }


def complaints(measured: Mapping[str, Any]) -> list[str]:
    """What may not happen."""
    statuses = measured["statuses"]
    wrong = [f"status {status}: {count}" for status, count in statuses.items() if status not in ("200", "503")]
    wrong += measured["errors"]
    if "200" not in statuses:
        wrong.append("no request was answered")
    if None in measured["slow_heads_dropped_after"] or set(measured["slow_bodies_got"]) - {0, 408}:
        wrong.append("slow clients that were kept")
    if measured["beside_slow_ones"]["status"] != 200:
        wrong.append("slow clients kept out a quick one")
    if set(measured["oversized_got"]) != {413}:
        wrong.append(f"oversized bodies got {measured['oversized_got']}")
    complaints: list[str] = wrong + measured["server_said"]
    return complaints


def shown(measured: Mapping[str, Any]) -> str:
    """The figures for people."""
    latency = ", ".join(
        f"{name} {value:.2f} s" for name, value in measured["latency_seconds"].items() if value is not None
    )
    slowest = max((seconds or 0 for seconds in measured["slow_heads_dropped_after"]), default=0)
    memory = {**measured["memory_megabytes"], "at the end": measured["memory_at_the_end_megabytes"]}
    beside = measured["beside_slow_ones"]
    return (
        f"{measured['clients']} clients, {measured['seconds']:g} s: {measured['requests']} requests "
        f"{measured['statuses']}, {100 * measured['busy_share']:.1f} % busy, "
        f"{measured['answered_a_second']:.1f} answered per second\n"
        f"latency of the answered: {latency}\n"
        f"megabytes of server and workers: {memory}\n"
        f"slow heads: dropped after at most {slowest:.1f} s; slow bodies: {set(measured['slow_bodies_got'])}; "
        f"beside them: {beside['status']} after {beside['seconds']:.2f} s\n"
        f"oversized bodies: {measured['oversized_got']}"
    )


if __name__ == "__main__":
    sys.exit(main())
