"""Foreign connections: recorded ones and what is cut from them, and generated ones."""

import gzip
import io
import itertools
import random
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.builders import Conversation, Packet, pcap

from streamshark.capture import open_capture

RECORDED = Path(__file__).parent / "traffic"
OURS = (4222, 5552, 7000, 9292, 12345, 50051)
"""Default ports of the protocols that are read."""
PORTS = ((40_000, 8_000), (40_001, 502), *((40_002, port) for port in OURS), (12_345, 80))
"""Ports of the client and the server of generated connections."""
DEPTHS = (3, 4, 5, 8, 13, 21, 34, 55)
"""How many first packets of each connection are cut away."""
SIDES = 2
WHOLE = SIDES + len(DEPTHS)
"""Kinds of cuts are numbered: each side, each depth, and last nothing cut."""


class Taken(NamedTuple):
    """A packet of a capture, and the two ends of its TCP connection."""

    packet: Packet
    sender: tuple[bytes, bytes]
    """Address and port."""
    receiver: tuple[bytes, bytes]


def packets(path: Path) -> list[Taken]:
    """Return the TCP packets of a capture of Ethernet; others are left out."""
    data = path.read_bytes()
    found = []
    whole = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    for batch in open_capture(io.BytesIO(whole)).batches():
        for at, start in enumerate(batch.starts):
            content = bytes(batch.data[start : start + batch.captured[at]])
            ends = _ends(content)
            if ends:
                packet = Packet(batch.times[at], content, batch.original[at])
                found.append(Taken(packet, *ends))
    return found


def _ends(frame: bytes) -> tuple[tuple[bytes, bytes], tuple[bytes, bytes]] | None:
    if frame[12:14] != b"\x08\0" or frame[23:24] != b"\x06":
        return None
    ports = 14 + (frame[14] & 15) * 4
    return (frame[26:30], frame[ports : ports + 2]), (frame[30:34], frame[ports + 2 : ports + 4])


def without_first(taken: Iterable[Taken], depth: int) -> list[Packet]:
    """Cut away the first packets of each connection, so many of each."""
    seen: dict[frozenset[tuple[bytes, bytes]], int] = {}
    left = []
    for packet, *ends in taken:
        connection = frozenset(ends)
        seen[connection] = seen.get(connection, 0) + 1
        if seen[connection] > depth:
            left.append(packet)
    return left


def one_side(taken: Iterable[Taken], side: int) -> list[Packet]:
    """Keep what one side of each connection sent: 0 is the side that sends first."""
    first: dict[frozenset[tuple[bytes, bytes]], tuple[bytes, bytes]] = {}
    return [
        packet
        for packet, sender, receiver in taken
        if (first.setdefault(frozenset((sender, receiver)), sender) == sender) is (side == 0)
    ]


def cut(taken: list[Taken], kind: int) -> tuple[str, bytes]:
    """Make a capture of one side, without first packets, or of all; `kind` is up to `WHOLE`."""
    if kind < SIDES:
        return f"side {kind}", pcap(one_side(taken, kind))
    if kind < WHOLE:
        depth = DEPTHS[kind - SIDES]
        return f"without {depth} packets", pcap(without_first(taken, depth))
    return "whole", pcap(each.packet for each in taken)


# What is generated


def length_prefixed(draw: random.Random) -> bytes:
    """Frames after a length of 2, 3 or 4 bytes, counting itself or not, in either order."""
    size, order = draw.choice((2, 3, 4)), draw.choice(("big", "little"))
    more, parts = draw.choice((0, size)), []
    for _ in range(draw.randrange(2, 40)):
        body = draw.choice((draw.randbytes, bytes))(draw.choice((0, 1, 4, 8, 13, 60, 300)))
        head = (len(body) + more).to_bytes(size, order)  # type: ignore[arg-type]
        parts.append(head + bytes([draw.randrange(12)] * draw.randrange(2)) + body)
    return b"".join(parts)


def tls(draw: random.Random) -> bytes:
    """Records of TLS whose contents are random, or a certificate."""
    parts = []
    for _ in range(draw.randrange(1, 12)):
        body = draw.choice((draw.randbytes, asn1_of))(draw.randrange(1, 1500))
        parts.append(bytes([draw.choice((20, 21, 22, 23)), 3, 3]) + len(body).to_bytes(2) + body)
    return b"".join(parts)


