"""Make the lexicon that ships: genes of eight species, families and complexes, in one compact file.

The folder of corpora holds lexicon/ with the lists that scripts/lab/training/lexicon/sources.py names.  Only genes that
code for proteins are taken, where the list says so: human, mouse, zebrafish, fly, fission yeast, and E. coli without
pseudogenes.  That of budding yeast has open reading frames alone; that of rat does not say.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lab.frame.program import corpora_folder, run_program
from lab.training import shipped
from lab.training.lexicon.packing import table_arrays
from lab.training.lexicon.placeholders import without_placeholders
from lab.training.lexicon.sources import SOURCES
from ppi.core import write_archive
from ppi.grounding import LEXICON_FORMAT, LEXICON_VERSION, LexiconEntry, LexiconTable, make_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the lists, write the file, say what it holds."""
    parser = argparse.ArgumentParser(prog="scripts/build_lexicon", description=__doc__)
    parser.add_argument("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    parser.add_argument(
        "--output", type=Path, default=shipped.LEXICON, metavar="FILE", help="(default: the one that ships)"
    )
    args = parser.parse_args(arguments)
    return run_program("scripts/build_lexicon", lambda: _build(args))


def _build(args: argparse.Namespace) -> int:
    table, header = build(corpora_folder(args.corpora) / "lexicon")
    args.output.parent.mkdir(parents=True, exist_ok=True)
    write_archive(args.output, header, table_arrays(table), format=LEXICON_FORMAT, version_number=LEXICON_VERSION)
    for source in header["sources"]:
        print(f"{source['entries']:7,d} entries {source['names']:8,d} names  {source['name']} ({source['licence']})")
    print(f"{len(table.ids):7,d} entries {len(table.names):8,d} names, {args.output.stat().st_size:,d} bytes")
    return 0


def build(folder: Path) -> tuple[LexiconTable, dict[str, Any]]:
    """The arrays of all lists of the folder, and the header that describes them."""
    entries: Counter[str] = Counter()
    names: Counter[str] = Counter()

    def counted() -> Iterator[LexiconEntry]:
        for source in SOURCES:
            for entry in map(without_placeholders, source.read(folder / source.file)):
                entries[source.name] += 1
                names[source.name] += len({entry.symbol, *entry.synonyms, *entry.names})
                yield entry

    table = make_table(counted())
    sources = [
        {
            "name": source.name,
            "file": source.file,
            "maker": source.maker,
            "licence": source.licence,
            "entries": entries[source.name],
            "names": names[source.name],
        }
        for source in SOURCES
    ]
    return table, {"groups": [list(group) for group in table.groups], "sources": sources}


if __name__ == "__main__":
    sys.exit(main())
