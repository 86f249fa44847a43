"""Captures for measuring: RabbitMQ Streams between 64 clients and a broker, the same at each run.

Each connection opens as a real one does (handshake of TCP, then of the protocol) and then publishes
and consumes: frames of 1 to 200 messages of about 100 bytes, confirms, credit. One packet in a
thousand changes places with the next one if that is of the same sender, one in two thousand is
sent twice: what is said stays healthy. The bytes depend on size and shape alone, so every program
measured reads the same file.
"""

import random
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SEED = 5552
CONNECTIONS = 64
SEGMENT = 1448
MOST_MESSAGES = 200
SWAPPED = 0.001
REPEATED = 0.0005
PORT = 5552
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
SENDER = slice(26, 30)
"""Where a packet has the address of its sender."""
START = 1_700_000_000
STEP_US = 20
RESPONSE = 0x8000
"""The bit of the key that marks a response."""
OK = struct.pack(">H", 1)
MASK = 0xFFFFFFFF


def text(value: str) -> bytes:
    """A string with its length."""
    return struct.pack(">H", len(value)) + value.encode()


def mapping(values: dict[str, str]) -> bytes:
    """A map with its count."""
    pairs = (text(key) + text(value) for key, value in values.items())
    return struct.pack(">I", len(values)) + b"".join(pairs)


def frame(key: int, body: bytes, version: int = 1) -> bytes:
    """A whole frame, length first."""
    return struct.pack(">IHH", len(body) + 4, key, version) + body


def handshake(reference: str, stream: str = "orders") -> list[tuple[int, bytes]]:
    """(side, bytes) of what a client and a broker say until messages flow; side 0 is the client."""
    product = {"product": "bench", "version": "1.0", "connection_name": reference}
    number = struct.Struct(">I").pack
    return [
        (0, frame(0x11, number(0) + mapping(product))),
        (1, frame(0x11 | RESPONSE, number(0) + OK + mapping({"version": "4.0.5"}))),
        (0, frame(0x12, number(1))),
        (1, frame(0x12 | RESPONSE, number(1) + OK + number(1) + text("PLAIN"))),
        (0, frame(0x13, number(2) + text("PLAIN") + number(12) + b"\0guest\0guest")),
        (1, frame(0x13 | RESPONSE, number(2) + OK)),
        (1, frame(0x14, struct.pack(">II", 1 << 20, 60))),
        (0, frame(0x14 | RESPONSE, struct.pack(">II", 1 << 20, 60))),
        (0, frame(0x15, number(3) + text("/"))),
        (1, frame(0x15 | RESPONSE, number(3) + OK + mapping({"advertised_port": "5552"}))),
        (0, frame(0x01, number(4) + b"\1" + text(reference) + text(stream))),
        (1, frame(0x01 | RESPONSE, number(4) + OK)),
        (0, frame(0x07, number(5) + b"\1" + text(stream) + struct.pack(">HH", 1, 10))),
        (1, frame(0x07 | RESPONSE, number(5) + OK)),
    ]


def bodies(count: int, source: random.Random) -> list[bytes]:
    """Messages of about 100 bytes: AMQP 1.0 with one data section."""
    out = []
    for _ in range(count):
        data = source.randbytes(source.randint(60, 120))
        out.append(b"\x00\x53\x75\xa0" + bytes([len(data)]) + data)
    return out


def publish(messages: list[bytes], first: int) -> bytes:
    """Publish, version 1."""
    pack = struct.Struct(">QI").pack
    parts = [pack(first + at, len(body)) + body for at, body in enumerate(messages)]
    return frame(2, struct.pack(">BI", 1, len(messages)) + b"".join(parts))


def confirm(first: int, count: int) -> bytes:
    """PublishConfirm of consecutive ids."""
    return frame(3, struct.pack(f">BI{count}Q", 1, count, *range(first, first + count)))


