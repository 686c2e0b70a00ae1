"""What all tests share: the folder of the real corpora, the installed wheel, and quick hypothesis settings."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("quick")


@pytest.fixture(autouse=True)
def corpora_stay_where_they_are():
    """Programs of the laboratory set PPI_CORPORA by their option --corpora: after each test it is what it was."""
    folder = os.environ.get("PPI_CORPORA")
    yield
    os.environ.pop("PPI_CORPORA", None)
    if folder is not None:
        os.environ["PPI_CORPORA"] = folder


@pytest.fixture(scope="session")
def corpora_folder() -> Path:
    """The folder named by PPI_CORPORA; a test that asks for it is skipped without."""
    folder = os.environ.get("PPI_CORPORA")
    if not folder:
        pytest.skip("PPI_CORPORA is not set to the folder of the real corpora")
    return Path(folder)


@pytest.fixture(scope="session")
def installed_wheel(tmp_path_factory):
    """The wheel of this checkout, installed; in an empty folder, with nothing compiled before the first command."""
    from installed_wheel import install_wheel

    return install_wheel(tmp_path_factory.mktemp("installed"))
