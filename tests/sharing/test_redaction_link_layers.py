"""Headers of link layers: what names a machine is gone, and the packet is where it was."""

import struct

from tests import builders
from tests.failures import every
from tests.flows.test_link_layer import ENDS, LINKS, SNAP, Link

from streamshark.flows.ip import TcpHeader, find_tcp
from streamshark.flows.link_layer import LINKS as READ
from streamshark.sharing.redaction_addresses import Addresses
from streamshark.sharing.redaction_ciphers import Permutations
from streamshark.sharing.redaction_link_layers import redact_extensions
from streamshark.sharing.redaction_packets import PacketRedaction
from streamshark.sharing.redaction_streams import StreamPieces

ADDRESSES = Addresses(Permutations(b"key"))
SECRET = b"a secret payload"


def redaction(pieces: StreamPieces, addresses: Addresses | None = ADDRESSES) -> PacketRedaction:
    """Return the redaction of packets whose connection is known."""
    pieces.add(0, 0, b"A" * len(SECRET))
    return PacketRedaction(pieces, {0: 1_000}, addresses, lambda data: b"X" * len(data))


def packet(wrap: Link, kind: int) -> bytes:
    """Return a packet of a connection."""
    talk = builders.Conversation(*ENDS[kind], link=wrap)
    return talk.send(0, SECRET).packets[0].data


@every(("link", "wrap"), [row[1:] for row in LINKS], ids=[r[0] for r in LINKS])
def test_packets_of_every_link_type_are_read_as_before(link: int, wrap: Link) -> None:
    """Their headers of TCP are where they were, with other addresses and payload."""
    for kind in (builders.IPV4, builders.IPV6):
        data = packet(wrap, kind)
        with StreamPieces() as pieces:
            made = redaction(pieces).packet(link, data, len(data), 0)
        before, after = (find_tcp(link, each, 0, len(data), len(data)) for each in (data, made))
        assert isinstance(before, TcpHeader)
        assert isinstance(after, TcpHeader)
        assert (after.header, after.end) == (before.header, before.end)
        assert after.key[-4:] == before.key[-4:]
        assert after.key[:-4] != before.key[:-4]
        assert made[after.header + 20 : after.end] == b"A" * len(SECRET)


@every(("link", "wrap"), [row[1:] for row in LINKS], ids=[r[0] for r in LINKS])
def test_packets_cut_anywhere_keep_their_size(link: int, wrap: Link) -> None:
    """With a known connection, without one, and with addresses that stay; nothing raises."""
    data = packet(wrap, builders.IPV4)
    with StreamPieces() as pieces:
        for known in (redaction(pieces), redaction(pieces, None)):
            for size in range(len(data)):
                for flow in (0, -1):
                    assert len(known.packet(link, data[:size], len(data), flow)) == size


ONE, OTHER = b"\x02first", b"\x02other"
"""Addresses of Ethernet."""
PORT = b"\x20\x02a port of a fabr"[:16]
"""An address of 16 bytes."""