def asn1_of(size: int) -> bytes:
    """DER of about a size: sequences in sequences, with lengths of two bytes."""
    inner = b"\x02\x01\x05\x04\x05hello\x05\x00" * (size // 13 + 1)
    for _ in range(3):
        inner = b"\x30\x82" + len(inner).to_bytes(2) + inner
    return inner


def asn1(draw: random.Random) -> bytes:
    """Several DER values."""
    return b"".join(asn1_of(draw.randrange(2000)) for _ in range(draw.randrange(1, 8)))


def tpkt(draw: random.Random) -> bytes:
    """TPKT with COTP data, as S7 and RDP have it."""
    parts = []
    for number in range(draw.randrange(3, 60)):
        body = b"\x02\xf0\x80\x32\x01\0\0" + number.to_bytes(2) + bytes(draw.randrange(9))
        body += draw.randbytes(draw.randrange(30))
        parts.append(b"\x03\x00" + (len(body) + 4).to_bytes(2) + body)
    return b"".join(parts)


def modbus(draw: random.Random) -> bytes:
    """Modbus TCP: a counter, zeros, a length, and registers that are mostly zero."""
    parts = []
    for number in range(draw.randrange(3, 80)):
        count = draw.randrange(1, 120)
        values = b"".join(draw.choice((0, 0, 1, number)).to_bytes(2) for _ in range(count))
        body = bytes([draw.randrange(4), draw.choice((1, 3, 4, 16)), count * 2]) + values
        parts.append(struct.pack(">HHH", number, 0, len(body)) + body)
    return b"".join(parts)


def counters(draw: random.Random) -> bytes:
    """Numbers of 32 bits that are small, as remote calls and file systems send them."""
    return b"".join(
        struct.pack(
            draw.choice("<>") + "I", draw.choice((0, 0, 1, 9, 256, draw.randrange(1 << 16)))
        )
        for _ in range(draw.randrange(10, 900))
    )


def kafka(draw: random.Random) -> bytes:
    """Kafka: a length of 32 bits, key and version of 16, a counter, a client's name."""
    parts = []
    for number in range(draw.randrange(2, 60)):
        head = struct.pack(">HHI", draw.randrange(4), draw.randrange(12), number)
        body = head + b"\0\x08consumer" + bytes(draw.randrange(30)) + draw.randbytes(4)
        parts.append(struct.pack(">I", len(body)) + body)
    return b"".join(parts)


def cql(draw: random.Random) -> bytes:
    """Cassandra's: version, flags, a stream of 16 bits, opcode, a length of 32."""
    parts = []
    for number in range(draw.randrange(2, 60)):
        body = draw.choice((b"", struct.pack(">II", 2, draw.randrange(9)) + bytes(40)))
        head = struct.pack(
            ">BBHBI", draw.choice((4, 0x84)), 0, number, draw.randrange(16), len(body)
        )
        parts.append(head + body)
    return b"".join(parts)


def iec104(draw: random.Random) -> bytes:
    """IEC 60870-5-104: a start byte, a length of 8 bits, counters, a measured value."""
    parts = []
    for number in range(draw.randrange(4, 120)):
        body = struct.pack("<HH", number * 2, draw.randrange(9) * 2)
        if draw.randrange(3):
            body += bytes([draw.choice((1, 9, 13, 30, 100)), 1, 3, 0, 1, 0])
            body += struct.pack("<I", number)[:3] + bytes(draw.choice((1, 3, 5)))
        parts.append(bytes([0x68, len(body)]) + body)
    return b"".join(parts)


def doip(draw: random.Random) -> bytes:
    """ISO 13400: a version and its inverse, a type, a length of 32 bits, diagnostic bytes."""
    parts = []
    for _ in range(draw.randrange(2, 60)):
        body = struct.pack(">HH", 0x0E00, draw.randrange(9)) + bytes([0x22, 0xF1, 0x90])
        kind = draw.choice((5, 6, 7, 8, 0x8001, 0x8002))
        parts.append(struct.pack(">BBHI", 2, 0xFD, kind, len(body)) + body)
    return b"".join(parts)


def opc_ua(draw: random.Random) -> bytes:
    """OPC UA: three letters, a length in the other order, channel and counters, node ids."""
    parts = []
    for number in range(draw.randrange(2, 40)):
        body = (
            struct.pack("<IIII", 1, 1, number + 51, number + 1)
            + b"\1\0"
            + bytes(draw.randrange(99))
        )
        parts.append(b"MSGF" + struct.pack("<I", len(body) + 8) + body)
    return b"".join(parts)


def bittorrent(draw: random.Random) -> bytes:
    """BitTorrent: a length of 32 bits, a number, piece, offset and size; blocks of random bytes."""
    parts = []
    for number in range(draw.randrange(2, 40)):
        block = draw.randbytes(draw.choice((0, 400))) or struct.pack(">I", 1 << 14)
        body = bytes([draw.choice((4, 6, 7))]) + struct.pack(">II", number, 0) + block
        parts.append(draw.choice((b"", bytes(4))) + struct.pack(">I", len(body)) + body)
    return b"".join(parts)


def memcached(draw: random.Random) -> bytes:
    """Memcached's binary protocol: lengths among zeros, a counter, binary values."""
    parts = []
    for number in range(draw.randrange(2, 80)):
        extras, key = bytes(draw.choice((0, 4, 8))), b"key:%d" % number
        value = draw.choice((b"", draw.randbytes(draw.randrange(300)), bytes(draw.randrange(60))))
        head = struct.pack(">BBHBBHIIQ", draw.choice((0x80, 0x81)), draw.randrange(12), len(key),
                           len(extras), 0, 0, len(extras + key + value), 0, number)  # fmt: skip
        parts.append(head + extras + key + value)
    return b"".join(parts)


def remote_screen(draw: random.Random) -> bytes:
    """RFB and X11: types of 8 bits, padding, numbers of 16, rectangles of pixels that are alike."""
    parts = []
    for _ in range(draw.randrange(2, 60)):
        place = struct.pack(">HHHH", *(draw.randrange(1 << 10) for _ in range(4)))
        pixels = draw.choice((b"", bytes(draw.randrange(200)), b"\0\xff\0\1" * draw.randrange(60)))
        parts.append(bytes([draw.randrange(6), 0, 0, 1]) + place + bytes(4) + pixels)
    return b"".join(parts)


def lines(draw: random.Random) -> bytes:
    """Lines of text as SMTP, FTP, IRC and HTTP have them."""
    words = ["+OK", "220", "PING:", "USER", "INFO,", "LIST", "MSG.", "PUB:", "GET", "HTTP/1.1", "1"]
    return b"".join(
        " ".join(draw.choices(words, k=draw.randrange(1, 6))).encode() + b"\r\n"
        for _ in range(draw.randrange(2, 60))
    )


def zeros(draw: random.Random) -> bytes:
    """Zeros, with a byte that is not here and there."""
    data = bytearray(draw.randrange(20, 6000))
    for _ in range(draw.randrange(6)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data)


def noise(draw: random.Random) -> bytes:
    """Random bytes."""
    return draw.randbytes(draw.randrange(20, 6000))


KINDS = (
    length_prefixed, tls, asn1, tpkt, modbus, counters, lines, zeros, noise, kafka, cql, iec104,
    doip, opc_ua, bittorrent, memcached, remote_screen,
)  # fmt: skip


def generated(rounds: int) -> tuple[list[str], list[Packet]]:
    """Make connections of each kind on all ports, with and without their beginning, and name them.

    Each has addresses of its own, so that none lends another what was recognised in it.
    """
    named, made = [], []
    for nth, kind, ports in itertools.product(range(rounds), KINDS, PORTS):
        draw = random.Random(f"{nth} {kind.__name__} {ports}")  # noqa: S311
        client, server = (f"10.{side}.{len(named) >> 8}.{len(named) & 255}" for side in (1, 2))
        talk = Conversation((client, ports[0]), (server, ports[1]))
        begins = nth % 2 == 0
        if begins:
            talk.handshake()
        for side in draw.choice(((0, 1), (1, 0), (0, 1, 0, 1))):
            talk.send(side, kind(draw), draw.choice((100, 536, 1448)))
        if begins:
            talk.finish(0).finish(1)
        named.append(f"{kind.__name__} {nth}, ports {ports[0]} and {ports[1]}")
        made += talk.packets
    return named, made
