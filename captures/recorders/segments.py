"""What each side of a connection sent, as an independent reader of recordings lays it out.

Recorders count frames in it, so that what provenance says is not what our own reader says.
"""

from pathlib import Path
from typing import NamedTuple

from captures.recorders import lab


class Piece(NamedTuple):
    """One TCP payload."""

    number: int
    sequence: int
    data: bytes


def pieces(file: Path, ports: list[int]) -> dict[tuple[int, str], list[Piece]]:
    """TCP payloads of each connection to these ports and sender, by sequence number."""
    names = ("frame.number", "tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq_raw",
             "tcp.payload")  # fmt: skip
    parts: dict[tuple[int, str], list[Piece]] = {}
    for number, stream, source, target, sequence, payload in lab.fields(file, *names):
        if payload and {int(source), int(target)} & set(ports):
            sender = "server" if int(source) in ports else "client"
            piece = Piece(int(number), int(sequence), bytes.fromhex(payload.replace(":", "")))
            parts.setdefault((int(stream), sender), []).append(piece)
    return {key: sorted(found, key=lambda each: each.sequence) for key, found in parts.items()}


def joined(parts: list[Piece]) -> bytes:
    """The bytes up to the first gap."""
    start, data = parts[0].sequence, bytearray()
    for part in parts:
        skip = start + len(data) - part.sequence
        if skip < 0:
            break
        data += part.data[skip:]
    return bytes(data)
