"""``ppi serve``: the web page and its API."""

from __future__ import annotations

import argparse
import ipaddress
import socket
import sys
from typing import TYPE_CHECKING

from ppi.cli.annotation_arguments import add_annotator_arguments, annotator_settings
from ppi.core import MissingExtraError, PpiError

if TYPE_CHECKING:
    from ppi.annotation import AnnotatorSettings
    from ppi.cli.program import VerbParsers
    from ppi.server import CurationService, Limits, OpenRun

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8000
#: How long requests that are being worked on may still take when the server is told to end.
GRACE_SECONDS = 10
#: How long a connection may stay without a request: longer than clients keep theirs, so that none is closed under them.
KEEP_ALIVE_SECONDS = 20


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("serve", parents=[common])
    verb.add_argument(
        "run_path",
        nargs="?",
        metavar="RUN",
        help="the folder of `ppi annotate --run`, .parquet or .jsonl: a database of it at /database (extra `database`)",
    )
    verb.add_argument("--host", default=DEFAULT_HOST, help="address to listen at (default: %(default)s, this machine)")
    verb.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes a free one (default: %(default)s)")
    add_annotator_arguments(verb)
    verb.add_argument("--workers", type=int, default=2, metavar="N", help="processes that annotate (default: 2)")
    verb.add_argument("--seconds", type=float, default=30.0, metavar="S", help="for one request (default: 30)")
    verb.add_argument(
        "--client-share",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="how much of its places for requests and connections one address may have (default: 0.5; 1 behind a proxy "
        "on another machine)",
    )
    verb.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name by which the server may be asked, beside --host; can be repeated (default: when --host is an "
        "address of this machine only, its own names; otherwise any)",
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    settings = annotator_settings(args)
    try:
        import fastapi  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise MissingExtraError(error.name or "fastapi", "web") from None
    from ppi.server import Limits, create_app, make_protocol, new_token

    database = _open_database(args.run_path)
    limits = Limits(workers=args.workers, seconds=args.seconds, client_share=args.client_share)
    token = new_token() if needs_token(args.host, args.allow_host) else None
    curation_service = None if database is None else _make_curation_service(database, limits, settings, token)
    app = create_app(
        annotator=settings.build,
        limits=limits,
        hosts=allowed_hosts(args.host, args.allow_host),
        database=database,
        curation_service=curation_service,
    )
    with listening_socket(args.host, args.port) as listener:
        print("ppi: loading the annotator", file=sys.stderr)
        app.state.pool.start()
        page = address_of(listener) + ("" if database is None else "/database")
        if curation_service is not None and token is not None:
            print(f"ppi: others may ask: judging needs the token {token}", file=sys.stderr)
        print(f"ppi: open {page} in a browser (Ctrl-C ends)", file=sys.stderr, flush=True)
        config = uvicorn.Config(
            app,
            http=make_protocol(limits),
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _open_database(path: str | None) -> OpenRun | None:
    """The run that is to be searched, with its index; None if none was named."""
    if path is None:
        return None
    from ppi.server import open_run

    print(f"ppi: opening {path}; the first time, an index is made beside it", file=sys.stderr)
    return open_run(path)


def _make_curation_service(
    database: OpenRun, limits: Limits, settings: AnnotatorSettings, token: str | None
) -> CurationService:
    """Where the run is judged, and what learns from it."""
    from functools import partial

    from ppi.server import Curation, CurationService, FeedbackProcess, curation_path, load_feedback_model

    curation = Curation(curation_path(database.path))
    if curation.torn:
        lines = ", ".join(map(str, curation.torn))
        print(f"ppi: warning: {curation.path}: a crash cut short line {lines}; passed over", file=sys.stderr)
    learner = FeedbackProcess(partial(load_feedback_model, settings.model, settings.parser), limits)
    return CurationService(database, curation, limits, token=token, learner=learner)


def allowed_hosts(host: str, extra_names: list[str]) -> list[str] | None:
    """Names the server may be asked by; None for any."""
    from ppi.server import LOOPBACK_NAMES

    if is_loopback(host):
        return [*LOOPBACK_NAMES, host, *extra_names]
    return [host, *LOOPBACK_NAMES, *extra_names] if extra_names else None


def needs_token(host: str, extra_names: list[str]) -> bool:
    """Whether others than those who sit at this machine may ask, so that judging needs a token."""
    return bool(extra_names) or not is_loopback(host)


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens already, so that a port that is taken is an error before the model is loaded."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        raise PpiError(
            f"expected an address and port that are free, got {host!r} and {port}: {error}; try another --port"
        ) from None


def address_of(listener: socket.socket) -> str:
    """The address for a browser."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
