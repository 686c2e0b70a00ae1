"""Small files that would be large in memory: refused before they are."""

import subprocess
import sys
import zipfile

from hostile_archives import HEADER, Member, announced, contents, pack, raw_zip, zeros

MEGABYTE = 2**20
#: What a file of less than a megabyte may cost at most.
ALLOWED = 150 * MEGABYTE
CHILD = """
import resource, sys
from ppi import Extractor
from ppi.core import ModelFileError

limit = 4 * 2**30  # of addresses: a test that fails must not take the machine with it
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
for path in sys.argv[1:]:
    try:
        Extractor.load(path)
    except ModelFileError as error:
        print(peak() - before, error)
"""


def header_of(size: int, *, item: bytes) -> bytes:
    return b'{"facts":[' + item * (size // len(item)) + b"0]}"


def bombs(path):
    """Each a name and the members that stand for the honest model's."""
    header = contents(path)[HEADER]
    large, packed = 600 * MEGABYTE, zeros(600 * MEGABYTE)
    start = announced("<f8", f"({large // 8},)")
    yield "honest bomb", [Member(HEADER, header), Member("weights.npy", packed=packed, file_size=large)]
    yield "bomb that says it is small", [Member(HEADER, header), Member("weights.npy", packed=packed, file_size=100)]
    yield (
        "bomb that says it is packed badly",
        [Member(HEADER, header), Member("weights.npy", packed=packed, file_size=large, compress_size=large)],
    )
    yield "bomb as header", [Member(HEADER, packed=packed, file_size=large)]
    yield "announced elements", [Member(HEADER, header), Member("weights.npy", announced("<f8", "(1000000000000,)"))]
    yield "stored", [Member(HEADER, header), Member("weights.npy", start, zipfile.ZIP_STORED, file_size=large)]
    yield "header of empty lists", [Member(HEADER, header_of(4 * MEGABYTE - 100, item=b"[],"))]
    yield "header of empty objects", [Member(HEADER, header_of(30 * MEGABYTE, item=b"{},"))]
    yield "deep header", [Member(HEADER, b"[" * (4 * MEGABYTE - 100))]
    many = [Member(f"a{n}.npy", packed=pack(bytes(4 * MEGABYTE)), file_size=4 * MEGABYTE) for n in range(15)]
    yield "many members", [Member(HEADER, header), *many]


def test_memory_of_refusing(small_extractor, tmp_path):
    paths = []
    for name, members in bombs(small_extractor):
        paths.append(tmp_path / f"{name}.zip")
        paths[-1].write_bytes(raw_zip(members))
        assert paths[-1].stat().st_size < MEGABYTE
    command = [sys.executable, "-c", CHILD, *map(str, paths)]
    child = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert child.returncode == 0, child.stderr[-2000:]
    lines = child.stdout.splitlines()
    assert len(lines) == len(paths) == 10, child.stdout
    for path, line in zip(paths, lines, strict=True):
        kilobytes, _, message = line.partition(" ")
        assert message.startswith(f"{path}: expected")
        assert "fits into memory" not in message
        assert int(kilobytes) * 1024 < ALLOWED, message
