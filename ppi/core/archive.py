"""Reads and writes model files, zip files of a JSON header and plain NumPy arrays, and checks such headers.

Nothing in a file can run code.  A file from a stranger is read with limits: only the members that are written here, no
larger than announced nor than their packed size justifies (so that a small file stays small in memory), flat arrays of
finite numbers, no objects.
"""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version
from io import BytesIO
from math import isfinite
from pathlib import Path
from reprlib import Repr
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from corpora import atomic_output
from ppi.core.errors import ModelFileError, UsageError

HEADER = "model.json"
_MAX_MEMBER_BYTES = 2**31  # bytes, unpacked
_MAX_HEADER_BYTES = 2**28
#: A member may unpack to at most this many times its packed size; what packs better is written unpacked.
_MAX_MEMBER_RATIO = 50
_MAX_HEADER_RATIO = 20  # JSON grows once more when it is read
#: Members up to this size may pack as well as they like.
_SMALL_MEMBER_BYTES = 2**22
_MAX_MEMBERS = 16
_MEMBER_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_ENCRYPTED = 0x1  # flag of a zip member
_MAX_WEIGHT = 1e30  # far above any model's, and sums of products stay finite
#: The .npy format, version 1.0, as NumPy writes a flat array of numbers; anything else is refused unread.
_NPY_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<>|][fu][1248])', 'fortran_order': (?:True|False), "
    rb"'shape': \((\d{1,15}),\), \} *\n",
    re.DOTALL,
)
#: When every member was written, so that equal models are equal files.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MAX_ERROR_CHARACTERS = 300
_short_repr = Repr()
_short_repr.maxstring = _short_repr.maxother = 60
#: Characters of a value in a message: values in values are cut one by one, which leaves a lot of a whole header.
_MAX_VALUE_CHARACTERS = 200
_JSON_TYPE_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a finite number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}


