"""A real server in a thread, on a free port, with the protocol and limits of ``ppi serve``."""

import contextlib
import threading

import uvicorn
from waiting import WAIT_SECONDS

from ppi.cli import address_of, listening_socket
from ppi.server import Limits, create_app, make_protocol


@contextlib.contextmanager
def serving(annotator, *, limits=None, **options):
    """The server's address, while the block runs."""
    limits = limits or Limits(workers=1)
    app = create_app(annotator=annotator, limits=limits, **options)
    with listening_socket("127.0.0.1", 0) as listener:
        app.state.pool.start()
        config = uvicorn.Config(app, http=make_protocol(limits), ws="none", log_level="critical", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield address_of(listener)
        finally:
            server.should_exit = True
            thread.join(WAIT_SECONDS)
