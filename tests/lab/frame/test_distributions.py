"""What a release holds: nothing is missing, and nothing is in it that does not belong there."""

import io
import tarfile
import zipfile

import pytest
from lab.frame.distributions import REQUIRED, REQUIRED_SOURCES, main

METADATA = "ppi_miner-0.2.0.dist-info/METADATA"


def write_wheel(folder, names):
    with zipfile.ZipFile(folder / "ppi_miner-0.2.0-py3-none-any.whl", "w") as archive:
        for name in names:
            archive.writestr(name, "")


def write_sources(folder, names):
    with tarfile.open(folder / "ppi_miner-0.2.0.tar.gz", "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(f"ppi_miner-0.2.0/{name}"), io.BytesIO())


def test_a_complete_release_has_no_problem(tmp_path, capsys):
    write_wheel(tmp_path, [*REQUIRED, METADATA, "corpora/__init__.py"])
    write_sources(tmp_path, REQUIRED_SOURCES)
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("wheel", "message"),
    [
        (REQUIRED[1:], "ppi/py.typed is missing"),
        ([*REQUIRED, "tests/test_x.py"], "unexpected top-level 'tests'"),
        ([*REQUIRED, "kernels/__pycache__/scoring.weigh-1.py311.nbi"], "does not belong there"),
    ],
)
def test_a_wrong_wheel_is_reported(tmp_path, capsys, wheel, message):
    write_wheel(tmp_path, wheel)
    write_sources(tmp_path, REQUIRED_SOURCES)
    assert main([str(tmp_path)]) == 1
    assert message in capsys.readouterr().err


def test_a_missing_source_distribution_is_reported(tmp_path, capsys):
    write_wheel(tmp_path, REQUIRED)
    assert main([str(tmp_path)]) == 1
    assert "expected one wheel and one source distribution, got 1 and 0" in capsys.readouterr().err
