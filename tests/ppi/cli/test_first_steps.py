"""The first commands of somebody who has just installed the wheel: in an empty folder, with nothing compiled before."""

from pathlib import Path


def test_the_installation_is_the_wheel_and_not_the_checkout(installed_wheel):
    told = installed_wheel.python("import ppi, corpora, kernels, learners; print(ppi.__file__, corpora.__file__)")
    environment = installed_wheel.scripts.parent
    assert all(Path(path).is_relative_to(environment) for path in told.stdout.split()), told
    assert installed_wheel.ppi("--version").stdout.startswith("ppi ")
