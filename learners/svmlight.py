"""SVMlight / LETOR files with query ids: into a sparse matrix, scores and query ids, and back."""

from __future__ import annotations

import contextlib
import gzip
import math
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import scipy.sparse as sp

from learners.errors import DataFileError, LearnerError

_GZIP_MAGIC = b"\x1f\x8b"
_MAX_INDEX = 2**31 - 2  # scipy.sparse and the fast reader count features in 32 bits, from 0 or 1
_MAX_INDEX_DIGITS = 10  # of such an index; longer ones are not even made into a number
_PAIR = re.compile(r"([0-9]+):(\S+)")


class RankingData(NamedTuple):
    """Rows of features, their scores, and the query each row belongs to."""

    X: sp.csr_matrix  # (n_samples, n_features)
    y: np.ndarray  # (n_samples,)
    qid: np.ndarray | None  # (n_samples,), or None where the file has no qid


def read_svmlight(path: str | Path, *, n_features: int | None = None, zero_based: bool = False) -> RankingData:
    """Read a file of ranking data, one example per line.

    A line is ``score [qid:N] index:value ... [# comment]``.

    Parameters
    ----------
    path : str or Path
        The file, gzip or not (by its first bytes).
    n_features : int, optional
        Width of the matrix, for files that have to fit together; the largest index if not given.
    zero_based : bool, default=False
        Whether indices start at 0 instead of SVMlight's 1.

    Returns
    -------
    RankingData

    Raises
    ------
    DataFileError
        If the file cannot be read, or naming the first line that is wrong.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learners import read_svmlight
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "train.txt")
    ...     _ = path.write_text("2 qid:7 1:0.5 3:1 # doc 1\\n0 qid:7 2:4\\n")
    ...     data = read_svmlight(path)
    >>> data.X.toarray().tolist(), data.y.tolist(), data.qid.tolist()
    ([[0.5, 0.0, 1.0], [0.0, 4.0, 0.0]], [2.0, 0.0], [7, 7])

    Notes
    -----
    Comments (LETOR's document ids) are not kept.
    """
    from sklearn.datasets import load_svmlight_file  # here, because it takes a second to import

    with _open_bytes(path) as stream:
        try:
            X, y, qid = load_svmlight_file(stream, n_features=n_features, query_id=True, zero_based=zero_based)
        except (ValueError, OverflowError, UnicodeError) as error:
            _find_bad_line(path, n_features, zero_based)
            raise DataFileError(
                f"{path}: expected lines 'score [qid:N] index:value ...', got: {error}; check what wrote the file"
            ) from None
    if len(qid) not in (0, len(y)) or not (np.isfinite(y).all() and np.isfinite(X.data).all()):
        _find_bad_line(path, n_features, zero_based)
    return RankingData(X, y, qid if len(qid) else None)


def write_svmlight(data: RankingData, path: str | Path, *, zero_based: bool = False) -> None:
    """Write the rows, all or nothing; every number is written so that reading gives the same number back.

    Parameters
    ----------
    data : RankingData
    path : str or Path
        The file, packed by gzip if its name ends in .gz.
    zero_based : bool, default=False
        Whether indices start at 0 instead of SVMlight's 1.

    Raises
    ------
    LearnerError
        If the parts of ``data`` do not fit together, or hold NaN or infinity.
    DataFileError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np, scipy.sparse as sp
    >>> from learners import RankingData, write_svmlight
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "train.txt")
    ...     write_svmlight(RankingData(sp.csr_matrix([[0.5, 0.0, 1.0]]), np.array([2.0]), np.array([7])), path)
    ...     path.read_text()
    '2.0 qid:7 1:0.5 3:1.0\\n'
    """
    X = sp.csr_matrix(data.X, copy=True)
    X.sum_duplicates()
    y = np.asarray(data.y, dtype=float)
    if len(y) != X.shape[0] or (data.qid is not None and len(data.qid) != len(y)):
        raise LearnerError(
            f"expected one score and query id per row, got {X.shape[0]} rows, {len(y)} scores and "
            f"{'no' if data.qid is None else len(data.qid)} query ids; subset X, y and qid together"
        )
    if not (np.isfinite(y).all() and np.isfinite(X.data).all()):
        raise LearnerError("expected finite numbers in X and y, got NaN or infinity; drop or fill in those rows")
    shift = 0 if zero_based else 1
    with _replace_atomically(Path(path)) as output:
        for row in range(len(y)):
            begin, end = X.indptr[row], X.indptr[row + 1]
            parts = [repr(float(y[row]))]
            if data.qid is not None:
                parts.append(f"qid:{int(data.qid[row])}")
            parts.extend(
                f"{index + shift}:{float(value)!r}"
                for index, value in zip(X.indices[begin:end], X.data[begin:end], strict=True)
                if value != 0
            )
            output.write((" ".join(parts) + "\n").encode("ascii"))


