"""`streamshark capture` as people run it: on the loopback, with dumpcap, and what it refuses.

Those with real servers need root, for a network of their own.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.console import call, command
from tests.cli.test_tui import terminal
from tests.failures import Failures
from tests.namespace import own_network
from tests.packets import recorded
from tests.proxy.ends import TIMEOUT
from tests.proxy.servers.running import NATS_CLIENT, rabbitmq, running

DUMPCAP = """#!/bin/sh
printf '2. lo\\t\\tLoopback\\t0\\t127.0.0.1,::1\\tloopback\\t\\n'
"""


def program(folder: Path, name: str, text: str) -> Path:
    """A program that stands for dumpcap or tcpdump, alone in a folder."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return folder


def while_captured(
    client: list[str], rule: str, *options: str, environment: dict[str, str] | None = None
) -> int:
    """Run a client while its traffic is captured; wait for a finding, and return the exit code."""
    words = ("-i", "lo", "--fail-on", "warning", *options)
    process = subprocess.Popen(
        command("capture", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert "dumpcap captures on lo" in process.stderr.readline()
    subprocess.run(client, check=False, env={**os.environ, **(environment or {})}, timeout=30)
    lines = list(iter(process.stdout.readline, "")) if not rule else []
    while rule and rule not in "".join(lines[-1:]):
        lines.append(process.stdout.readline())
        assert lines[-1], process.communicate()
    assert not rule or process.poll() is None
    process.communicate(timeout=60)
    return process.returncode


@pytest.mark.process
def test_a_real_client_with_a_bug(tmp_path: Path) -> None:
    """Of a real server, in a network of its own, on the usual port; 0 for one without a bug."""
    where = {"STREAMSHARK_PROXY_HOST": "127.0.0.1", "STREAMSHARK_PROXY_PORT": "4222"}
    server = ["nats-server", "-a", "127.0.0.1", "-p", "4222"]
    with own_network(), running(server, 4222, tmp_path / "log"):
        for size, rule, code in ((4, "NATS-N2", 1), (5, "", 0)):
            client = [sys.executable, "-c", NATS_CLIENT % size]
            assert while_captured(client, rule, "-a", "duration:3", environment=where) == code


@pytest.mark.process
def test_a_ring_is_shown_whole(tmp_path: Path) -> None:
    """Ten files and more are written one after the other: each message is a row, also followed."""
    path, many = tmp_path / "ring.pcapng", 70
    server = ["nats-server", "-a", "127.0.0.1", "-p", "4222"]
    ring = ("-w", str(path), "-b", "packets:60", "-b", "files:99", "-T", "ndjson")
    with own_network(), running(server, 4222, tmp_path / "log"):
        words = command("capture", "-i", "lo", *ring)
        with (
            (tmp_path / "rows").open("w") as rows,
            subprocess.Popen(words, stdout=rows, stderr=subprocess.PIPE, text=True) as process,
        ):
            assert process.stderr is not None
            assert "dumpcap captures on lo" in process.stderr.readline()
            for _ in range(many):
                with socket.create_connection(("127.0.0.1", 4222), timeout=TIMEOUT) as client:
                    client.sendall(b'CONNECT {"verbose":false}\r\nPUB a 2\r\nhi\r\nPING\r\n')
                    while not client.recv(4096).endswith(b"PONG\r\n"):
                        pass
                time.sleep(0.02)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=30)[1]
    files = sorted(tmp_path.glob("ring_*"))
    assert len(files) > 10
    assert "none dropped" in errors
    shown = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    assert sum(each.get("command") == "pub" for each in shown) == many
    numbers = [each["frame"] for each in shown if each.get("frame")]
    assert numbers == list(range(1, many * 5 + 1))


REFUSED = """
import asyncio, sys
from rstream import Producer
async def main():
    try:
        async with Producer("127.0.0.1", int(sys.argv[1]), username="guest", password=sys.argv[2]):
            pass
    except Exception as error:
        print(repr(error))
asyncio.run(main())
"""


@pytest.mark.process
@pytest.mark.sweep
def test_a_client_of_a_broker(tmp_path: Path) -> None:
    """The same of RabbitMQ: a wrong password, and a right one."""
    with own_network(), rabbitmq(tmp_path) as port:
        for password, rule, code in (("wrong", "RMQ-N6", 1), ("guest", "", 0)):
            client = [sys.executable, "-c", REFUSED, str(port), password]
            options = ("-a", "duration:8", "-f", f"tcp port {port}")
            assert while_captured(client, rule, *options) == code


def test_interfaces_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interfaces are listed with their addresses; without any, a sentence gives the reason."""
    monkeypatch.setenv("PATH", f"{program(tmp_path / 'bin', 'dumpcap', DUMPCAP)}")
    assert call(monkeypatch, "capture", "-D") == (0, "2. lo (Loopback) 127.0.0.1, ::1\n", "")
    program(tmp_path / "bin", "dumpcap", "#!/bin/sh\n")
    done = call(monkeypatch, "capture", "-D")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("streamshark: dumpcap sees no interface; ")
    monkeypatch.setattr("streamshark.capture.capture_program.find_spec", lambda _name: None)
    monkeypatch.setattr(os, "environ", {**os.environ, "PATH": ""})
    done = call(monkeypatch, "capture", "-i", "lo")
    assert done.code == 2
    assert "neither dumpcap nor tcpdump was found" in done.err


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a program is started: options that do not go together, or are malformed."""
    text = "#!/bin/sh\necho started >&2\nexit 1\n"
    monkeypatch.setenv("PATH", f"{program(tmp_path / 'bin', 'tcpdump', text)}")
    out = str(tmp_path / "out.pcapng")
    with Failures() as failures:
        for words, message in (
            (["-b", "filesize:5"], "-b is for the files of -w"),
            (["-w", out, "-b", "files:5"], "-b files:N goes with another -b"),
            (["-a", "filesize:5"], "-a filesize:KB is for one file of -w"),
            (["-w", out, "-a", "filesize:5", "-b", "packets:5"], "-a filesize:KB is for one"),
            (["-w", out, "-a", "files:5"], "-a files:N goes with -b"),
            (["-w", "-"], "-w - is not supported"),
            (["-a", "duration:x"], "-a duration:x: expected duration:N, filesize:N, files:N"),
            (["-a", "interval:5"], "-a interval:5: expected"),
            (["-i", "lo", "-i", "eth0"], "tcpdump captures on one interface"),
            (["-Y", "nats.nothing"], "nats.nothing"),
            (["-d", "tcp.port==9,nothing"], "nothing"),
            (["--sudo"], "--sudo and --remote-tcpdump go with --remote"),
            (["--tui"], "capture --tui needs a terminal"),
            (["--tui", "-q"], "--tui and -q exclude each other"),
            (["--rules", out], "No such file"),
            (["-i", "lo"], "tcpdump: started"),
        ):
            with failures.of(words):
                done = call(monkeypatch, "capture", *words)
                assert (done.code, done.out) == (2, "")
                assert message in done.err
    assert not (tmp_path / "out.pcapng").exists()


@pytest.mark.process
def test_screens_show_packets_as_they_come(tmp_path: Path) -> None:
    """Until the user leaves them, which ends the capture."""
    file = tmp_path / "file"
    (login,) = recorded("rabbitmq_stream/login_fails")
    text = f"#!/bin/sh\ncat {login} > {file}\necho 'File: {file}' >&2\nexec sleep 99\n"
    folder = program(tmp_path / "bin", "dumpcap", text)
    with terminal(tmp_path) as shell:
        shell.run(f"env PATH={folder}:$PATH {sys.executable} -m streamshark capture -i lo --tui")
        shell.wait(lambda shown: "  live" in shown and "peer_properties" in shown)
        shell.press("Q")
        shown = shell.wait(lambda shown: "code=0" in shown)
        assert "streamshark: dumpcap captures on" in shown
