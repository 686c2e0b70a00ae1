"""How much memory a process took at most."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_megabytes() -> float:
    """The largest resident size of this process so far, in 10^6 bytes.

    From Linux's own account where there is one: what ``getrusage`` says of a new process includes its parent.
    """
    if _STATUS.is_file():
        match = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text())
        if match is not None:
            return int(match.group(1)) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
