"""The wheel, built and installed into an environment of its own, as somebody has it who never saw the checkout.

The packages that it needs are those of the environment that runs the tests, so that nothing is downloaded; the
project itself comes from the wheel alone, because paths in a ``.pth`` file do not bring the ``.pth`` files (and so
editable installations) that lie there.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
#: What of the environment changes where things are found, kept or looked up.
_NOT_OURS = ("NUMBA_", "PPI_", "XDG_", "PYTHON", "VIRTUAL_ENV", "LINES", "COLUMNS")


@dataclass(frozen=True)
class InstalledWheel:
    """An environment that has the wheel; commands run in ``folder``, with a home and a cache of compiled code there."""

    scripts: Path
    folder: Path

    def __post_init__(self) -> None:
        for made in (self.folder, self.home, self.cache):
            made.mkdir(parents=True, exist_ok=True)

    @property
    def home(self) -> Path:
        """What programs take for the user's home; empty at first."""
        return self.folder.with_name(f"{self.folder.name}-home")

    @property
    def cache(self) -> Path:
        """Where numba keeps compiled code; empty at first."""
        return self.folder.with_name(f"{self.folder.name}-numba")

    def elsewhere(self, folder: Path) -> "InstalledWheel":
        """The same installation used in another folder, with nothing compiled yet."""
        return InstalledWheel(self.scripts, folder)

    def ppi(self, *arguments: str, input: str | bytes | None = None) -> subprocess.CompletedProcess:
        """Run the command; its output is text.  The time limit only ends what hangs."""
        return self._run([str(self.scripts / "ppi"), *arguments], input)

    def python(self, code: str, *arguments: str, input: str | bytes | None = None) -> subprocess.CompletedProcess:
        """Run Python code."""
        return self._run([str(self.scripts / "python"), "-c", code, *arguments], input)

    def _run(self, command: list[str], input: str | bytes | None) -> subprocess.CompletedProcess:
        data = input.encode() if isinstance(input, str) else input
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment(), input=data or b"", capture_output=True, timeout=550
        )
        done.stdout, done.stderr = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        return done

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_OURS)}
        return {
            **kept,
            "HOME": str(self.home),
            "NUMBA_CACHE_DIR": str(self.cache),
            "OMP_NUM_THREADS": "1",
            "PYTHONUTF8": "1",
        }


def install_wheel(folder: Path) -> InstalledWheel:
    """Build the wheel of this checkout and install it below ``folder``, in seconds and without network."""
    wheels = folder / "wheel"
    wheels.mkdir()
    built = subprocess.run(
        [sys.executable, "-c", _BUILD, str(wheels)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    environment = folder / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    scripts = environment / "bin"
    site = sysconfig.get_path("purelib", "venv", {"base": str(environment), "platbase": str(environment)})
    (Path(site) / "dependencies.pth").write_text("".join(f"{path}\n" for path in _dependencies()))
    command = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--quiet"]
    command += ["--no-index", "--no-deps", "--no-compile", "--disable-pip-version-check", "--ignore-installed"]
    done = subprocess.run(
        [*command, str(next(wheels.glob("*.whl")))], capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return InstalledWheel(scripts, folder / "work")


def _dependencies() -> list[str]:
    """Where the packages are that the environment of the tests has."""
    return sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