@contextlib.contextmanager
def _open_bytes(path: str | Path) -> Iterator[IO[bytes]]:
    """The unpacked bytes; whatever keeps them from being read is a :class:`DataFileError`."""
    try:
        with open(path, "rb") as raw:
            is_gzip = raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            raw.seek(0)
            yield gzip.GzipFile(fileobj=raw) if is_gzip else raw  # type: ignore[misc]
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataFileError(f"{path}: expected complete gzip data, got: {error}; copy the file again") from None
    except OSError as error:
        raise DataFileError(f"{path}: expected a readable file, got: {error.strerror}; check the path") from None


@contextlib.contextmanager
def _replace_atomically(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears under its name only when the block ends well; gzip if it ends in .gz."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise DataFileError(
            f"{path}: expected a folder that can be written to, got: {error.strerror}; check the path"
        ) from None
    try:
        with os.fdopen(handle, "wb") as raw:
            if path.name.endswith(".gz"):
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:  # same rows, same bytes
                    yield packed  # type: ignore[misc]
            else:
                yield raw
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _find_bad_line(path: str | Path, n_features: int | None, zero_based: bool) -> None:
    """Raise an error that names the first line that is wrong; the fast reader does not say which it was."""
    has_qid: bool | None = None
    with _open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            line = raw.decode("utf-8", errors="replace").rstrip("\r\n")
            parts = line.split("#", 1)[0].split()
            if not parts:
                continue
            problem = _line_problem(parts, n_features, 0 if zero_based else 1)
            with_qid = len(parts) > 1 and parts[1].startswith("qid:")
            if problem is None and has_qid not in (None, with_qid):
                problem = "qid on every line or on none"
            if problem is not None:
                raise DataFileError(f"{path}:{number}: expected {problem}, got {line[:60]!r}; mend or drop the line")
            has_qid = with_qid


def _line_problem(parts: list[str], n_features: int | None, first: int) -> str | None:
    """What was expected of the first part that is wrong, or None."""
    if not _is_finite(parts[0]):
        return "a finite score first"
    features = parts[1:]
    if features and features[0].startswith("qid:"):
        if not re.fullmatch(r"qid:\d{1,18}", features[0]):
            return "qid:N with a whole number"
        features = features[1:]
    previous = first - 1
    for part in features:
        pair = _PAIR.fullmatch(part)
        if not pair or not _is_finite(pair[2]):
            return f"index:value with a finite value at {part[:20]!r}"
        if len(pair[1]) > _MAX_INDEX_DIGITS or int(pair[1]) > _MAX_INDEX:
            return f"indices below 2^31 at {part[:20]!r}"
        index = int(pair[1])
        if index <= previous:
            return f"indices that rise from {first}, at {part[:20]!r}"
        if n_features is not None and index - first >= n_features:
            return f"at most {n_features} features at {part[:20]!r}"
        previous = index
    return None


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