def deliver(messages: list[bytes], first: int, written_us: int = 0) -> bytes:
    """Deliver, version 1, with one chunk, which was written at a time since the start."""
    pack = struct.Struct(">I").pack
    data = b"".join(pack(len(body)) + body for body in messages)
    head = struct.pack(
        ">BBHIqQQIIIBBH",
        *(0x50, 0, len(messages), len(messages), START * 1000 + written_us // 1000, 1, first),
        *(zlib.crc32(data), len(data), 0, 0, 0, 0),
    )
    return frame(8, b"\1" + head + data)


def credit() -> bytes:
    """Credit for one more chunk."""
    return frame(9, struct.pack(">Bh", 1, 1))


@dataclass
class Counts:
    """What a capture holds."""

    packets: int = 0
    frames: int = 0
    messages: int = 0
    size: int = 0
    """Bytes of the file."""


@dataclass
class Connection:
    """One TCP connection, side 0 the client, as packets."""

    number: int
    cluster: int = 0
    next: list[int] = field(default_factory=lambda: [1_000, 9_000])
    """Sequence number that each side sends next."""

    def __post_init__(self) -> None:
        client = bytes([10, self.cluster, 1, self.number % 250 + 1]), 40_000 + self.number
        server = bytes([10, self.cluster, 0, 1]), PORT
        self.ends = (client, server)

    def packet(self, side: int, flags: int, data: bytes = b"") -> bytes:
        """The next packet of a side: Ethernet, IPv4, TCP."""
        (source, here), (target, there) = self.ends[side], self.ends[1 - side]
        ack = self.next[1 - side] if flags & ACK else 0
        segment = struct.pack(
            ">HHIIBBHHH", here, there, self.next[side] & MASK, ack & MASK, 80, flags, 64_000, 0, 0
        )
        header = struct.pack(">BBHHHBBH", 0x45, 0, 40 + len(data), 0, 0, 64, 6, 0)
        self.next[side] += len(data) + (flags & (SYN | FIN) > 0)
        return b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" + header + source + target + segment + data

    def open(self) -> list[bytes]:
        """The three packets that open it."""
        return [self.packet(0, SYN), self.packet(1, SYN | ACK), self.packet(0, ACK)]

    def send(self, side: int, data: bytes, size: int = SEGMENT) -> list[bytes]:
        """Bytes of a side, in segments of at most `size`."""
        return [
            self.packet(side, ACK | PSH, data[at : at + size]) for at in range(0, len(data), size)
        ]


class Writer:
    """A pcap file with a clock."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("wb")
        self.file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1))
        self.size = 24
        self.time_us = 0

    def write(self, packets: list[bytes]) -> None:
        """Append packets."""
        for packet in packets:
            self.time_us += STEP_US
            seconds, fraction = divmod(self.time_us, 1_000_000)
            length = len(packet)
            self.file.write(struct.pack("<IIII", START + seconds, fraction, length, length))
            self.file.write(packet)
            self.size += 16 + length

    def close(self) -> None:
        """Finish the file."""
        self.file.close()


def write(path: Path, packets: list[bytes]) -> None:
    """Write a pcap file of these packets."""
    writer = Writer(path)
    writer.write(packets)
    writer.close()


def _disturbed(packets: list[bytes], source: random.Random) -> list[bytes]:
    """Some packets swapped with the next one of their sender, some repeated."""
    out = list(packets)
    for at in range(len(out) - 1):
        if source.random() < SWAPPED and out[at][SENDER] == out[at + 1][SENDER]:
            out[at], out[at + 1] = out[at + 1], out[at]
    for at in range(len(out) - 1, -1, -1):
        if source.random() < REPEATED:
            out.insert(at, out[at])
    return out


def _bursts(
    connection: Connection,
    size: int,
    source: random.Random,
    pool: list[bytes],
    counts: Counts,
    writer: Writer,
) -> Iterator[list[bytes]]:
    """Publish, confirm, deliver, credit, again and again."""
    sent = 0
    while True:
        count = source.randint(1, MOST_MESSAGES) if size else 1
        at = source.randrange(len(pool) - count)
        messages = pool[at : at + count]
        counts.frames += 4
        counts.messages += 2 * count
        yield [
            *connection.send(0, publish(messages, sent), size or SEGMENT),
            *connection.send(1, confirm(sent, count), size or SEGMENT),
            *connection.send(1, deliver(messages, sent, writer.time_us), size or SEGMENT),
            *connection.send(0, credit(), size or SEGMENT),
        ]
        sent += count


def generate(  # noqa: PLR0913 - what a capture may be
    path: Path,
    size: int,
    *,
    segment: int = SEGMENT,
    connections: int = CONNECTIONS,
    streams: int = 1,
    clusters: int = 1,
    giant: bool = False,
) -> Counts:
    """Write a capture of about `size` bytes; with `segment` 0 each frame holds one message.

    Each connection publishes to one of the `streams`, and consumes it.
    With `giant` half of it is the first connection.
    """
    source = random.Random(SEED)  # noqa: S311 - must be the same each time
    pool = bodies(2_000, source)
    counts = Counts()
    writer = Writer(path)
    bursts = []
    for number in range(connections):
        connection = Connection(number, number % clusters)
        packets = connection.open()
        stream = "orders" if streams == 1 else f"orders-{number % streams}"
        for side, data in handshake(f"client-{number}", stream):
            packets += connection.send(side, data)
            counts.frames += 1
        writer.write(packets)
        counts.packets += len(packets)
        bursts.append(_bursts(connection, segment, source, pool, counts, writer))
    while writer.size < size:
        burst = bursts[0] if giant and source.random() < 1 / 2 else source.choice(bursts)
        packets = _disturbed(next(burst), source)
        writer.write(packets)
        counts.packets += len(packets)
    writer.close()
    counts.size = writer.size
    return counts
