"""Zip files as no honest program writes them, byte by byte; and small honest models to damage."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np

HEADER = "model.json"


@dataclass(frozen=True)
class Member:
    """One entry; None announces what is true."""

    name: str
    data: bytes = b""
    method: int = zipfile.ZIP_DEFLATED
    packed: bytes | None = None
    file_size: int | None = None
    compress_size: int | None = None
    flags: int = 0
    mode: int = 0
    offset: int | None = None  # of the local header, to share another member's data


def raw_zip(members: Iterable[Member]) -> bytes:
    """The bytes of a zip with these entries [APPNOTE 4.3.7, 4.3.12, 4.3.16]."""
    body, directory, count = bytearray(), bytearray(), 0
    for one in members:
        packed = one.packed if one.packed is not None else pack(one.data, one.method)
        sizes = (
            len(packed) if one.compress_size is None else one.compress_size,
            len(one.data) if one.file_size is None else one.file_size,
        )
        name = one.name.encode()
        shared = (20, one.flags, one.method, 0, 0x21, zlib.crc32(one.data), *sizes, len(name), 0)
        offset = len(body) if one.offset is None else one.offset
        if one.offset is None:
            body += struct.pack("<4s5H3L2H", b"PK\3\4", *shared) + name + packed
        directory += struct.pack("<4s6H3L5H2L", b"PK\1\2", 0x0314, *shared, 0, 0, 0, one.mode << 16, offset) + name
        count += 1
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + end)


def pack(data: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    if method != zipfile.ZIP_DEFLATED:
        return data
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


@cache
def zeros(n_bytes: int) -> bytes:
    """So many zeros, packed, without ever having them all in memory."""
    packer, parts, chunk = zlib.compressobj(9, zlib.DEFLATED, -15), [], bytes(1 << 20)
    for _ in range(n_bytes >> 20):
        parts.append(packer.compress(chunk))
    return b"".join(parts) + packer.flush()


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewritten(path: Path, target: Path, *, header=None, **members: bytes) -> Path:
    """The model with some header fields and members changed (``weights`` for weights.npy); None takes a field away."""
    found = contents(path)
    if header is not None:
        fields = {**json.loads(found[HEADER]), **header}
        found[HEADER] = json.dumps({name: value for name, value in fields.items() if value is not ...}).encode()
    found.update({name if name == HEADER else f"{name}.npy": data for name, data in members.items()})
    target.write_bytes(raw_zip(Member(name, data) for name, data in found.items()))
    return target


def array_bytes(array, **options) -> bytes:
    buffer = BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), **options)
    return buffer.getvalue()


def announced(descr: str, shape: str, data: bytes = b"") -> bytes:
    """An array file that says of itself what it likes."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data
