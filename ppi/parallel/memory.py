"""The memory of another process."""

from __future__ import annotations

import os
from pathlib import Path

MEBIBYTE = 2**20


def resident_bytes(pid: int) -> int:
    """The memory that a process has now; 0 if it has ended, or the system is not Linux and does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
