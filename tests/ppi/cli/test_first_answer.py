"""A first answer on a fresh installation: what it must not wait for."""

import os
import subprocess
import sys

import pytest
from code_forms import fresh, running

from kernels import uses_compiled_code
from ppi.annotation import Annotator, warm_up

#: Runs a command, then says which of the slow packages it needed, on standard error.
PROGRAM = """
import sys
sys.path[:0] = {path!r}
{work}
print("loaded:", *[name for name in {slow!r} if name in sys.modules], file=sys.stderr)
"""
COMPILERS = ("numba", "llvmlite", "sklearn", "scipy.stats", "networkx", "learners")
TEXT = (
    "Profilin binds actin. In yeast, RAD51 does not interact with RAD54, but phosphorylates it. BRCA1 and BARD1 form a "
    "heterodimer that ubiquitinates histone H2A; p53 may be regulated by MDM2."
)


def run(folder, work, slow):
    """In a process with an empty home and an empty folder for compiled code; what it printed and what it loaded."""
    for name in ("home", "compiled"):
        (folder / name).mkdir(exist_ok=True)
    environment = {**os.environ, "HOME": str(folder / "home"), "NUMBA_CACHE_DIR": str(folder / "compiled")}
    program = PROGRAM.format(path=sys.path, work=work, slow=slow)
    done = subprocess.run([sys.executable, "-c", program], env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *messages, loaded = done.stderr.splitlines()
    return done.stdout, messages, loaded.split()[1:]


def test_a_first_text_compiles_nothing(tmp_path):
    (tmp_path / "t.txt").write_text("Profilin binds actin.")
    work = "from ppi.cli import main; main(['annotate', 't.txt'])"
    printed, messages, loaded = run(tmp_path, work, COMPILERS)
    assert "Profilin" in printed
    assert "binding" in printed
    assert messages == ["ppi: 1 interaction in 1 document"]
    assert loaded == []
    assert not any((tmp_path / "compiled").iterdir())


def test_evidence_compiles_nothing_either(tmp_path):
    work = f"from ppi import Annotator; print(*[i.evidence.reasons() for i in Annotator().annotate({TEXT!r})][:1])"
    printed, _, loaded = run(tmp_path, work, COMPILERS)
    assert printed.strip()
    assert loaded == []
    assert not any((tmp_path / "compiled").iterdir())


def test_importing_the_annotator_loads_no_slow_package(tmp_path):
    assert run(tmp_path, "from ppi import Annotator", (*COMPILERS, "spacy"))[2] == []


@pytest.mark.parametrize("explain", [True, False])
def test_compiled_code_gives_the_same_answer(explain):
    answers = []
    for compiled in (False, True):
        with running(compiled=compiled):
            answers.append(Annotator(min_probability=0.0).annotate(TEXT, explain=explain))
    assert len(answers[0]) > 3
    assert answers[0] == answers[1]


def test_processes_that_start_for_much_use_compiled_code_from_their_first_document():
    """Servers and long runs: what they need is compiled before the first request, not by it."""
    used = []

    class Watching:
        def annotate_documents(self, documents, **options):
            used.append((len(documents), uses_compiled_code()))
            return []

    with fresh():
        assert not uses_compiled_code()
        warm_up(Watching())
        assert uses_compiled_code()
    assert used == [(1, True)]
