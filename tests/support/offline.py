"""Programs in a process of their own in which no socket reaches beyond this machine.

An audit hook (PEP 578) sees every connection and every look-up of a name, also of libraries that catch the error and
go on; each is written down and refused.  The hook is in a sitecustomize, so that processes started by the
program have it too.
"""

import os
import subprocess
import sys
from pathlib import Path

SITECUSTOMIZE = """
import os, sys

def guard(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        address = arguments[:1]
    elif event == "urllib.Request":
        address = arguments[:1]
    else:
        return
    host = address[0] if isinstance(address, tuple) else None  # paths and bytes are sockets of this machine
    if host is None or host in ("127.0.0.1", "::1", "localhost", "", b"localhost"):
        return
    with open(os.environ["NETWORK_LOG"], "a") as log:
        log.write(f"{event} {host}\\n")
    raise OSError(f"no network here: {event} {host}")

sys.addaudithook(guard)
"""

VERBS = """
import sys
from ppi.cli import main
for line in sys.argv[1:]:
    code = main(line.split())
    if code:
        sys.exit(f"{line}: exit {code}")
"""


class Offline:
    """Runs programs in ``folder``, without network."""

    def __init__(self, folder: Path, *, hash_seed: str = "0") -> None:
        self.folder = folder
        site = folder / "site"
        site.mkdir(parents=True)
        (site / "sitecustomize.py").write_text(SITECUSTOMIZE)
        self.log = folder / "network.log"
        # corpora that this machine may have elsewhere are not for these runs
        kept = {name: value for name, value in os.environ.items() if name != "PPI_CORPORA"}
        self.environment = {
            **kept,
            "PYTHONPATH": os.pathsep.join([str(site), str(Path(__file__).parents[2])]),
            "PYTHONHASHSEED": hash_seed,
            "NETWORK_LOG": str(self.log),
        }

    def python(self, code: str, *arguments: str) -> subprocess.CompletedProcess:
        """Run code to its end; the time limit only ends what hangs."""
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=550, check=False
        )

    def start(self, code: str, *arguments: str) -> subprocess.Popen:
        """Run code until told to end."""
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, text=True)

    def verbs(self, *lines: str) -> subprocess.CompletedProcess:
        """Several commands of ``ppi``, one after the other; it stops at the first that fails."""
        return self.python(VERBS, *lines)

    @property
    def attempts(self) -> str:
        """What tried to reach the network."""
        return self.log.read_text() if self.log.exists() else ""