def attribute(kind: int, data: bytes) -> bytes:
    """Return an attribute of netfilter's log."""
    return struct.pack("<HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


HEADERS: dict[str, tuple[int, bytes]] = {
    "ethernet": (1, ONE + OTHER + b"\x08\0"),
    "cooked": (113, struct.pack(">HHH", 0, 1, 6) + ONE + b"zz\x08\0"),
    "cooked, of a tunnel": (113, struct.pack(">HHH", 0, 776, 4) + b"\x55\x44\x33\x22zzzz\x08\0"),
    "cooked 2": (276, struct.pack(">HHIHBB", 0x800, 0, 2, 1, 0, 6) + ONE + b"zz"),
    "cooked 2, of a tunnel": (276, struct.pack(">HHIHBB", 0x800, 0, 2, 823, 0, 16) + PORT[:8]),
    "wi-fi": (105, b"\x08\1\0\0" + ONE + OTHER + b"\x02third" + b"\0\0" + SNAP + b"\x08\0"),
    "wi-fi relayed": (
        105, b"\x08\3\0\0" + ONE + OTHER + b"\x02third\0\0\x02forth" + SNAP + b"\x08\0"
    ),
    "radiotap": (
        127, b"\0\0\x08\0\0\0\0\0\x08\2\0\0" + ONE + OTHER + b"\x02third\0\0" + SNAP + b"\x08\0"
    ),
    "several in a frame": (
        105,
        b"\x88\1\0\0" + ONE + OTHER + b"\x02third\0\0\x80\0" + b"\x02forth\x02fifth" + b"\0\x50"
        + SNAP + b"\x08\0",
    ),
    "nflog": (
        239,
        b"\x02\0\0\5" + attribute(1, b"\x08\0\1\0") + attribute(8, b"\0\6\0\0" + ONE + b"zz")
        + attribute(10, b"other\0") + attribute(9, b"")[:4],
    ),
    "juniper": (178, b"MGC\x81\0\x08\x02\6third1" + ONE + OTHER + b"\x08\0"),
    "ipoib": (242, bytes(8) + PORT + PORT[::-1] + b"\x08\0\0\0"),
}  # fmt: skip
"""Headers with addresses and names before IPv4."""
MARKS = (ONE, OTHER, b"third", b"other", b"forth", b"fifth", PORT[:8], PORT, PORT[::-1], b"zz",
         b"\x55\x44\x33\x22")  # fmt: skip


@every("name", HEADERS)
def test_addresses_and_names_in_headers_are_gone(name: str) -> None:
    """Packets are read as before, also those that no connection is known of."""
    link, header = HEADERS[name]
    network = packet(builders.raw_ip, builders.IPV4)
    if name == "nflog":
        size = struct.pack("<H", 4 + len(network))
        header = header[:-4] + size + header[-2:]
    data = header + network
    for flow in (0, -1):
        with StreamPieces() as pieces:
            made = redaction(pieces).packet(link, data, len(data), flow)
        assert any(mark in data for mark in MARKS)
        assert [mark for mark in MARKS if mark in made] == []
        found = find_tcp(link, made, 0, len(made), len(made))
        assert isinstance(found, TcpHeader)
        assert found.header == len(header) + 20
    with StreamPieces() as pieces:
        made = redaction(pieces, None).packet(link, data, len(data), 0)
    assert all(mark in made for mark in (ONE, OTHER) if mark in header), "addresses that are kept"


def test_every_link_type_that_is_read_can_be_redacted() -> None:
    """Those without addresses are listed here."""
    plain = {0, 9, 12, 14, 50, 51, 101, 104, 108, 228, 229}
    assert set(READ) == plain | {link for link, _ in HEADERS.values()}


def test_packets_that_are_not_ip_keep_their_header_alone() -> None:
    """Its addresses are replaced."""
    beacon = b"\x80\0\0\0" + b"\xff" * 6 + ONE + OTHER + b"\0\0" + b"name of a network"
    cases: tuple[tuple[int, bytes, int], ...] = (
        (105, beacon, 22),
        (1, ONE + OTHER + b"\x08\x06" + b"who has it", 14),
        (178, b"MGC\1" + ONE + OTHER + b"\x08\x06" + b"who has it", 18),
        (239, b"\x02\0\0\5" + attribute(10, b"other\0") + b"who has it", 16),
    )
    for link, data, size in cases:
        with StreamPieces() as pieces:
            made = redaction(pieces).packet(link, data, len(data), -1)
        assert made[size:] == b"X" * (len(data) - size), link
        assert not any(mark in made for mark in MARKS), link


def test_extension_headers_of_ipv6_say_nothing() -> None:
    """Routes have other addresses, options become padding; the payload is where it was."""
    hop = builders._packed("fd00::77")
    route = b"\2\1\0\0\0\0" + hop
    options = b"\x1e\x0cprivate data\x1e\x1cmore of it than eight bytes, "
    options = options.ljust(-(-(len(options) + 2) // 8) * 8 - 2, b"\0")
    shim = b"\0\0\0\0\0\0a context"[:14]
    data = builders.ipv6(
        builders.tcp((1, 2), 1_000, data=SECRET),
        extensions=[(0, options), (43, route), (140, shim), (60, options)],
    )
    out = bytearray(data)
    inside = len(data) - 20 - len(SECRET)
    redact_extensions(out, (builders.IPV6, 0, 6, inside), ADDRESSES)
    assert hop in data
    assert hop not in out
    assert ADDRESSES.ipv6(hop) in out
    for mark in (b"private", b"more", b"context"):
        assert mark not in out
    assert out[inside:] == data[inside:]
    found = find_tcp(101, bytes(out), 0, len(out), len(out))
    assert isinstance(found, TcpHeader)
    assert found.header == inside
    at, end = 42, 40 + len(options) + 2
    while at < end:  # every option is padding
        assert out[at] in (0, 1)
        at += 1 if not out[at] else 2 + out[at + 1]
    assert at == end
