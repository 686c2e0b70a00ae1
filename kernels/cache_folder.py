"""Where compiled code is kept between processes.

numba keeps it beside the source, or else in the user's cache folder.  A service account may be able to write to
neither; then it goes to a folder of this user alone under the system's temporary folder.  Cached code is run when it is
loaded, so nobody else may be able to put anything there.  If even that cannot be had, nothing is kept.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import warnings
from functools import lru_cache
from pathlib import Path

#: Set for the processes that this one starts: they need not say again that nothing is kept.
_WARNED_VARIABLE = "PPI_NO_COMPILED_CODE_KEPT"


@lru_cache(maxsize=1)
def use_temporary_folder() -> bool:
    """Tell numba, and the processes that this one starts, to keep compiled code there; whether that is possible."""
    import numba

    folder = private_folder()
    if folder is None:
        if _WARNED_VARIABLE not in os.environ:
            os.environ[_WARNED_VARIABLE] = "1"
            warnings.warn(
                "expected a folder that can be written to for compiled code, got none: each process compiles anew, "
                "which takes 20 seconds; set NUMBA_CACHE_DIR to a folder of your own",
                stacklevel=4,
            )
        return False
    # both: numba reads the variable when it is imported, and again when it changes
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    warnings.warn(
        f"neither the package's folder nor the home folder can be written to: compiled code is kept in {folder}; "
        "set NUMBA_CACHE_DIR to another folder of your own",
        stacklevel=4,
    )
    return True


def private_folder() -> Path | None:
    """A folder under the system's temporary one that only this user can write to; None if there can be none.

    The same one for all processes of the user; one that ends with this process, if somebody else took its name.
    """
    try:
        base = Path(tempfile.gettempdir())
        if not _protects_names(base):
            return None
        folder = base / f"ppi-miner-{os.getuid()}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            if not _is_private(folder):
                folder = Path(tempfile.mkdtemp(prefix="ppi-miner-"))
                atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def _is_private(folder: Path) -> bool:
    """Whether it is a folder, no link to one, and nobody else may write to it."""
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def _protects_names(base: Path) -> bool:
    """Whether nobody else can replace what is ours in the folder: it is not open to others, or sticky."""
    mode = base.stat().st_mode
    return not mode & 0o022 or bool(mode & stat.S_ISVTX)
