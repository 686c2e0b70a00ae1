"""The main commands on bundled data: they need no network, and the same input gives the same bytes."""

import json
import signal

import httpx
import pytest
from offline import Offline

TEXT = "Profilin binds actin in vitro. Cofilin and profilin regulate actin, but Arp2 does not bind WASP."
FORMATS = ["jsonl", "csv", "parquet", "mitab", "bioc.json", "bioc.xml", "pubtator", "graphml", "sif", "html"]
COMMANDS = [
    "corpus stats sample abstracts",
    "corpus convert sample sample.jsonl",
    "parse text.txt --output parsed.conllu",
    "annotate abstracts --explain --to html --output explained.html --quiet",
    *(f"annotate text.txt --min-probability 0.1 --output found.{ending} --quiet" for ending in FORMATS),
    "annotate abstracts --output abstracts.out.jsonl --quiet",
    "network abstracts.out.jsonl --output network.json",
    "network abstracts.out.jsonl --output network.graphml",
    "network abstracts.out.jsonl --output network.html",
    "rank-parses text.txt --generator beam --to jsonl --output ranked.jsonl",
    "train sample --kernel composite --learner rls --output trained.zip",
    "train sample --kernel all-paths --learner sparse-rls --n-basis 20 --output sparse.zip",
    "annotate text.txt --model trained.zip --min-probability 0 --to jsonl --output by-trained.jsonl --quiet",
    "evaluate sample --kernel composite --learner rls --extra none --n 3 --report evaluated",
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs that differ in the seed of Python's hashes, which orders its sets."""
    made = []
    for seed in ("1", "20"):
        place = Offline(tmp_path_factory.mktemp(f"seed{seed}"), hash_seed=seed)
        (place.folder / "text.txt").write_text(TEXT)
        made.append((place, place.verbs(*COMMANDS)))
    return made


def test_they_work_without_network(runs):
    for place, done in runs:
        assert done.returncode == 0, done.stderr[-3000:]
        assert place.attempts == ""


def test_they_find_something(runs):
    folder = runs[0][0].folder
    lines = (folder / "found.csv").read_text().splitlines()
    assert len(lines) > 2
    assert "Profilin" in "".join(lines)
    assert json.loads((folder / "network.json").read_text())


def test_the_guard_sees_what_is_swallowed(tmp_path):
    place = Offline(tmp_path)
    code = "import socket\ntry: socket.create_connection(('192.0.2.1', 80), 1)\nexcept OSError: pass\n"
    look_up = "try: socket.getaddrinfo('example.invalid', 80)\nexcept OSError: pass\n"
    assert place.python(code + look_up).returncode == 0
    assert place.attempts.splitlines() == ["socket.getaddrinfo 192.0.2.1", "socket.getaddrinfo example.invalid"]
    inside = "import socket; server = socket.create_server(('127.0.0.1', 0)); "
    inside += "socket.create_connection(server.getsockname()).close()"
    assert Offline(tmp_path / "inside").python(inside).returncode == 0


def files_of(folder):
    found = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {path: data for path, data in found.items() if path.parts[0] not in ("site", "evaluated")}


def test_equal_bytes(runs):
    """Readers, parser, names, scores, evidence, exporters, networks, parse ranking, and both trained models."""
    first, second = (files_of(place.folder) for place, _ in runs)
    assert len(first) >= 22
    assert [str(path) for path in first.keys() ^ second.keys()] == []
    assert [str(path) for path in first if first[path] != second[path]] == []


def test_equal_figures(runs):
    reports = [json.loads((place.folder / "evaluated" / "report.json").read_text()) for place, _ in runs]
    first, second = (without_times(report) for report in reports)
    assert first
    assert first == second


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if "seconds" not in name}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def test_the_server_answers_without_network(tmp_path):
    place = Offline(tmp_path)
    code = "import sys\nfrom ppi.cli import main\nsys.exit(main(['serve', '--port', '0', '--workers', '1']))"
    with place.start(code) as process:
        address = next(line for line in process.stderr if "http://" in line).split("open ")[1].split()[0]
        try:
            answer = httpx.post(f"{address}/api/annotate", json={"text": TEXT, "explain": True}, timeout=120)
            page = httpx.get(address, timeout=120)
        finally:
            process.send_signal(signal.SIGINT)
        process.wait(60)
    assert answer.status_code == page.status_code == 200
    assert answer.json()["documents"][0]["interactions"]
    assert place.attempts == ""