def write_archive(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], *, format: str, version_number: int
) -> None:
    """Write header and arrays; the file appears only when it is complete."""
    provenance = {
        "format": format,
        "version": version_number,
        "written_by": f"ppi-miner {version('ppi-miner')}",
        "date": date.today().isoformat(),
    }
    with atomic_output(path) as output, zipfile.ZipFile(output, "w") as archive:
        # texts may hold halves of surrogate pairs, which json reads back
        text = json.dumps({**provenance, **header}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        _write_member(archive, HEADER, text)
        for name, array in arrays.items():
            buffer = BytesIO()
            np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
            _write_member(archive, f"{name}.npy", buffer.getvalue())


def read_archive(
    path: str | Path, *, format: str, versions: Sequence[int]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a file of that format, in one of these versions.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file.
    """
    with raise_as_model_file_error(path), zipfile.ZipFile(path) as archive:
        try:
            names = _check_members(archive.infolist(), os.path.getsize(path))
            header = _read_header(archive, format, versions)
            return header, {name.removesuffix(".npy"): _read_array(archive, name) for name in names if name != HEADER}
        except ModelFileError as error:
            raise ModelFileError(f"{path}: {error}") from None


@contextmanager
def raise_as_model_file_error(path: str | Path) -> Iterator[None]:
    """Turns whatever a damaged or foreign file makes happen while it is read into a ModelFileError."""
    try:
        yield
    except ModelFileError:
        raise
    except OSError as error:
        raise ModelFileError(f"{path}: expected a readable model file, got: {error.strerror or error}") from None
    except RecursionError:
        raise ModelFileError(f"{path}: expected the contents of a model, got JSON nested too deeply") from None
    except MemoryError:
        raise ModelFileError(f"{path}: expected a model that fits into memory, got a larger one") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelFileError(
            f"{path}: expected a model file (a zip), got: {_truncate(error)}; train or download it again"
        ) from None
    except KeyError as error:
        raise ModelFileError(f"{path}: expected the contents of a model, got none called {error}") from None
    except (ArithmeticError, AttributeError, TypeError, ValueError, UsageError) as error:
        raise ModelFileError(f"{path}: expected the contents of a model, got: {_truncate(error)}") from None


def _write_member(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    packs_too_well = len(data) > _SMALL_MEMBER_BYTES and len(data) > _max_unpacked_bytes(name, len(zlib.compress(data)))
    info = zipfile.ZipInfo(name, date_time=_EPOCH)
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    archive.writestr(info, data, zipfile.ZIP_STORED if packs_too_well else zipfile.ZIP_DEFLATED)


def _check_members(members: Sequence[zipfile.ZipInfo], file_bytes: int) -> list[str]:
    """The names of the members, if all of them are what we write; nothing is unpacked yet."""
    if len(members) > _MAX_MEMBERS:
        raise ModelFileError(f"expected at most {_MAX_MEMBERS} members, got {len(members)}; it is no model")
    names = [info.filename for info in members]
    if HEADER not in names:
        raise ModelFileError(f"expected a model with a {HEADER}, got a zip of {truncate_repr(names)}")
    if len(set(names)) < len(names):
        raise ModelFileError(f"expected each member once, got {truncate_repr(names)}")
    for info in members:
        _check_member(info)
    if sum(info.compress_size for info in members) > file_bytes:
        raise ModelFileError(f"expected members that fit into its {file_bytes} bytes, got larger or shared ones")
    return names


def _check_member(info: zipfile.ZipInfo) -> None:
    name = info.filename
    if name != HEADER and not (name.endswith(".npy") and _MEMBER_NAME.fullmatch(name)):
        raise ModelFileError(f"expected {HEADER} and arrays (NAME.npy) only, got {truncate_repr(name)}")
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise ModelFileError(f"expected plain members, got a link or a device, {name!r}")
    if info.flag_bits & _ENCRYPTED:
        raise ModelFileError(f"expected plain members, got {name!r}, which is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ModelFileError(f"expected members stored or deflated, got {name!r} by {info.compress_type}")
    limit = _max_unpacked_bytes(name, info.compress_size)
    if info.file_size > limit:
        raise ModelFileError(f"expected {name!r} of at most {limit} bytes, got {info.file_size}; it is no model")


def _max_unpacked_bytes(name: str, packed_bytes: int) -> int:
    """The most bytes that a member of this packed size may unpack to."""
    most, ratio = (_MAX_HEADER_BYTES, _MAX_HEADER_RATIO) if name == HEADER else (_MAX_MEMBER_BYTES, _MAX_MEMBER_RATIO)
    return min(most, max(_SMALL_MEMBER_BYTES, ratio * packed_bytes))


def _read_header(archive: zipfile.ZipFile, format: str, versions: Sequence[int]) -> dict[str, Any]:
    header = json.loads(_read_member(archive, HEADER))
    if not isinstance(header, dict) or header.get("format") != format:
        raise ModelFileError(f"expected a {format} model, got {truncate_repr(header)}")
    file_version = header.get("version")
    if type(file_version) is not int or file_version not in versions:
        readable = f"{max(versions)}{' or older' if len(versions) > 1 else ''}"
        raise ModelFileError(
            f"expected model version {readable}, got {truncate_repr(file_version)}; "
            f"it was written by {truncate_repr(header.get('written_by'))}: install that version, or train again"
        )
    return header


def _read_array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    data = _read_member(archive, name)
    start = _NPY_HEADER.match(data)
    if start is None or int.from_bytes(data[8:10], "little") != start.end() - 10:
        raise ModelFileError(f"expected flat arrays of numbers, got {name!r} that begins {truncate_repr(data[:128])}")
    dtype, count = np.dtype(start[1].decode()), int(start[2])
    if len(data) - start.end() != count * dtype.itemsize:
        data_bytes = len(data) - start.end()
        raise ModelFileError(f"expected {count} numbers of {dtype} in {name!r}, got {data_bytes} bytes")
    array = np.frombuffer(data, dtype, offset=start.end()).astype(dtype.newbyteorder("="))
    if not np.isfinite(array).all():
        raise ModelFileError(f"expected finite weights, got NaN or infinity in {name!r}")
    if dtype.kind == "f" and float(np.abs(array).max(initial=0)) > _MAX_WEIGHT:
        raise ModelFileError(f"expected weights up to {_MAX_WEIGHT:g}, got larger ones in {name!r}")
    return array


def _read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The member, of exactly the size it announces; with a limit, so that it is not unpacked beyond."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        data = member.read(size + 1)
        if len(data) != size:
            raise EOFError(f"{len(data)} bytes in {name!r} instead of {size}")
        member.read(1)  # at the end, the checksum is compared
    return data


def check_fields(values: Any, kinds: Mapping[str, tuple[type, ...]], *, where: str) -> dict[str, Any]:
    """``values``, if it is an object whose fields of these names have one of the kinds given for each.

    A whole number also does for float, a float never for int, and true and false for neither.

    Raises
    ------
    ValueError
        Naming the field that is something else.

    >>> check_fields({"gamma": 1}, {"gamma": (float,)}, where="learning")
    {'gamma': 1}
    >>> check_fields({"gamma": "1"}, {"gamma": (float, type(None))}, where="learning")
    Traceback (most recent call last):
    ValueError: expected learning.gamma to be a finite number or null, got '1'
    """
    if not isinstance(values, dict):
        raise ValueError(f"expected {where} to be an object, got {truncate_repr(values)}")
    for name, allowed in kinds.items():
        if name in values and not any(_is_json_type(values[name], kind) for kind in allowed):
            expected = " or ".join(_JSON_TYPE_NAMES[kind] for kind in allowed)
            raise ValueError(f"expected {where}.{name} to be {expected}, got {truncate_repr(values[name])}")
    return values


def json_field_types(dataclass: type) -> dict[str, tuple[type, ...]]:
    """The kinds of JSON value that each field of a dataclass takes, from its annotations; a tuple is a list there.

    >>> from ppi.extraction.settings import Settings
    >>> json_field_types(Settings)["regparam"]
    (<class 'float'>, <class 'NoneType'>)
    """
    kinds = {}
    for name, hint in get_type_hints(dataclass).items():
        options = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        kinds[name] = tuple(list if get_origin(option) is tuple else option for option in options)
    return kinds


def check_numbers(values: Any, count: int, *, where: str) -> list[float]:
    """``values``, if it is a list of ``count`` finite numbers."""
    if not isinstance(values, list) or len(values) != count or not all(_is_json_type(value, float) for value in values):
        raise ValueError(f"expected {where} to be a list of {count} finite numbers, got {truncate_repr(values)}")
    return [float(value) for value in values]


def truncate_repr(value: Any) -> str:
    """A value in an error message, cut; the whole of it is never written out."""
    return _truncate(_short_repr.repr(value), _MAX_VALUE_CHARACTERS)


def _truncate(value: object, length: int = _MAX_ERROR_CHARACTERS) -> str:
    text = str(value)
    return text if len(text) <= length else f"{text[: length - 3]}..."


def _is_json_type(value: Any, kind: type) -> bool:
    if kind is float:
        return type(value) in (int, float) and abs(value) < 1e300 and isfinite(value)
    return type(value) is kind
