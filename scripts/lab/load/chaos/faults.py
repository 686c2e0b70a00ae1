"""The faults: what a run may meet in a long life.  Each puts things right again afterwards, as somebody would."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from lab.load.chaos.watching import Coordinator, Worker, kill_worker

STOPPED = "can be started again"
#: Before so many parts are finished, a run that reads an input has noticed what happened to it.
NOTICED_PARTS = 6


class Faults:
    """Puts faults into a run; ``wrong`` holds whatever should not have happened, ``missed`` what could not be done.

    Each fault leaves the run started, or finished.
    """

    def __init__(self, coordinator: Coordinator, generator: random.Random, work: Path) -> None:
        self.wrong: list[str] = []
        self.missed: list[str] = []
        self._run = coordinator
        self._random = generator
        self._work = work
        self._killed_alone: set[tuple[Path | None, int | None]] = set()

    def kinds(self) -> dict[str, Callable[[], bool]]:
        """The faults by name; each says whether it could be done.  The first is the dearest, and comes only once."""
        return {
            "all parts deleted": self._delete_all_parts,
            "worker killed at work": self._kill_at_work,
            "worker killed in a document alone": self._kill_alone,
            "worker killed while it loads": self._kill_loading,
            "coordinator killed": self._kill_coordinator,
            "input moved away": self._move_away,
            "input replaced": self._replace_input,
            "input replaced and put back": self._replace_and_put_back,
            "input cut short": self._cut_short,
            "finished parts deleted": self._delete_parts,
            "finished part truncated": self._truncate_part,
            "parts are a link": self._link_parts,
            "manifest damaged": self._damage_manifest,
        }

    # killed processes

    def _kill_at_work(self) -> bool:
        worker = self._worker(lambda worker: worker.ready and (worker.size or 0) > 1)
        return worker is not None and kill_worker(worker)

    def _kill_alone(self) -> bool:
        # once for each document: what fails alone twice is given up, and rightly so
        worker = self._worker(lambda worker: worker.size == 1 and (worker.path, worker.first) not in self._killed_alone)
        if worker is None:
            return False
        self._killed_alone.add((worker.path, worker.first))
        return kill_worker(worker)

    def _kill_loading(self) -> bool:
        worker = self._worker(lambda worker: not worker.ready or (worker.size or 0) > 1)
        if worker is not None and worker.ready:
            kill_worker(worker)  # the one that comes after it has to load
        worker = self._worker(lambda worker: not worker.ready)
        time.sleep(self._random.uniform(0.0, 0.5))
        return worker is not None and kill_worker(worker)

    def _kill_coordinator(self) -> bool:
        self._run.kill()
        self._run.start()
        return True

    # inputs

    def _move_away(self) -> bool:
        path = self._input_at_work()
        if path is None:
            return False
        away = self._work / "away"
        path.rename(away)
        noticed = self._stops(STOPPED)
        away.rename(path)
        self._run.start()
        return noticed

    def _replace_input(self) -> bool:
        return self._with_other_bytes(bytes.swapcase, wait=True)

    def _replace_and_put_back(self) -> bool:
        return self._with_other_bytes(bytes.swapcase, wait=False)

    def _cut_short(self) -> bool:
        return self._with_other_bytes(lambda content: content[: len(content) // 2], wait=True)

    def _with_other_bytes(self, change: Callable[[bytes], bytes], *, wait: bool) -> bool:
        path = self._input_at_work()
        if path is None:
            return False
        content = path.read_bytes()
        path.write_bytes(change(content))
        noticed = True
        if wait:
            noticed = self._stops(STOPPED)
        else:
            time.sleep(self._random.uniform(0.0, 1.0))
        path.write_bytes(content)
        self._run.start()
        return noticed

    # the folder of the run

    def _delete_parts(self) -> bool:
        parts = self._finished_parts()
        for path in self._random.sample(parts, min(len(parts), self._random.randint(1, 3))):
            path.unlink()
        self._run.start()
        return bool(parts)

    def _delete_all_parts(self) -> bool:
        parts = self._finished_parts()
        shutil.rmtree(self._run.folder / "parts")
        self._run.start()
        return bool(parts)

    def _truncate_part(self) -> bool:
        parts = self._finished_parts()
        if parts:
            path = self._random.choice(parts)
            path.write_bytes(path.read_bytes()[: self._random.randrange(path.stat().st_size)])
        self._run.start()
        return bool(parts)

    def _link_parts(self) -> bool:
        self._run.kill()
        parts, precious = self._run.folder / "parts", self._work / "precious"
        shutil.rmtree(precious, ignore_errors=True)
        precious.mkdir()
        names = {"00099-mine-00000.jsonl", "diary.txt", *[path.name for path in parts.iterdir()][:5]}
        for name in names:
            (precious / name).write_text("precious")
        parts.rename(self._work / "parts")
        parts.symlink_to(precious)
        self._run.start()
        self._stops("got a link")
        if {path.name: path.read_text() for path in precious.iterdir()} != dict.fromkeys(names, "precious"):
            self.wrong.append("files behind a link were changed")
        parts.unlink()
        (self._work / "parts").rename(parts)
        self._run.start()
        return True

    def _damage_manifest(self) -> bool:
        self._run.kill()
        path = self._run.folder / "manifest.jsonl"
        content = path.read_bytes()
        damaged = _damaged(content, self._random)
        if damaged is not None:
            path.write_bytes(damaged)
            self._run.start()
            self._stops("expected the manifest of a run")
            if path.read_bytes() != damaged:
                self.wrong.append("a damaged manifest was changed")
            path.write_bytes(content)
        self._run.start()
        return damaged is not None

    # helpers

    def _worker(self, wanted: Callable[[Worker], bool]) -> Worker | None:
        return self._run.until(lambda: next((each for each in self._run.workers() if wanted(each)), None))

    def _input_at_work(self) -> Path | None:
        worker = self._worker(lambda worker: worker.size is not None and worker.path is not None)
        return None if worker is None else worker.path

    def _finished_parts(self) -> list[Path]:
        """Of a run that was killed, the parts that its manifest has."""
        self._run.kill()
        manifest = (self._run.folder / "manifest.jsonl").read_bytes()
        paths = sorted((self._run.folder / "parts").glob("[0-9]*.jsonl"))
        return [path for path in paths if path.stat().st_size and f'"part": "{path.stem}"'.encode() in manifest]

    def _stops(self, text: str) -> bool:
        """Whether the run ends soon, which it must do with exit code 1 and a line that says this.

        It goes on where the last part of an input was finished a moment before: nobody reads it any more.
        """
        enough = self._run.parts_done() + NOTICED_PARTS
        self._run.until(lambda: self._run.parts_done() >= enough or None)
        if self._run.running():
            return False
        code, said = self._run.wait()
        last = said.splitlines()[-1] if said else ""
        if code != 1 or text not in last or "Traceback" in said:
            self.wrong.append(f"expected exit 1 and {text!r}, got {code} and {last!r}")
        return True


def _damaged(content: bytes, generator: random.Random) -> bytes | None:
    """The manifest with binary bytes, a wrong type or an impossible number; None if it has no input yet."""
    lines = content.splitlines(keepends=True)
    number = next((at for at, line in enumerate(lines) if b'"input"' in line), None)
    if number is None:
        return None
    value = json.loads(lines[number])
    kind = generator.randrange(3)
    if kind == 0:
        lines[number] = lines[number][:20] + b"\x00\xff\xfe" + lines[number][20:]
    else:
        value["input"]["records"] = "many" if kind == 1 else 10**11
        lines[number] = json.dumps(value).encode() + b"\n"
    return b"".join(lines)
