"""Captures that say much in few bytes: of pieces without bytes, and of what is packed.

Each maker gives a whole file of about `size` bytes. What a reading takes must follow neither their
number nor what they would be unpacked to.
"""

import gzip
import itertools
import struct
import zlib
from collections.abc import Callable, Mapping

from generator import ACK, PSH, SEGMENT, START, Connection, frame, handshake
from hostile import opened

DEFLATED = "Sec-WebSocket-Extensions: permessage-deflate"
SETUP = bytes.fromhex(
    "0000000004000001000000004e2000015f900a746578742f706c61696e0a746578742f706c61696e"
)
"""SETUP of RSocket, without its length."""
FIRE = struct.pack(">IH", 1, 5 << 10)
"""REQUEST_FNF of RSocket without data."""
BOMB = 16 * 1024 * 1024 - 1024
"""Bytes that each packed message is unpacked to: below the cap of one."""
BATCH = 60 * 1024 * 1024
"""The same of a sub-batch."""


def pcap(packets: list[bytes]) -> bytes:
    """A file of packets."""
    parts = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1)]
    for at, packet in enumerate(packets):
        parts += (struct.pack("<IIII", START + at // 1000, at % 1000, *[len(packet)] * 2), packet)
    return b"".join(parts)


def repeated(piece: bytes, size: int) -> bytes:
    """As many copies as fit."""
    return piece * (size // len(piece))


def websocket(*more: str, number: int = 0) -> tuple[Connection, list[bytes]]:
    """A connection that was upgraded to RSocket over WebSocket."""
    lines = ("Upgrade: websocket", "Connection: Upgrade", *more)
    ask = ("GET /rsocket HTTP/1.1", "Host: bench", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *lines, "", "")  # fmt: skip
    told = ("HTTP/1.1 101 Switching Protocols",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", *lines, "", "")  # fmt: skip
    connection = Connection(number)
    packets = connection.open()
    packets += connection.send(0, "\r\n".join(ask).encode())
    packets += connection.send(1, "\r\n".join(told).encode())
    return connection, packets + connection.send(0, webframe(0x82, SETUP))


def webframe(head: int, payload: bytes) -> bytes:
    """A masked frame of WebSocket, the mask all zeros."""
    size = len(payload)
    long = bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0xFE, size)  # noqa: PLR2004
    return bytes([head]) + long + bytes(4) + payload


def continuations(size: int) -> bytes:
    """A message of WebSocket in frames without bytes."""
    connection, packets = websocket()
    data = webframe(0x02, FIRE) + repeated(webframe(0, b""), size)
    return pcap(packets + connection.send(0, data))


def inflated(size: int) -> bytes:
    """Messages of permessage-deflate that are large only once they are inflated."""
    connection, packets = websocket(DEFLATED + "; client_no_context_takeover")
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(FIRE + bytes(BOMB)) + packer.flush(zlib.Z_SYNC_FLUSH)
    data = webframe(0xC2, packed[:-4])
    return pcap(packets + connection.send(0, repeated(data, size)))


def inflated_on_many(size: int) -> bytes:
    """One such message on each of many connections."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(FIRE + bytes(BOMB)) + packer.flush(zlib.Z_SYNC_FLUSH)
    data, packets = webframe(0xC2, packed[:-4]), []
    for number in range(max(1, size // len(data))):
        connection, opening = websocket(DEFLATED, number=number)
        packets += opening + connection.send(0, data)
    return pcap(packets)


def http2(kind: int, payload: bytes = b"", stream: int = 1, flags: int = 0) -> bytes:
    """A frame of HTTP/2."""
    return len(payload).to_bytes(3, "big") + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name: str, value: str) -> bytes:
    """A header that is not indexed (RFC 7541, 6.2.2)."""
    each = (bytes([len(text)]) + text.encode() for text in (name, value))
    return b"\0" + b"".join(each)


HEADERS = b"".join(
    itertools.starmap(
        literal,
        ((":method", "POST"), (":scheme", "http"), (":path", "/liftbridge.API/Publish"),
         (":authority", "bench"), ("content-type", "application/grpc"), ("grpc-encoding", "gzip")),
    )
)  # fmt: skip


def call(*frames: bytes) -> bytes:
    """A client that opens a connection and says something on it."""
    connection = Connection(0)
    said = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2(4, stream=0)
    said += http2(1, HEADERS, 99_999, 4) + http2(0, bytes(5), 99_999, 1) + b"".join(frames)
    packets = [*connection.open(), *connection.send(1, http2(4, stream=0))]
    return pcap(packets + connection.send(0, said))


def header_pieces(size: int) -> bytes:
    """A header block of HTTP/2 in CONTINUATIONs without bytes."""
    return call(http2(1, HEADERS), repeated(http2(9), size))


def data_pieces(size: int) -> bytes:
    """A message of gRPC in DATA without bytes."""
    return call(http2(1, HEADERS, flags=4), http2(0, bytes(4)), repeated(http2(0), size))


def open_streams(size: int) -> bytes:
    """Streams of HTTP/2 that begin a message and never end."""
    each = len(http2(1, HEADERS) + http2(0, b"\0"))
    return call(
        *(http2(1, HEADERS, at, 4) + http2(0, b"\0", at) for at in range(1, 2 * size // each, 2))
    )


def packed_calls(size: int) -> bytes:
    """Messages of gRPC that are large only once they are unpacked."""
    packed = gzip.compress(bytes(BOMB), mtime=0)
    message = http2(0, struct.pack(">BI", 1, len(packed)) + packed)
    return call(http2(1, HEADERS, flags=4), repeated(message, size))


def sub_batches(size: int) -> bytes:
    """A Publish of sub-batches that are large only once they are unpacked."""
    connection, packets = opened()
    packer = zlib.compressobj(9, wbits=31)
    record = struct.pack(">I", BATCH - 4)
    packed = packer.compress(record + bytes(BATCH - 4)) + packer.flush()
    entry = struct.pack(">QBHII", 1, 0x90, 1, BATCH, len(packed)) + packed
    count = max(1, size // len(entry))
    body = struct.pack(">BI", 1, count) + entry * count
    return pcap(packets + connection.send(0, frame(2, body)))


def fragments(size: int) -> bytes:
    """A request of RSocket in fragments without bytes."""
    connection = Connection(0)
    follows = struct.pack(">IH", 1, 10 << 10 | 1 << 7 | 1 << 5)
    first = struct.pack(">IHI", 1, 4 << 10 | 1 << 7, 1)
    data = b"".join(map(_sized, (SETUP, first))) + repeated(_sized(follows), size)
    return pcap(connection.open() + connection.send(0, data))


def fragments_on_many(size: int) -> bytes:
    """Requests of RSocket on many streams, each a fragment of one byte that nothing ends."""
    connection = Connection(0)
    each = len(_sized(struct.pack(">IHIs", 1, 4 << 10 | 1 << 7, 1, b"a")))
    begun = (_sized(struct.pack(">IHIs", at, 4 << 10 | 1 << 7, 1, b"a"))
             for at in range(1, 2 * (size // each), 2))  # fmt: skip
    return pcap(connection.open() + connection.send(0, _sized(SETUP) + b"".join(begun)))


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(3, "big") + data


def said_to_nats(said: bytes) -> bytes:
    """What a client of NATS says."""
    connection = Connection(0)
    told = connection.send(1, b'INFO {"server_id":"A","version":"2.10.0","headers":true}\r\n')
    connected = b'CONNECT {"verbose":false,"headers":true}\r\n'
    return pcap(connection.open() + told + connection.send(0, connected + said))


def nats(size: int) -> bytes:
    """Messages of NATS without bytes, with headers without values."""
    said = repeated(b"HPUB a 12 12\r\nNATS/1.0\r\n\r\n\r\n", size // 2)
    said += b"HPUB a 60000 60000\r\nNATS/1.0\r\n" + b"a:\r\n" * 14_997 + b"\r\n\r\n\r\n"
    return said_to_nats(said + repeated(b"PUB a 0\r\n\r\n", size // 2))


def nats_subjects(size: int) -> bytes:
    """Subscriptions of NATS, each to a subject and with an id of its own; none ends."""
    return said_to_nats(b"".join(b"SUB a.%d %d\r\n" % (at, at) for at in range(size // 20)))


def nats_sizes(size: int) -> bytes:
    """Messages of NATS that say that they are larger than any is."""
    return said_to_nats(repeated(b"PUB a 99999999999\r\nPUB a 67000000\r\n", size))


def empty_segments(size: int) -> bytes:
    """Segments of TCP without bytes."""
    connection, packets = opened()
    return pcap(packets + [connection.packet(0, ACK | PSH) for _ in range(size // 70)])


def empty_fragments(size: int) -> bytes:
    """Fragments of IP of eight bytes, each of a datagram of its own."""
    head = b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0"
    address = bytes([10, 0, 0, 1, 10, 0, 0, 2])
    return pcap([
        head + struct.pack(">BBHHHBBH", 0x45, 0, 28, at & 0xFFFF, 0x2000, 64, 6, 0)
        + bytes([10, at >> 16, 0, 1]) + address[4:] + bytes(8)
        for at in range(size // 58)
    ])  # fmt: skip


def large_frames(size: int) -> bytes:
    """Frames of another connection while one is out of step, so that their rows wait for it."""
    noisy, packets = opened()
    packets += noisy.send(0, b"\xff" * 8 + b"\0\1" * 2000)
    other = Connection(1)
    packets += other.open()
    for side, data in handshake("other"):
        packets += other.send(side, data)
    body = bytes(1 << 20)
    publish = frame(2, struct.pack(">BIQI", 1, 1, 1, len(body)) + body)
    for _ in range(size // len(publish)):
        packets += other.send(0, publish, 32 * SEGMENT)
    return pcap(packets)


def block(kind: int, body: bytes) -> bytes:
    """A block of pcapng."""
    size = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + size + body + size


SECTION = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
INTERFACE = block(1, struct.pack("<HHI", 1, 0, 0))
COMMENT = struct.pack("<HH", 1, 0)
CUSTOM = struct.pack("<HHI", 2988, 4, 32_473)
"""A custom option of text without a character."""


def interfaces(size: int) -> bytes:
    """Interfaces of pcapng."""
    return SECTION + repeated(INTERFACE, size)


def sections(size: int) -> bytes:
    """Sections of pcapng, each with an interface."""
    return repeated(SECTION + INTERFACE, size)


def comments(size: int) -> bytes:
    """Comments of pcapng without a character."""
    return optioned(COMMENT, size)


def custom_options(size: int) -> bytes:
    """The same of custom options."""
    return optioned(CUSTOM, size)


def optioned(option: bytes, size: int) -> bytes:
    """Sections of pcapng with as many options as fit."""
    section = struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1) + repeated(option, 60_000)
    return repeated(block(0x0A0D0D0A, section), max(size, 70_000))


def blocks(size: int) -> bytes:
    """Blocks of pcapng that nothing reads, without bytes."""
    return SECTION + repeated(block(0x77, b""), size)


MEGABYTE = 1024 * 1024
BULKY: Mapping[str, tuple[Callable[[int], bytes], int]] = {
    "continuations of no bytes (WebSocket)": (continuations, 2 * MEGABYTE),
    "deflated messages (WebSocket)": (inflated, MEGABYTE // 3),
    "deflated messages on many connections": (inflated_on_many, MEGABYTE // 3),
    "CONTINUATION of no bytes (HTTP/2)": (header_pieces, 2 * MEGABYTE),
    "DATA of no bytes (HTTP/2)": (data_pieces, 2 * MEGABYTE),
    "streams that stay open (HTTP/2)": (open_streams, 8 * MEGABYTE),
    "packed messages (gRPC)": (packed_calls, MEGABYTE // 3),
    "packed sub-batches of one frame (RabbitMQ)": (sub_batches, 640 * 1024),
    "fragments of no bytes (RSocket)": (fragments, 2 * MEGABYTE),
    "fragments on many streams (RSocket)": (fragments_on_many, 2 * MEGABYTE),
    "messages of no bytes (NATS)": (nats, 2 * MEGABYTE),
    "subjects (NATS)": (nats_subjects, 2 * MEGABYTE),
    "sizes that no message has (NATS)": (nats_sizes, 2 * MEGABYTE),
    "segments of no bytes (TCP)": (empty_segments, 8 * MEGABYTE),
    "fragments of eight bytes (IP)": (empty_fragments, 8 * MEGABYTE),
    "large frames beside noise (RabbitMQ)": (large_frames, 400 * MEGABYTE),
    "interfaces (pcapng)": (interfaces, 20 * MEGABYTE),
    "sections (pcapng)": (sections, 48 * MEGABYTE),
    "comments of no bytes (pcapng)": (comments, 8 * MEGABYTE),
    "custom options of no bytes (pcapng)": (custom_options, 8 * MEGABYTE),
    "blocks of no bytes (pcapng)": (blocks, 16 * MEGABYTE),
}
"""Name to maker and size in bytes."""
