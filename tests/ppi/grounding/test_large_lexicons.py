"""Lexicons that are too large, too long or endless: a clear error, and no more read or kept than needed."""

import itertools
import tracemalloc

import pytest

from ppi.core import UsageError
from ppi.grounding import lexicon_table
from ppi.grounding.lexicon import Lexicon
from ppi.grounding.matching import LexiconEntry

LINE = "{taxid}\t{id}\tG{id}\t-\tS{id}|T{id}\t-\t1\t1p\tname {id}\t{type}\tG{id}\t-\tO\t-\t20150504\n"


def write(path, count, *, type="protein-coding", taxid=9606, taxids=None):
    with open(path, "w") as output:
        for id in range(1, count + 1):
            output.write(LINE.format(id=id, type=type, taxid=taxid if taxids is None else id))
    return path


def test_an_endless_list_is_read_no_further_than_the_limit(monkeypatch):
    monkeypatch.setattr(lexicon_table, "MAX_NAMES", 1000)
    counter = itertools.count(1)
    entries = (LexiconEntry(f"ncbigene:{number}", f"G{number}", (f"S{number}",), taxid="9606") for number in counter)
    with pytest.raises(UsageError, match=r"expected at most 1,000 names of 10,000 species, got more"):
        Lexicon(entries)
    assert next(counter) == 502  # two names each, and one entry beyond


def test_the_error_names_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicon_table, "MAX_NAMES", 100)
    path = write(tmp_path / "All_Data.gene_info", 200)
    with pytest.raises(UsageError, match=r"All_Data.gene_info: expected at most 100 names .* fewer species"):
        Lexicon.read(path)
    assert len(Lexicon.read(path, taxids=["1"])) == 0


def test_too_many_species(tmp_path, monkeypatch):
    monkeypatch.setattr(lexicon_table, "MAX_GROUPS", 20)
    with pytest.raises(UsageError, match=r"expected at most .* of 20 species"):
        Lexicon.read(write(tmp_path / "x", 30, taxids=True))


def test_lines_that_are_not_taken_take_no_memory(tmp_path):
    """So a file of ten million genes of which a few are asked for is no matter of memory."""
    peaks = []
    for count in (2_000, 20_000):
        path = write(tmp_path / str(count), count, type="pseudo")
        tracemalloc.start()
        assert len(Lexicon.read(path)) == 0
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_memory_of_a_name_is_its_letters_and_a_few_numbers():
    def peak(count):
        tracemalloc.start()
        lexicon = Lexicon(
            LexiconEntry(f"ncbigene:{n}", f"G{n}", (f"S{n}",), (f"name {n}",), "9606") for n in range(count)
        )
        held, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(lexicon) == count
        return held, most

    (small, small_peak), (large, large_peak) = peak(2_000), peak(12_000)
    names = 30_000
    assert (large - small) / names < 50  # bytes
    assert (large_peak - small_peak) / names < 250  # while it is made


def test_a_symbol_without_end_is_refused(tmp_path):
    path = tmp_path / "x"
    path.write_text(LINE.format(id=1, type="protein-coding", taxid=9606).replace("G1", "G" * 300))
    with pytest.raises(UsageError, match="expected identifiers and symbols of at most 200 characters"):
        Lexicon.read(path)
    path.write_text(LINE.format(id="1" * 70_000, type="protein-coding", taxid=9606).replace("G", "H"))
    with pytest.raises(UsageError, match="expected identifiers and symbols of at most 200 characters"):
        Lexicon.read(path)
