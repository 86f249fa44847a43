"""Inputs made to be slow: each grows with `size`, and time should grow no faster than it does."""

import random
import struct
from collections.abc import Callable, Mapping

from generator import ACK, PSH, SEED, SEGMENT, Connection, confirm, credit, frame, handshake


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


def connections(size: int) -> list[bytes]:
    """Connections that open, say little and never close."""
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
    return packets


HOSTILE: Mapping[str, tuple[Callable[[int], list[bytes]], int]] = {
    "segments of 7 bytes in reverse order": (shuffled_segments, 64 * 1024),
    "lists that claim four billion items": (huge_counts, 1024 * 1024),
    "noise with a plausible head every 16 bytes": (plausible_garbage, 256 * 1024),
    "one frame, a byte to a segment": (one_byte_segments, 32 * 1024),
    "every other segment lost": (every_other_lost, 2 * 1024 * 1024),
    "connections that stay open": (connections, 1024 * 1024),
}
"""Name to maker and smallest size in bytes."""
