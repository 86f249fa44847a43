"""`streamshark proxy` at length: a gigabyte, ten thousand connections, kills of either end."""

import hashlib
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.cli.console import command
from tests.proxy.ends import TIMEOUT, listening, received, url
from tests.proxy.servers.running import free_ports

from streamshark.capture import open_capture

pytestmark = [pytest.mark.process, pytest.mark.sweep]
GIGABYTE = 1 << 30
BLOCK = os.urandom(1 << 20)


class Running:
    """A proxy in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port

    def connect(self) -> socket.socket:
        """A connection to it."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT)

    @property
    def most_memory(self) -> int:
        """The most bytes that it had so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024


@contextmanager
def proxy(server: socket.socket, data: Path, *options: str, port: int = 0) -> Iterator[Running]:
    """A proxy of a server, until the end of the block."""
    port = port or free_ports(1)[0]
    words = command("proxy", url(server), "-q", "--listen", str(port), *options)
    process = subprocess.Popen(
        words,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(data)},
    )
    assert process.stderr is not None
    try:
        assert f":{port} is " in process.stderr.readline()
        yield Running(process, port)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stderr.close()


def test_a_gigabyte(tmp_path: Path) -> None:
    """With equal digests, and no more memory than a hundredth of it takes."""
    ring = ("-w", str(tmp_path / "out.pcapng"), "-b", "filesize:50000", "-b", "files:2")
    with listening() as server, proxy(server, tmp_path, *ring) as running:
        memory = []
        for size in (GIGABYTE // 100, GIGABYTE):
            client, accepted = running.connect(), server.accept()[0]
            sent, got = hashlib.sha256(), hashlib.sha256()

            def send(left: int = size, end: socket.socket = accepted, to: object = sent) -> None:
                while left > 0:
                    end.sendall(BLOCK)
                    to.update(BLOCK)  # type: ignore[attr-defined]
                    left -= len(BLOCK)
                end.close()

            thread = threading.Thread(target=send)
            thread.start()
            while part := client.recv(1 << 18):
                got.update(part)
            thread.join()
            client.close()
            assert got.digest() == sent.digest()
            memory.append(running.most_memory)
    assert memory[1] <= 1.1 * memory[0] + (4 << 20)


def test_ten_thousand_short_connections(tmp_path: Path) -> None:
    """All are served and recorded, and memory stays."""
    out = tmp_path / "out.pcapng"
    with listening() as server, proxy(server, tmp_path, "-w", str(out)) as running:
        memory = 0
        for number in range(10_000):
            with running.connect() as client:
                accepted = server.accept()[0]
                with accepted:
                    client.sendall(b"ask")
                    assert accepted.recv(3) == b"ask"
                    accepted.sendall(b"answer")
                    assert received(client, 6) == b"answer"
            if number == 1000:
                memory = running.most_memory
        assert running.most_memory <= 1.1 * memory + (4 << 20)
    capture = open_capture(out)
    assert sum(map(len, capture.batches())) >= 10_000 * 8


def test_five_hundred_connections_at_once(tmp_path: Path) -> None:
    """Each carries its own bytes; one more is refused."""
    with listening() as server, proxy(server, tmp_path) as running:
        both = [(running.connect(), server.accept()[0]) for _ in range(500)]
        for number, (client, _) in enumerate(both):
            client.sendall(b"%03d" % number)
        assert [received(accepted, 3) for _, accepted in both] == [
            b"%03d" % number for number in range(500)
        ]
        with pytest.raises(ConnectionResetError), running.connect() as one_more:
            one_more.recv(1)
        for client, accepted in both:
            client.close()
            accepted.close()


ECHO = """
import socket, sys
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    print("up", flush=True)
    while True:
        client = server.accept()[0]
        client.sendall(client.recv(9))
"""


def test_kills(tmp_path: Path) -> None:
    """A killed server resets its clients, which reach its successor; so does a killed proxy."""
    with listening() as reserved:
        address = reserved.getsockname()[1]
        mine = free_ports(1)[0]
        with proxy(reserved, tmp_path, port=mine) as running:
            reserved.close()
            for _ in range(2):
                server = subprocess.Popen(
                    [command()[0], "-c", ECHO, str(address)], stdout=subprocess.PIPE, text=True
                )
                assert server.stdout is not None
                assert server.stdout.readline() == "up\n"
                client = running.connect()
                client.sendall(b"x")
                assert client.recv(1) == b"x"
                server.kill()
                server.wait()
                server.stdout.close()
                with suppress(ConnectionResetError):
                    assert client.recv(1) == b""
                client.close()
                with pytest.raises(ConnectionResetError), running.connect() as refused:
                    refused.recv(1)
    with listening() as server:
        with proxy(server, tmp_path, port=mine) as running:
            client, accepted = running.connect(), server.accept()[0]
            running.process.kill()
            running.process.wait()
            for end in (client, accepted):
                with suppress(ConnectionResetError):
                    assert end.recv(1) == b""
                end.close()
        with proxy(server, tmp_path, port=mine) as running:
            client, accepted = running.connect(), server.accept()[0]
            accepted.sendall(b"y")
            assert client.recv(1) == b"y"
            client.close()
            accepted.close()
