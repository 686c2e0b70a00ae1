"""The registry: names, endings, atomic writing."""

import gzip
import subprocess
import sys
import weakref

import annotated
import pytest

from ppi.core import UsageError
from ppi.export.formats import FORMATS, dumps, format_named, write

NAMES = (
    *("jsonl", "csv", "tsv", "xlsx", "parquet", "mitab", "indra", "bioc-json", "bioc-xml", "pubtator", "brat"),
    *("graphml", "sif", "html"),
)


def test_all_formats_are_there_with_what_a_page_needs_to_know():
    assert tuple(FORMATS) == NAMES
    for name, format in FORMATS.items():
        assert format.name == name
        assert format.suffixes
        assert format.media_type
        assert format.description
        assert callable(format.load_writer())
    assert (FORMATS["parquet"].extra, FORMATS["xlsx"].extra) == ("parquet", "xlsx")
    assert FORMATS["brat"].download_suffix == ".zip"
    assert {name for name, format in FORMATS.items() if not format.streams} == {"graphml", "sif", "html"}


@pytest.mark.parametrize("name", NAMES)
def test_endings_tell_the_format_and_the_same_documents_give_the_same_bytes(name, tmp_path):
    many = [annotated.profilin(explained=True), annotated.without_interactions()]
    format = FORMATS[name]
    path = tmp_path / f"out{format.suffixes[0]}"
    write(many, path, explain=True)
    data = dumps(many, name, explain=True)
    assert dumps(many, name, explain=True) == data
    if not format.is_folder:
        assert path.read_bytes() == data
        write(many, tmp_path / f"out{format.suffixes[0]}.gz", explain=True)
        assert gzip.decompress((tmp_path / f"out{format.suffixes[0]}.gz").read_bytes()) == data


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_that_breaks_leaves_nothing_behind(name, tmp_path):
    def broken():
        yield annotated.profilin()
        raise RuntimeError("the parser fell over")

    with pytest.raises(RuntimeError, match="fell over"):
        write(broken(), tmp_path / "out", name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [name for name in NAMES if FORMATS[name].streams])
def test_formats_that_stream_ask_for_a_document_only_when_they_need_it(name, tmp_path):
    """Two documents at most are alive at any time, however many there are."""

    class Watched(type(annotated.profilin())):
        pass

    alive: weakref.WeakSet = weakref.WeakSet()
    most = 0

    def stream():
        nonlocal most
        for number in range(12):
            document = annotated.without_interactions().document
            made = Watched(type(document)(f"d{number}", document.sentences))
            alive.add(made)
            most = max(most, len(alive))
            yield made
            del made

    write(stream(), tmp_path / "out", name)
    assert most <= 3


def test_standard_output(capfdbinary):
    write([annotated.profilin()], "-", "sif")
    assert capfdbinary.readouterr().out.splitlines()[0] == b"PFN1\tpp\tactin"


def test_unknown_formats_are_named():
    with pytest.raises(UsageError, match=r"expected a format to write, one of \['jsonl'.*got 'xls'"):
        format_named("xls")
    with pytest.raises(UsageError, match=r"expected an ending that tells the format, got 'out\.doc'"):
        write([], "out.doc")


def test_listing_the_formats_does_not_import_the_numerical_packages():
    code = "import sys, ppi.export; print([name for name in ('numba', 'spacy', 'pyarrow') if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
