"""The proxy beside a plain asyncio relay of the same buffers: rate, processor time, round trips.

python bench/relays.py KIND PORT    run one relay to a server, until standard input ends
"""

import asyncio
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from shutil import which

KINDS = {
    "plain asyncio relay": {},
    "proxy": {"hosts": False},
    "proxy, recorded": {"hosts": False, "write": "one"},
    "proxy, recorded, hosts": {"write": "one"},
    "proxy, both legs, hosts": {"write": "one", "both": True},
}
"""What is measured, with the options of the proxy."""
PLAIN = next(iter(KINDS))
WRITE = 64 * 1024
QUEUED = 256 * 1024
FRAME = (10_000).to_bytes(4) + b"\0\x08\0\1" + bytes(9_996)
"""A delivery of 10 kB."""
HTTP2, NATS = "HTTP/2, DATA of 16 kB", "NATS, messages of 100 bytes"
STEERED = "proxy, recorded, hosts"
"""What is measured with traffic of small or nested frames."""
WINDOW = (1 << 30).to_bytes(4)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


TRAFFIC = {
    "": ("rabbitmq-stream", b"", b"", FRAME),
    HTTP2: (
        "liftbridge",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        + _frame(4, 0, 0, b"\0\x04" + WINDOW)
        + _frame(8, 0, 0, WINDOW)
        + _frame(1, 4, 1, b"\x83\x86\x44\x01/"),
        _frame(4, 0, 0, b""),
        _frame(0, 0, 1, bytes(16_000)),
    ),
    NATS: ("nats", b"", b'INFO {"port":1}\r\n', b"MSG orders 1 100\r\n" + bytes(100) + b"\r\n"),
}
"""Name to the scheme, what client and server begin with, and what the server sends again and again.
"""
MITM = "mitmdump"
"""The program of mitmproxy, which is measured if it is installed."""
RATE = 1_000
"""Round trips a second."""


class Leg(asyncio.Protocol):
    """One side of the plain relay."""

    def __init__(self, address: tuple[str, int] | None, other: "Leg | None" = None) -> None:
        self.address, self.other = address, other
        self.transport: asyncio.Transport | None = None
        self.task: object = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connect to the server, or begin."""
        self.transport = transport
        transport.set_write_buffer_limits(QUEUED)
        if self.address is not None:
            transport.pause_reading()
            loop = asyncio.get_running_loop()
            self.other = Leg(None, self)
            self.task = loop.create_task(loop.create_connection(lambda: self.other, *self.address))
        elif self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Pass bytes on."""
        self.other.transport.write(data)

    def eof_received(self) -> bool:
        """Pass the end on."""
        self.other.transport.write_eof()
        return True

    def pause_writing(self) -> None:
        """Pause the other side."""
        self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        """Resume it."""
        self.other.transport.resume_reading()


