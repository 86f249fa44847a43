"""`streamshark proxy` as people run it: around a command, until Ctrl-C, and what it refuses."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.console import Done, call, command
from tests.cli.test_tui import terminal
from tests.failures import Failures
from tests.proxy.ends import listening, url
from tests.proxy.servers.running import free_ports

from streamshark.capture import open_capture

INFO = b'INFO {"server_id":"A","version":"2.9.10","max_payload":1048576}\r\n'
CLIENT = """
import os, socket, sys
address = os.environ["STREAMSHARK_PROXY_HOST"], int(os.environ["STREAMSHARK_PROXY_PORT"])
with socket.create_connection(address) as client:
    assert client.recv(4096).startswith(b"INFO ")
    client.sendall(b'CONNECT {"verbose":false,"name":"shop","lang":"c","version":"1"}\\r\\n')
    client.sendall(%s)
    client.shutdown(socket.SHUT_WR)
    while client.recv(4096):
        pass
%s
"""
HEALTHY, FAULTY = b"PUB a 5\r\nhello\r\n", b"PUB a 5\r\nhello!\r\nPING\r\n"
pytestmark = pytest.mark.process


@contextmanager
def nats() -> Iterator[socket.socket]:
    """A server that greets each client, and reads to the end of what it sends."""
    with listening() as server:
        server.settimeout(None)

        def serve() -> None:
            while True:
                try:
                    client = server.accept()[0]
                except OSError:
                    return
                with client:
                    client.sendall(INFO)
                    while client.recv(1 << 16):
                        pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def run(*arguments: str, data: Path, limit: int = 0) -> Done:
    """Run the proxy to its end; with a limit, files can have so many bytes."""

    def limited() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        command("proxy", *arguments),
        capture_output=True, check=False, timeout=60, preexec_fn=limited,
        env={**os.environ, "XDG_DATA_HOME": str(data), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def client(sends: object, then: str = "") -> list[str]:
    """The words that run a client, which sends these bytes, or those of an expression."""
    return ["--", sys.executable, "-c", CLIENT % (sends, then)]


def test_around_a_command(tmp_path: Path) -> None:
    """0 for a healthy client, 1 for a faulty one, and the code of the client if it has one."""
    with nats() as server, Failures() as failures:
        for name, words, code, error in (
            ("healthy", client(HEALTHY), 0, "no findings in 3 frames"),
            ("faulty", client(FAULTY), 1, "NATS-N2"),
            ("failing", client(FAULTY, "sys.exit(9)"), 9, "NATS-N2"),
        ):
            path = tmp_path / f"{name}.pcapng"
            done = run(
                url(server, "nats"), "-w", str(path), "--fail-on", "warning", *words, data=tmp_path
            )
            with failures.of(name):
                assert done.code == code, done.err
                assert error in done.err
                assert done.out == ""
                assert sum(map(len, open_capture(path).batches())) > 5


def test_the_arguments_of_the_command_name_the_proxy(tmp_path: Path) -> None:
    """And it finds its port in the environment; rows are shown if they are asked for.

    A line says that a fault was not used.
    """
    with nats() as server:
        program = "import os, sys; print(*sys.argv[1:], os.environ['STREAMSHARK_PROXY_URL'])"
        words = ["--", sys.executable, "-c", program, "{url}", "{host}", "{port}"]
        fault = 'nats.command == "msg" -> drop'
        done = run(url(server, "nats"), "--fault", fault, *words, data=tmp_path)
        assert f"fault not used, 0 frames matched: {fault}" in done.err
        given, host, port, found = done.out.split()
        assert given == found == f"nats://{host}:{port}"
        assert host == "127.0.0.1"

        done = run(url(server, "nats"), "-P", "-T", "ndjson", *client(HEALTHY), data=tmp_path)
        rows = [json.loads(line) for line in done.out.splitlines()]
        commands = [row["command"] for row in rows if row.get("frame")]
        assert commands == ["info", "connect", "pub"], done.err


def test_until_ctrl_c(tmp_path: Path) -> None:
    """Lines say where clients connect, and rows come while they are connected."""
    path = tmp_path / "out.pcapng"
    with nats() as server:
        words = command("proxy", url(server, "nats"), "-w", str(path), "--color", "never")
        there = url(server, "nats")
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stderr.readline()
        address = line.removeprefix("streamshark: nats://").split()[0]
        host, _, port = address.partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as one:
            one.sendall(HEALTHY)
            rows = [process.stdout.readline() for _ in range(3)]
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=30)
    assert line == f"streamshark: nats://{address} is {there}\n"
    assert " open" in rows[0]
    text = " ".join("".join(rows).split())
    assert " nats info " in text
    assert "nats pub a 5 bytes" in text
    assert "in 2 frames of 1 connection" in rest
    assert errors == ""
    assert process.returncode == 0


def test_the_screens(tmp_path: Path) -> None:
    """They show frames as they come; the user ends the proxy by leaving them."""
    (port,) = free_ports(1)
    with nats() as server, terminal(tmp_path) as shell:
        there = url(server, "nats")
        shell.run(f"{sys.executable} -m streamshark proxy {there} --tui --listen {port}")
        shell.wait(lambda shown: "  live" in shown)
        with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
            assert one.recv(4096) == INFO
            one.sendall(HEALTHY)
            shell.wait(lambda shown: "pub a 5 bytes" in shown)
        shell.press("Q")
        shown = shell.wait(lambda shown: "code=0" in shown)
    assert f"nats://127.0.0.1:{port} is {there}" in shown.replace("\n", "")


def test_a_closed_output_ends_the_proxy(tmp_path: Path) -> None:
    """Silently, as other commands end."""
    with nats() as server:
        process = subprocess.Popen(
            command("proxy", url(server, "nats"), "--listen", "127.0.0.1"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        port = int(process.stderr.readline().split(":")[3].split()[0])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
            one.sendall(HEALTHY)
            errors = process.stderr.read()
            assert process.wait(30) == 141
    assert errors == ""
    process.stderr.close()


def test_a_full_disk(tmp_path: Path) -> None:
    """The client is served to its end; a line says that the recording is not whole; exit 3."""
    sends = r"b'PUB a 50000\r\n%s\r\n' % bytes(50_000) * 3"
    with nats() as server:
        path = str(tmp_path / "out.pcapng")
        done = run(url(server, "nats"), "-w", path, *client(sends), data=tmp_path, limit=100_000)

    assert done.code == 3
    assert "recording ended: File too large; connections are relayed all the same" in done.err


def test_the_certificate_of_the_proxy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`proxy ca` makes it, and shows how clients trust it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = call(monkeypatch, "proxy", "ca")

    path = tmp_path / "streamshark" / "proxy-ca.pem"
    assert done.code == 0
    assert done.out.startswith(f"The certificate of the proxy: {path}\n")
    assert path.read_text().startswith("-----BEGIN CERTIFICATE-----")


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One sentence and exit 2, before anything listens."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with listening() as server, Failures() as failures:
        port, there = str(server.getsockname()[1]), url(server)
        for words, sentence in (
            ([], "Missing argument"),
            (["kafka://a:1"], "unknown scheme 'kafka'"),
            ([there, "--", "no-such-command"], "no-such-command: command not found"),
            ([there, "--"], "-- needs a COMMAND after it"),
            ([there, "--listen", port], f"127.0.0.1:{port}: port in use"),
            ([there, "--listen", "1", "--listen", "2"], "--listen is given more often"),
            (["nats://no-such-host.invalid"], "no-such-host.invalid: unknown server"),
            ([there, "-w", str(tmp_path / "none" / "x")], "cannot be written"),
            ([there, "-Y", "nats.x =="], "-Y"),
            ([there, "-b", "files:3"], "-b files:N goes with"),
            ([there, "-b", "filesize:3"], "-b is for the files of -w"),
            ([there, "--resolve", "x"], "expected NAME=ADDRESS"),
            ([there, "--port-range", "x"], "expected FIRST-LAST"),
            ([there, "--server-ca", str(tmp_path / "none")], "cannot be used for TLS"),
            ([there, "--rules", str(tmp_path / "none")], "No such file"),
            ([there, "--tui"], "proxy --tui"),
            ([there, "--tui", "--", "true"], "--tui and COMMAND exclude each other"),
            ([there, "--control", str(tmp_path / "none" / "x")], "--control"),
            ([there, "--fault", "x -> drop"], "x"),
        ):
            done = call(monkeypatch, "proxy", *words)
            with failures.of(words):
                assert done.code == 2
                assert sentence in done.err or sentence == "-Y"
                assert len(done.err.splitlines()) <= 3
        assert list(tmp_path.glob("out*")) == []
