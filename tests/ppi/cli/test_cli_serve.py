"""The verb: what it says, where it listens, how it ends."""

import builtins
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from ppi.cli import main
from ppi.cli.serve import allowed_hosts, is_loopback, listening_socket
from ppi.core import PpiError


def test_without_the_extra_the_error_names_it(monkeypatch, capsys):
    real = builtins.__import__

    def missing(name, *arguments, **options):
        if name == "fastapi":
            raise ImportError(name=name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert main(["serve"]) == 1
    assert "pip install 'ppi-miner[web]'" in capsys.readouterr().err


def test_a_port_that_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert "try another --port" in capsys.readouterr().err


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 99999), ("no.such.host.invalid", 0)])
def test_an_address_that_cannot_be(host, port):
    with pytest.raises(PpiError, match="expected an address and port"):
        listening_socket(host, port)


def test_families_without_a_lexicon(capsys):
    assert main(["serve", "--families", "map.csv"]) == 2
    assert "--lexicon beside --families" in capsys.readouterr().err


def test_hosts_that_may_be_asked():
    assert allowed_hosts("127.0.0.1", []) == ["localhost", "127.0.0.1", "::1", "127.0.0.1"]
    assert allowed_hosts("0.0.0.0", []) is None
    assert "lab.example" in allowed_hosts("0.0.0.0", ["lab.example"])
    assert [is_loopback(host) for host in ("localhost", "127.0.0.9", "::1", "0.0.0.0", "lab.example")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def test_serve_answers_with_the_real_annotator_and_ends_in_order_when_told_to():
    command = [
        sys.executable,
        "-c",
        "from ppi.cli import main; raise SystemExit(main())",
        "serve",
        "--port",
        "0",
        "--workers",
        "1",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        lines = iter(process.stderr)
        address = next(line for line in lines if "http://" in line).split("open ")[1].split()[0]
        try:
            answer = httpx.post(
                f"{address}/api/annotate", json={"text": "Profilin binds actin.", "explain": True}, timeout=60
            )
            found = answer.json()["documents"][0]["interactions"]
            page = httpx.get(address)
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130)
        assert "Traceback" not in process.stderr.read()
    assert [[protein["text"] for protein in one["proteins"]] for one in found] == [["Profilin", "actin"]]
    assert found[0]["probability"] > 0.5
    assert "PROT1" in found[0]["evidence"]["svg"]
    assert "Which proteins interact" in page.text


def test_a_model_that_is_none_is_one_line(tmp_path, capsys):
    rubble = tmp_path / "model.zip"
    rubble.write_bytes(b"rubble")
    assert main(["serve", "--port", "0", "--model", str(rubble)]) == 1
    assert "ppi: error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--workers", "0"], 2, "expected at least 1 for the limit 'workers', got 0"),
        (["--seconds", "0"], 2, "expected at least 0.001 for the limit 'seconds', got 0.0"),
        (["--host", "no.such.host.invalid"], 1, "expected an address and port that are free"),
        (["--model", "no-such.zip", "--workers", "1"], 1, "no-such.zip"),
        (["--lexicon", "no-such.gene_info", "--workers", "1"], 1, "no-such.gene_info"),
    ],
)
def test_what_cannot_be_served_is_one_line(capsys, arguments, code, message):
    assert main(["serve", "--port", "0", *arguments]) == code
    out, err = capsys.readouterr()
    *before, line = err.splitlines()
    assert (out, before in ([], ["ppi: loading the annotator"])) == ("", True)
    assert line.startswith("ppi: error: ")
    assert message in line