async def plain(port: int) -> None:
    """Relay to a port, without looking at anything."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Leg(("127.0.0.1", port)), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def serve(kind: str, port: int) -> None:
    """Run one relay, print its port, and at the end the processor time of its work."""
    if kind == PLAIN:
        begun = time.process_time()
        asyncio.run(plain(port))
        print(time.process_time() - begun)
        return
    from streamshark.proxy import Proxy  # noqa: PLC0415 - the plain relay must not pay for it

    kind, _, traffic = kind.partition("; ")
    with tempfile.TemporaryDirectory() as folder:
        options = dict(KINDS[kind])
        if options.get("write"):
            options["write"] = Path(folder) / "out.pcapng"
        url = f"{TRAFFIC[traffic][0]}://127.0.0.1:{port}"
        with Proxy(url, ports=None, faults=None, pass_tls=True, **options) as proxy:
            begun = time.process_time()
            print(proxy.port, flush=True)
            sys.stdin.read()
            used = time.process_time() - begun
    print(used)


class Relay:
    """A relay in a process of its own, to a server here."""

    def __init__(self, kind: str, port: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, kind, str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.port = int(self.process.stdout.readline())

    def end(self) -> float:
        """End it; its processor seconds."""
        return float(self.process.communicate()[0])


class MitmProxy:
    """mitmproxy as a relay of TCP."""

    def __init__(self, port: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        mode = f"reverse:tcp://127.0.0.1:{port}@127.0.0.1:{self.port}"
        words = [MITM, "-q", "--mode", mode]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 60
        listens = f":{self.port:04X} 00000000:0000 0A "
        while listens not in Path("/proc/net/tcp").read_text() and time.monotonic() < until:
            time.sleep(0.1)  # a connection would reach the server
        self._begun = self._used()

    def _used(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> float:
        """End it; its processor seconds."""
        used = self._used() - self._begun
        self.process.terminate()
        self.process.wait()
        return used


def streamed(kind: str, size: int, traffic: str = "") -> tuple[float, float]:
    """Bytes a second from a server to a client, and processor seconds of the relay."""
    _, asks, greets, frame = TRAFFIC[traffic]
    block = frame * max(WRITE * 8 // len(frame), 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        named = f"{kind}; {traffic}" if traffic and kind != PLAIN else kind
        relay = MitmProxy(port) if kind == MITM else Relay(named, port)
        client = socket.create_connection(("127.0.0.1", relay.port))
        accepted = server.accept()[0]
        accepted.sendall(greets)
        client.sendall(asks)
        left = len(asks)
        while left:
            left -= len(accepted.recv(left))

        def send() -> None:
            left, view = size, memoryview(block)
            while left > 0:
                for at in range(0, len(block), WRITE):
                    accepted.sendall(view[at : at + WRITE])
                left -= len(block)
            accepted.shutdown(socket.SHUT_WR)

        sender = threading.Thread(target=send)
        begun = time.perf_counter()
        sender.start()
        got, room = 0, bytearray(1 << 20)
        while count := client.recv_into(room):
            got += count
        taken = time.perf_counter() - begun
        sender.join()
        client.close()
        accepted.close()
        return got / taken, relay.end()


def round_trips(kind: str, seconds: float) -> tuple[float, float]:
    """Round trips of small frames at `RATE`, in us: the median and the 99th percentile."""
    frame = (16).to_bytes(4) + b"\0\x03\0\1" + bytes(12)
    with socket.create_server(("127.0.0.1", 0)) as server:
        relay = Relay(kind, server.getsockname()[1])
        client = socket.create_connection(("127.0.0.1", relay.port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        accepted = server.accept()[0]
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def answer() -> None:
            with suppress(OSError):
                while data := accepted.recv(4096):
                    accepted.sendall(data)

        threading.Thread(target=answer, daemon=True).start()
        found = []
        due = time.perf_counter()
        for _ in range(int(RATE * seconds)):
            due += 1 / RATE
            if (early := due - time.perf_counter()) > 0:
                time.sleep(early)
            begun = time.perf_counter()
            client.sendall(frame)
            left = len(frame)
            while left:
                left -= len(client.recv(left))
            found.append((time.perf_counter() - begun) * 1e6)
        client.close()
        accepted.close()
        relay.end()
    ranks = statistics.quantiles(found, n=100)
    return ranks[49], ranks[98]


def touch(size: int) -> None:
    """Use memory of this many bytes for a file that is deleted again.

    A virtual machine gets its memory from the host when it is first used, which costs several times
    as much as writing into it, and would be counted as time of the recording.
    """
    with tempfile.TemporaryFile() as file:
        for _ in range(size // len(FRAME)):
            file.write(FRAME)


def relay_rows(size: int, seconds: float, rounds: int) -> tuple[dict[str, float], list[list[str]]]:
    """Ratios beside the plain relay (rate, processor time, p99), and the table; the best rounds."""
    touch(3 * size)
    streams: dict[str, list[tuple[float, float]]] = {each: [] for each in KINDS}
    trips: dict[str, list[tuple[float, float]]] = {each: [] for each in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            streams[kind].append(streamed(kind, size))
            trips[kind].append(round_trips(kind, seconds))
    best = {
        kind: (
            max(rate for rate, _ in streams[kind]), min(used for _, used in streams[kind]),
            min(half for half, _ in trips[kind]), min(most for _, most in trips[kind]),
        )
        for kind in KINDS
    }  # fmt: skip
    ratios, rows = {}, []
    base = best[PLAIN]
    for kind, (rate, used, half, most) in best.items():
        ratios |= {f"{kind} rate": rate / base[0], f"{kind} time": used / base[1]}
        ratios[f"{kind} p99"] = most / base[3]
        ratios[f"{kind} MB/s"] = rate
        rows.append([
            kind, f"{rate / 1e6:.0f} MB/s", f"{rate / base[0]:.2f}", f"{used:.2f} s",
            f"{used / base[1]:.2f}", f"{half:.0f} us", f"{most:.0f} us", f"{most / base[3]:.2f}",
        ])  # fmt: skip
    return ratios, rows


def steered_rows(size: int, rounds: int) -> tuple[dict[str, float], list[list[str]]]:
    """Rates beside the plain relay for traffic of other protocols, and of mitmproxy; the table."""
    ratios, rows = {}, []
    kinds = [(PLAIN, each) for each in (HTTP2, NATS)] + [(STEERED, each) for each in (HTTP2, NATS)]
    if which(MITM) is not None:
        kinds.append((MITM, ""))
    best = dict.fromkeys(kinds, (0.0, 0.0))
    for _ in range(rounds):
        for kind, traffic in kinds:
            share = 16 if kind == MITM else 1
            best[kind, traffic] = max(best[kind, traffic], streamed(kind, size // share, traffic))
    for (kind, traffic), (rate, _) in best.items():
        base = best.get((PLAIN, traffic), (0.0, 0.0))[0]
        ratios[f"{kind} {traffic}".strip()] = rate / base if base else rate
        beside = f"{rate / base:.2f}" if base else ""
        name = f"{kind}: {traffic}" if traffic else "mitmproxy, reverse:tcp"
        rows.append([name, f"{rate / 1e6:.0f} MB/s", beside, "", "", "", "", ""])
    return ratios, rows


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    serve(sys.argv[1], int(sys.argv[2]))
