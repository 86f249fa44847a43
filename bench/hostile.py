"""Inputs made to be slow: each grows with `size`, and time should grow no faster than it does."""

import random
import struct
from collections.abc import Callable, Mapping

from generator import (
    ACK,
    FIN,
    OK,
    PSH,
    RESPONSE,
    RST,
    SEED,
    SEGMENT,
    Connection,
    confirm,
    credit,
    frame,
    handshake,
    publish,
    text,
)


def opened() -> tuple[Connection, list[bytes]]:
    """A connection that has shaken hands, and the packets of that."""
    connection = Connection(0)
    packets = connection.open()
    for side, data in handshake("hostile"):
        packets += connection.send(side, data)
    return connection, packets


def shuffled_segments(size: int) -> list[bytes]:
    """Small frames in segments of 7 bytes that arrive in reverse, the first one last."""
    connection, packets = opened()
    data = credit() * (size // len(credit()))
    return packets + connection.send(0, data, 7)[::-1]


def huge_counts(size: int) -> list[bytes]:
    """Frames whose lists claim four billion items and hold a few."""
    connection, packets = opened()
    body = struct.pack(">IHIIHH", 7, 1, 0xFFFF_FFFF, 0xFFFF_FFFF, 0, 0)
    keys = (0x02, 0x03, 0x04, 0x0F, 0x11, 0x800F, 0x8012, 0x801B)
    cycle = b"".join(frame(key, body + bytes(20)) for key in keys)
    return packets + connection.send(0, cycle * (size // len(cycle)))


def plausible_garbage(size: int) -> list[bytes]:
    """Noise with a good head every 16 bytes, each promising a frame that never lines up."""
    connection, packets = opened()
    source = random.Random(SEED)  # noqa: S311 - must be the same each time
    head = struct.pack(">IHH", 60_000, 2, 1)
    noise = b"".join(head + source.randbytes(8) for _ in range(size // 16))
    return packets + connection.send(0, b"\xff" * 8 + noise)


def one_byte_segments(size: int) -> list[bytes]:
    """One large frame, a byte to a packet."""
    connection, packets = opened()
    return packets + connection.send(1, confirm(0, size // 8), 1)


def every_other_lost(size: int) -> list[bytes]:
    """Every second segment is missing, acknowledged all the same."""
    connection, packets = opened()
    data = confirm(0, 50) * (size // len(confirm(0, 50)))
    for at, packet in enumerate(connection.send(1, data, SEGMENT)):
        if at % 2:
            packets += [packet, connection.packet(0, ACK)]
    return packets


def connections(size: int, *, resets: bool = False) -> list[bytes]:
    """Connections that open, say little and never close, or are reset."""
    packets = []
    for number in range(size // 1024):
        connection = Connection(number)
        connection.ends = (
            (struct.pack(">BBH", 10, 1, number & 0xFFFF), 20_000 + (number >> 16)),
            connection.ends[1],
        )
        packets += connection.open()
        for side, data in handshake("hostile")[:4]:
            packets.append(connection.packet(side, ACK | PSH, data))
        if resets:
            packets.append(connection.packet(1, RST))
    return packets


def resets(size: int) -> list[bytes]:
    """Connections one after the other, each reset."""
    return connections(size, resets=True)


def visits(size: int) -> list[bytes]:
    """Connections one after the other, each with a few messages, and closed by both sides."""
    packets = []
    for number in range(size // 4096):
        connection = Connection(number)
        connection.ends = (
            (struct.pack(">BBH", 10, 1, number & 0xFFFF), 20_000 + (number >> 16)),
            connection.ends[1],
        )
        packets += connection.open()
        for side, data in handshake("visitor"):
            packets += connection.send(side, data)
        for at in range(5):
            packets += connection.send(0, publish([b"word"], at))
            packets += connection.send(1, confirm(at, 1))
        packets += [connection.packet(side, FIN | ACK) for side in (0, 1)]
        packets.append(connection.packet(0, ACK))
    return packets


# What is slow to follow, or much to remember, once it is read


def unanswered(size: int) -> list[bytes]:
    """Requests without an answer, each with an id of its own."""
    connection, packets = opened()
    ask = [frame(0x0F, struct.pack(">III", 100 + at, 1, 6) + b"orders") for at in range(size // 26)]
    return packets + connection.send(0, b"".join(ask))


def unconfirmed(size: int) -> list[bytes]:
    """Messages without a confirm, every other publishing id."""
    connection, packets = opened()
    data = b"".join(publish([b""], 2 * at) for at in range(size // 25))
    return packets + connection.send(0, data)


def backwards(size: int) -> list[bytes]:
    """Messages whose publishing ids fall, confirmed the oldest first, a long time after."""
    connection, packets = opened()
    most = size // 50
    for at in range(most):
        packets += connection.send(0, publish([b""], 2 * (most - at)))
        if at >= OUTSTANDING:
            packets += connection.send(1, confirm(2 * (most - at + OUTSTANDING), 1))
    return packets


def publishers(size: int) -> list[bytes]:
    """Publishers that are declared, and deleted at once."""
    connection, packets = opened()
    for at in range(size // 128):
        number, name = struct.pack(">I", 100 + at), bytes([2 + at % 200])
        packets += connection.send(0, frame(1, number + name + text("") + text(f"stream-{at}")))
        packets += connection.send(1, frame(1 | RESPONSE, number + OK))
        packets += connection.send(0, frame(6, number + name))
        packets += connection.send(1, frame(6 | RESPONSE, number + OK))
    return packets


def stream_ids(size: int) -> list[bytes]:
    """Requests on one RSocket connection, each on a stream of its own; every other is answered."""
    connection = Connection(0)
    packets = connection.open()
    mime = bytes([16]) + b"application/json"
    setup = struct.pack(">IHHHII", 0, 1 << 10, 1, 0, 20_000, 90_000) + mime + mime
    packets += connection.send(0, _sized(setup))
    asks, answers = [], []
    for at in range(size // 32):
        number = struct.pack(">I", 1 + 2 * at)
        asks.append(_sized(number + struct.pack(">HI", 6 << 10, 1) + b"give"))
        if at % 2:
            answers.append(_sized(number + struct.pack(">H", 10 << 10 | 0x60)))
    asked, answered = b"".join(asks), b"".join(answers)
    for at in range(0, len(asked), SEGMENT):
        packets += connection.send(0, asked[at : at + SEGMENT])
        part = slice(at * len(answered) // len(asked), (at + SEGMENT) * len(answered) // len(asked))
        packets += connection.send(1, answered[part])
    return packets


def _sized(data: bytes) -> bytes:
    """A frame of RSocket with its length."""
    return len(data).to_bytes(3, "big") + data


OUTSTANDING = 1000
"""Messages that wait for their confirms in `backwards`."""
JUDGED: Mapping[str, tuple[Callable[[int], list[bytes]], int]] = {
    "connections that stay open": (connections, 2 * 1024 * 1024),
    "connections that are reset": (resets, 2 * 1024 * 1024),
    "connections that are closed": (visits, 8 * 1024 * 1024),
    "requests without an answer": (unanswered, 1024 * 1024),
    "messages without a confirm": (unconfirmed, 1024 * 1024),
    "publishing ids that fall": (backwards, 512 * 1024),
    "publishers declared and deleted": (publishers, 1024 * 1024),
    "streams of RSocket": (stream_ids, 1024 * 1024),
}
"""The same for what is paired and judged."""
HOSTILE: Mapping[str, tuple[Callable[[int], list[bytes]], int]] = {
    "segments of 7 bytes in reverse order": (shuffled_segments, 64 * 1024),
    "lists that claim four billion items": (huge_counts, 1024 * 1024),
    "noise with a plausible head every 16 bytes": (plausible_garbage, 256 * 1024),
    "one frame, a byte to a segment": (one_byte_segments, 32 * 1024),
    "every other segment lost": (every_other_lost, 2 * 1024 * 1024),
    "connections that stay open": (connections, 1024 * 1024),
}
"""Name to maker and smallest size in bytes."""
