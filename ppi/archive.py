"""Zip files of one JSON header and plain NumPy arrays: how trained models are kept.  Nothing in them can run code.

A file from a stranger is read with limits: only the members we write, no larger than announced, flat arrays of finite
numbers, no objects.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from corpora.source import atomic_output
from ppi.errors import ModelFileError, UsageError

HEADER = "model.json"
_LARGEST_MEMBER = 2**31  # bytes, unpacked
_LARGEST_HEADER = 2**28


def write_archive(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], *, format: str, version_number: int
) -> None:
    """Write header and arrays; the file appears only when it is complete."""
    facts = {
        "format": format,
        "version": version_number,
        "written_by": f"ppi-miner {version('ppi-miner')}",
        "date": date.today().isoformat(),
    }
    with atomic_output(path) as output, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(HEADER, json.dumps({**facts, **header}, ensure_ascii=False))
        for name, array in arrays.items():
            buffer = BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            archive.writestr(f"{name}.npy", buffer.getvalue())


def read_archive(
    path: str | Path, *, format: str, versions: Sequence[int]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a file of that format, in one of these versions.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file.
    """
    with model_errors(path), zipfile.ZipFile(path) as archive:
        header = _read_header(archive, path, format, versions)
        return header, _read_arrays(archive, path)


@contextmanager
def model_errors(path: str | Path) -> Iterator[None]:
    """Turns whatever a damaged or foreign file makes happen while it is read into a ModelFileError."""
    try:
        yield
    except ModelFileError:
        raise
    except OSError as error:
        raise ModelFileError(f"{path}: expected a readable model file, got: {error.strerror or error}") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelFileError(
            f"{path}: expected a model file (a zip), got: {error}; train or download it again"
        ) from None
    except (KeyError, TypeError, ValueError, UsageError) as error:
        raise ModelFileError(f"{path}: expected the contents of a model, got: {error!r}") from None


def _read_header(archive: zipfile.ZipFile, path: str | Path, format: str, versions: Sequence[int]) -> dict[str, Any]:
    header = json.loads(_read_member(archive, HEADER, path, limit=_LARGEST_HEADER))
    if not isinstance(header, dict) or header.get("format") != format:
        raise ModelFileError(f"{path}: expected a {format} model, got {_shown(header)}")
    if header.get("version") not in versions:
        readable = f"{max(versions)}{' or older' if len(versions) > 1 else ''}"
        raise ModelFileError(
            f"{path}: expected model version {readable}, got {header.get('version')!r}; "
            f"it was written by {header.get('written_by')!r}: install that version, or train again"
        )
    return header


def _read_arrays(archive: zipfile.ZipFile, path: str | Path) -> dict[str, np.ndarray]:
    arrays = {}
    for member in archive.namelist():
        if not member.endswith(".npy"):
            continue
        data = _read_member(archive, member, path, limit=_LARGEST_MEMBER)
        array = np.lib.format.read_array(BytesIO(data), allow_pickle=False)
        if array.dtype.kind not in "fu" or array.ndim != 1:
            raise ModelFileError(f"{path}: expected flat arrays of numbers, got {member!r} of {array.dtype}")
        if not np.isfinite(array).all():
            raise ModelFileError(f"{path}: expected finite weights, got NaN or infinity in {member!r}")
        arrays[member.removesuffix(".npy")] = array
    return arrays


def _read_member(archive: zipfile.ZipFile, member: str, path: str | Path, *, limit: int) -> bytes:
    if archive.getinfo(member).file_size > limit:
        raise ModelFileError(f"{path}: expected {member!r} of at most {limit} bytes, got more; it is not a model")
    return archive.read(member)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
